package explore

// The reduction: which choices need not be tried, and which must be, told from the
// steps that conflict.

// slumber works out who sleeps after the choice at n.
func (r *run) slumber(n *node) {
	r.sleep = 0
	if r.bound >= 0 {
		return
	}
	chosen := &r.procs[n.choice].next
	for s := (n.sleep | n.done) & n.enabled &^ (1 << n.choice); s != 0; s &= s - 1 {
		if q := r.procs[s.first()]; q.next.commutes(chosen) {
			r.sleep |= one(q)
		}
	}
}

// take notes that p takes its step: which earlier ones it could have come before,
// and what happens before what.
func (r *run) take(p *proc) {
	step := &p.next
	defer func() {
		p.last = r.depth
		p.clock[p.id] = int32(r.depth + 1)
		r.trace = append(r.trace, event{proc: p, op: *step})
		r.depth++
		step.gate = nil
	}()
	if step.object == nil {
		return
	}
	o := r.object(step.object)
	switch {
	case r.free || r.guide != nil:
	case r.bound >= 0:
		r.races(o, p)
	default:
		if o.change != 0 {
			r.race(o.change-1, p)
		}
		if step.writes() {
			for _, i := range &o.loads {
				if i != 0 {
					r.race(int(i-1), p)
				}
			}
		}
	}
	if r.bound >= 0 {
		o.steps = append(o.steps, int32(r.depth))
	}
	p.clock.join(&o.wrote)
	now := int32(r.depth + 1)
	if step.writes() {
		p.clock.join(&o.read)
		o.wrote = p.clock
		o.wrote[p.id] = now
		o.read = clock{}
		o.loads = [maxProcs]int32{}
		o.change = int(now)
	} else {
		o.read.join(&p.clock)
		o.read[p.id] = now
		o.loads[p.id] = now
	}
}

// races is race for the steps on o that p's next one conflicts with, where
// preemptions are bounded. It goes back until p could have been chosen without a
// preemption: to come before an earlier step at once may take fewer of them than
// to come before each of the later ones in turn.
func (r *run) races(o *object, p *proc) {
	var settled set
	for k := len(o.steps) - 1; k >= 0; k-- {
		i := int(o.steps[k])
		q := &r.trace[i]
		if !settled.has(q.proc) && !q.op.commutes(&p.next) && r.race(i, p) {
			settled |= one(q.proc)
		}
	}
}

// race adds choices so that p's next step is tried before step i of the trace,
// unless that happened before it. It reports whether earlier steps of the same
// goroutine need not be looked at.
func (r *run) race(i int, p *proc) bool {
	q := r.trace[i].proc
	if q == p || int32(i) < p.clock[q.id] {
		return true
	}
	if i >= len(r.path) {
		return false
	}
	n := &r.path[i]
	if p.last < i && n.enabled&one(p) == 0 && p.next.gate != nil && p.born <= i {
		return false // it waited for this very step, or for one before
	}
	r.add(i, p)
	if r.bound < 0 {
		return true
	}
	for i > 0 && r.path[i].before == r.path[i].choice {
		i--
	}
	r.add(i, p)
	return r.path[i].enabled.has(p)
}

// add adds a choice at step i that leads to p's next step.
func (r *run) add(i int, p *proc) {
	n := &r.path[i]
	if r.bound >= 0 && n.enabled.has(p) {
		n.backtrack |= one(p)
		return
	}
	var some set
	for s := n.enabled; s != 0; s &= s - 1 {
		if id := s.first(); id == p.id || p.clock[id] > int32(i) {
			some |= 1 << id
		}
	}
	switch {
	case some == 0:
		n.backtrack |= n.enabled
	case r.bound >= 0:
		n.backtrack |= some
	case some&n.backtrack != 0:
	case some.has(p):
		n.backtrack |= one(p)
	default:
		n.backtrack |= 1 << some.first()
	}
}
