package tick

// The model once more, as its rules are told: every worker has a turn in every
// tick, and nothing is foreseen. Run must agree with it in every figure.

type naiveTask struct {
	size   int64
	parent *naiveJoin
	half   int
	rest   bool
}

type naiveJoin struct {
	task  naiveTask
	owner *naiveWorker
	over  [2]bool
	thief [2]*naiveWorker
	base  int // tasks pushed by the owner before, less those popped
}

type naiveWorker struct {
	id       int
	deque    []naiveTask
	gone     int // tasks taken from the far end
	public   int
	held     int64
	hand     *naiveTask
	left     int64
	toll     int64 // ticks to pay before it does anything
	stealing int64
	victim   *naiveWorker
	pointer  int
	outside  int
	asked    int
	fails    int
	hungry   bool
	asleep   bool
	parked   bool
	delay    int64
	waiting  []*naiveJoin

	busy, overhead int64
}

type naive struct {
	c        Config
	workers  []*naiveWorker
	sleepers []*naiveWorker
	state    uint64
	clock    int64
	r        Result
	joins    int
	each     func(n *naive) // before each pass
}

func runNaive(c Config, each func(n *naive)) *Result {
	n := &naive{c: c, state: uint64(c.Seed), each: each}
	for i := range c.Workers {
		w := &naiveWorker{id: i, pointer: (i + 1) % c.Workers}
		if i < len(c.Deques) {
			for _, size := range c.Deques[i] {
				w.deque = append(w.deque, naiveTask{size: size})
			}
		}
		if g := c.GroupSize; g > 0 {
			lo, hi := i/g*g, min(i/g*g+g, c.Workers)
			w.outside = hi % c.Workers
			if c.Victims == Near {
				w.pointer = lo + (i+1-lo)%(hi-lo)
			}
		}
		n.workers = append(n.workers, w)
	}
	for !n.over() {
		if each != nil {
			each(n)
		}
		for _, w := range n.workers {
			n.turn(w)
		}
		n.clock++
	}
	n.r.Makespan = n.clock
	for _, w := range n.workers {
		n.r.Busy = append(n.r.Busy, w.busy)
		n.r.Spent = append(n.r.Spent, w.overhead)
		n.r.Work += w.busy
		n.r.Overhead += w.overhead
	}
	return &n.r
}

func (n *naive) over() bool {
	for _, w := range n.workers {
		if len(w.deque) > 0 || w.hand != nil {
			return false
		}
	}
	return n.joins == 0
}

func (n *naive) turn(w *naiveWorker) {
	c := &n.c
	switch {
	case w.asleep || w.parked:
		return
	case w.delay > 0:
		w.delay--
		return
	case w.toll > 0:
		w.toll--
		w.overhead++
		return
	}
	if w.hand == nil && w.stealing == 0 {
		if k := len(w.waiting) - 1; k >= 0 && c.JoinCost > 0 && w.waiting[k].ready() {
			t := n.unwait(w)
			w.hand, w.left = &t, c.JoinCost
		}
		if n.settle(w); w.toll > 0 {
			return
		}
	}
	if w.hand == nil && w.stealing == 0 && len(w.deque) > 0 {
		if k := len(w.waiting); k == 0 || c.Joins == JoinAny || w.gone+len(w.deque) > w.waiting[k-1].base {
			if n.take(w); w.hand == nil || w.toll > 0 {
				w.toll--
				w.overhead++
				return
			}
		}
	}
	if w.hand != nil {
		n.work(w)
		return
	}
	if c.NoStealing || c.Workers == 1 {
		return
	}
	if len(w.waiting) > 0 && c.Joins == JoinPark {
		w.parked = true
		return
	}
	n.stealTick(w)
}

