package forkjoin

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
	if w == nil && p == std && !alone && (!g.idle() || recordsAll()) {
		w, _ = enter()
		defer w.leave()
	}
	if w != nil && w.tape != nil {
		w.recordWait(g)
		defer w.tape.Resume()
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
