package forkjoin

import (
	"runtime"
	"sync/atomic"
	"time"

	"github.com/forkjoin-go/forkjoin/internal/clock"
)

// Blocking calls f, which may block: on a channel, a lock, input or output. The
// slot of the worker that the calling goroutine acts as is lent out meanwhile,
// and what it has forked is shown to others. Outside any call of this package
// Blocking just calls f.
//
// Cost: about a microsecond, and a wake if there is other work. When f is done,
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
	runtime.Gosched()
}

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

// Submit has f called by one of p's workers, soon, and does not wait. It returns
// [ErrClosed] if p is closed. f may block or wait for other tasks, as a goroutine
// may; see [WaitGroup].
//
// Cost: about two allocations. Submit panics if f is nil. If f panics, that goes
// to Config.PanicHandler, or else crashes the program; if it calls
// [runtime.Goexit], the task just ends.
//
// What was done before Submit is synchronized before f starts.
func (p *Pool) Submit(f func()) error {
	if f == nil {
		badUse("Pool.Submit: f is nil")
	}
	if !p.begin() {
		return ErrClosed
	}
	w := current()
	s := &submitted{pool: p, f: f}
	if w != nil {
		s.labels = w.labels
	}
	switch limit := p.config.MaxTasks; {
	case (w == nil || w.bubble != no) && clock.InBubble():
		go s.call() // a goroutine of the bubble
	case limit > 0 && p.pending.Load()&^closing > int64(limit):
		s.call()
	default:
		p.inject(s)
	}
	return nil
}

// A submitted task is detached from who gave it.
type submitted struct {
	pool   *Pool
	f      func()
	labels *labels
}

func (s *submitted) run(w *worker, _ *frame) {
	before := w.begin(s.labels, true)
	defer w.end(before)
	s.call()
}

func (s *submitted) site() *site { return &noSite }

func (s *submitted) call() {
	returned := false
	defer func() {
		defer s.pool.finish()
		s.pool.tasks.Add(1)
		if returned {
			return
		}
		if handler := s.pool.config.PanicHandler; handler != nil {
			if r := recover(); r != nil {
				handler(asPanicError(r))
			}
		}
	}()
	s.f()
	returned = true
}

// Broadcast calls f once for each number below p.Workers(), at the same time on
// as many goroutines while p has idle workers, and returns when all calls have
// returned. The calls may wait for each other. Use it to prepare or collect what
// is kept for each worker; the number is not [WorkerIndex].
//
// If calls panic, Broadcast panics with a [*PanicError] when all have ended.
// Goexit is as for [Join]. It panics if f is nil or p is closed.
//
// What was done before Broadcast is synchronized before each call of f, and each
// of those before Broadcast returns.
func (p *Pool) Broadcast(f func(worker int)) {
	if f == nil {
		badUse("Pool.Broadcast: f is nil")
	}
	p.run("Broadcast", func() {
		n := p.Workers()
		var begun atomic.Int32
		all := make(chan struct{})
		var g WaitGroup
		for i := range n {
			g.Go(func() {
				if int(begun.Add(1)) == n {
					close(all)
				} else {
					// Wait for the others, so that no worker gets two.
					select {
					case <-all:
					case <-time.After(gatherTime):
					}
				}
				f(i)
			})
		}
		g.Wait()
	})
}

// gatherTime is how long the calls of a Broadcast wait for each other at most
// before they begin.
const gatherTime = time.Millisecond
