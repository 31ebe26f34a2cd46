package versus

import (
	"cmp"
	"context"
	"runtime"
	"runtime/debug"
	"slices"

	"github.com/forkjoin-go/forkjoin/internal/cputime"
	"github.com/forkjoin-go/forkjoin/sim"
)

// A recording is what one recorded run amounts to, in nanoseconds.
type recording struct {
	tree  *sim.Tree
	work  int64
	delay int64 // how long the run had to wait for processors; -1: unknown
}

// An inflation is how much more work a program is with all workers at it, because
// they share caches and memory.
type inflation struct {
	by    float64
	bound bool // it is clear enough, and so much that memory decides
}

// memoryBound is the inflation from which on a program is called memory-bound.
const memoryBound = 1.1

// inflationOf compares recordings on one worker with others on all. Strands are
// measured on a clock that runs on while another program has the processor, so what
// looks like inflation may be a busy machine. Therefore only the least disturbed
// recordings count, memory is not blamed for what waiting for
// processors explains, and the two kinds must differ by more than among themselves.
func inflationOf(alone, together []recording) inflation {
	a, b := calmest(alone), calmest(together)
	typicalA, typicalB := a[len(a)/2], b[len(b)/2]
	work := float64(max(1, typicalA.work))
	clean := float64(typicalB.work - max(0, typicalB.delay))
	return inflation{
		by:    float64(typicalB.work) / work,
		bound: clean/work > memoryBound && b[0].work > a[len(a)-1].work,
	}
}

// calmest returns the least disturbed of the recordings, by their work.
func calmest(r []recording) []recording {
	r = slices.Clone(r)
	slices.SortStableFunc(r, func(a, b recording) int { return cmp.Compare(a.delay, b.delay) })
	r = r[:calm(len(r))]
	slices.SortStableFunc(r, func(a, b recording) int { return cmp.Compare(a.work, b.work) })
	return r
}

// record returns the tree of work whose costs are the median of the least
// disturbed recordings on one worker, and how much more it costs with all
// workers at it.
func (o *Options) record(ctx context.Context, work func() uint64, reset func()) (tree *sim.Tree, i inflation, err error) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	var alone, together []recording
	for range max(9, o.Repeat) {
		for _, x := range []struct {
			record func(func()) (*sim.Tree, error)
			trees  *[]recording
		}{{sim.Record, &alone}, {sim.RecordParallel, &together}} {
			if err := context.Cause(ctx); err != nil {
				return nil, i, err
			}
			runtime.GC()
			before := cputime.Delayed()
			t, err := x.record(func() { work() })
			if err != nil {
				return nil, i, err
			}
			delay := int64(-1)
			if before >= 0 {
				delay = int64(cputime.Delayed() - before)
			}
			*x.trees = append(*x.trees, recording{t, t.Measure(0).Work, delay})
			reset()
		}
	}
	calm := calmest(alone)
	return calm[len(calm)/2].tree, inflationOf(alone, together), nil
}
