package sim

import "github.com/forkjoin-go/forkjoin/internal/policy"

// Waiting for a frame that another worker has taken: the newest of w's.

// await makes w wait for its newest frame, and help meanwhile. It returns true if
// the frame is done already.
func (e *engine) await(w *worker) bool {
	f := w.top()
	if f.state == done {
		return e.goOn(w)
	}
	w.clock = e.now
	if e.cfg.Owner == FIFO && w.count > 0 {
		e.takeOldest(w)
		return false
	}
	if e.cfg.Waiting == WaitPark {
		e.park(w)
		return false
	}
	w.waiter = true
	e.waiting++
	e.beginSearch(w, e.times.Waiting)
	if e.helps(w) {
		return false
	}
	e.beginSpin(w, helping)
	e.attach(w)
	return false
}

// attach lets the thief of w's frame tell w of frames.
func (e *engine) attach(w *worker) {
	if e.cfg.Waiting == WaitLeapfrog {
		w.thief = w.top().thief
		t := e.workers[w.thief]
		t.helpers = append(t.helpers, w)
	}
}

func (e *engine) detach(w *worker) {
	if e.cfg.Waiting != WaitLeapfrog {
		return
	}
	t := e.workers[w.thief]
	for i, h := range t.helpers {
		if h == w {
			t.helpers = append(t.helpers[:i], t.helpers[i+1:]...)
			break
		}
	}
}

// inLoop reports whether the frame that w waits for is a piece of a loop.
func (w *worker) inLoop() bool { return w.stack[len(w.stack)-1].kind == aLoop }

// goOn goes on after w's newest frame, which is done.
func (e *engine) goOn(w *worker) bool {
	inLoop := w.inLoop()
	e.joined(w)
	return !inLoop || e.loopStep(w)
}

// help is the event of a worker that waits: its frame is done, there is something
// to help with, or it has waited for long enough.
func (e *engine) help(w *worker) {
	e.detach(w)
	told := e.endSpin(w)
	w.clock = e.now
	if w.top().state == done {
		if (told || e.patient()) && e.cfg.Waiting == WaitAny && e.hasWork() {
			e.tell(1) // somebody else
		}
		e.stopsWaiting(w)
		if e.goOn(w) {
			e.proceed(w)
		}
		return
	}
	if e.helps(w) {
		return
	}
	if e.now >= w.until || e.resume.len() > 0 {
		e.stopsWaiting(w)
		e.park(w)
		return
	}
	e.spinOn(w)
	e.attach(w)
}

func (e *engine) stopsWaiting(w *worker) {
	if w.waiter {
		w.waiter = false
		e.waiting--
	}
}

// helps starts something that w may do while it waits, and reports whether there
// was anything.
func (e *engine) helps(w *worker) bool {
	switch e.cfg.Waiting {
	case WaitAny:
		if victim, i, ok := e.find(w); ok {
			e.stopsWaiting(w)
			e.steal(w, victim, i)
			return true
		}
		if e.idle > 0 {
			e.stopsWaiting(w)
			e.startJob(w, e.nextJob())
			return true
		}
	case WaitLeapfrog:
		t := e.workers[w.top().thief]
		if i := e.onOffer(t); i != none && (e.near(w, t) || e.hadPatience(w) && policy.HelpsFar(w.inLoop(), e.shown(t))) {
			e.stopsWaiting(w)
			w.debt += e.prices.probe
			e.steal(w, t, i)
			return true
		}
	}
	return false
}

// takeOldest has an owner run the oldest of its frames.
func (e *engine) takeOldest(w *worker) {
	i := w.first
	e.unlink(w, i)
	w.frames[i].state, w.frames[i].thief = taken, w.index
	w.debt += e.prices.pop
	e.start(w, w, i, 0)
}

// takesOwn reports whether an owner that takes its oldest frame first has one
// that is older than the newest.
func (e *engine) takesOwn(w *worker) bool { return w.first != w.head-1 }

// park gives w's slot up until its frame is done.
func (e *engine) park(w *worker) {
	e.events.cancel(w)
	w.phase = parked
	e.totals.parks++
	e.releaseSlot(w)
}

// wakeOwner tells the owner of a frame that it is done, if it waits for it. It
// reports whether w has handed its slot over with that.
func (e *engine) wakeOwner(w, owner *worker, i int32) (handed bool) {
	if owner == w || owner.head-1 != i {
		return false
	}
	switch owner.phase {
	case helping:
		e.events.schedule(owner, e.now)
	case parked:
		if owner.slot != none || len(owner.stack) > 0 && owner.stack[len(owner.stack)-1].kind >= aStolen {
			return false // parked for another reason
		}
		if len(w.stack) == 0 && w.count == 0 {
			e.give(owner, w.slot)
			w.slot = none
			e.resumesSoon(owner)
			return true
		}
		e.becomeReady(owner)
	}
	return false
}

// becomeReady lets a worker go on that had parked, when there is a slot for it.
func (e *engine) becomeReady(w *worker) {
	e.events.cancel(w)
	w.phase = resuming
	if n := len(e.free); n > 0 {
		e.give(w, e.free[n-1])
		e.free = e.free[:n-1]
		e.resumesSoon(w)
		return
	}
	e.resume.push(w)
	e.evict()
}

// evict makes somebody who looks for work in vain give its slot up.
func (e *engine) evict() {
	for i := len(e.spinners) - 1; i >= 0; i-- {
		s := e.spinners[i]
		if s.phase == searching {
			e.endSpin(s)
			e.searchers--
			s.called = false
			e.sleep(s)
			return
		}
	}
}

func (e *engine) resumesSoon(w *worker) {
	w.phase = resuming
	e.events.schedule(w, e.now+e.prices.park/1000)
}

// resumed goes on with a worker that had parked and has a slot again.
func (e *engine) resumed(w *worker) {
	w.clock = e.now
	e.slots[w.slot].overhead += e.prices.park / 1000
	top := &w.stack[len(w.stack)-1]
	switch top.kind {
	case aPause:
		w.stack = w.stack[:len(w.stack)-1]
	case aWait:
		if !e.groupStep(w) {
			return
		}
	default:
		if !e.goOn(w) {
			return
		}
	}
	e.proceed(w)
}

// give gives a slot to a worker.
func (e *engine) give(w *worker, s int32) {
	w.slot = s
	e.slots[s].worker = w.index
}

// releaseSlot gives w's slot to whoever waits for one, or frees it.
func (e *engine) releaseSlot(w *worker) {
	s := w.slot
	w.slot = none
	if e.resume.len() > 0 {
		next := e.resume.pop()
		e.give(next, s)
		e.resumesSoon(next)
		return
	}
	e.free = append(e.free, s)
	e.slots[s].worker = none
	if e.cfg.Sleep == SleepNever {
		e.fillSlots()
	} else if e.searchers == 0 && e.hasWork() {
		e.recruit()
	}
}

// pause passes time without a slot.
func (e *engine) pause(w *worker) bool {
	w.at = w.op.Next
	if w.op.Work == 0 {
		return true
	}
	w.stack = append(w.stack, activity{kind: aPause})
	w.phase = parked
	e.events.schedule(w, e.now+w.op.Work)
	e.releaseSlot(w)
	return false
}
