package sim

import (
	"fmt"
	"math"
	"math/bits"
)

// A Result is what a simulated run came to. Times are nanoseconds, or the unit of
// the tree's costs.
type Result struct {
	Config   Config   `json:"config"`
	Makespan int64    `json:"makespan"` // from the beginning to the end
	Workers  []Worker `json:"workers"`
	Tasks    int64    `json:"tasks"`

	Steals    int64            `json:"steals"`    // frames taken
	Distances [distances]int64 `json:"distances"` // steals by how far away the victim was: see Topology.Distance
	Attempts  int64            `json:"attempts"`  // looks at a victim, also in vain
	Moved     int64            `json:"moved"`     // work done for frames that were taken
	Forks     int64            `json:"forks"`     // frames pushed
	Inline    int64            `json:"inline"`    // joins run without one
	Publishes int64            `json:"publishes"` // times that an owner showed private frames
	Parks     int64            `json:"parks"`     // waits that gave the worker's slot to another one
	Wakes     int64            `json:"wakes"`     // workers woken

	Measures Measures `json:"measures"` // of the tree; burdened by the price of a steal
	Bounds   Bounds   `json:"bounds"`

	Load     []Load  `json:"load"`
	Log      []Steal `json:"log,omitempty"`
	Timeline []Span  `json:"timeline,omitempty"`
}

// A Worker is how one worker's time was spent: the rest of the makespan it slept.
type Worker struct {
	Busy     int64 `json:"busy"`     // ran the program
	Overhead int64 `json:"overhead"` // pushed, popped, took, woke
	Search   int64 `json:"search"`   // looked for work, or waited awake
	Idle     int64 `json:"idle"`     // slept
}

// Bounds are what theory says of a makespan.
type Bounds struct {
	// Least is what no scheduler can beat: max(⌈T1/P⌉, T∞).
	Least int64 `json:"least"`
	// Greedy is what a scheduler without costs needs at most that leaves nobody
	// idle while there is work (Graham 1966, Brent 1974): (T1-T∞)/P + T∞.
	Greedy int64 `json:"greedy"`
	// Burdened is Cilkview's estimate of what a run takes: the greedy bound with
	// the burdened span.
	Burdened int64 `json:"burdened"`
	// Attempts is P·T∞ in steals: how many attempts work stealing makes up to a
	// constant factor (Blumofe and Leiserson 1999), where one takes as long as
	// a look and a steal do here.
	Attempts int64 `json:"attempts"`
}

// Bounds returns the bounds of a tree on so many workers. It panics if workers < 1.
func (m Measures) Bounds(workers int) Bounds {
	if workers < 1 {
		panic(fmt.Sprintf("forkjoin: sim.Measures.Bounds: workers is %d, want >= 1", workers))
	}
	p := int64(workers)
	greedy := func(span int64) int64 { return span + max(0, m.Work-span+p-1)/p }
	return Bounds{
		Least:    max((m.Work+p-1)/p, m.Span),
		Greedy:   greedy(m.Span),
		Burdened: greedy(m.Burdened),
		Attempts: times(p, m.Span),
	}
}

// Burden returns what moving a piece of work costs: showing it, a look at its owner,
// and a steal from afar.
func (c *Costs) Burden() int64 { return int64(c.Steal[otherSocket] + c.Probe + c.Publish) }

// Speedup returns how many times faster than one worker without scheduling costs
// the run was.
func (r *Result) Speedup() float64 { return ratio(r.Measures.Work, r.Makespan) }

// Busy returns the share of all workers' time in which they ran the program.
func (r *Result) Busy() float64 { return r.share(r.total().Busy) }

// share returns what share of the time of all workers together some is.
func (r *Result) share(time int64) float64 {
	return ratio(time, r.Makespan) / float64(max(1, len(r.Workers)))
}

func ratio(a, b int64) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}

// total returns the sum over all workers.
func (r *Result) total() (sum Worker) {
	for _, w := range r.Workers {
		sum.Busy = plus(sum.Busy, w.Busy)
		sum.Overhead = plus(sum.Overhead, w.Overhead)
		sum.Search = plus(sum.Search, w.Search)
		sum.Idle = plus(sum.Idle, w.Idle)
	}
	return sum
}

// Makespans fit into an int64, but those of thousands of workers together may not:
// sums and products that are too large are the largest number there is.

// plus returns a + b, of which none is negative.
func plus(a, b int64) int64 { return int64(min(uint64(a)+uint64(b), math.MaxInt64)) }

// times returns a times b, of which none is negative.
func times(a, b int64) int64 {
	high, low := bits.Mul64(uint64(a), uint64(b))
	if high > 0 {
		return math.MaxInt64
	}
	return int64(min(low, math.MaxInt64))
}

func (e *engine) result(m Measures) *Result {
	e.settle()
	r := &Result{
		Config: e.cfg, Makespan: e.now, Tasks: e.tree.Counts().Tasks,
		Steals: e.totals.steals, Distances: e.totals.distances, Attempts: plus(e.totals.steals, e.totals.failures), Moved: e.totals.moved,
		Forks: e.totals.forks, Inline: e.totals.inline, Publishes: e.totals.publishes,
		Parks: e.totals.parks, Wakes: e.totals.wakes,
		Measures: m, Bounds: m.Bounds(e.cfg.Workers),
		Load: e.load.samples, Log: e.log, Timeline: e.spans,
	}
	attempt := max(1, int64(e.cfg.Costs.Probe+e.cfg.Costs.Steal[sameCache]))
	r.Bounds.Attempts = times(int64(e.cfg.Workers), m.Span/attempt+1)
	for i := range r.Timeline {
		r.Timeline[i].Label = e.tree.Name(int(r.Timeline[i].label))
	}
	for _, s := range e.slots {
		r.Workers = append(r.Workers, Worker{s.busy, s.overhead, s.search, e.now - s.busy - s.overhead - s.search})
	}
	return r
}

// settle accounts for those who still look for work when all is done.
func (e *engine) settle() {
	for _, w := range e.workers {
		if w.slot != none && (w.phase == searching || w.phase == helping || w.phase == lingering) {
			e.endSpin(w)
		}
	}
}
