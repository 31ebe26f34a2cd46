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

	recorded recordedGroup // under list.giving
}

// queueLimit is how many tasks of a limited group may wait before Go blocks.
const queueLimit = 4096

// add gives the group a task, unless try is set and the limit is reached. f is
// the function that the user gave.
func (g *taskGroup) add(t task, f any, try bool) bool {
	w := current()
	if t.labels == nil && w != nil {
		t.labels = w.labels
	}
	if recordings.Load() != 0 {
		if w == nil && recordsAll() {
			w, _ = enter()
			defer w.leave()
		}
		if w != nil && w.tape != nil {
			return w.recordAdd(g, t, f, try)
		}
	}
	return g.addFrom(w, t, try)
}

// addFrom is add for a goroutine that acts as w, if that is not nil.
func (g *taskGroup) addFrom(w *worker, t task, try bool) bool {
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
