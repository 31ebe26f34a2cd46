package tick

// A node is a task that waits for its halves.
//
// Waiting cannot deadlock. From a task that waits, go to the newest task of the
// worker that has the awaited half: in hand, buried under newer tasks, or still
// in its deque, where the waiting task pushed it. A half is begun after its parent,
// and a task after those that it buries, so on this way each task was begun after
// the one before: it does not come back, and ends at somebody who can go on. With
// StealHalf the half may lie in another deque, under an older task; that does no
// harm if waiting workers may take anything that is in their own.
type node struct {
	task    task
	owner   int
	pending uint8  // a bit for each half that is not over
	thief   [2]int // who took each half last, or nobody
	base    uint   // where the halves were pushed in the owner's deque
	below   int32  // the task that waited on the owner before
}

const bothHalves = 1<<0 | 1<<1

// awaited returns the thief of the half that is waited for: the second, which
// the owner would have run first, if that is pending.
func (n *node) awaited() int {
	if n.pending&(1<<1) != 0 {
		return n.thief[1]
	}
	return n.thief[0]
}

// wait makes t, which w has split, wait for its halves, and returns its node.
func (s *sim) wait(w *worker, i int, t task) int32 {
	var id int32
	if n := len(s.free); n > 0 {
		id = s.free[n-1]
		s.free = s.free[:n-1]
	} else {
		id = int32(len(s.nodes))
		s.nodes = append(s.nodes, node{})
	}
	n := &s.nodes[id]
	*n = node{task: t, owner: i, pending: bothHalves, thief: [2]int{nobody, nobody}, base: w.deque.own}
	if s.Joins.waits() {
		n.below, w.newest = w.newest, id
		w.depth++
		s.Depth = max(s.Depth, w.depth)
	}
	return id
}

// taken notes that worker i has stolen t.
func (s *sim) taken(t task, i int) {
	if t.parent != 0 {
		s.nodes[t.parent].thief[t.half] = i
	}
}

// over is the end of t, which was in w's hand. With JoinLast it reports whether w
// has gone on with what is left of a parent.
func (s *sim) over(w *worker, i int, t task) bool {
	for {
		s.alive--
		if t.parent == 0 {
			return false
		}
		n := &s.nodes[t.parent]
		if n.pending &^= 1 << t.half; n.pending != 0 {
			return false
		}
		if s.Joins.waits() {
			s.joined(t.parent)
			return false
		}
		s.free = append(s.free, t.parent)
		t = n.task
		if t.rest = true; s.JoinCost > 0 {
			s.begin(w, i, t, s.clock+1)
			return true
		}
	}
}

// joined lets the owner of a node whose halves are over know. It sees that by
// itself in its next turn, unless it is asleep or on the way to steal.
func (s *sim) joined(id int32) {
	owner := s.nodes[id].owner
	switch w := &s.workers[owner]; {
	case w.newest != id:
		// Buried: what was begun later must end first.
	case w.state == blocked:
		s.wake(owner)
	case w.state == stealing && s.Refund:
		s.lookSoon(owner)
	}
}

// resume goes on with the newest task that waits on w, if its halves are over. It
// reports whether that was its turn.
func (s *sim) resume(w *worker, i int) bool {
	if s.JoinCost > 0 && s.nodes[w.newest].pending == 0 {
		s.begin(w, i, s.unwait(w), s.clock)
		return true
	}
	s.settle(w, i)
	if w.toll > 0 {
		s.next(w, i)
		return true
	}
	return false
}

// settle ends the newest tasks that wait on w, as far as their halves are over,
// if they have nothing left to do; but only one if somebody must be woken for it.
func (s *sim) settle(w *worker, i int) {
	for s.JoinCost == 0 && w.newest != 0 && s.nodes[w.newest].pending == 0 && w.toll == 0 {
		s.over(w, i, s.unwait(w))
	}
}

// unwait takes the newest waiting task off w.
func (s *sim) unwait(w *worker) task {
	n := &s.nodes[w.newest]
	t := n.task
	t.rest = true
	s.free = append(s.free, w.newest)
	w.newest = n.below
	w.depth--
	return t
}

// wake lets a blocked worker have its next turn. Whoever's turn it is pays.
func (s *sim) wake(i int) {
	w := &s.workers[i]
	if w.asleep {
		w.asleep = false
		s.sleepers = without(s.sleepers, i)
	}
	w.state = ready
	s.queue.set(i, s.nextTurn(i)+s.WakeDelay)
	s.workers[s.moving].toll += s.WakeCost
	s.Wakes++
}

// wakeOne wakes the worker that fell asleep last, if any is asleep.
func (s *sim) wakeOne() {
	if n := len(s.sleepers); n > 0 {
		s.wake(s.sleepers[n-1])
	}
}

// without removes i, which is most often the last one.
func without(list []int, i int) []int {
	k := len(list) - 1
	for list[k] != i {
		k--
	}
	return append(list[:k], list[k+1:]...)
}
