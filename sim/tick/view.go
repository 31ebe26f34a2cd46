package tick

import "fmt"

// View is what one worker has at a certain time.
type View struct {
	Clock int64   // ticks since the start
	Deque []int64 // the sizes of its tasks, the far end first
	Busy  bool    // it has a task in hand
	Hand  int64   // the size of that task
	Left  int64   // the ticks that it has left
}

// Watch simulates c as Run does, looks at the tasks of one worker whenever the
// clock has come to one of clocks, which must ascend, and returns what it saw. It
// leaves out clocks that are later than the end.
func Watch(c Config, worker int, clocks ...int64) ([]View, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	if worker < 0 || worker >= c.Workers {
		return nil, fmt.Errorf("forkjoin: worker is %d, want 0 to %d", worker, c.Workers-1)
	}
	for i, at := range clocks {
		if at < 0 || i > 0 && at <= clocks[i-1] {
			return nil, fmt.Errorf("forkjoin: clocks[%d] is %d, want ascending ones from 0 on", i, at)
		}
	}
	v := views{worker: worker, clocks: clocks}
	_, err := newSim(c).run(&v)
	return v.views, err
}

// views collects them.
type views struct {
	worker int
	clocks []int64
	views  []View
}

// before looks at the clocks up to the given one, the turns of which come next.
func (v *views) before(s *sim, clock int64) {
	for len(v.clocks) > 0 && v.clocks[0] <= clock {
		v.views = append(v.views, s.view(v.worker, v.clocks[0]))
		v.clocks = v.clocks[1:]
	}
}

func (s *sim) view(i int, clock int64) View {
	w := &s.workers[i]
	r := View{Clock: clock, Deque: make([]int64, 0, w.deque.len())}
	for k := range w.deque.len() {
		r.Deque = append(r.Deque, w.deque.at(w.deque.far+uint(k)).size)
	}
	if w.state == running {
		r.Busy, r.Hand = true, w.hand.size
		r.Left = min(w.cost, s.queue.at(i)+1-clock)
	}
	return r
}
