//go:build !explore && !chaos

// Package joint holds what goroutines of the scheduler meet at, beyond atomics:
// locks, channels, timers, the start of goroutines. In an ordinary build each
// name stands for what Go offers and costs nothing.
//
// With the build tag explore each is a step of the schedule explorer, and with
// the build tag chaos it may be delayed. Both builds are told about in
// docs/VERIFICATION.md.
package joint

import (
	"context"
	"runtime"
	"sync"
	"time"
)

// Exploring reports whether this is the explorer's build, in which sizes shrink
// so that their limits are met. It is a constant.
const Exploring = false

// A Mutex is a sync.Mutex.
type Mutex = sync.Mutex

// A Signal is a channel that carries nothing but the fact.
type Signal = chan struct{}

// Send sends on c.
func Send(c Signal) { c <- struct{}{} }

// Receive receives from c.
func Receive(c Signal) { <-c }

// Offer sends on c if there is room in its buffer, and else does nothing.
func Offer(c Signal) { offer(c) }

// ReceiveWithin receives from c, at most for d, and reports whether it has.
func ReceiveWithin(c Signal, d time.Duration) bool { return receiveWithin(c, d) }

// Close closes c.
func Close(c Signal) { close(c) }

// Go starts f on a goroutine of its own.
func Go(f func()) { go f() }

// Gosched lets other goroutines run.
func Gosched() { runtime.Gosched() }

// AfterFunc calls f on a goroutine of its own after d.
func AfterFunc(d time.Duration, f func()) { time.AfterFunc(d, f) }

// Now returns the time.
func Now() time.Time { return time.Now() }

// Err returns ctx.Err().
func Err(ctx context.Context) error { return ctx.Err() }

// Cancel calls cancel.
func Cancel(cancel context.CancelCauseFunc, cause error) { cancel(cause) }
