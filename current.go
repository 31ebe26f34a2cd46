package forkjoin

import "github.com/forkjoin-go/forkjoin/internal/clock"

// Migrated reports whether the calling goroutine runs a task that was forked by
// another worker: the second branch of a join, a part of a loop, or a task of a
// group that was not run by the goroutine that forked it.
func Migrated() bool {
	w := current()
	return w != nil && w.migrated
}

// WorkerIndex returns the index of the worker that the calling goroutine acts
// as, or -1 outside any call of this package. No two goroutines that act as
// workers of the same pool at the same time have the same index. Indices are
// small, but not below [Pool.Workers]: goroutines that wait or block, and those
// that call in from outside, have some too.
func WorkerIndex() int {
	if w := current(); w != nil {
		return w.index
	}
	return -1
}

// inBubble reports whether w's goroutine is in a testing/synctest bubble. What
// was made in a bubble must not be used outside, so nothing that a goroutine in
// a bubble forks is shown to workers.
func (w *worker) inBubble() bool {
	if w.bubble == unknown {
		w.bubble = no
		if clock.InBubble() {
			w.bubble = yes
		}
	}
	return w.bubble == yes
}
