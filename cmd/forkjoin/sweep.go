package main

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/forkjoin-go/forkjoin"
	"github.com/forkjoin-go/forkjoin/sim"
)

var sweepCommand = command{
	name:    "sweep",
	summary: "the speed-up curve of a recorded program",
	run:     runSweep,
}

const sweepHelp = `usage: forkjoin sweep [FLAGS] TREE

Replays the task tree of a program on 1, 2, 4, … up to -workers simulated
workers (or those that -points names), with several seeds each, and prints the
median times, the band between the fastest and the slowest, and the bounds. The
runs are shared among the processors of this machine.

` + treeHelp + `
Example:
  forkjoin sweep -workers 2048 -format csv -o curve.csv fib:28:300

Flags:
`

func runSweep(args []string, stdout, stderr io.Writer) int {
	f := newSimFlags("sweep")
	seeds := f.Int("seeds", 8, "`N` runs for each point")
	list := f.String("points", "", "numbers of workers, as in `1,2,64`, in place of powers of two up to -workers")
	progress := f.progressFlag()
	tree, c, status, proceed := f.parseTree(args, sweepHelp, stdout, stderr)
	if !proceed {
		return status
	}
	if *seeds < 1 {
		return misused(f.FlagSet, stderr, "-seeds is %d, want >= 1", *seeds)
	}
	points, err := numbers(*list)
	if err != nil {
		return misused(f.FlagSet, stderr, "-points is %q, want numbers of workers between 1 and %d, as in 1,2,64", *list, sim.MaxWorkers)
	}
	line := progress(stderr)
	s := sim.Sweep{
		Workers: points, Seeds: *seeds,
		For:  func(n int, body func(i int)) { forkjoin.ParallelFor(n, body, forkjoin.MaxLeaf(1)) },
		Done: func(runs, of int) { line.Step(fmt.Sprintf("%d of %d runs", runs, of)) },
	}
	return f.finish(untilSignal(func(ctx context.Context) error {
		curve, err := s.Run(ctx, tree, c)
		line.Stop()
		if err != nil {
			return err
		}
		return f.emit(ctx, stdout, tree, c.Costs.Burden(), curve, curve, nil)
	}), stderr)
}

// numbers reads a list of numbers of workers; "" is none.
func numbers(list string) (n []int, err error) {
	if list == "" {
		return nil, nil
	}
	for s := range strings.SplitSeq(list, ",") {
		v, err := strconv.Atoi(strings.TrimSpace(s))
		if err != nil || v < 1 || v > sim.MaxWorkers {
			return nil, fmt.Errorf("%q is not a number of workers", s)
		}
		n = append(n, v)
	}
	return n, nil
}
