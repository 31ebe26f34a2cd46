package sim

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
)

// A Sweep says which runs make a speed-up curve.
type Sweep struct {
	Workers []int // the points; nil: 1, 2, 4, … up to Config.Workers, and that
	Seeds   int   // runs for each point, with seeds from Config.Seed on; 0: 8

	// For runs body for 0 to n-1, perhaps several at the same time, as a loop
	// over forkjoin.ParallelFor does; nil runs them one after the other.
	For func(n int, body func(i int))
	// Done is called after each run with how many there are, if it is not nil.
	// Calls may come at the same time.
	Done func(runs, of int)
}

// A Curve is the outcome of a [Sweep].
type Curve struct {
	Config   Config   `json:"config"`
	Measures Measures `json:"measures"`
	Tasks    int64    `json:"tasks"`
	Points   []Point  `json:"points"`
}

// A Point is the runs on one number of workers: the median, and the band between
// the fastest and the slowest.
type Point struct {
	Workers  int     `json:"workers"`
	Makespan int64   `json:"makespan"`
	Fastest  int64   `json:"fastest"`
	Slowest  int64   `json:"slowest"`
	Speedup  float64 `json:"speedup"` // of the median, over the tree's work
	Busy     float64 `json:"busy"`    // share of all workers' time, in the median run
	Steals   int64   `json:"steals"`  // median
	Attempts int64   `json:"attempts"`
	Bounds   Bounds  `json:"bounds"`
}

// Run replays t as s says. It ends early with ctx's cause if ctx is cancelled.
func (s Sweep) Run(ctx context.Context, t *Tree, cfg Config) (*Curve, error) {
	points, seeds, loop := s.Workers, s.Seeds, s.For
	if points == nil {
		if err := cfg.check(); err != nil {
			return nil, err
		}
		points = powers(cfg.Workers)
	}
	if seeds == 0 {
		seeds = 8
	}
	if seeds < 0 || seeds > mostSeeds {
		return nil, fmt.Errorf("forkjoin: sim.Sweep: Seeds is %d, want >= 0 and <= %d", seeds, mostSeeds)
	}
	if loop == nil {
		loop = func(n int, body func(i int)) {
			for i := range n {
				body(i)
			}
		}
	}
	if err := t.check("Sweep"); err != nil {
		return nil, err
	}
	if ctx == nil {
		return nil, errors.New("forkjoin: sim.Sweep: the context is nil")
	}
	cfg.Steals, cfg.Timeline = 0, 0
	for _, p := range points {
		c := cfg
		c.Workers = p
		if err := c.check(); err != nil {
			return nil, err
		}
	}
	runs := make([]*Result, len(points)*seeds)
	errs := make([]error, len(runs))
	var done atomic.Int64
	measures := t.Measure(cfg.Costs.Burden())
	loop(len(runs), func(i int) {
		if i < 0 || i >= len(runs) {
			panic(fmt.Sprintf("forkjoin: sim.Sweep: For has called body with %d, want >= 0 and < %d", i, len(runs)))
		}
		if ctx.Err() != nil {
			return
		}
		c := cfg
		c.Workers = points[len(points)-1-i/seeds] // those that take longest first
		c.Seed += uint64(i % seeds)
		runs[i], errs[i] = replay(t, c, measures)
		if n := done.Add(1); s.Done != nil {
			s.Done(int(n), len(runs))
		}
	})
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	for i, err := range errs {
		if err != nil {
			return nil, err
		}
		if runs[i] == nil {
			return nil, fmt.Errorf("forkjoin: sim.Sweep: For has not called body with %d", i)
		}
	}
	curve := &Curve{Config: cfg, Measures: measures, Tasks: t.Counts().Tasks}
	for i := range points {
		k := len(points) - 1 - i
		curve.Points = append(curve.Points, newPoint(runs[k*seeds:(k+1)*seeds]))
	}
	return curve, nil
}

const mostSeeds = 1 << 16

// powers returns 1, 2, 4, … up to n, and n.
func powers(n int) (p []int) {
	for i := 1; i < n; i *= 2 {
		p = append(p, i)
	}
	return append(p, n)
}

func newPoint(runs []*Result) Point {
	by := func(f func(r *Result) int64) []*Result {
		sorted := slices.Clone(runs)
		slices.SortStableFunc(sorted, func(a, b *Result) int { return int(min(max(f(a)-f(b), -1), 1)) })
		return sorted
	}
	time := by(func(r *Result) int64 { return r.Makespan })
	mid := len(runs) / 2
	r := time[mid]
	return Point{
		Workers: len(r.Workers), Makespan: r.Makespan, Fastest: time[0].Makespan, Slowest: time[len(time)-1].Makespan,
		Speedup: r.Speedup(), Busy: r.Busy(), Bounds: r.Bounds,
		Steals:   by(func(r *Result) int64 { return r.Steals })[mid].Steals,
		Attempts: by(func(r *Result) int64 { return r.Attempts })[mid].Attempts,
	}
}