// take takes a task from the worker's own deque, or makes it wait for that.
func (n *naive) take(w *naiveWorker) {
	all := len(w.deque)
	shared := !n.c.Private || w.public == all
	if shared && all == 1 && n.clock < w.held {
		n.r.Collided++
		w.toll = w.held - n.clock
		return
	}
	var t naiveTask
	if n.c.OwnerFIFO {
		t = w.deque[0]
		w.deque = w.deque[1:]
		w.gone++
	} else {
		t = w.deque[all-1]
		w.deque = w.deque[:all-1]
	}
	if shared {
		w.toll = n.c.PopCost
		w.public = max(w.public-1, 0)
	}
	if w.hungry && w.public == 0 && len(w.deque) > 0 {
		w.hungry = false
		w.public = (len(w.deque) + 1) / 2
		n.r.Published += int64(w.public)
		if k := len(n.sleepers); k > 0 {
			n.wake(n.sleepers[k-1], w)
		}
	}
	w.fails = 0
	w.hand, w.left = &t, n.cost(t.size)
}

func (n *naive) cost(size int64) int64 {
	if n.c.Divisible && size > n.c.Leaf {
		return 1
	}
	return size
}

func (n *naive) work(w *naiveWorker) {
	w.busy++
	if w.left--; w.left > 0 {
		return
	}
	t := *w.hand
	w.hand = nil
	if t.rest || !n.c.Divisible || t.size <= n.c.Leaf {
		if n.done(w, t); w.hand == nil {
			n.settle(w)
		}
		return
	}
	var j *naiveJoin
	if n.c.Joins != NoJoins {
		n.joins++
		j = &naiveJoin{task: t, owner: w, base: w.gone + len(w.deque)}
		if n.c.Joins != JoinLast {
			w.waiting = append(w.waiting, j)
			n.r.Depth = max(n.r.Depth, len(w.waiting))
		}
	}
	w.deque = append(w.deque, naiveTask{size: t.size / 2, parent: j, half: 0},
		naiveTask{size: t.size - t.size/2, parent: j, half: 1})
	if k := len(n.sleepers); k > 0 && !n.c.Private {
		n.wake(n.sleepers[k-1], w)
	}
}

func (j *naiveJoin) ready() bool { return j.over[0] && j.over[1] }

func (n *naive) unwait(w *naiveWorker) naiveTask {
	k := len(w.waiting) - 1
	t := w.waiting[k].task
	t.rest = true
	w.waiting = w.waiting[:k]
	n.joins--
	return t
}

func (n *naive) settle(w *naiveWorker) {
	if n.c.JoinCost > 0 {
		return
	}
	for k := len(w.waiting) - 1; k >= 0 && w.waiting[k].ready() && w.toll == 0; k-- {
		n.done(w, n.unwait(w))
	}
}

func (n *naive) done(w *naiveWorker, t naiveTask) {
	j := t.parent
	if j == nil {
		return
	}
	j.over[t.half] = true
	if !j.ready() {
		return
	}
	if n.c.Joins == JoinLast {
		n.joins--
		rest := j.task
		rest.rest = true
		if n.c.JoinCost == 0 {
			n.done(w, rest)
			return
		}
		w.hand, w.left = &rest, n.c.JoinCost
		return
	}
	o := j.owner
	if newest := o.waiting[len(o.waiting)-1]; newest == j && (o.asleep || o.parked) {
		n.wake(o, w)
	}
}

func (n *naive) wake(w, by *naiveWorker) {
	for i, s := range n.sleepers {
		if s == w {
			n.sleepers = append(n.sleepers[:i:i], n.sleepers[i+1:]...)
			break
		}
	}
	w.asleep, w.parked = false, false
	w.delay = n.c.WakeDelay
	by.toll += n.c.WakeCost
	n.r.Wakes++
}

func (n *naive) stealTick(w *naiveWorker) {
	c := &n.c
	early := c.Refund || c.GroupSize > 0
	if w.stealing == 0 {
		w.stealing = c.StealCost
		w.victim = nil
		if early {
			w.victim = n.choose(w)
			if g := c.GroupSize; g > 0 && w.victim != nil && w.id/g != w.victim.id/g {
				w.stealing = c.RemoteCost
			}
		}
	}
	w.stealing--
	w.overhead++
	if w.stealing > 0 && !c.Refund {
		return
	}
	ready := false
	if k := len(w.waiting); k > 0 {
		ready = w.waiting[k-1].ready()
	}
	if !ready && w.victim == nil && !early {
		w.victim = n.choose(w)
	}
	if ready || w.victim == nil || n.offered(w.victim) == 0 {
		n.r.Failed++
		w.stealing = 0
		if !ready {
			w.fails++
		}
		if c.Private && w.victim != nil && len(w.victim.deque) > 0 {
			w.victim.hungry = true
		}
		if c.SleepAfter > 0 && w.fails >= c.SleepAfter && !ready {
			w.fails = 0
			w.asleep = true
			n.sleepers = append(n.sleepers, w)
		}
		return
	}
	if w.stealing > 0 {
		return
	}
	if n.clock < w.victim.held {
		n.r.Collided++
		w.stealing = w.victim.held - n.clock
		return
	}
	n.steal(w, w.victim)
}

