// Package versus sets real runs of programs beside simulated ones.
package versus

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"time"

	"github.com/forkjoin-go/forkjoin"
	"github.com/forkjoin-go/forkjoin/internal/cputime"
	"github.com/forkjoin-go/forkjoin/internal/workload"
	"github.com/forkjoin-go/forkjoin/sim"
)

// Options say what is compared.
type Options struct {
	Workloads []workload.Workload
	Workers   []int
	Repeat    int // real runs for each row; the median of the least disturbed third counts
	Costs     sim.Costs
	Shrink    int               // divides the sizes, for tests; 0 is 1
	Step      func(what string) // is told what is done
}

// A Row is one program on one number of workers.
type Row struct {
	Workload string `json:"workload"`
	Workers  int    `json:"workers"`

	Predicted       int64   `json:"predicted"` // ns
	Measured        int64   `json:"measured"`
	Error           float64 `json:"error"` // of the prediction, as a share of what was measured
	PredictedSteals int64   `json:"predictedSteals"`
	MeasuredSteals  int64   `json:"measuredSteals"`
	PredictedBusy   float64 `json:"predictedBusy"` // share of the workers' time in which they ran the program
	MeasuredBusy    float64 `json:"measuredBusy"`  // processor time over the workers' time; -1: unknown

	// Inflation is how much more work the same program was with all workers at
	// it. MemoryBound says that it is so much that memory, and not the schedule,
	// decides: then the prediction is not promised.
	Inflation   float64 `json:"inflation"`
	MemoryBound bool    `json:"memoryBound"`

	// Disturbed is how long the run had to wait for processors that other
	// programs were on, as a share of its time; -1: unknown.
	Disturbed float64 `json:"disturbed"`
}

// memoryBound is the inflation from which on a program is called memory-bound.
const memoryBound = 1.1

// Compare makes the rows. It ends early with ctx's cause if ctx is cancelled.
func Compare(ctx context.Context, o Options) (rows []Row, err error) {
	for _, x := range o.Workloads {
		of, err := o.compare(ctx, x)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", x.Name, err)
		}
		rows = append(rows, of...)
	}
	return rows, nil
}

func (o *Options) step(format string, args ...any) {
	if o.Step != nil {
		o.Step(fmt.Sprintf(format, args...))
	}
}

func (o *Options) compare(ctx context.Context, x workload.Workload) (rows []Row, err error) {
	size := x.Size
	if o.Shrink > 1 {
		size = max(3, size/o.Shrink)
	}
	o.step("%s: prepare", x.Name)
	work, reset := x.Make(size)
	work() // so that memory is there and sites are known
	reset()
	real, err := o.measure(ctx, x.Name, work, reset)
	if err != nil {
		return nil, err
	}
	o.step("%s: record", x.Name)
	tree, inflation, err := o.record(ctx, work, reset)
	if err != nil {
		return nil, err
	}
	for i, p := range o.Workers {
		o.step("%s: simulate %d workers", x.Name, p)
		c, err := sim.Preset("forkjoin", p)
		if err != nil {
			return nil, err
		}
		c.Costs = o.Costs
		curve, err := sim.Sweep{Workers: []int{p}}.Run(ctx, tree, c)
		if err != nil {
			return nil, err
		}
		s, r := curve.Points[0], real[i]
		rows = append(rows, Row{
			Workload: x.Name, Workers: p,
			Predicted: s.Makespan, Measured: int64(r.wall), Error: float64(s.Makespan-int64(r.wall)) / float64(max(1, r.wall)),
			PredictedSteals: s.Steals, MeasuredSteals: r.steals,
			PredictedBusy: s.Busy, MeasuredBusy: r.busy,
			Inflation: inflation, MemoryBound: p > 1 && inflation > memoryBound, Disturbed: r.disturbed,
		})
	}
	return rows, nil
}

// A run is a real one.
type run struct {
	wall      time.Duration
	steals    int64
	busy      float64
	disturbed float64
}

