package forkjoin

import (
	"github.com/forkjoin-go/forkjoin/internal/clock"
	"github.com/forkjoin-go/forkjoin/internal/joint"
)

// Slots bound how many goroutines run on a pool at once. An awake background
// worker holds one, and so does a guest of a private pool. Guests of the
// default pool need none, since Go's scheduler shares the processors among
// them; while any of them is running, one slot is reserved for them together.
//
// A worker that parks in a join, or calls Blocking, gives its slot away and
// asks for one before it goes on; the longest waiting is served first. Workers
// between two tasks look at resumers and give theirs up, so the thief that
// finishes a frame whose owner is parked hands its slot to that owner.
//
// All of this is under p.mu, and rare.

// claimSlot takes a slot if one is free.
func (p *Pool) claimSlot() bool {
	if p.used >= p.limit {
		p.unreserve()
	}
	if p.used >= p.limit {
		return false
	}
	p.use(1)
	return true
}

// unreserve makes the slot that is set aside for guests free, if no guest is
// running. Pairs with enter: a guest makes itself seen and then looks at
// reserved; here it is the other way round.
func (p *Pool) unreserve() {
	for p.reserved.Load() && !p.guests() {
		p.reserved.Store(false)
		if !p.guests() {
			p.passSlot()
			return
		}
		// A guest who has left meanwhile may have seen false (leftBehind), and
		// counted on this: look again.
		p.reserved.Store(true)
	}
}

// leftBehind is called when a guest has left. If there is something that the
// slot reserved for guests may be needed for, it looks closer.
func (p *Pool) leftBehind() {
	if p.reserved.Load() && (p.resumers.Load() != 0 || p.injected.length() > 0 && p.idle.load().searchers() == 0) {
		p.guestLeft()
	}
}

// guestLeft looks whether somebody needs the slot that was reserved for guests,
// the last of which may have left the default pool. A guest from a synctest bubble
// leaves injected jobs to the watchdog: a goroutine that it started would belong to
// the bubble.
func (p *Pool) guestLeft() {
	p.mu.Lock()
	p.serveResumers()
	var next *worker
	if p.injected.length() > 0 && p.idle.load().searchers() == 0 && !clock.InBubble() {
		next = p.recruit()
	}
	p.mu.Unlock()
	next.rouse()
}

// passSlot gives a slot to whoever has waited longest for one, or frees it.
func (p *Pool) passSlot() {
	if p.used > p.limit || !p.resumeOne() {
		p.use(-1)
	}
}

// resumeOne lets the worker go on that has waited longest for a slot. The slot
// is the caller's.
func (p *Pool) resumeOne() bool {
	w, ok := p.resuming.pop()
	if ok {
		p.resumers.Add(-1)
		p.resumed.Add(1)
		joint.Send(w.wakeup)
	}
	return ok
}

// freeReserved makes the slot that is reserved for guests a spare one, if no
// guest is running, so that forks of background workers can be shared with it.
func (p *Pool) freeReserved() {
	if p.reserved.Load() && !p.guests() {
		p.mu.Lock()
		p.unreserve()
		p.mu.Unlock()
	}
}

// serveResumers gives free slots to those who wait for one.
func (p *Pool) serveResumers() {
	for p.resuming.count > 0 && p.claimSlot() {
		p.resumeOne()
	}
}

// use changes the number of slots in use, and what others see of it.
func (p *Pool) use(n int) {
	p.used += n
	p.publishSlots()
}

func (p *Pool) publishSlots() {
	spare := max(0, p.limit-p.used)
	p.idle.add(idleness(spare-p.spare) * oneSpare)
	p.spare = spare
	p.excess.Store(int32(p.used - p.limit))
}

// guests reports whether a guest of the default pool is running. Guests of
// private pools have slots.
func (p *Pool) guests() bool {
	if p.private {
		return false
	}
	for _, w := range p.all() {
		if b := w.host.Load(); b != nil && b.key.Load() != 0 && !w.parked.Load() && !w.occupied.Load() {
			return true
		}
	}
	return false
}

// reserve makes sure that a slot is set aside for the guests of the default
// pool, one of which has just begun to run.
func (p *Pool) reserve() {
	p.mu.Lock()
	if !p.reserved.Load() {
		p.reserved.Store(true)
		p.use(1)
	}
	p.mu.Unlock()
}

// mustRest reports whether a background worker between two tasks should give
// its slot up: someone waits to resume, or more are running than should.
func (p *Pool) mustRest() bool {
	excess := p.excess.Load()
	return p.resumers.Load() > 0 || excess > 1 || excess == 1 && (!p.reserved.Load() || p.guests())
}

// yieldSlot lets other goroutines run while w's cannot. That goes for all pools
// that the goroutine is a worker of. In a wait inside another one it does
// nothing.
func (w *worker) yieldSlot() {
	for ; w != nil; w = w.outer {
		if w.away++; w.away == 1 {
			w.yieldOwnSlot()
		}
	}
}

func (w *worker) yieldOwnSlot() {
	p := w.pool
	w.parked.Store(true)
	var next *worker
	p.mu.Lock()
	switch {
	case w.slot:
		p.passSlot()
	case w.lent:
		p.lentNow--
	default:
		p.unreserve()
	}
	if p.idle.load().searchers() == 0 && p.hasWork() {
		next = p.recruit()
	}
	p.mu.Unlock()
	next.rouse()
}

// resumeSlot returns when w may run again.
func (w *worker) resumeSlot() {
	for o := w; o != nil; o = o.outer {
		if o.away--; o.away > 0 && o.granted {
			o.granted = false // it does not need it yet
			o.pool.releaseSlot()
		}
	}
	// In the order of pools: goroutines that nest them differently would
	// otherwise wait for each other.
	for done := 0; ; {
		var next *worker
		for o := w; o != nil; o = o.outer {
			if o.away == 0 && o.pool.id > done && (next == nil || o.pool.id < next.pool.id) {
				next = o
			}
		}
		if next == nil {
			return
		}
		done = next.pool.id
		for o := w; o != nil; o = o.outer {
			if o.away == 0 && o.pool == next.pool {
				o.resumeOwnSlot()
			}
		}
	}
}

func (w *worker) resumeOwnSlot() {
	p := w.pool
	w.parked.Store(false)
	if w.granted {
		w.granted = false
		return
	}
	switch {
	case w.slot:
	case w.lent:
		p.mu.Lock()
		p.lentNow++
		p.mu.Unlock()
		return
	default:
		if !p.private && !p.reserved.Load() {
			p.reserve()
		}
		return
	}
	w.readyToPark()
	p.mu.Lock()
	p.resuming.push(w)
	p.resumers.Add(1)
	p.serveResumers() // after the above: pairs with guestLeft
	p.mu.Unlock()
	if p.resumers.Load() > 0 {
		p.watch()
	}
	joint.Receive(w.wakeup)
}

// releaseSlot gives up the slot of a guest that leaves a private pool.
func (p *Pool) releaseSlot() {
	p.mu.Lock()
	p.passSlot()
	var next *worker
	if p.injected.length() > 0 {
		next = p.recruit()
	}
	p.mu.Unlock()
	next.rouse()
}
