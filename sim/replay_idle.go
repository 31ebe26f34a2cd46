package sim

import (
	"math"
	"math/bits"

	"github.com/forkjoin-go/forkjoin/internal/policy"
)

// Workers without a task: how they look for one, sleep, and are woken.

// hire makes a worker, without a slot.
func (e *engine) hire() *worker {
	w := &worker{index: int32(len(e.workers)), slot: none, event: noEvent, spin: none, lastGave: -1}
	w.deque.init()
	w.pointer = int(w.index)
	e.workers = append(e.workers, w)
	return w
}

// fillSlots sets a worker searching for each free slot.
func (e *engine) fillSlots() {
	for len(e.free) > 0 {
		e.recruit()
	}
}

// recruit gives a free slot to a worker that sleeps, or a new one, and counts it
// among the searchers. It reports false if there is none.
func (e *engine) recruit() bool {
	n := len(e.free)
	if n == 0 {
		return false
	}
	var w *worker
	if k := len(e.asleep); k > 0 {
		w = e.asleep[k-1]
		e.asleep = e.asleep[:k-1]
	} else {
		w = e.hire()
	}
	if e.places != nil {
		// Where whoever is woken runs is up to the operating system.
		k := e.random() % uint64(n)
		e.free[k], e.free[n-1] = e.free[n-1], e.free[k]
	}
	e.give(w, e.free[n-1])
	e.free = e.free[:n-1]
	w.phase, w.called = waking, true
	e.searchers++
	after := e.prices.wakeTime / 1000
	if e.cfg.Sleep == SleepNever {
		after = 0
	}
	e.events.schedule(w, e.now+after)
	return true
}

// wake has w wake somebody.
func (e *engine) wake(w *worker) {
	if !e.recruit() {
		return
	}
	w.debt += e.prices.wake
	e.totals.wakes++
	e.lastWake = e.now + e.prices.wake/1000
	e.price = e.times.WakePrice(e.price, e.prices.wake/1000)
}

// wakePrice returns what workers believe that a wake costs.
func (e *engine) wakePrice() int64 {
	if e.price != 0 {
		return e.price
	}
	return e.times.WakeGuess
}

// mayWake spaces wakes out that were in vain.
func (e *engine) mayWake() bool {
	return e.fruitless <= 0 || e.now-e.lastWake > policy.WakeGap(int64(e.fruitless), e.wakePrice())
}

// awake is the event of a worker that was woken.
func (e *engine) awake(w *worker) {
	w.clock = e.now
	e.beginSearch(w, e.times.Patience)
	if e.take(w) {
		return
	}
	e.beginSpin(w, searching)
}

// findWork is what a worker does that has a slot and no task.
func (e *engine) findWork(w *worker) {
	w.clock = e.now
	w.haste, w.label = policy.Haste{}, 0
	if w.phase = running; w.count == 0 {
		w.head = 0
	}
	if e.resume.len() > 0 && w.count == 0 {
		e.sleep(w)
		return
	}
	e.beginSearch(w, e.times.Patience)
	if e.take(w) {
		return
	}
	limited := e.cfg.Sleep == SleepWorth && e.searchers+1 > policy.MaxSearchers(e.cfg.Workers)
	if limited || e.cfg.Sleep == SleepAtOnce {
		if e.takeFar(w) {
			return
		}
		e.sleep(w)
		return
	}
	e.searchers++
	e.beginSpin(w, searching)
}

// beginSpin has w wait for something to do, without an event for each look.
func (e *engine) beginSpin(w *worker, p phase) {
	w.phase, w.since = p, e.now
	w.until = math.MaxInt64
	switch {
	case e.cfg.Sleep == SleepWorth || p == lingering:
		w.until = e.now + e.times.Spin
	case e.cfg.Sleep == SleepAtOnce:
		w.until = e.now
	}
	if e.cfg.Workers == 1 && p != searching {
		w.until = e.now // whoever is waited for cannot run meanwhile
	}
	e.spinUntil(w)
	if p == searching || p == helping && e.cfg.Waiting == WaitAny {
		w.spin = int32(len(e.spinners))
		e.spinners = append(e.spinners, w)
	}
}

// endSpin ends w's wait for something to do, and reports whether it had been told
// that there is something.
func (e *engine) endSpin(w *worker) (told bool) {
	if told = w.spin == none; !told {
		e.unspin(w)
	}
	spun := e.now - w.since
	e.span(w, SpanSearch, w.since, e.now, 0)
	e.slots[w.slot].search += spun
	if e.prices.probe > 0 && w.phase != lingering {
		e.totals.failures = plus(e.totals.failures, looks(spun, e.prices.probe))
	}
	return told
}

