package sim

import "github.com/forkjoin-go/forkjoin/internal/policy"

// An activity is something a worker has begun and not ended; the last one on its
// stack is what it is in.
type activity struct {
	kind   aKind
	part   bool // aLeft: the right half is a frame
	pos    Pos  // aInline: the second branch; aReduce: what follows
	ref    int32
	lo     int32 // aLeft, aRight: the leaves
	hi     int32
	owner  int32 // aStolen: whose frame it is
	frame  int32
	saved  int32 // the label before
	moved  int64 // what the worker had done for what it was doing before
	refill int64 // and what that was still to lose
	haste  policy.Haste
	place  int32 // the haste's site
}

type aKind uint8

const (
	aRoot    aKind = iota
	aFirst         // the first branch of a fork whose second is the frame on top
	aInline        // the same without a frame
	aSecond        // the second branch
	aLoop          // a loop, or an item of one
	aReduce        // a whole reduction
	aLeft          // the left half of a part of one
	aRight         // the right half
	aLeaf          // a leaf
	aCombine       // a combination
	aStolen        // a frame taken from a worker
	aJob           // a function given to a group
	aWait          // waits for a group
	aPause
	aLabel
)

const chunkEnd = kinds // the kind of an Op that ends a chunk of a loop

func nanoseconds[D ~int64](d D) int64 { return int64(d) }

// perform does w's operation. It returns false if w does not go on at once; then
// its event, if it has one, is scheduled.
func (e *engine) perform(w *worker) bool {
	switch w.op.Kind {
	case Fork:
		e.fork(w)
		return true
	case End:
		return e.end(w)
	case chunkEnd:
		return e.chunkDone(w)
	case Loop, Items, Summary:
		return e.beginLoop(w)
	case Reduce:
		e.beginReduce(w)
		return true
	case Spawn:
		e.spawn(w)
		return true
	case Wait:
		return e.wait(w)
	case Pause:
		return e.pause(w)
	}
	w.at = w.op.Next
	return true
}

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
	w.beat.Count(1)
	if w.beat.Due() {
		w.beat.Measure(e.now)
	}
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

// end ends what w is in.
func (e *engine) end(w *worker) bool {
	switch top := &w.stack[len(w.stack)-1]; top.kind {
	case aFirst, aLeft:
		return e.join(w)
	case aLeaf, aCombine:
		w.stack = w.stack[:len(w.stack)-1]
		return e.returned(w)
	case aRight:
		return e.returned(w)
	case aLoop:
		return e.chunkDone(w)
	case aStolen:
		return e.complete(w)
	case aJob:
		return e.jobDone(w)
	case aRoot:
		w.stack = w.stack[:0]
		e.ended()
		e.findWork(w)
		return false
	}
	panic("forkjoin: sim: an End that ends nothing")
}

// join ends a first branch: w takes the second back, or waits for its thief.
func (e *engine) join(w *worker) bool {
	top := &w.stack[len(w.stack)-1]
	if top.kind == aLeft && !top.part {
		e.secondHalf(w)
		return true
	}
	f := w.top()
	switch {
	case f.state == done:
		e.joined(w)
		return true
	case f.state == taken || e.cfg.Owner == FIFO && e.takesOwn(w):
		return e.await(w)
	}
	e.popped(w)
	w.debt += e.prices.pop
	if top.kind == aLeft {
		e.secondHalf(w)
	} else {
		w.at = f.pos
		top.kind = aSecond
	}
	return true
}

// popped removes w's newest frame, which nobody has taken.
func (e *engine) popped(w *worker) {
	i := w.head - 1
	if e.cfg.Deque == DequeSplit && i <= w.shown && !e.hungry() && e.spare() == 0 {
		// As in the runtime: with nobody idle, what is left becomes private.
		e.unlink(w, i)
		if w.public > 0 {
			e.offering--
		}
		w.hide()
	} else {
		e.unlink(w, i)
	}
	w.head = i
}

// joined goes on after a frame that was stolen and is done.
func (e *engine) joined(w *worker) {
	f := w.top()
	w.head--
	w.haste.Split = true
	e.spend(w)
	w.beat.Restart()
	switch top := &w.stack[len(w.stack)-1]; top.kind {
	case aFirst:
		w.at = f.pos
		w.stack = w.stack[:len(w.stack)-1]
		w.op.Kind = End
	case aLeft:
		e.combine(w)
	case aLoop:
		// loopStep goes on.
	}
}

// complete ends a frame that w has taken from another worker.
func (e *engine) complete(w *worker) bool {
	top := w.stack[len(w.stack)-1]
	w.stack = w.stack[:len(w.stack)-1]
	owner := e.workers[top.owner]
	f := &owner.frames[top.frame]
	f.state, f.pos = done, w.op.Next
	e.noteMoved(&top, w)
	e.spend(w)
	w.haste, w.hasteOf, w.label = top.haste, top.place, top.saved
	handed := e.wakeOwner(w, owner, top.frame)
	switch {
	case handed:
		e.sleepWithoutSlot(w)
		return false
	case len(w.stack) > 0:
		return e.await(w)
	}
	e.findWork(w)
	return false
}
