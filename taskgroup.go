package forkjoin

import (
	"context"
	"sync/atomic"

	"github.com/forkjoin-go/forkjoin/internal/clock"
)

// A taskGroup holds the tasks of a WaitGroup or Group. They are public from the
// start and may wait for each other.
//
// While the list has tasks that may run, the group itself is in the pool's
// injection queue, once: its ticket. The protocol (numbers are those of
// docs/DESIGN.md):
//
//	G1  Who adds a task stores list.given and then loads ticketed; unless it
//	    names the group's pool, and if it can be made to, the ticket is injected.
//	G2  A worker that takes the ticket changes ticketed to nil, and then looks at
//	    the list. So either it sees the task of G1, or the adder sees nil. If
//	    ticketed names another pool, the ticket is an old one and void.
//	G3  With a task in hand and more in the list, it puts the ticket back (as in
//	    G1) before it runs the task. Then it goes on with the list until there
//	    is nothing to take.
//	G4  Where a limit forbids taking, the workers that are running tasks go on
//	    with the list when they are done, so no ticket is needed.
//	G5  A goroutine in Wait does as in G3, with this group's tasks and no others.
//	    When there is nothing to take it parks; the last task to end wakes it.
type taskGroup struct {
	// Written under list.giving and list.taking, when there is no task.
	open  bool  // a task has been added since the last Wait; pool and alone are set
	alone bool  // in a synctest bubble: no worker must run the tasks
	pool  *Pool // that the tasks run on

	uncapped bool                 // exempt from Config.MaxTasks: the tasks are sure to wait for each other
	inline   atomic.Int64         // tasks that run in add
	ticketed atomic.Pointer[Pool] // that has the ticket
	limit    atomic.Int64         // of tasks that run at once, plus one; 0: none
	list     taskList

	// Under list.taking.
	finished atomic.Uint64        // tasks that have ended or were skipped; read by all
	waiters  []chan struct{}      // of Wait, closed when no task is left
	blocked  queue[chan struct{}] // of add, closed when the list is short enough
	skip     bool                 // tasks that have not started are not to
	failure  *PanicError          // the first panic or Goexit
	err      error                // the first error
	cancel   context.CancelCauseFunc
}

// queueLimit is how many tasks of a limited group may wait before Go blocks.
const queueLimit = 4096

// add gives the group a task, unless try is set and the limit is reached.
func (g *taskGroup) add(t task, try bool) bool {
	w := current()
	if t.labels == nil && w != nil {
		t.labels = w.labels
	}
	l := &g.list
	l.giving.Lock()
	if !g.open || g.pool.pending.Load()&closing != 0 && g.idle() {
		g.begin(w)
	}
	p, alone := g.pool, g.alone
	if try && g.full() {
		l.giving.Unlock()
		return false
	}
	if g.capped() {
		if p.outstanding.Add(1) > int64(p.config.MaxTasks) && g.limit.Load() == 0 {
			g.inline.Add(1)
			l.giving.Unlock()
			g.runHere(w, t)
			return true
		}
	}
	l.add(t)
	limited := g.limit.Load() > 0
	full := limited && l.given.Load()-l.ended > queueLimit && g.outstanding() > queueLimit
	l.giving.Unlock()

	switch {
	case alone:
		go g.drainAlone()
	case g.ticketed.Load() == p:
	case limited && g.busy(): // G4
	case g.ticket(p): // G1
		p.inject(g)
	}
	if full {
		g.block(w, p)
	}
	return true
}

// outstanding returns how many tasks wait or run. The caller holds list.giving.
func (g *taskGroup) outstanding() uint64 {
	g.list.ended = g.finished.Load()
	return g.list.given.Load() - g.list.ended
}

// busy reports whether, besides a task just added, as many as the limit allows
// wait or run.
func (g *taskGroup) busy() bool {
	return g.list.given.Load()-g.finished.Load() > uint64(g.limit.Load()-1)
}

// full reports whether as many tasks as the limit allows wait or run.
func (g *taskGroup) full() bool {
	limit := g.limit.Load()
	return limit > 0 && g.list.given.Load()-g.finished.Load() >= uint64(limit-1)
}

// capped reports whether the group's tasks count for Config.MaxTasks.
func (g *taskGroup) capped() bool {
	return g.pool.config.MaxTasks > 0 && !g.alone && !g.uncapped
}

// begin chooses the pool for a first task, given by w or, with w nil, from
// outside. The caller holds list.giving.
func (g *taskGroup) begin(w *worker) {
	g.list.taking.Lock()
	defer g.list.taking.Unlock()
	g.open = true
	g.pool = std
	if w != nil {
		g.pool = w.pool
	}
	g.alone = (w == nil || w.bubble != no) && clock.InBubble()
}

