package tick

// attempt begins step 3, an attempt to steal, with this tick as its first one.
func (s *sim) attempt(w *worker, i int) {
	w.state, w.since, w.victim = stealing, s.clock, nobody
	cost := s.StealCost
	if s.early {
		w.victim = s.choose(w, i)
		if s.GroupSize > 0 && w.victim != nobody && !s.together(i, w.victim) {
			cost = s.RemoteCost
		}
	}
	w.until = s.clock + cost - 1
	if s.Refund || cost == 1 {
		s.look(w, i)
		return
	}
	s.queue.set(i, w.until)
}

// look looks at the victim, at the end of an attempt and, with Refund, in
// between, and takes what there is.
func (s *sim) look(w *worker, i int) {
	if w.newest != 0 && s.nodes[w.newest].pending == 0 {
		w.fails-- // what it waited for is done, so that it must not fall asleep
		s.fail(w, i)
		return
	}
	if w.victim == nobody && !s.early {
		w.victim = s.choose(w, i)
	}
	if w.victim == nobody || s.offered(w.victim) == 0 {
		s.fail(w, i)
		return
	}
	switch v := &s.workers[w.victim]; {
	case s.clock < w.until: // a look on the way
		s.queue.set(i, w.until)
	case s.clock < v.held:
		s.Collided++
		w.until = v.held
		s.queue.set(i, w.until)
	default:
		s.steal(w, i)
	}
}

// offered returns how many tasks thieves may take from worker v.
func (s *sim) offered(v int) int {
	if s.Private {
		return s.workers[v].public
	}
	return s.workers[v].deque.len()
}

// fail ends an attempt that found nothing.
func (s *sim) fail(w *worker, i int) {
	s.Failed++
	w.spent += s.clock - w.since + 1
	w.fails++
	if s.Private && w.victim != nobody && s.workers[w.victim].deque.len() > 0 {
		s.workers[w.victim].hungry = true
	}
	if s.SleepAfter > 0 && w.fails >= s.SleepAfter {
		w.fails = 0
		w.asleep = true
		s.sleepers = append(s.sleepers, i)
		s.block(w, i)
		return
	}
	if s.early || w.newest != 0 {
		w.state = ready
		s.queue.set(i, s.clock+1)
	} else {
		// Its deque stays empty, so the next turn begins the next attempt, and
		// nobody can tell before its end.
		w.victim, w.since, w.until = nobody, s.clock+1, s.clock+s.StealCost
		s.queue.set(i, w.until)
	}
	if s.queued > 0 {
		s.futile = 0
	} else if s.futile++; s.futile >= s.Config.Workers {
		s.futile = 0
		s.skip()
	}
}

// steal takes what there is for w, who begins it in its next turn.
func (s *sim) steal(w *worker, i int) {
	v := &s.workers[w.victim]
	n := 1
	if s.StealHalf {
		n = (s.offered(w.victim) + 1) / 2
	}
	t := v.deque.moveHalf(n, s.StealEnd, &w.deque)
	v.public = max(0, v.public-n)
	v.held = s.clock + s.StealHold
	s.queued--

	moved := s.subtree(t.size)
	s.taken(t, i)
	for k := range n - 1 {
		t := w.deque.at(w.deque.own - uint(k) - 1)
		moved += s.subtree(t.size)
		s.taken(*t, i)
	}
	s.Steals++
	s.Tasks += int64(n)
	s.Moved += moved
	if s.Config.Log < 0 || len(s.Result.Log) < s.Config.Log {
		s.Result.Log = append(s.Result.Log, Steal{s.clock, w.victim, i, t.size, moved})
	}
	w.spent += s.clock - w.since + 1
	w.fails, w.asked = 0, 0
	w.state = running // so that it is not among those that look at v
	start := s.clock + 1
	if s.offered(w.victim) == 0 {
		s.emptied(w.victim)
	} else if s.WakeChain {
		s.wakeOne()
		start += s.payNow(w)
	}
	s.begin(w, i, t, start)
}

// emptied lets thieves that watch worker v look at it when their turn comes: it
// has nothing left to steal.
func (s *sim) emptied(v int) {
	if !s.Refund {
		return
	}
	for i := range s.workers {
		if w := &s.workers[i]; w.state == stealing && w.victim == v {
			s.lookSoon(i)
		}
	}
}

// lookSoon makes thief i look in its next turn.
func (s *sim) lookSoon(i int) { s.queue.set(i, min(s.nextTurn(i), s.queue.at(i))) }

// nextTurn returns the tick of worker i's next turn, not counting the one that
// is under way.
func (s *sim) nextTurn(i int) int64 {
	if i > s.moving {
		return s.clock
	}
	return s.clock + 1
}
