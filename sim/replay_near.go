package sim

import (
	"math"

	"github.com/forkjoin-go/forkjoin/internal/policy"
)

// Thieves that look at near victims first, and at the others when they have had
// patience, as the runtime's do (victim.go there).

// patient reports whether it matters to thieves who is near.
func (e *engine) patient() bool {
	return e.places != nil && (e.cfg.Victim == VictimDefault || e.cfg.Victim == VictimNearest)
}

// beginSearch has w begin to look for work, with that patience.
func (e *engine) beginSearch(w *worker, patience int64) {
	w.fresh, w.patience, w.far = true, patience, e.now+patience
}

// farLook returns when w next looks at victims that are not near: now, or later.
func (e *engine) farLook(w *worker) int64 {
	every := w.patience
	return w.far + max(0, e.now-w.far+every-1)/every*every
}

// hadPatience reports whether w looks far now. If so it has to be patient again.
func (e *engine) hadPatience(w *worker) bool {
	if e.farLook(w) > e.now {
		return false
	}
	w.far = e.now + w.patience
	return true
}

// ring returns how far apart two workers are. One without a slot waits for a
// branch, and is far from all.
func (e *engine) ring(w, x *worker) int {
	if w.slot == none || x.slot == none {
		return otherSocket
	}
	return e.places.distance(w.slot, x.slot)
}

// near reports whether w, which waits for x, helps it without patience.
func (e *engine) near(w, x *worker) bool { return !e.patient() || e.ring(w, x) <= e.close }

// nearest visits workers on near slots, or, if w has had patience, all, the
// nearest first. Where all are equally near, it begins with last.
func (e *engine) nearest(w *worker, last int, visit func(v int) bool) bool {
	n := len(e.workers)
	if e.places == nil {
		return policy.Victims(n, -1, last, e.random(), visit)
	}
	reach := policy.Near
	switch {
	case e.hadPatience(w):
		reach = policy.Far
	case w.fresh:
		reach = policy.FirstReach(n, e.random())
	}
	w.fresh = false
	e.order.Sort(n, e.close, func(v int) int {
		if v == int(w.index) {
			return 0
		}
		return e.ring(w, e.workers[v])
	})
	return e.order.Visit(-1, reach, e.random(), visit)
}

// takeFar is take for a worker that would sleep otherwise.
func (e *engine) takeFar(w *worker) bool {
	w.far = e.now
	return e.patient() && e.take(w)
}

// spinUntil schedules the next event of w, which looks for work: it gives up, or
// looks far while there is something on offer.
func (e *engine) spinUntil(w *worker) {
	at := w.until
	if e.patient() {
		switch {
		case w.phase == searching && e.offering > 0,
			w.phase == helping && e.cfg.Waiting == WaitLeapfrog && e.onOffer(e.workers[w.top().thief]) != none:
			at = min(at, e.farLook(w))
		}
	}
	if at == math.MaxInt64 {
		e.events.cancel(w)
	} else {
		e.events.schedule(w, at)
	}
}

// tellNear tells those who look for work that w has made n frames public: for
// each, the one who looks there first. Those who are near look all the time, the
// others when they have had patience.
func (e *engine) tellNear(w *worker, n int) {
	if len(e.spinners) == 0 {
		return
	}
	soon := e.now
	if !e.cfg.FreeFailures {
		soon += (int64(len(e.workers)) + 1) / (2 * int64(len(e.spinners))) * e.prices.probe / 1000
	}
	for ; n > 0; n-- {
		var first *worker
		at, ties := int64(math.MaxInt64), uint64(0)
		for _, s := range e.spinners {
			t := soon
			if e.ring(s, w) > e.close {
				t = e.farLook(s)
			}
			switch {
			case t > at || s.event != noEvent && e.events.heap[s.event].at <= t:
				// Another one is sooner, or it looks before that anyway.
			case t < at:
				first, at, ties = s, t, 1
			default:
				if ties++; e.random()%ties == 0 {
					first = s
				}
			}
		}
		if first == nil {
			return
		}
		e.events.schedule(first, at)
	}
}
