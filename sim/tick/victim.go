package tick

// choose returns whom w is to rob, or nobody.
func (s *sim) choose(w *worker, i int) int {
	if w.newest != 0 && s.Joins == JoinLeapfrog {
		return s.nodes[w.newest].awaited()
	}
	switch s.Victims {
	case Random:
		v := s.rand.Next() % (len(s.workers) - 1)
		if v >= i {
			v++
		}
		return v
	case Richest:
		return s.richest(i)
	case Near:
		return s.near(w, i)
	}
	return around(&w.pointer, i, 0, len(s.workers))
}

// around returns the next of the workers in lo..hi-1 but for i, and moves the
// pointer past it.
func around(pointer *int, i, lo, hi int) int {
	v := *pointer
	if v == i {
		v = following(v, lo, hi)
	}
	*pointer = following(v, lo, hi)
	return v
}

func following(v, lo, hi int) int {
	if v++; v == hi {
		return lo
	}
	return v
}

// richest returns whoever but i has most tasks, or nobody if none has any.
func (s *sim) richest(i int) int {
	best, most := nobody, 0
	for v := range s.workers {
		if n := s.workers[v].deque.len(); n > most && v != i {
			best, most = v, n
		}
	}
	return best
}

// group returns the bounds of worker i's group.
func (s *sim) group(i int) (lo, hi int) {
	lo = i - i%s.GroupSize
	return lo, min(lo+s.GroupSize, len(s.workers))
}

// together says whether two workers are in the same group.
func (s *sim) together(i, v int) bool { return i/s.GroupSize == v/s.GroupSize }

// near returns the next victim in the group of i or, after a round there, the
// next one outside.
func (s *sim) near(w *worker, i int) int {
	lo, hi := s.group(i)
	mates, others := hi-lo-1, len(s.workers)-(hi-lo)
	if mates > 0 && (w.asked < mates || others == 0) {
		w.asked++
		return around(&w.pointer, i, lo, hi)
	}
	w.asked = 0
	v := w.outside
	if w.outside = following(v, 0, len(s.workers)); w.outside == lo {
		w.outside = hi % len(s.workers)
	}
	return v
}

// placePointers makes the victims of Near begin with those after i.
func (s *sim) placePointers(w *worker, i int) {
	lo, hi := s.group(i)
	w.outside = hi % len(s.workers)
	if s.Victims == Near {
		w.pointer = following(i, lo, hi)
	}
}