// looks returns how many looks at a victim, which take so many picoseconds each,
// there are in some nanoseconds.
func looks(ns, each int64) int64 {
	high, low := bits.Mul64(uint64(ns), 1000)
	if high >= uint64(each) {
		return math.MaxInt64
	}
	n, _ := bits.Div64(high, low, uint64(each))
	return int64(min(n, math.MaxInt64))
}

// unspin takes w off the list of those who can be told of a frame.
func (e *engine) unspin(w *worker) {
	last := len(e.spinners) - 1
	moved := e.spinners[last]
	e.spinners[w.spin], moved.spin = moved, w.spin
	e.spinners = e.spinners[:last]
	w.spin = none
}

// notify tells those who look for work that w has made n frames public. A thief
// that goes round all others is with w after some looks; the more look, the
// sooner one is.
func (e *engine) notify(w *worker, n int) {
	for _, h := range w.helpers {
		if e.near(h, w) {
			e.events.schedule(h, e.now+e.prices.probe/1000)
		} else if at := e.farLook(h); at < h.until {
			e.events.schedule(h, at)
		}
	}
	if e.patient() {
		e.tellNear(w, n)
	} else {
		e.tell(n)
	}
}

// tell is notify for those who look everywhere.
func (e *engine) tell(n int) {
	for ; n > 0 && len(e.spinners) > 0; n-- {
		looks := (int64(len(e.workers)) + 1) / (2 * int64(len(e.spinners)))
		if e.cfg.FreeFailures {
			looks = 0
		}
		s := e.spinners[e.random()%uint64(len(e.spinners))]
		e.unspin(s)
		e.events.schedule(s, e.now+looks*e.prices.probe/1000)
	}
}

// search is the event of a worker that looks for work: it has been told of some,
// or has looked for long enough.
func (e *engine) search(w *worker) {
	e.endSpin(w)
	w.clock = e.now
	if e.take(w) || e.now >= w.until && e.takeFar(w) {
		return
	}
	if e.now >= w.until || e.resume.len() > 0 {
		e.searchers--
		if w.called {
			e.fruitless++
			w.called = false
		}
		e.sleep(w)
		return
	}
	e.spinOn(w)
}

// spinOn has w spin until it would have stopped before.
func (e *engine) spinOn(w *worker) {
	until := w.until
	e.beginSpin(w, w.phase)
	w.until = until
	e.spinUntil(w)
}

// take starts something that w, which has no task, finds to do, and reports
// whether there was anything.
func (e *engine) take(w *worker) bool {
	looking := w.phase == searching || w.phase == waking
	if w.count > 0 { // what it has taken along with its last task
		i := w.last
		if e.cfg.Owner == FIFO {
			i = w.first
		}
		e.foundWork(w, looking)
		w.debt += e.prices.pop
		e.unlink(w, i)
		e.borrow(w, i)
		return true
	}
	if victim, i, ok := e.find(w); ok {
		e.foundWork(w, looking)
		e.steal(w, victim, i)
		return true
	}
	if e.idle > 0 {
		e.foundWork(w, looking)
		e.startJob(w, e.nextJob())
		return true
	}
	return false
}

// foundWork ends a search that has found something.
func (e *engine) foundWork(w *worker, looking bool) {
	if !looking {
		return
	}
	e.searchers--
	if w.called {
		w.called = false
		e.fruitless = 0
	}
	for range policy.MostRelays {
		if e.cfg.Sleep == SleepNever || !policy.Relays(e.searchers, e.more(), e.spare(), e.cfg.Workers) {
			return
		}
		e.wake(w)
	}
}

// hasWork reports whether a thief would find something.
func (e *engine) hasWork() bool { return e.offering > 0 || e.waits > 0 || e.idle > 0 }

// more returns how many have something to give besides the one of whom something
// is just being taken.
func (e *engine) more() int { return e.offering + e.waits + e.idle - 1 }

// sleep gives w's slot up until somebody wakes it.
func (e *engine) sleep(w *worker) {
	e.releaseSlot(w)
	e.sleepWithoutSlot(w)
}

func (e *engine) sleepWithoutSlot(w *worker) {
	e.events.cancel(w)
	w.phase = sleeping
	w.haste, w.label = policy.Haste{}, 0
	e.asleep = append(e.asleep, w)
}
