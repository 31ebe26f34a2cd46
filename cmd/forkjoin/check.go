package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/forkjoin-go/forkjoin/sim"
)

var checkCommand = command{
	name:    "check",
	summary: "guard the scalability of a recorded program, in CI",
	run:     runCheck,
}

const checkHelp = `usage: forkjoin check [FLAGS] TREE

Checks a recording against bounds: its work, span and parallelism, and the time
that a simulated run takes. None of this needs a quiet machine, or one with many
processors. It prints a line for each check and ends with "N passed, M failed",
and with status 1 if M is not 0. Where a program has declared its costs, give
-costs free with -predict, unless a declared unit is a nanosecond.

` + treeHelp + `
Example:
  forkjoin check -span-max 2ms -parallelism-min 40 -predict 64:30ms tree.fj

Flags:
`

// bounds are what is to be checked.
type bounds struct {
	checks      []func(k *checker, m sim.Measures)
	predictions []prediction
}

// A prediction is a time that a run on some workers may take at most.
type prediction struct {
	workers int
	most    int64
}

// newBounds defines the flags of bounds. One that is not a bound is refused and not
// left out, also if it is empty: whoever gives it wants it checked.
func newBounds(f *simFlags) *bounds {
	b := &bounds{}
	most := func(name, usage, what string, of func(m sim.Measures) int64) {
		f.Func(name, usage, func(s string) error {
			most, err := units(s)
			if err != nil || most < 0 {
				return errors.New("want a time, as 2ms, or a number of units")
			}
			b.checks = append(b.checks, func(k *checker, m sim.Measures) { k.atMost(what, of(m), most) })
			return nil
		})
	}
	least := func(name, usage, what string, of func(m sim.Measures) float64) {
		f.Func(name, usage, func(s string) error {
			least, err := strconv.ParseFloat(s, 64)
			if err != nil || !(least >= 0) {
				return errors.New("want a number >= 0")
			}
			b.checks = append(b.checks, func(k *checker, m sim.Measures) { k.atLeast(what, of(m), least) })
			return nil
		})
	}
	most("span-max", "the span is at most `TIME`, as 2ms, or a number of declared units", "span", func(m sim.Measures) int64 { return m.Span })
	most("work-max", "the work is at most `TIME`", "work", func(m sim.Measures) int64 { return m.Work })
	least("parallelism-min", "the parallelism is at least `X`", "parallelism", sim.Measures.Parallelism)
	least("burdened-min", "the burdened parallelism is at least `X`", "burdened parallelism", func(m sim.Measures) float64 {
		return sim.Measures{Work: m.Work, Span: m.Burdened}.Parallelism()
	})
	f.Func("predict", "a run on so many workers takes at most a time, as in `64:30ms`; may be repeated", func(s string) error {
		p, t, found := strings.Cut(s, ":")
		n, err := strconv.Atoi(p)
		most, timeErr := units(t)
		if !found || err != nil || n < 1 || n > sim.MaxWorkers || timeErr != nil || most < 0 {
			return errors.New("want workers and a time, as in 64:30ms")
		}
		b.predictions = append(b.predictions, prediction{n, most})
		return nil
	})
	return b
}

func runCheck(args []string, stdout, stderr io.Writer) int {
	f := newSimFlags("check")
	b := newBounds(f)
	progress := f.progressFlag()
	tree, c, status, proceed := f.parseTree(args, checkHelp, stdout, stderr)
	if !proceed {
		return status
	}
	if len(b.predictions)+len(b.checks) == 0 {
		return misused(f.FlagSet, stderr, "nothing to check: give -span-max, -work-max, -parallelism-min, -burdened-min or -predict")
	}
	k, m := &checker{}, tree.Measure(c.Costs.Burden())
	for _, check := range b.checks {
		check(k, m)
	}
	line := progress(stderr)
	defer line.Stop()
	err := untilSignal(func(ctx context.Context) error {
		for _, p := range b.predictions {
			line.Step(fmt.Sprintf("simulate %d workers", p.workers))
			curve, err := sim.Sweep{Workers: []int{p.workers}}.Run(ctx, tree, c)
			if err != nil {
				return err
			}
			k.atMost(fmt.Sprintf("time on %d workers", p.workers), curve.Points[0].Makespan, p.most)
		}
		line.Stop()
		return write(ctx, f.output, stdout, func(w io.Writer) error { return k.write(w, f.format, tree.Meta()) })
	})
	if err == nil && k.failed > 0 {
		return failure
	}
	return f.finish(err, stderr)
}

// units reads a time, or a number of units.
func units(s string) (int64, error) {
	if d, err := time.ParseDuration(s); err == nil {
		return int64(d), nil
	}
	return strconv.ParseInt(s, 10, 64)
}
