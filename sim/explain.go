package sim

import (
	"errors"
	"fmt"
	"time"

	"github.com/forkjoin-go/forkjoin/internal/digits"
)

// Explain says in at most five sentences what limits a run of t, and what to
// change. r must be of t. It takes as long as [WhatIf].
func Explain(t *Tree, r *Result) ([]string, error) {
	if err := t.check("Explain"); err != nil {
		return nil, err
	}
	if r == nil {
		return nil, errors.New("forkjoin: sim.Explain: the result is nil")
	}
	p := int64(len(r.Workers))
	m, sum := r.Measures, r.total()
	if r.Makespan == 0 {
		return []string{"The tree has no costs, so nothing takes any time."}, nil
	}
	say := []string{fmt.Sprintf("On %s the run takes %s, %.2f times faster than its work of %s; %.2f times is the most that any scheduler could reach.",
		workers(p), Units(r.Makespan, t.meta), r.Speedup(), Units(m.Work, t.meta), ratio(m.Work, r.Bounds.Least))}
	overhead, away := r.share(sum.Overhead), r.share(plus(sum.Search, sum.Idle))
	gap := ratio(r.Makespan, r.Bounds.Least)
	switch {
	case p > 1 && m.Span*2 > r.Makespan && m.Parallelism() < 2*float64(p):
		say = append(say, fmt.Sprintf("It is limited by its span: the longest chain of pieces that wait for each other takes %s, so more than about %.1f workers find nothing to do.", Units(m.Span, t.meta), m.Parallelism()))
		if l, ok := t.longest(); ok && l != BetweenCalls {
			say = append(say, fmt.Sprintf("Most of the sequential time is in %s: fork within it, or make it faster.", l))
		}
	case gap < 1.1:
		say = append(say, fmt.Sprintf("That is within %.0f %% of the best possible: only less work would make it faster.", 100*(gap-1)))
	case overhead > 0.1:
		say = append(say, fmt.Sprintf("Scheduling takes %.0f %% of the workers' time: pieces of %s on average are too small.", 100*overhead, Units(m.Work/max(1, r.Tasks), t.meta)))
		say = append(say, "Stop forking earlier, or use Recursive, whose forks cost the least.")
	case float64(m.Work) < 20*(r.Config.Costs.Wake+r.Config.Costs.WakeTime):
		say = append(say, fmt.Sprintf("It is short: waking a worker takes %s, of which it is only %.1f times.", Units(int64(r.Config.Costs.Wake+r.Config.Costs.WakeTime), t.meta), float64(m.Work)/(r.Config.Costs.Wake+r.Config.Costs.WakeTime)))
		say = append(say, "Give more work to one call, or leave it sequential.")
	case away > 0.1:
		say = append(say, fmt.Sprintf("Workers look for work or sleep for %.0f %% of the time: at times there are fewer pieces than workers.", 100*away))
	}
	if s := t.outside(r); s != "" {
		say = append(say, s)
	}
	changes, err := WhatIf(t, r.Config)
	if err != nil {
		return nil, err
	}
	for _, c := range changes {
		if c.Gain > 1.03 && !c.whole && len(say) < 5 {
			say = append(say, fmt.Sprintf("The most would come of %s: %s, %.2f times faster.", c.What, Units(c.Makespan, t.meta), c.Gain))
			break
		}
	}
	return say, nil
}

// longest returns the name of the part that has the most of the span, if most of
// it is sequential.
func (t *Tree) longest() (name string, ok bool) {
	span := int64(0)
	for _, l := range t.MeasureLabels(0) {
		if l.Work < 2*l.Span && l.Span > span {
			name, span = l.Name, l.Span
		}
	}
	return name, name != ""
}

// outside says how much of a run is outside all calls, if that matters.
func (t *Tree) outside(r *Result) string {
	between := t.workOf(BetweenCalls)
	if between*20 < r.Makespan {
		return ""
	}
	return fmt.Sprintf("%.0f %% of the time is in %s, which counts as sequential work, although the recording cannot know whether it worked or waited.", 100*ratio(between, r.Makespan), BetweenCalls)
}

// workOf returns the work of the parts with a name.
func (t *Tree) workOf(name string) int64 {
	for _, l := range t.MeasureLabels(0) {
		if l.Name == name {
			return l.Work
		}
	}
	return 0
}

func workers(n int64) string {
	if n == 1 {
		return "1 worker"
	}
	return fmt.Sprintf("%d workers", n)
}

// Units writes a cost of a tree: as a time, with three digits, or as a number of
// the units that the program has declared, to the last digit if there are no more
// than eight.
func Units(cost int64, m Meta) string {
	if m.Declared {
		return count(cost) + " units"
	}
	switch d := time.Duration(cost); {
	case cost < 1000:
		return fmt.Sprintf("%d ns", cost)
	case d < time.Millisecond-500: // which would be rounded up
		return fmt.Sprintf("%.3g µs", float64(cost)/1e3)
	case d < time.Second-500*time.Microsecond:
		return fmt.Sprintf("%.3g ms", float64(cost)/1e6)
	}
	if cost >= 9999.5e9 {
		return fmt.Sprintf("%.0f s", float64(cost)/1e9)
	}
	return fmt.Sprintf("%.4g s", float64(cost)/1e9)
}

// count writes all of up to eight digits, and four of more.
func count(n int64) string {
	if n < 1e8 {
		return digits.Grouped(n)
	}
	return fmt.Sprintf("%.4g", float64(n))
}