// ticket reports whether the caller must put the group into p's injection queue.
func (g *taskGroup) ticket(p *Pool) bool {
	for {
		old := g.ticketed.Load()
		if old == p {
			return false
		}
		if g.ticketed.CompareAndSwap(old, p) {
			return true
		}
	}
}

// block waits until the list has become shorter.
func (g *taskGroup) block(w *worker, p *Pool) {
	spin := p.newSpinner()
	for spin.again() {
		if spin.turns%64 == 0 && g.list.given.Load()-g.finished.Load() <= queueLimit/2 {
			return
		}
	}
	g.list.taking.Lock()
	if g.list.waiting() <= queueLimit {
		g.list.taking.Unlock()
		return
	}
	c := make(chan struct{})
	g.blocked.push(c)
	g.list.taking.Unlock()
	if w != nil {
		w.blocking(func() { <-c })
	} else {
		<-c
	}
}

// running returns how many tasks have been started and not ended. The caller
// holds list.taking, as for all that follows up to drain.
func (g *taskGroup) running() uint64 { return g.list.taken - g.finished.Load() }

// runnable reports whether a task may be started.
func (g *taskGroup) runnable() bool {
	limit := g.limit.Load()
	return !g.list.empty() && (limit == 0 || g.running() < uint64(limit-1))
}

// idle reports whether no task is left.
func (g *taskGroup) idle() bool {
	return g.list.given.Load() == g.finished.Load() && g.inline.Load() == 0
}

// next takes a task to run, if one may be started.
func (g *taskGroup) next() (t task, ok bool) {
	for g.runnable() {
		t = g.list.take()
		if g.blocked.count > 0 && g.list.waiting() <= queueLimit/2 {
			for c, ok := g.blocked.pop(); ok; c, ok = g.blocked.pop() {
				close(c)
			}
		}
		if !g.skip {
			return t, true
		}
		g.gone()
	}
	return task{}, false
}

// note keeps what a task failed with, if it is the first.
func (g *taskGroup) note(failure *PanicError, err error) {
	if failure != nil && g.failure == nil {
		g.failure = failure
		err = failure
	}
	if err != nil && g.err == nil {
		g.err = err
		if g.cancel != nil {
			g.skip = true
			g.cancel(err)
		}
	}
}

// gone counts a task that has ended or was skipped.
func (g *taskGroup) gone() {
	if g.capped() {
		g.pool.outstanding.Add(-1)
	}
	g.finished.Store(g.finished.Load() + 1)
	g.release()
}

// release wakes those in Wait if no task is left.
func (g *taskGroup) release() {
	if len(g.waiters) > 0 && g.idle() {
		for _, c := range g.waiters {
			close(c)
		}
		g.waiters = nil
	}
}

// begun returns how many tasks have been started, for the watchdog.
func (g *taskGroup) begun() uint64 {
	g.list.taking.Lock()
	defer g.list.taking.Unlock()
	return g.list.taken
}

// run is the ticket's: it runs tasks until there is none to start (G2).
func (g *taskGroup) run(w *worker, _ *frame) {
	if !g.ticketed.CompareAndSwap(w.pool, nil) {
		return
	}
	g.list.taking.Lock()
	if g.pool == w.pool {
		g.drain(w)
	}
	g.list.taking.Unlock()
}

func (g *taskGroup) site() *site { return &noSite }

// drain runs tasks until there is none to start (G3). The lock is free while a
// task runs.
func (g *taskGroup) drain(w *worker) {
	p := w.pool // the group may have another one when its last task has ended
	before := w.begin(w.labels, w.background)
	defer w.end(before)
	for n := 1; g.pool == p; n++ {
		t, ok := g.next()
		if !ok {
			return
		}
		more := g.runnable()
		g.list.taking.Unlock()
		if more && g.ticket(p) {
			p.inject(g)
		}
		w.wear(t.labels)
		failure, err := g.call(w, t)
		w.counts.tasks++
		g.list.taking.Lock()
		if g.list.empty() {
			w.flush() // so that who waits for the tasks sees them counted
		}
		g.note(failure, err)
		g.gone()
		if w.background && (p.mustRest() || n%fairTurn == 0 && p.othersWait(g)) {
			if g.pool == p && g.runnable() && g.ticket(p) {
				g.list.taking.Unlock()
				p.inject(g)
				g.list.taking.Lock()
			}
			return
		}
	}
}

// fairTurn is after how many tasks of a group a worker looks whether something
// else waits.
const fairTurn = 32

// othersWait reports whether the injection queue holds more than g's ticket.
func (p *Pool) othersWait(g *taskGroup) bool {
	own := 0
	if g.ticketed.Load() == p {
		own = 1
	}
	return p.injected.length() > own
}

