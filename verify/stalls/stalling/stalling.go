// Package stalling stands in for sync/atomic and for the types of package sync
// that the scheduler uses. Before and after each operation the goroutine may be
// held up: it lets others run, computes, sleeps, or is gone for milliseconds as
// if its thread had lost the processor. See package stalls for how it gets there.
//
// The environment variable FORKJOIN_STALLS says that one in so many operations
// is held up, on average; without it, one in 32.
package stalling

import (
	"math/rand/v2"
	"os"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

var oneIn = sync.OnceValue(func() uint32 {
	n, err := strconv.ParseUint(os.Getenv("FORKJOIN_STALLS"), 10, 31)
	if err != nil || n == 0 {
		return 32
	}
	return uint32(n)
})

// stall is called between any two steps that others can see.
func stall() {
	if rand.Uint32N(oneIn()) != 0 {
		return
	}
	switch k := rand.IntN(1000); {
	case k < 600:
		for range 1 + k%4 {
			runtime.Gosched()
		}
	case k < 950:
		for range 1 + rand.IntN(20_000) {
			spun.Load()
		}
	case k < 999:
		time.Sleep(time.Duration(rand.IntN(100_000)))
	default:
		time.Sleep(time.Duration(1+rand.IntN(4)) * time.Millisecond)
	}
}

var spun atomic.Bool

// What is not a step of any protocol.
type (
	Once      = sync.Once
	WaitGroup = sync.WaitGroup
)

// Mutex is sync.Mutex.
type Mutex struct{ mu sync.Mutex }

func (m *Mutex) Lock()         { stall(); m.mu.Lock(); stall() }
func (m *Mutex) Unlock()       { stall(); m.mu.Unlock(); stall() }
func (m *Mutex) TryLock() bool { stall(); ok := m.mu.TryLock(); stall(); return ok }
