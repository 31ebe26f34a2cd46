package sim

// A worker goes ahead of the clock: what no other worker could see needs no event.

// pass lets w's clock advance by what it owes for scheduling.
func (e *engine) pass(w *worker) {
	ns := w.debt / 1000
	w.debt -= ns * 1000
	e.span(w, SpanSchedule, w.clock, w.clock+ns, 0)
	w.clock += ns
	e.slots[w.slot].overhead += ns
}

// work lets w's clock advance by a piece of the program.
func (e *engine) work(w *worker, ns int64) {
	e.span(w, SpanWork, w.clock, w.clock+ns, w.label)
	w.clock += ns
	w.moved += ns
	e.slots[w.slot].busy += ns
	if lost := min(ns, w.refill); lost > 0 {
		w.refill -= lost
		e.span(w, SpanSchedule, w.clock, w.clock+lost, 0)
		w.clock += lost
		e.slots[w.slot].overhead += lost
	}
}

// proceed reads w's next operation, and does what comes in between, up to the
// next thing that others could see. Then w has an event.
func (e *engine) proceed(w *worker) {
	w.phase = running
	e.advance(w)
	e.events.schedule(w, w.clock)
}

// proceedFrom does w's operation, which is due, and goes on for as long as w is
// ahead of all others.
func (e *engine) proceedFrom(w *worker) {
	for {
		w.clock = e.now
		if !e.perform(w) {
			return
		}
		e.advance(w)
		if w.event != 0 || !e.events.alone(w.clock) || w.clock >= e.load.next {
			e.events.schedule(w, w.clock)
			return
		}
		e.now = w.clock
	}
}

// advance reads operations from w.at on and passes their time, until one that
// others could see. That one is in w.op, and due at w.clock.
func (e *engine) advance(w *worker) {
	for {
		if w.op.Kind != chunkEnd {
			e.tree.Decode(w.at, &w.op)
		}
		if w.debt >= 1000 {
			e.pass(w)
		}
		if w.op.Cost > 0 {
			e.work(w, w.op.Cost)
		}
		if !e.unseen(w) {
			return
		}
	}
}

// unseen does w's operation if no other worker can see it, and reports whether
// it did.
func (e *engine) unseen(w *worker) bool {
	switch w.op.Kind {
	case End:
	case Enter:
		e.enter(w)
		return true
	case Leave:
		e.leave(w)
		return true
	case Moved:
		w.at = w.op.Next
		return true
	default:
		return false
	}
	top := &w.stack[len(w.stack)-1]
	switch top.kind {
	case aFirst:
		if e.cfg.Deque != DequeSplit || e.cfg.Owner != LIFO {
			return false
		}
		i := w.head - 1
		f := &w.frames[i]
		if f.state != queued || i <= w.shown {
			return false
		}
		w.unlink(i)
		w.head = i
		w.debt += e.prices.pop
		w.at = f.pos
		top.kind = aSecond
	case aInline:
		w.at = top.pos
		top.kind = aSecond
	case aSecond:
		w.stack = w.stack[:len(w.stack)-1]
		w.at = w.op.Next
	case aLoop:
		l := &w.loops[len(w.loops)-1]
		if l.current++; l.current == l.lo+l.n {
			l.current--
			return false
		}
		w.at = e.item(l)
	default:
		return false
	}
	return true
}

func (e *engine) enter(w *worker) {
	w.stack = append(w.stack, activity{kind: aLabel, saved: w.label})
	w.label = int32(w.op.Site)
	w.at = w.op.Next
}

func (e *engine) leave(w *worker) {
	top := len(w.stack) - 1
	w.label = w.stack[top].saved
	w.stack = w.stack[:top]
	w.at = w.op.Next
}
