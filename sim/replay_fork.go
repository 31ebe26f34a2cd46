package sim

import "github.com/forkjoin-go/forkjoin/internal/policy"

// What a worker does at a fork: whether it makes a frame, who may see that, and whom it
// wakes.

func (e *engine) fork(w *worker) {
	if e.goesInline(w, int32(w.op.Site)) {
		w.stack = append(w.stack, activity{kind: aInline, pos: w.op.Second})
	} else {
		f := w.push()
		f.kind, f.pos = branch, w.op.Second
		e.pushed(w, f, int32(w.op.Site))
		w.stack = append(w.stack, activity{kind: aFirst})
	}
	w.at = w.op.Next
}

// goesInline reports whether a join is run without a frame.
func (e *engine) goesInline(w *worker, site int32) bool {
	if e.cfg.Deque != DequeSplit {
		return false
	}
	if w.beatSite != site {
		e.spend(w)
		e.sites[w.beatSite].beat = w.beat.Ticks
		w.beatSite, w.beat = site, policy.Beat{Ticks: e.sites[site].beat}
	}
	if w.fuel > 0 && !(e.hungry() && policy.CanOffer(w.haste.Share, w.private()) && w.public == 0) {
		w.fuel--
		w.debt += e.prices.inline
		e.totals.inline++
		return true
	}
	e.spend(w)
	return !e.looks(w, site)
}

// looks reports whether the join at hand is to be offered. If not, the frames that w has
// are enough.
func (e *engine) looks(w *worker, site int32) bool {
	w.beat.Count(1)
	if w.beat.Due() {
		w.beat.Measure(e.now)
	}
	if e.refuel(w); w.fuel == 0 {
		return true
	}
	w.debt += e.prices.push
	e.totals.inline++
	if e.hungry() || e.spare() > 0 {
		e.share(w, site)
		e.refuel(w)
	}
	return false
}

// spend counts the joins that ran inline since there was fuel, and ends that.
func (e *engine) spend(w *worker) {
	w.beat.Count(int64(w.granted - w.fuel))
	w.fuel, w.granted = 0, 0
}

// pushed sees to a frame that w has just pushed: whether others may have it, and
// how many of the next joins go without one.
func (e *engine) pushed(w *worker, f *frame, site int32) {
	f.site, f.label = site, w.label
	w.debt += e.prices.push
	e.totals.forks++
	switch e.cfg.Deque {
	case DequeShared:
		e.show(w, 1)
		e.callFor(w, site)
		return
	case DequeCentral:
		e.queue.push(central{w.index, w.head - 1, f.gen})
		e.waits++
		e.notify(w, 1)
		e.callFor(w, site)
		return
	}
	if e.hungry() || e.spare() > 0 || w.head == 1 {
		e.share(w, site)
	}
	e.refuel(w)
}

// refuel decides how many of the next joins go without a frame.
func (e *engine) refuel(w *worker) {
	w.fuel = e.times.InlineJoins(w.private(), w.beat.Ticks, policy.Wanted(e.hungry(), w.haste.Share, w.haste.Eager, e.spare()))
	w.granted = w.fuel
}

// share gives thieves something if somebody wants it.
func (e *engine) share(w *worker, site int32) {
	wake := e.wakes(w, site)
	if policy.Offers(e.hungry(), w.haste.Share, wake, w.public > 0) {
		e.show(w, int32(policy.Offer(w.private())))
		w.debt += e.prices.publish
		e.totals.publishes++
	}
	if wake {
		e.wake(w)
	}
}

// wakes decides whether w should wake somebody for what it has forked at a site.
func (e *engine) wakes(w *worker, site int32) bool {
	switch e.cfg.Sleep {
	case SleepNever:
		w.haste.Share = true
		return false
	case SleepAtOnce:
		w.haste.Share = true
		return policy.Wakes(true, e.searchers, e.spare())
	}
	if !e.hungry() && e.spare() == 0 {
		return false // nobody is idle
	}
	h, s := &w.haste, &e.sites[site]
	if h.Began == 0 {
		w.hasteOf = site
		h.Start(&e.times, 0, 0, e.wakePrice(), e.now, func() uint32 { s.probes++; return s.probes })
	}
	worth := h.Eager || h.Asks() && h.Spent(e.now, 0, e.wakePrice())
	return policy.Wakes(worth, e.searchers, e.spare()) && e.mayWake()
}

// callFor wakes somebody for a frame that all can see.
func (e *engine) callFor(w *worker, site int32) {
	if e.wakes(w, site) {
		e.wake(w)
	}
}

// show makes n of w's frames public and tells those who look for some.
func (e *engine) show(w *worker, n int32) {
	if n == 0 {
		return
	}
	if w.public == 0 {
		e.offering++
	}
	w.deque.show(n)
	e.notify(w, int(n))
}

// unlink takes a queued frame of w's out.
func (e *engine) unlink(w *worker, i int32) {
	before := w.public
	w.deque.unlink(i)
	if e.cfg.Deque == DequeCentral {
		e.waits--
	}
	if before > 0 && w.public == 0 {
		e.offering--
	}
}
