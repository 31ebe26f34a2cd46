package forkjoin

import (
	"runtime"

	"github.com/forkjoin-go/forkjoin/internal/atomic"
	"github.com/forkjoin-go/forkjoin/internal/cpunum"
	"github.com/forkjoin-go/forkjoin/internal/joint"
	"github.com/forkjoin-go/forkjoin/internal/policy"
	"github.com/forkjoin-go/forkjoin/internal/topology"
)

// Which victims are near. Goroutines and threads move, so a worker notes the
// processor it runs on when it begins to look for work, and when it shows work to
// thieves; a thief compares its own with those. A note that is out of date costs
// time and nothing else.
//
// Where all processors are equally near notes serve to keep thieves off the
// processors of their victims (apart.go) and nothing else, and where no more than two
// goroutines can run nothing is found out.

// A neighbourhood is what it takes to know who is near.
type neighbourhood struct {
	machine *topology.Map
	near    topology.Ring // the widest that is near
	cpu     func() int    // the number of the CPU that runs the caller
}

// nearby is nil as long as all processors count as equally near.
var nearby atomic.Pointer[neighbourhood]

// learned is what GOMAXPROCS was when nearby was found out.
var learned atomic.Int32

// learn finds out, on a goroutine of its own, which processors are near each
// other, if that could matter and has not been done. It does so anew when
// GOMAXPROCS has changed, as it does with where the process may run.
func learn() {
	procs := int32(runtime.GOMAXPROCS(0))
	if joint.Exploring || procs <= 2 || learned.Swap(procs) == procs {
		return
	}
	joint.Go(func() { nearby.Store(neighbourhoodOf(topology.Host(), cpunum.Reader())) })
}

// neighbourhoodOf returns the neighbourhood of a machine, or nil if it does not matter or
// cannot be known who is near.
func neighbourhoodOf(m *topology.Map, cpu func() int) *neighbourhood {
	if cpu == nil || m.OneRing() {
		return nil
	}
	return &neighbourhood{m, m.Near(), cpu}
}

// note notes where w runs.
func (w *worker) note() {
	if n := nearby.Load(); n != nil {
		n.note(w)
	} else if read := processor.Load(); read != nil {
		w.runsOn((*read)())
	}
}

func (n *neighbourhood) note(w *worker) { w.runsOn(n.cpu()) }

func (w *worker) runsOn(cpu int) {
	if w.cpu.Load() != int32(cpu) {
		w.cpu.Store(int32(cpu))
	}
}

// lookAround notes where w runs and sorts its victims by how near they are: when w
// has moved, and else now and then, because they move too.
func (w *worker) lookAround() {
	n := nearby.Load()
	if n == nil {
		return
	}
	before := w.cpu.Load()
	n.note(w)
	all, here := w.pool.all(), w.cpu.Load()
	if w.sorted++; here == before && w.order.Len() == len(all) && w.sorted%sortPeriod != 0 {
		return
	}
	w.order.Sort(len(all), n.near, func(v int) int {
		if all[v] == w {
			return topology.SameL2
		}
		return n.machine.Ring(int(here), int(all[v].cpu.Load()))
	})
}

// sortPeriod is how many searches an order serves of a worker that stays where it
// is: sorting takes as long as a few steals.
const sortPeriod = 16

// firstReach returns how far to look when a search begins.
func (w *worker) firstReach() policy.Reach {
	if nearby.Load() == nil {
		return policy.Far
	}
	return policy.FirstReach(w.order.Len(), w.random())
}

// near reports whether another worker is near, as far as w knows.
func (w *worker) near(other *worker) bool {
	n := nearby.Load()
	return n == nil || n.machine.Ring(int(w.cpu.Load()), int(other.cpu.Load())) <= n.near
}

// visit visits the workers of the pool within a reach, which are all where it does
// not matter who is near, in the order in which to rob them.
func (w *worker) visit(all []*worker, reach policy.Reach, visit func(v int) bool) bool {
	if nearby.Load() != nil && w.order.Len() == len(all) {
		return w.order.Visit(-1, reach, w.random(), visit)
	}
	return policy.Victims(len(all), -1, w.last, w.random(), visit)
}

// random returns the next of a worker's random numbers.
func (w *worker) random() (r uint64) {
	w.rng, r = policy.NextRandom(w.rng)
	return r
}