func (n *naive) offered(v *naiveWorker) int {
	if n.c.Private {
		return v.public
	}
	return len(v.deque)
}

func (n *naive) steal(w, v *naiveWorker) {
	k := 1
	if n.c.StealHalf {
		k = (n.offered(v) + 1) / 2
	}
	var taken []naiveTask // far end first
	var first naiveTask
	if n.c.StealEnd == Far {
		taken = append(taken, v.deque[:k]...)
		v.deque = v.deque[k:]
		v.gone += k
		first, taken = taken[0], taken[1:]
	} else {
		taken = append(taken, v.deque[len(v.deque)-k:]...)
		v.deque = v.deque[:len(v.deque)-k]
		first, taken = taken[k-1], taken[:k-1]
	}
	v.public = max(v.public-k, 0)
	v.held = n.clock + n.c.StealHold
	var moved int64
	for _, t := range append([]naiveTask{first}, taken...) {
		if t.parent != nil {
			t.parent.thief[t.half] = w
		}
		moved += t.size
		if n.c.Divisible && t.size > n.c.Leaf {
			moved += t.size/n.c.Leaf - 1
		}
	}
	w.deque = append(w.deque, taken...)
	w.hand, w.left = &first, n.cost(first.size)
	w.fails, w.asked = 0, 0
	if k := len(n.sleepers); k > 0 && n.c.WakeChain && n.offered(v) > 0 {
		n.wake(n.sleepers[k-1], w)
	}
	n.r.Steals++
	n.r.Tasks += int64(k)
	n.r.Moved += moved
	if n.c.Log < 0 || len(n.r.Log) < n.c.Log {
		n.r.Log = append(n.r.Log, Steal{n.clock, v.id, w.id, first.size, moved})
	}
}

func (n *naive) choose(w *naiveWorker) *naiveWorker {
	c := &n.c
	if k := len(w.waiting); k > 0 && c.Joins == JoinLeapfrog {
		j := w.waiting[k-1]
		if !j.over[1] {
			return j.thief[1]
		}
		return j.thief[0]
	}
	switch c.Victims {
	case Random:
		n.state = (n.state*1103515245 + 12345) % (1 << 31)
		k := int(n.state>>16) % (c.Workers - 1)
		if k >= w.id {
			k++
		}
		return n.workers[k]
	case Richest:
		var best *naiveWorker
		for _, v := range n.workers {
			if v != w && len(v.deque) > 0 && (best == nil || len(v.deque) > len(best.deque)) {
				best = v
			}
		}
		return best
	case Near:
		g := c.GroupSize
		lo, hi := w.id/g*g, min(w.id/g*g+g, c.Workers)
		if size := hi - lo; size > 1 && (w.asked < size-1 || size == c.Workers) {
			w.asked++
			if w.pointer == w.id {
				w.pointer = lo + (w.pointer+1-lo)%size
			}
			v := n.workers[w.pointer]
			w.pointer = lo + (w.pointer+1-lo)%size
			return v
		}
		w.asked = 0
		v := n.workers[w.outside]
		for w.outside = (w.outside + 1) % c.Workers; w.outside/g == w.id/g; {
			w.outside = (w.outside + 1) % c.Workers
		}
		return v
	}
	if w.pointer == w.id {
		w.pointer = (w.pointer + 1) % c.Workers
	}
	v := n.workers[w.pointer]
	w.pointer = (w.pointer + 1) % c.Workers
	return v
}
