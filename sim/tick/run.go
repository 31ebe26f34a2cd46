package tick

import (
	"fmt"

	"github.com/forkjoin-go/forkjoin/sim/internal/lcg"
)

// state says what the next event of a worker is.
type state uint8

const (
	ready    state = iota // a turn, with nothing begun
	running               // the last tick of the task in hand
	stealing              // a look at the victim, the last one at the end of the attempt
	paying                // a turn, after a time in which it did nothing else
	blocked               // none, unless somebody wakes it
)

type worker struct {
	deque  deque
	public int   // with Private: how many of the tasks are public
	held   int64 // the tick at which a steal lets go of the deque

	state state
	hand  task  // if running
	cost  int64 // its ticks
	since int64 // if stealing or paying: the first tick of that
	until int64 // if stealing: the last one
	fails int   // failed attempts in a row
	toll  int64 // ticks to pay for wakes, from the next turn on

	victim  int // of the attempt, or nobody
	pointer int // next victim of RoundRobin, and of Near in the group
	outside int // next victim of Near outside
	asked   int // attempts of Near in the group since it last looked elsewhere

	hungry bool  // somebody has asked for public tasks in vain
	asleep bool  // blocked, and to be woken by splits
	newest int32 // of the tasks that wait here: the node, or 0
	depth  int   // how many wait here

	busy, spent int64
}

const nobody = -1

// A sim is one run.
type sim struct {
	Config
	Result
	workers  []worker
	queue    queue
	nodes    []node  // tasks that wait for their halves; [0] is unused
	free     []int32 // nodes to be used again
	sleepers []int   // in the order in which they fell asleep
	clock    int64   // the tick of the turn that is under way
	moving   int     // the worker whose turn it is
	alive    int64   // tasks that are not over
	queued   int64   // of those, the ones in deques
	futile   int     // failed attempts in a row while none was in a deque
	rand     lcg.Rand
	early    bool // victims are chosen at the first tick of an attempt
}

// Run simulates c, which it does not change. The error says what is wrong with c,
// or that the clock has come to 2^50. The result depends on c alone, so that any
// number of goroutines may call Run at a time.
func Run(c Config) (*Result, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	return newSim(c).run(nil)
}

// run simulates, and lets v look on.
func (s *sim) run(v *views) (*Result, error) {
	for s.alive > 0 {
		tick, w, ok := s.queue.first()
		if !ok {
			panic("forkjoin: tick: workers wait for each other") // a fault of this package
		}
		if tick > maxTick {
			return nil, fmt.Errorf("forkjoin: the clock has come to %d with %d tasks left", tick, s.alive)
		}
		if v != nil {
			v.before(s, tick)
		}
		s.event(w, tick)
	}
	// The turns that are left in the last tick.
	for {
		tick, w, ok := s.queue.first()
		if !ok || tick > s.clock {
			break
		}
		s.event(w, tick)
	}
	if v != nil {
		v.before(s, s.clock+1)
	}
	return s.finish(), nil
}

func newSim(c Config) *sim {
	s := &sim{
		Config:  c,
		workers: make([]worker, c.Workers),
		queue:   newQueue(c.Workers),
		nodes:   make([]node, 1),
		rand:    lcg.Rand(c.Seed),
		early:   c.Refund || c.GroupSize > 0,
		clock:   -1,
	}
	if c.Workers == 1 {
		s.NoStealing = true // from whom
	}
	for w := range s.workers {
		p := &s.workers[w]
		p.victim = nobody
		p.pointer = (w + 1) % c.Workers
		if c.GroupSize > 0 {
			s.placePointers(p, w)
		}
		if w < len(c.Deques) {
			for _, size := range c.Deques[w] {
				p.deque.push(task{size: size})
				s.alive++
			}
		}
		s.queue.set(w, 0)
	}
	s.queued = s.alive
	return s
}

// event runs the next event of worker i.
func (s *sim) event(i int, tick int64) {
	s.clock, s.moving = tick, i
	w := &s.workers[i]
	switch w.state {
	case ready:
		s.turn(w, i)
	case running:
		s.end(w, i)
	case stealing:
		s.look(w, i)
	case paying:
		w.spent += s.clock - w.since
		w.state = ready
		s.turn(w, i)
	}
}

// finish adds up what there is after the last tick.
func (s *sim) finish() *Result {
	r, clock := &s.Result, s.clock+1
	r.Makespan = clock
	r.Busy = make([]int64, s.Config.Workers)
	r.Spent = make([]int64, s.Config.Workers)
	for i := range s.workers {
		w := &s.workers[i]
		if w.state == stealing || w.state == paying {
			w.spent += max(0, clock-w.since)
		}
		r.Busy[i], r.Spent[i] = w.busy, w.spent
		r.Work += w.busy
		r.Overhead += w.spent
	}
	return r
}
