package forkjoin

import (
	"errors"
	"fmt"
)

// Config says what a pool is to be. The zero Config is a pool of as many workers
// as GOMAXPROCS, at any time.
type Config struct {
	// Workers is how many goroutines may run on the pool at once. 0 means as
	// many as GOMAXPROCS, also when that changes. The most is 524,287.
	Workers int

	// Name names the pool in error texts.
	Name string

	// Pin says whether background workers stay on a processor.
	Pin Pinning

	// OnStart and OnExit are called on the goroutine of a background worker
	// when it starts and ends, with the worker's index. Workers start when there
	// is something to do, and end after about a second without.
	OnStart, OnExit func(worker int)

	// PanicHandler is called when a function given to Submit panics, on the
	// goroutine that ran it. If it is nil, the panic crashes the program, as
	// that of a goroutine does.
	PanicHandler func(*PanicError)

	// MaxTasks caps the tasks that wait or run, given to Submit and to the Go
	// of groups used on this pool; beyond it, they run at once on the goroutine
	// that gives them (which ends if such a task calls runtime.Goexit, and to
	// which a panic of a submitted one goes, if there is no PanicHandler). Groups
	// with a limit are exempt. 0 means no cap.
	MaxTasks int
}

// Pinning says whether workers stay on a processor.
type Pinning int

const (
	// PinNone lets Go and the operating system place workers.
	PinNone Pinning = iota
	// PinCores locks each background worker to a thread and, on Linux, that
	// thread to one of the processors that the process may use: one of each core
	// before the second threads of cores, fast cores before slow ones.
	PinCores
)

// ErrClosed is what Submit returns when the pool is closed.
var ErrClosed = errors.New("forkjoin: pool is closed")

// New returns a pool. It starts nothing: workers start when there is work. A
// pool should be closed, but one that is just dropped costs nothing once its
// workers have been idle for a second. New returns an error if cfg.Workers or
// cfg.MaxTasks is negative, cfg.Workers more than 524,287, or cfg.Pin unknown.
func New(cfg Config) (*Pool, error) {
	switch {
	case cfg.Workers < 0:
		return nil, fmt.Errorf("forkjoin: New: Workers is %d, want >= 0", cfg.Workers)
	case cfg.Workers > idleField/2:
		return nil, fmt.Errorf("forkjoin: New: Workers is %d, want <= %d", cfg.Workers, idleField/2)
	case cfg.MaxTasks < 0:
		return nil, fmt.Errorf("forkjoin: New: MaxTasks is %d, want >= 0", cfg.MaxTasks)
	case cfg.Pin != PinNone && cfg.Pin != PinCores:
		return nil, fmt.Errorf("forkjoin: New: Pin is %d, want PinNone or PinCores", cfg.Pin)
	}
	return newPool(cfg, true), nil
}
