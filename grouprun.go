package forkjoin

import (
	"github.com/forkjoin-go/forkjoin/internal/clock"
	"github.com/forkjoin-go/forkjoin/internal/joint"
	"github.com/forkjoin-go/forkjoin/internal/policy"
)

// run is the ticket's (G2).
func (g *taskGroup) run(w *worker, _ *frame) {
	g.mu.Lock()
	valid := g.ticketed == w.pool
	if valid {
		g.ticketed = nil
	}
	g.mu.Unlock()
	if valid {
		g.drain(w, w.pool)
	}
}

func (g *taskGroup) site() *site { return &noSite }

// drain makes the caller a runner until there is no task to start (G3), or, on a
// background worker, something else is due. w is nil in a synctest bubble.
func (g *taskGroup) drain(w *worker, p *Pool) {
	if w != nil {
		before := w.begin(w.labels, w.background)
		defer w.end(before)
	}
	g.mu.Lock()
	for rest := false; !rest; {
		c, i := g.enter(p)
		if c == nil {
			break
		}
		g.unlockWithTicket(p)
		rest = g.runChunk(w, p, c, i)
		if w != nil {
			w.flush() // so that who waits for the tasks sees them counted
		}
		g.mu.Lock()
		g.leave(c)
		rest = rest || w != nil && w.background && p.othersWait(g)
	}
	g.stop()
	g.unlockWithTicket(p)
}

// unlockWithTicket gives the lock back, and injects the ticket if it must be.
func (g *taskGroup) unlockWithTicket(p *Pool) { g.unlock(p, g.ticket(p)) }

// unlock gives the lock back, and does what ticket has found.
func (g *taskGroup) unlock(p *Pool, ticket bool) {
	held := g.held
	g.mu.Unlock()
	switch {
	case ticket:
		p.inject(g)
	case held:
		p.watch()
	}
}

// enter makes the caller a runner in a chunk, with a task claimed, if there is
// any and the limit allows it.
func (g *taskGroup) enter(p *Pool) (c *taskChunk, i uint32) {
	if g.pool != p || !g.room() { // the group may have another pool when its last task has ended
		return nil, 0
	}
	c, i = g.list.enter()
	if c != nil {
		g.runners++
		if g.blocked.count > 0 && g.list.waiting() <= queueLimit/2 {
			for b, ok := g.blocked.pop(); ok; b, ok = g.blocked.pop() {
				joint.Close(b)
			}
		}
	}
	return c, i
}

// leave ends what enter began.
func (g *taskGroup) leave(c *taskChunk) {
	if pace := g.list.leave(c); pace > 0 {
		g.pace = policy.Smooth(g.pace, pace)
	}
	g.runners--
}

// stop wakes those in Wait if no task is left.
func (g *taskGroup) stop() {
	if !g.idle() {
		return
	}
	g.rounds.Add(1)
	for _, c := range g.waiters {
		joint.Close(c)
	}
	for _, m := range g.bubbled {
		m.Unlock()
	}
	g.waiters, g.bubbled = nil, nil
}

// note keeps what a task failed with, if it is the first.
func (g *taskGroup) note(failure *PanicError, err error) {
	if failure != nil && g.failure == nil {
		g.failure = failure
		if err = failure; failure == goexit {
			err = errGoexit
		}
	}
	if err != nil && g.errs && g.err == nil {
		g.err = err
		if g.cancel != nil {
			g.skip.Store(true)
			joint.Cancel(g.cancel, err)
		}
	}
}

// othersWait reports whether the injection queue holds more than g's ticket.
func (p *Pool) othersWait(g *taskGroup) bool {
	own := 0
	if g.ticketed == p {
		own = 1
	}
	return p.injected.length() > own
}

// runChunk runs the i-th task of a chunk, which is claimed, and then others until
// none is left. It returns true if the worker should do something else before
// that.
func (g *taskGroup) runChunk(w *worker, p *Pool, c *taskChunk, i uint32) (rest bool) {
	returned := false
	defer func() {
		if !returned { // a task called Goexit
			g.exit(w, c)
		}
	}()
	n := i
	for ok := true; ok && !rest; i, ok = g.claim(w, c, &n) {
		var failed bool
		if rest, failed = g.call(w, p, c, i); !failed {
			break
		}
	}
	returned = true
	return rest
}

// claim claims another task of c, of which n are known to have been given. Where
// tasks come quickly, it is better for both sides if some come together: a worker
// that has run all of them waits a moment before it looks again.
func (g *taskGroup) claim(w *worker, c *taskChunk, n *uint32) (i uint32, ok bool) {
	if i, ok = c.claim(*n); ok {
		return i, true
	}
	*n = c.filled(g.list.given.Load())
	if i, ok = c.claim(*n); ok || *n == chunkTasks || w == nil || !w.background || w.pool.procs.Load() == 1 {
		return i, ok
	}
	for until := clock.Now() + times.PollTime; clock.Now() < until; {
	}
	*n = c.filled(g.list.given.Load())
	return c.claim(*n)
}

func (g *taskGroup) fail(failure *PanicError, err error) {
	g.mu.Lock()
	g.note(failure, err)
	g.mu.Unlock()
}

// call is runChunk up to the first task that panics, and reports whether one has.
// If a task calls Goexit it does not return.
func (g *taskGroup) call(w *worker, p *Pool, c *taskChunk, i uint32) (rest, failed bool) {
	returned := false
	defer func() {
		if !returned {
			failed = true
			g.ended(w, p)
			g.fail(failureOf(recover()), nil)
		}
	}()
	n := i
	for ok := true; ok; i, ok = g.claim(w, c, &n) {
		t, worn := c.take(i)
		if !g.skip.Load() {
			if w != nil {
				w.wear(worn)
			}
			if err := t.run(); err != nil {
				g.fail(nil, err)
			}
		}
		g.ended(w, p)
		if w != nil && w.background && p.mustRest() {
			rest = true
			break
		}
	}
	returned = true
	return rest, false
}

// ended counts a task that has ended on p. It is told p, as all that add writes to
// lies next to the group's.
func (g *taskGroup) ended(w *worker, p *Pool) {
	if w != nil {
		w.counts.tasks++
	}
	if p.config.MaxTasks > 0 && g.capped() {
		p.outstanding.Add(-1)
	}
}

// exit is the end of a runner whose task called Goexit.
func (g *taskGroup) exit(w *worker, c *taskChunk) {
	if w != nil {
		w.flush()
	}
	g.mu.Lock()
	p := g.pool
	g.leave(c)
	if g.alone && g.list.waiting() > 0 {
		joint.Go(func() { g.drain(nil, p) })
	}
	g.stop()
	g.unlockWithTicket(p)
}

// runHere runs a task on the goroutine that gave it, because the pool has
// enough tasks. Nobody else sees it.
func (g *taskGroup) runHere(w *worker, t task, worn *labels) {
	p := g.pool
	var err error
	returned := false
	defer func() {
		var failure *PanicError
		if !returned {
			failure = failureOf(recover())
		}
		p.outstanding.Add(-1)
		g.mu.Lock()
		g.note(failure, err)
		g.inline--
		g.stop()
		g.mu.Unlock()
	}()
	if !g.skip.Load() {
		if w != nil {
			before := w.begin(worn, false)
			defer w.end(before)
		}
		err = t.run()
	}
	returned = true
}
