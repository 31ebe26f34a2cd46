package forkjoin

import "github.com/forkjoin-go/forkjoin/internal/joint"

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
				joint.Close(c)
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
			joint.Close(c)
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
			joint.Go(g.drainAlone)
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
