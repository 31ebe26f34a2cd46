package sim

import (
	"slices"

	"github.com/forkjoin-go/forkjoin/internal/policy"
)

// Functions given to groups wait in one queue. Who waits for a group, which several
// may do at the same time, runs its functions, and then parks.

type group struct {
	jobs    fifo[int32]
	pending int // that have not ended
	waiters []*worker
}

type job struct {
	pos   Pos
	group int32
	label int32
	taken bool
}

func (e *engine) group(n int) *group {
	g := e.groups[n]
	if g == nil {
		g = new(group)
		e.groups[n] = g
	}
	return g
}

// spawn gives a function to a group.
func (e *engine) spawn(w *worker) {
	g := e.group(w.op.Group)
	n := int32(len(e.jobs))
	e.jobs = append(e.jobs, job{pos: w.op.Next, group: int32(w.op.Group), label: w.label})
	e.ready.push(n)
	g.jobs.push(n)
	g.pending++
	e.idle++
	e.live++
	w.debt += e.prices.spawn
	w.at = w.op.Second
	for _, o := range g.waiters {
		if o.phase == lingering {
			e.events.schedule(o, e.now)
		}
	}
	if e.searchers == 0 {
		e.wake(w)
	} else {
		e.notify(w, 1)
	}
}

// nextJob takes the oldest function that nobody has taken.
func (e *engine) nextJob() int32 {
	for {
		if n := e.ready.pop(); !e.jobs[n].taken {
			return n
		}
	}
}

// startJob begins a function.
func (e *engine) startJob(w *worker, n int32) {
	j := &e.jobs[n]
	j.taken = true
	e.idle--
	w.stack = append(w.stack, activity{kind: aJob, ref: j.group,
		saved: w.label, moved: w.moved, haste: w.haste, place: w.hasteOf})
	w.moved = 0
	w.haste, w.label = policy.Haste{}, j.label
	w.at = j.pos
	w.op.Kind = End
	w.clock = e.now
	e.proceed(w)
}

func (e *engine) jobDone(w *worker) bool {
	top := w.stack[len(w.stack)-1]
	w.stack = w.stack[:len(w.stack)-1]
	w.moved = top.moved
	w.haste, w.hasteOf, w.label = top.haste, top.place, top.saved
	g := e.groups[int(top.ref)]
	g.pending--
	e.ended()
	if g.pending == 0 {
		for _, o := range g.waiters {
			switch {
			case o == w:
			case o.phase == lingering:
				e.events.schedule(o, e.now)
			case o.phase == parked:
				e.becomeReady(o)
			}
		}
	}
	if len(w.stack) == 0 {
		e.findWork(w)
		return false
	}
	if w.stack[len(w.stack)-1].kind == aWait {
		return e.groupStep(w)
	}
	return e.await(w)
}

// ended counts a function, or the root, that has ended.
func (e *engine) ended() { e.live-- }

// wait waits for a group.
func (e *engine) wait(w *worker) bool {
	g := e.group(w.op.Group)
	g.waiters = append(g.waiters, w)
	w.stack = append(w.stack, activity{kind: aWait, ref: int32(w.op.Group), pos: w.op.Next})
	return e.groupStep(w)
}

// groupStep goes on with a wait for a group. It returns true when that is over.
func (e *engine) groupStep(w *worker) bool {
	top := &w.stack[len(w.stack)-1]
	g := e.groups[int(top.ref)]
	w.clock = e.now
	for g.jobs.len() > 0 {
		if n := g.jobs.pop(); !e.jobs[n].taken {
			e.startJob(w, n)
			return false
		}
	}
	if g.pending == 0 {
		i := slices.Index(g.waiters, w)
		g.waiters = slices.Delete(g.waiters, i, i+1)
		w.at = top.pos
		w.stack = w.stack[:len(w.stack)-1]
		w.op.Kind = End
		return true
	}
	if e.cfg.Waiting == WaitPark {
		e.park(w)
	} else {
		e.beginSpin(w, lingering)
	}
	return false
}

// linger is the event of a worker that waits for a group.
func (e *engine) linger(w *worker) {
	g := e.groups[int(w.stack[len(w.stack)-1].ref)]
	spun := e.now - w.since
	e.span(w, SpanSearch, w.since, e.now, 0)
	e.slots[w.slot].search += spun
	if g.pending > 0 && e.now >= w.until && !g.hasJobs(e) {
		e.park(w)
		return
	}
	if e.groupStep(w) {
		e.proceed(w)
	}
}

func (g *group) hasJobs(e *engine) bool {
	for g.jobs.len() > 0 {
		if !e.jobs[g.jobs.items[g.jobs.head]].taken {
			return true
		}
		g.jobs.pop()
	}
	return false
}
