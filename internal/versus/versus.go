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
	Repeat    int // real runs for each row; the median of the calmest counts
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
	MeasuredSteals  int64   `json:"measuredSteals"` // -1: unknown
	PredictedBusy   float64 `json:"predictedBusy"`  // share of the workers' time in which they ran the program
	MeasuredBusy    float64 `json:"measuredBusy"`   // processor time over the workers' time; -1: unknown

	// Inflation is how much more work the same program was with all workers at
	// it; 0: unknown. MemoryBound says that it is so much that memory, and not the schedule,
	// decides: then the prediction is not promised.
	Inflation   float64 `json:"inflation"`
	MemoryBound bool    `json:"memoryBound"`

	// Disturbed is how long the run had to wait for processors that other
	// programs were on, as a share of its time; -1: unknown.
	Disturbed float64 `json:"disturbed"`
}

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
		o.step("%s: simulate P = %d", x.Name, p)
		s, err := predict(ctx, tree, p, o.Costs)
		if err != nil {
			return nil, err
		}
		r := real[i]
		row := newRow(x.Name, s, r.wall)
		row.MeasuredSteals, row.MeasuredBusy, row.Disturbed = r.steals, r.busy, r.disturbed
		row.Inflation, row.MemoryBound = inflation.by, p > 1 && inflation.bound
		rows = append(rows, row)
	}
	return rows, nil
}

// predict replays a tree as the library would run it.
func predict(ctx context.Context, tree *sim.Tree, workers int, costs sim.Costs) (p sim.Point, err error) {
	c, err := sim.Preset("forkjoin", workers)
	if err != nil {
		return p, err
	}
	c.Costs = costs
	curve, err := sim.Sweep{Workers: []int{workers}}.Run(ctx, tree, c)
	if err != nil {
		return p, err
	}
	return curve.Points[0], nil
}

// newRow returns a row of which no more is known than the time that was measured.
func newRow(name string, p sim.Point, measured time.Duration) Row {
	return Row{
		Workload: name, Workers: p.Workers,
		Predicted: p.Makespan, Measured: int64(measured),
		Error:           float64(p.Makespan-int64(measured)) / float64(max(1, measured)),
		PredictedSteals: p.Steals, MeasuredSteals: -1,
		PredictedBusy: p.Busy, MeasuredBusy: -1,
		Disturbed: -1,
	}
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
			o.step("%s: run %d of %d, P = %d", name, n+1, o.Repeat, o.Workers[i])
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
		r = r[:calm(len(r))]
		medians[i] = run{
			wall:      median(r, func(r run) time.Duration { return r.wall }),
			steals:    median(r, func(r run) int64 { return r.steals }),
			busy:      median(r, func(r run) float64 { return r.busy }),
			disturbed: median(r, func(r run) float64 { return r.disturbed }),
		}
	}
	return medians, nil
}

// calm is how many of n runs count, those that were disturbed least.
func calm(n int) int { return min(n, max(3, n/5)) }

func median[T any, V int64 | float64 | time.Duration](of []T, value func(T) V) V {
	v := make([]V, len(of))
	for i, x := range of {
		v[i] = value(x)
	}
	slices.Sort(v)
	return v[len(v)/2]
}
