package forkjoin

import (
	"github.com/forkjoin-go/forkjoin/internal/clock"
	"github.com/forkjoin-go/forkjoin/internal/joint"
)

// Blocking calls f, which may block: on a channel, a lock, input or output. The
// slot of the worker that the calling goroutine acts as is lent out meanwhile,
// and what it has forked is shown to others. Outside any call of this package
// Blocking just calls f.
//
// Cost: about a microsecond, and a wake if there is other work; where hundreds are
// blocked at the same time, some nanoseconds for each of them, too. When f is done,
// Blocking waits for a slot. Panics of f pass through. It panics if f is nil.
func Blocking(f func()) {
	if f == nil {
		badUse("Blocking: f is nil")
	}
	w := current()
	if w == nil {
		f()
		return
	}
	if w.tape != nil {
		w.tape.Stop()
		defer w.tape.Paused()
	}
	w.blocking(f)
}

func (w *worker) blocking(f func()) {
	if w.bubble == yes || w.bubble == unknown && clock.InBubble() {
		f()
		return
	}
	if n := w.private(); n > 0 {
		w.publish(n)
	}
	w.yieldSlot()
	defer w.resumeSlot()
	f()
}

// Yield lets other goroutines run, as [runtime.Gosched] does, and shows what the
// caller has forked to idle workers. Use it in long stretches without any call
// of this package.
func Yield() {
	if w := current(); w != nil && w.private() > 0 && !w.inBubble() && w.pool.idle.load() != 0 {
		w.publish(w.private())
		if !w.pool.idle.load().hungry() {
			w.pool.wake()
		}
	}
	joint.Gosched()
}
