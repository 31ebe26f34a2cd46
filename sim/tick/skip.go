package tick

// skip counts the attempts that are bound to fail, while no deque holds a task,
// until the first event that could change that, without simulating them.
// Somebody has a task in hand, or the run would be over.
func (s *sim) skip() {
	if s.Joins.waits() || s.SleepAfter > 0 || s.GroupSize > 0 {
		return // where attempts have consequences, or differ in length
	}
	until := int64(never)
	for i := range s.workers {
		if !s.idle(i) {
			until = min(until, s.queue.nodes[len(s.queue.nodes)/2+i])
		}
	}
	if until == never {
		return
	}
	until >>= s.queue.shift // attempts that end in an earlier tick
	length := s.StealCost
	if s.Refund {
		length = 1
	}
	for i := range s.workers {
		if end := s.queue.at(i); s.idle(i) && end < until {
			s.failOften(i, (until-1-end)/length+1, length)
		}
	}
}

// idle says whether worker i's next event is the end of an attempt that has
// looked at nobody so far.
func (s *sim) idle(i int) bool {
	w := &s.workers[i]
	if s.Refund {
		return w.state == ready && w.toll == 0
	}
	return w.state == stealing && w.victim == nobody
}

// failOften makes the next n attempts of worker i fail.
func (s *sim) failOften(i int, n, length int64) {
	w := &s.workers[i]
	s.Failed += n
	w.spent += n * length
	switch s.Victims {
	case Random:
		s.rand.Skip(uint64(n))
	case RoundRobin:
		// Each attempt is one step in the round of the others.
		for range n % int64(len(s.workers)-1) {
			around(&w.pointer, i, 0, len(s.workers))
		}
	}
	s.queue.set(i, s.queue.at(i)+n*length)
	if !s.Refund {
		w.since += n * length
		w.until += n * length
	}
}
