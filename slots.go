package forkjoin

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
	if p.used >= p.limit && p.reserved.Load() && !p.guests() {
		// Pairs with enterGuest: the guest makes itself seen and then looks at
		// reserved; here it is the other way round.
		p.reserved.Store(false)
		if p.guests() {
			p.reserved.Store(true)
		} else {
			p.use(-1)
		}
	}
	if p.used >= p.limit {
		return false
	}
	p.use(1)
	return true
}

// passSlot gives a slot to whoever has waited longest for one, or frees it.
func (p *Pool) passSlot() {
	if w, ok := p.resuming.pop(); ok {
		p.resumers.Add(-1)
		w.wakeup <- struct{}{}
		return
	}
	p.use(-1)
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
		if b := w.host.Load(); b != nil && b.key.Load() != 0 && !w.parked.Load() {
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
	return p.resumers.Load() > 0 || excess > 1 || excess == 1 && (p.private || p.guests())
}

// yieldSlot lets another goroutine run while w's cannot.
func (w *worker) yieldSlot() {
	p := w.pool
	w.parked.Store(true)
	var next *worker
	p.mu.Lock()
	switch {
	case w.slot:
		p.passSlot()
	case p.reserved.Load() && !p.private && !p.guests():
		p.reserved.Store(false)
		p.use(-1)
		if p.guests() {
			p.reserved.Store(true)
			p.use(1)
		}
	}
	if p.idle.load().searchers() == 0 && p.hasWork() {
		next = p.recruit()
	}
	p.mu.Unlock()
	next.rouse()
}

// resumeSlot returns when w may run again.
func (w *worker) resumeSlot() {
	p := w.pool
	w.parked.Store(false)
	if !w.slot {
		if !p.private && !p.reserved.Load() && !w.lent {
			p.reserve()
		}
		return
	}
	p.mu.Lock()
	if p.claimSlot() {
		p.mu.Unlock()
		return
	}
	p.resuming.push(w)
	p.resumers.Add(1)
	p.mu.Unlock()
	<-w.wakeup
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
