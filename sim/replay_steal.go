package sim

import "github.com/forkjoin-go/forkjoin/internal/policy"

// A central is a place in the one queue of DequeCentral.
type central struct {
	worker int32
	frame  int32
	gen    uint32
}

// onOffer returns the frame of v that a thief would take, or none.
func (e *engine) onOffer(v *worker) int32 {
	switch {
	case e.cfg.Deque == DequeCentral:
		if e.cfg.StealEnd == StealOwn {
			return v.last
		}
		return v.first
	case v.public == 0:
		return none
	case e.cfg.StealEnd == StealOwn:
		return v.shown
	}
	return v.first
}

// shown returns how many frames of v thieves would find.
func (e *engine) shown(v *worker) uint32 {
	if e.cfg.Deque == DequeCentral {
		return uint32(v.count)
	}
	return uint32(v.public)
}

// find looks for a frame to take. Its looks are added to what w owes.
func (e *engine) find(w *worker) (victim *worker, i int32, ok bool) {
	if e.cfg.Deque == DequeCentral {
		return e.findCentral()
	}
	if e.offering == 0 {
		if !e.cfg.FreeFailures && (w.phase == running || w.phase == waking) {
			w.debt += e.prices.probe // the others are part of the search that follows
			e.totals.failures++
		}
		return nil, none, false
	}
	looks := int64(0)
	visit := func(v int) bool {
		x := e.workers[v]
		if x == w {
			return false
		}
		looks++
		if i = e.onOffer(x); i == none {
			return false
		}
		victim, w.lastGave, w.pointer = x, v, v+1
		return true
	}
	switch e.cfg.Victim {
	case VictimDefault:
		ok = e.nearest(w, w.lastGave, visit)
	case VictimRandom:
		ok = policy.Victims(len(e.workers), -1, -1, e.random(), visit)
	case VictimLast:
		ok = w.lastGave >= 0 && visit(w.lastGave) || e.roundRobin(w, visit)
	case VictimRoundRobin:
		ok = e.roundRobin(w, visit)
	case VictimNearest:
		ok = e.nearest(w, -1, visit)
	case VictimRichest:
		ok = e.richest(w, visit)
	}
	if !ok {
		return nil, none, false
	}
	e.totals.failures += looks - 1
	if !e.cfg.FreeFailures {
		w.debt += (looks - 1) * e.prices.probe
	}
	w.debt += e.prices.probe
	return victim, i, true
}

func (e *engine) roundRobin(w *worker, visit func(v int) bool) bool {
	n := len(e.workers)
	for k := range n {
		if visit((w.pointer + k) % n) {
			return true
		}
	}
	return false
}

func (e *engine) richest(w *worker, visit func(v int) bool) bool {
	best := none
	for _, x := range e.workers {
		if x != w && x.public > 0 && (best == none || x.public > e.workers[best].public) {
			best = int(x.index)
		}
	}
	return best != none && visit(best)
}

// findCentral takes from the one queue.
func (e *engine) findCentral() (victim *worker, i int32, ok bool) {
	for e.queue.len() > 0 {
		var c central
		if e.cfg.StealEnd == StealOwn {
			c = e.queue.last()
		} else {
			c = e.queue.pop()
		}
		v := e.workers[c.worker]
		if f := &v.frames[c.frame]; f.gen == c.gen && f.state == queued && c.frame < v.head {
			return v, c.frame, true
		}
	}
	return nil, none, false
}

// steal has w take frame i of v, and begin it.
func (e *engine) steal(w, v *worker, i int32) {
	e.unlink(v, i)
	extra := int32(0)
	if e.cfg.Amount == StealHalf && len(w.stack) == 0 && e.cfg.Deque != DequeCentral {
		extra = v.public / 2 // this one is taken of those there were
	}
	d := sameCache
	if v.slot != none {
		d = e.places.distance(w.slot, v.slot)
	}
	w.debt += e.prices.steal[d]
	f := &v.frames[i]
	f.state, f.thief = taken, w.index
	e.logSteal(w, v, f, d)
	w.phase = running
	for range extra {
		k := e.onOffer(v)
		e.unlink(v, k)
		x := &v.frames[k]
		x.state, x.thief = taken, w.index
		e.logSteal(w, v, x, d)
		b := w.push()
		b.kind, b.ref, b.lo = borrowed, v.index, int64(k)
		if x.kind == borrowed { // by v: its place there may be used again
			b.ref, b.lo = x.ref, x.lo
			e.workers[b.ref].frames[b.lo].thief = w.index
		}
		if e.cfg.Deque == DequeShared {
			e.show(w, 1)
		}
	}
	e.start(w, v, i, e.prices.refill[d]/1000)
}

// borrow begins frame i of w's, which it had taken along from another worker.
func (e *engine) borrow(w *worker, i int32) {
	b := w.frames[i]
	e.start(w, e.workers[b.ref], int32(b.lo), 0)
}

// start begins frame i of owner, which w has taken, and which loses so much time
// because its data is elsewhere.
func (e *engine) start(w, owner *worker, i int32, refill int64) {
	f := &owner.frames[i]
	if f.kind == borrowed {
		owner, i = e.workers[f.ref], int32(f.lo)
		f = &owner.frames[i]
		f.thief = w.index
	}
	w.stack = append(w.stack, activity{kind: aStolen, owner: owner.index, frame: i,
		saved: w.label, moved: w.moved, haste: w.haste, place: w.hasteOf, refill: w.refill})
	w.moved, w.refill = 0, refill
	w.haste, w.label = policy.Haste{}, f.label
	w.fuel, w.granted = 0, 0
	w.beat.Restart()
	w.op.Kind = End
	w.phase = running
	g := *f
	switch g.kind {
	case branch:
		w.at = g.pos
	case part:
		if e.startPart(w, &g) {
			e.proceed(w)
		}
		return
	case subtree:
		e.reduce(w, g.ref, int32(g.lo), int32(g.hi))
	}
	e.proceed(w)
}
