package tick

// task is a task in a deque or in hand.
type task struct {
	size   int64
	parent int32 // the node that waits for it; 0: none
	half   uint8 // which half of the parent it is
	rest   bool  // what a task has left to do after its halves: JoinCost
}

// A deque is a ring that grows. The positions far and own count up without end;
// a task at position i is in slot i modulo the size of the ring. own is where
// the next task is pushed.
type deque struct {
	ring     []task
	far, own uint
}

func (d *deque) len() int { return int(d.own - d.far) }

// at returns the task at a position between far and own.
func (d *deque) at(i uint) *task { return &d.ring[i&uint(len(d.ring)-1)] }

func (d *deque) push(t task) {
	if d.len() == len(d.ring) {
		d.grow()
	}
	*d.at(d.own) = t
	d.own++
}

func (d *deque) grow() {
	old := *d
	d.ring = make([]task, max(4, 2*len(old.ring)))
	for i := old.far; i != old.own; i++ {
		*d.at(i) = *old.at(i)
	}
}

func (d *deque) popOwn() task {
	d.own--
	return *d.at(d.own)
}

func (d *deque) popFar() task {
	d.far++
	return *d.at(d.far - 1)
}

// pop takes from the end e.
func (d *deque) pop(e End) task {
	if e == Far {
		return d.popFar()
	}
	return d.popOwn()
}

// moveHalf takes n tasks from the end e. It returns the outermost one and gives
// the others, in their old order, to the deque to.
func (d *deque) moveHalf(n int, e End, to *deque) task {
	if e == Far {
		first := d.popFar()
		for range n - 1 {
			to.push(d.popFar())
		}
		return first
	}
	first := d.popOwn()
	for i := d.own - uint(n-1); i != d.own; i++ {
		to.push(*d.at(i))
	}
	d.own -= uint(n - 1)
	return first
}
