package forkjoin

import (
	"github.com/forkjoin-go/forkjoin/internal/clock"
	"github.com/forkjoin-go/forkjoin/internal/joint"
)

// wait returns when no task is left. Meanwhile it runs tasks of the group, if
// the calling goroutine may act as a worker of the group's pool (G6).
func (g *taskGroup) wait() {
	g.mu.Lock()
	open, alone, p, idle := g.open, g.alone, g.pool, g.idle()
	g.mu.Unlock()
	if !open {
		return
	}
	defer g.close()
	w := current()
	if w == nil && p == std && !alone && (!idle || recordsAll()) {
		w, _ = enter()
		defer w.leave()
	}
	if w != nil && w.tape != nil {
		w.recordWait(g)
		defer w.tape.Resume()
	}
	if idle {
		return
	}
	switch {
	case w == nil:
		g.park()
		return
	case alone || w.pool != p || w.inBubble():
		w.blocking(g.park)
		return
	}
	ended := false
	defer func() {
		if !ended { // a task called Goexit here: the others are still waited for
			w.blocking(g.park)
			g.forget(goexit)
			g.conclude()
		}
	}()
	for {
		g.drain(w, p)
		g.mu.Lock()
		given, rounds, idle := g.list.given.Load(), g.rounds.Load(), g.idle()
		g.mu.Unlock()
		if idle {
			break
		}
		if !g.linger(w, given, rounds) {
			w.counts.parks++
			w.blocking(g.park)
		}
	}
	ended = true
}

// linger waits a moment, until it may be that a task can be started, or that
// none is left, and reports whether that is so. The numbers are those for which
// it was not.
func (g *taskGroup) linger(w *worker, given uint64, rounds uint32) bool {
	for spin := w.pool.newSpinner(times.Patience); spin.again(); {
		if g.rounds.Load() != rounds || g.list.given.Load() != given {
			return true
		}
	}
	return false
}

// park waits until no task is left.
func (g *taskGroup) park() {
	if clock.InBubble() && g.parkInBubble() {
		return
	}
	g.mu.Lock()
	if g.idle() {
		g.mu.Unlock()
		return
	}
	c := make(joint.Signal)
	g.waiters = append(g.waiters, c)
	g.unlockWithTicket(g.pool)
	joint.Receive(c)
}

// parkInBubble is park for a goroutine in a synctest bubble. It does nothing but report
// false if the tasks are in the bubble, too. If they are not, nobody there may touch a
// channel made here; a lock may be passed on. The caller has not run any of the tasks,
// and owes them no ticket.
func (g *taskGroup) parkInBubble() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.alone {
		return false
	}
	if !g.idle() {
		var ended joint.Mutex
		ended.Lock()
		g.bubbled = append(g.bubbled, &ended)
		g.mu.Unlock()
		ended.Lock() // unlocked by stop
		g.mu.Lock()
	}
	return true
}

// close lets the next task choose the pool anew.
func (g *taskGroup) close() {
	g.mu.Lock()
	if g.idle() {
		g.open = false
	}
	g.mu.Unlock()
}

// forget drops a failure that has been dealt with.
func (g *taskGroup) forget(failure *PanicError) {
	g.mu.Lock()
	if g.failure == failure {
		g.failure = nil
	}
	g.mu.Unlock()
}

// conclude returns the first error, or makes the first panic or Goexit of a task
// the caller's, once.
func (g *taskGroup) conclude() error {
	g.mu.Lock()
	err, failure := g.err, g.failure
	g.failure = nil
	g.mu.Unlock()
	if g.cancel != nil {
		joint.Cancel(g.cancel, err)
	}
	if failure != nil {
		failure.raise()
	}
	return err
}