// call runs a task, on w if that is not nil. If the task calls Goexit it does
// not return, and what follows it is taken care of here.
func (g *taskGroup) call(w *worker, t task) (failure *PanicError, err error) {
	returned := false
	defer func() {
		if returned {
			return
		}
		if failure = failureOf(recover()); failure != goexit {
			return
		}
		if w != nil {
			w.counts.tasks++
		}
		g.list.taking.Lock()
		p, alone := g.pool, g.alone
		g.note(failure, nil)
		g.gone()
		more := g.pool == p && g.runnable()
		g.list.taking.Unlock()
		switch {
		case more && alone:
			go g.drainAlone()
		case more && g.ticket(p):
			p.inject(g)
		}
	}()
	err = t.run()
	returned = true
	return nil, err
}

// runHere runs a task on the goroutine that gave it, because the pool has
// enough tasks. Nobody else sees it.
func (g *taskGroup) runHere(w *worker, t task) {
	p := g.pool
	var err error
	returned := false
	defer func() {
		var failure *PanicError
		if !returned {
			failure = failureOf(recover())
		}
		p.outstanding.Add(-1)
		g.list.taking.Lock()
		g.note(failure, err)
		g.inline.Add(-1)
		g.release()
		g.list.taking.Unlock()
	}()
	g.list.taking.Lock()
	skip := g.skip
	g.list.taking.Unlock()
	if !skip {
		if w != nil {
			before := w.begin(t.labels, false)
			defer w.end(before)
		}
		err = t.run()
	}
	returned = true
}

// drainAlone is run on a goroutine of its own, in the group's synctest bubble.
func (g *taskGroup) drainAlone() {
	g.list.taking.Lock()
	for {
		t, ok := g.next()
		if !ok {
			g.list.taking.Unlock()
			return
		}
		g.list.taking.Unlock()
		failure, err := g.call(nil, t)
		g.list.taking.Lock()
		g.note(failure, err)
		g.gone()
	}
}

// wait returns when no task is left. Meanwhile it runs tasks of the group, if
// the calling goroutine may act as a worker of the group's pool (G5).
func (g *taskGroup) wait() {
	g.list.giving.Lock()
	open, alone, p := g.open, g.alone, g.pool
	g.list.giving.Unlock()
	if !open {
		return
	}
	defer g.close()
	w := current()
	if w == nil && p == std && !alone && !g.idle() {
		w, _ = enter()
		defer w.leave()
	}
	switch {
	case w == nil:
		g.park()
		return
	case alone || w.pool != p:
		w.blocking(g.park)
		return
	}
	ended := false
	defer func() {
		if !ended { // a task called Goexit here: the others are still waited for
			w.blocking(g.park)
			g.forget(goexit)
		}
	}()
	for {
		g.list.taking.Lock()
		g.drain(w)
		given, finished := g.list.given.Load(), g.finished.Load()
		g.list.taking.Unlock()
		if g.idle() {
			break
		}
		if !g.linger(w, given, finished) {
			w.counts.parks++
			w.blocking(g.park)
		}
	}
	ended = true
}

// linger waits a moment, until it may be that a task can be started, or that
// none is left, and reports whether that is so. The numbers are those for which
// it was not.
func (g *taskGroup) linger(w *worker, given, finished uint64) bool {
	for spin := w.pool.newSpinner(); spin.again(); {
		if g.idle() || g.list.given.Load() != given || g.limit.Load() > 0 && g.finished.Load() != finished {
			return true
		}
	}
	return false
}

// park waits until no task is left.
func (g *taskGroup) park() {
	g.list.taking.Lock()
	if g.idle() {
		g.list.taking.Unlock()
		return
	}
	c := make(chan struct{})
	g.waiters = append(g.waiters, c)
	p, more := g.pool, !g.alone && g.runnable()
	g.list.taking.Unlock()
	if more && g.ticket(p) {
		p.inject(g)
	}
	<-c
}

// close lets the next task choose the pool anew.
func (g *taskGroup) close() {
	g.list.giving.Lock()
	g.list.taking.Lock()
	if g.idle() {
		g.open = false
	}
	g.list.taking.Unlock()
	g.list.giving.Unlock()
}

// forget drops a failure that has been dealt with.
func (g *taskGroup) forget(failure *PanicError) {
	g.list.taking.Lock()
	if g.failure == failure {
		g.failure = nil
	}
	g.list.taking.Unlock()
}

// raise makes the first panic or Goexit of a task the caller's, once.
func (g *taskGroup) raise() {
	g.list.taking.Lock()
	failure := g.failure
	g.failure = nil
	g.list.taking.Unlock()
	if failure != nil {
		failure.raise()
	}
}
