package sim

import (
	"fmt"
	"slices"
)

// A Comparison is two runs of one tree.
type Comparison struct {
	A *Result `json:"a"`
	B *Result `json:"b"`

	// Agree is how many steals, from the first on, are the same in both. Same is
	// set if all are, as far as they were kept; then the first that differ are
	// not there.
	Agree  int    `json:"agree"`
	Same   bool   `json:"same"`
	FirstA *Steal `json:"firstA,omitempty"`
	FirstB *Steal `json:"firstB,omitempty"`

	// Differences are of the time of all workers together, B less A.
	Differences Worker `json:"differences"`
}

// comparedSteals is how many steals a Comparison looks at.
const comparedSteals = 1 << 16

// Compare replays t by two configurations.
func Compare(t *Tree, a, b Config) (*Comparison, error) {
	a.Steals, b.Steals = max(a.Steals, comparedSteals), max(b.Steals, comparedSteals)
	ra, err := Replay(t, a)
	if err != nil {
		return nil, err
	}
	rb, err := Replay(t, b)
	if err != nil {
		return nil, err
	}
	c := &Comparison{A: ra, B: rb}
	for c.Agree < min(len(ra.Log), len(rb.Log)) && ra.Log[c.Agree] == rb.Log[c.Agree] {
		c.Agree++
	}
	c.Same = c.Agree == max(len(ra.Log), len(rb.Log))
	if c.Agree < len(ra.Log) {
		c.FirstA = &ra.Log[c.Agree]
	}
	if c.Agree < len(rb.Log) {
		c.FirstB = &rb.Log[c.Agree]
	}
	x, y := ra.total(), rb.total()
	c.Differences = Worker{y.Busy - x.Busy, y.Overhead - x.Overhead, y.Search - x.Search, y.Idle - x.Idle}
	return c, nil
}

// A Change is what would come of a change of the machine or the program.
type Change struct {
	What     string  `json:"what"`
	Makespan int64   `json:"makespan"`
	Gain     float64 `json:"gain"` // how many times faster than without it

	whole bool // it is about next to all of the program: that goes without saying
}

// WhatIf replays t with one thing changed at a time, and returns the changes, the
// most useful first. It takes as long as up to a dozen runs of [Replay].
func WhatIf(t *Tree, cfg Config) ([]Change, error) {
	cfg.Steals, cfg.Timeline = 0, 0
	base, err := Replay(t, cfg)
	if err != nil {
		return nil, err
	}
	var changes []Change
	try := func(t *Tree, what string, change func(c *Config)) {
		c := cfg
		change(&c)
		r, e := Replay(t, c)
		if e != nil {
			err = e
			return
		}
		changes = append(changes, Change{What: what, Makespan: r.Makespan, Gain: ratio(base.Makespan, r.Makespan)})
	}
	if 2*cfg.Workers <= MaxWorkers {
		try(t, "twice as many workers", func(c *Config) { c.Workers *= 2 })
	}
	if cfg.Workers > 1 {
		try(t, "half as many workers", func(c *Config) { c.Workers /= 2 })
		try(t, "scheduling for free", func(c *Config) { c.Costs = Costs{} })
		try(t, "steals at half the price", func(c *Config) { scaleSteals(&c.Costs, 0.5) })
		try(t, "steals at ten times the price", func(c *Config) { scaleSteals(&c.Costs, 10) })
		try(t, "workers that never sleep", func(c *Config) { c.Sleep = SleepNever })
		if t.counts.Loops > 0 {
			try(t, "loops cut in advance into 8 parts for each worker", func(c *Config) { c.Splitter, c.Leaf = SplitFixed, 0 })
		}
		if !cfg.Topology.flat() {
			try(t, "all workers equally near", func(c *Config) { c.Topology = Topology{} })
		}
	}
	for _, l := range t.largestLabels() {
		faster, e := t.Scale(l.Name, 0.5)
		if e != nil {
			return nil, e
		}
		try(faster, fmt.Sprintf("%s twice as fast", l.Name), func(*Config) {})
		if err == nil {
			changes[len(changes)-1].whole = ratio(l.Work, base.Measures.Work) > 0.9
		}
	}
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(changes, func(a, b Change) int { return int(min(max(a.Makespan-b.Makespan, -1), 1)) })
	return changes, nil
}

func scaleSteals(c *Costs, x float64) {
	for i := range c.Steal {
		c.Steal[i] *= x
	}
}

// largestLabels returns up to three named parts that have much of the work.
func (t *Tree) largestLabels() []LabelMeasures {
	labels := t.MeasureLabels(0)
	return labels[:min(3, len(labels))]
}