// measure runs work on pools of each size in turn, again and again, and returns
// the medians.
func (o *Options) measure(ctx context.Context, name string, work func() uint64, reset func()) ([]run, error) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	runs := make([][]run, len(o.Workers))
	pools := make([]*forkjoin.Pool, len(o.Workers))
	for i, p := range o.Workers {
		pool, err := forkjoin.New(forkjoin.Config{Workers: p, Name: "comparison"})
		if err != nil {
			return nil, err
		}
		defer pool.Close()
		pools[i] = pool
	}
	for n := range o.Repeat {
		for i, pool := range pools {
			if err := context.Cause(ctx); err != nil {
				return nil, err
			}
			o.step("%s: run %d of %d on %d workers", name, n+1, o.Repeat, o.Workers[i])
			runtime.GC()
			time.Sleep(time.Millisecond) // workers fall asleep, as in the simulation
			before, delay, cpu, start := pool.Stats(), cputime.Delayed(), cputime.Used(), time.Now()
			pool.Run(func() { work() })
			wall, used := time.Since(start), cputime.Used()-cpu
			delay = cputime.Delayed() - delay
			time.Sleep(time.Millisecond) // those that have just ended a task count it
			r := run{wall: wall, steals: int64(pool.Stats().Steals - before.Steals), busy: -1, disturbed: -1}
			if delay >= 0 {
				r.disturbed = float64(delay) / float64(wall)
			}
			if cpu >= 0 {
				r.busy = min(1, float64(used)/float64(wall)/float64(o.Workers[i]))
			}
			runs[i] = append(runs[i], r)
			reset()
		}
	}
	medians := make([]run, len(runs))
	for i, r := range runs {
		slices.SortStableFunc(r, func(a, b run) int { return cmp.Compare(a.disturbed, b.disturbed) })
		r = r[:(len(r)+2)/3]
		medians[i] = run{
			wall:      median(r, func(r run) time.Duration { return r.wall }),
			steals:    median(r, func(r run) int64 { return r.steals }),
			busy:      median(r, func(r run) float64 { return r.busy }),
			disturbed: median(r, func(r run) float64 { return r.disturbed }),
		}
	}
	return medians, nil
}

func median[T any, V int64 | float64 | time.Duration](of []T, value func(T) V) V {
	v := make([]V, len(of))
	for i, x := range of {
		v[i] = value(x)
	}
	slices.Sort(v)
	return v[len(v)/2]
}

// A recording is a tree, and how long the recorded run had to wait for
// processors.
type recording struct {
	tree  *sim.Tree
	work  int64
	delay time.Duration
}

// record returns the tree of work whose costs are the median of the least
// disturbed recordings on one worker, and how much more it costs with all
// workers at it.
func (o *Options) record(ctx context.Context, work func() uint64, reset func()) (tree *sim.Tree, inflation float64, err error) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	var alone, together []recording
	for range max(3, o.Repeat) {
		for _, x := range []struct {
			record func(func()) (*sim.Tree, error)
			trees  *[]recording
		}{{sim.Record, &alone}, {sim.RecordParallel, &together}} {
			if err := context.Cause(ctx); err != nil {
				return nil, 0, err
			}
			runtime.GC()
			delay := cputime.Delayed()
			t, err := x.record(func() { work() })
			if err != nil {
				return nil, 0, err
			}
			*x.trees = append(*x.trees, recording{t, t.Measure(0).Work, cputime.Delayed() - delay})
			reset()
		}
	}
	a, b := typical(alone), typical(together)
	return a.tree, float64(b.work) / float64(max(1, a.work)), nil
}

// typical returns the recording with the median work of the least disturbed
// third.
func typical(r []recording) recording {
	slices.SortStableFunc(r, func(a, b recording) int { return cmp.Compare(a.delay, b.delay) })
	r = r[:(len(r)+2)/3]
	slices.SortStableFunc(r, func(a, b recording) int { return cmp.Compare(a.work, b.work) })
	return r[len(r)/2]
}
