package tick

// next gives w its next turn in the tick after this one, or, if it has woken
// others, when it has paid for that.
func (s *sim) next(w *worker, i int) {
	if w.toll > 0 {
		s.pay(w, i, s.clock+1, s.clock+1+w.toll)
		w.toll = 0
		return
	}
	w.state = ready
	s.queue.set(i, s.clock+1)
}

// pay keeps w from its next turn until the given tick.
func (s *sim) pay(w *worker, i int, from, until int64) {
	w.state, w.since = paying, from
	s.queue.set(i, until)
}

// payNow bills w, which has a task in hand, for those that it has woken, and
// returns for how long that keeps it from the task.
func (s *sim) payNow(w *worker) int64 {
	ticks := w.toll
	w.spent += ticks
	w.toll = 0
	return ticks
}

// block leaves w without a next turn.
func (s *sim) block(w *worker, i int) {
	w.state = blocked
	s.queue.clear(i)
}

// turn is a turn without a task in hand and without a steal begun.
func (s *sim) turn(w *worker, i int) {
	if w.newest != 0 && s.resume(w, i) {
		return
	}
	if s.mayTake(w) {
		s.take(w, i)
		return
	}
	if s.NoStealing || w.newest != 0 && s.Joins == JoinPark {
		s.block(w, i)
		return
	}
	s.attempt(w, i)
}

// mayTake says whether w has a task in its deque that it may run.
func (s *sim) mayTake(w *worker) bool {
	n := w.deque.len()
	if n == 0 || w.newest == 0 || !s.Joins.descends() {
		return n > 0
	}
	return int(w.deque.own-s.nodes[w.newest].base) > 0
}

// take is step 1: w takes a task from its own deque, and begins it.
func (s *sim) take(w *worker, i int) {
	n := w.deque.len()
	public := n // of all its tasks
	if s.Private {
		public = w.public
	}
	shared := public == n // thieves could take it, too
	if shared && n == 1 && s.clock < w.held {
		s.Collided++
		s.pay(w, i, s.clock, w.held)
		return
	}
	end := Own
	if s.OwnerFIFO {
		end = Far
	}
	t := w.deque.pop(end)
	s.queued--
	w.fails = 0
	start := s.clock
	if shared {
		w.spent += s.PopCost
		start += s.PopCost
		w.public = max(0, w.public-1)
		if n == 1 {
			s.emptied(i)
		}
	}
	if w.hungry && w.public == 0 && n > 1 {
		w.public = n / 2 // the larger half of n-1
		w.hungry = false
		s.Published += int64(w.public)
		s.wakeOne()
		start += s.payNow(w)
	}
	s.begin(w, i, t, start)
}

// begin puts t in the hand of w, which works on it from tick start on: this one
// or a later one.
func (s *sim) begin(w *worker, i int, t task, start int64) {
	w.hand = t
	w.cost = s.Config.cost(t.size)
	if t.rest {
		w.cost = s.JoinCost
	}
	w.state = running
	if w.cost == 1 && start == s.clock {
		s.end(w, i)
		return
	}
	s.queue.set(i, start+w.cost-1)
}

// end is the end of step 2: the last tick of the task in w's hand.
func (s *sim) end(w *worker, i int) {
	w.busy += w.cost
	t := w.hand
	if !t.rest && s.divisible(t.size) {
		s.split(w, i, t)
	} else if s.over(w, i, t) {
		return // with the rest of a parent in hand
	}
	s.settle(w, i)
	s.next(w, i)
}

// split pushes the halves of t, and wakes somebody for them if they are public.
func (s *sim) split(w *worker, i int, t task) {
	first := task{size: t.size / 2, half: 0}
	second := task{size: t.size - t.size/2, half: 1}
	if s.Joins != NoJoins {
		first.parent = s.wait(w, i, t)
		second.parent = first.parent
		s.alive++ // t itself
	}
	w.deque.push(first)
	w.deque.push(second)
	s.alive++
	s.queued += 2
	if !s.Private {
		s.wakeOne()
	}
}
