package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/forkjoin-go/forkjoin/internal/versus"
	"github.com/forkjoin-go/forkjoin/internal/workload"
	"github.com/forkjoin-go/forkjoin/sim"
)

var compareCommand = command{
	name:    "compare",
	summary: "real runs beside simulated ones, of built-in programs or your own",
	run:     runCompare,
}

const compareHelp = `usage: forkjoin compare [FLAGS] [PROGRAM...]
       forkjoin compare -measured TABLE [FLAGS] TREE

Runs built-in programs for real with 1 to GOMAXPROCS workers, records each on one
worker, and replays the recording with as many simulated ones, at costs that are
measured on this machine. Prints the predicted and the measured time, steals, and
share of the time that the workers were busy.

Programs that are slowed down by memory when several workers are at them are
named as such: that is not predicted. Nothing else should run on the machine.

Programs: fib, mergesort, quicksort, nqueens, matmul, tree, mapreduce, mandelbrot;
by default all of these. Two more are about memory: triad streams through 400 MB,
and in counters all workers write into the same few cache lines.

With -measured it sets times that you have measured beside a recording of your own
program. TABLE is a file with a line for each run: a number of workers, and a time
in seconds or with a unit (12.5ms), with a comma or space between them. Of several
runs on as many workers the median counts. Lines that begin with # and a heading
are left out. -costs are then best those of the machine on which you measured.

` + treeHelp + `
Example:
  forkjoin compare -repeat 15 fib nqueens
  forkjoin compare -measured times.csv -costs costs.json tree.fj

Flags:
`

// compareShrink lets tests make the programs smaller.
var compareShrink int

func runCompare(args []string, stdout, stderr io.Writer) int {
	f := &simFlags{FlagSet: flag.NewFlagSet("compare", flag.ContinueOnError)}
	f.formatFlags("text", "json", "csv")
	f.StringVar(&f.costs, "costs", "measure", "`COSTS`: typical, free, measure, or a file of \"forkjoin calibrate\"")
	measured := f.String("measured", "", "compare a recording with the times in the file `TABLE`")
	repeat := f.Int("repeat", 15, "measure `N` times and show the median of the fifth, at least 3, that was disturbed least")
	list := f.String("points", "", "numbers of workers, as in `1,2,4`, in place of 1 to GOMAXPROCS")
	progress := f.progressFlag()
	if status, proceed := f.parse(args, math.MaxInt, compareHelp, stdout, stderr); !proceed {
		return status
	}
	if *repeat < 1 {
		return misused(f.FlagSet, stderr, "-repeat is %d, want >= 1", *repeat)
	}
	o := versus.Options{Repeat: *repeat, Shrink: compareShrink}
	var err error
	if o.Workers, err = numbers(*list); err != nil {
		return misused(f.FlagSet, stderr, "-points is %q, want numbers of workers between 1 and %d, as in 1,2,64", *list, sim.MaxWorkers)
	}
	if o.Workers == nil {
		o.Workers = upTo(runtime.GOMAXPROCS(0))
	}
	compare := versus.Compare
	if f.given("measured") {
		switch {
		case f.given("repeat") || f.given("points"):
			return misused(f.FlagSet, stderr, "-measured goes without -repeat and -points: nothing is run")
		case f.NArg() != 1:
			return misused(f.FlagSet, stderr, "%d trees are named, want 1 to compare with %s", f.NArg(), *measured)
		}
		compare = func(ctx context.Context, o versus.Options) ([]versus.Row, error) {
			return compareTable(ctx, f.Arg(0), *measured, o)
		}
	} else if o.Workloads, err = named(f.Args()); err != nil {
		return misused(f.FlagSet, stderr, "%v", err)
	}
	line := progress(stderr)
	defer line.Stop()
	o.Step = line.Step
	return f.finish(untilSignal(func(ctx context.Context) (err error) {
		line.Step("measure what scheduling costs")
		if o.Costs, err = f.resolveCosts(); err != nil {
			return err
		}
		rows, err := compare(ctx, o)
		line.Stop()
		if err != nil {
			return err
		}
		return write(ctx, f.output, stdout, func(w io.Writer) error { return writeRows(w, f.format, rows) })
	}), stderr)
}

// given reports whether a flag is on the command line.
func (f *simFlags) given(name string) (given bool) {
	f.Visit(func(x *flag.Flag) { given = given || x.Name == name })
	return given
}

// named returns the workloads of the names, by default the eight that compute.
func named(names []string) (w []workload.Workload, err error) {
	if len(names) == 0 {
		return workload.All(), nil
	}
	for i, name := range names {
		x, known := workload.Named(name)
		if !known {
			hint := ""
			if _, err := os.Stat(name); err == nil {
				hint = ", or for a recording -measured with a table"
			}
			return nil, fmt.Errorf("there is no program %q, want some of those that -h names%s", name, hint)
		}
		if slices.Contains(names[:i], name) {
			return nil, fmt.Errorf("program %s is named twice", name)
		}
		w = append(w, x)
	}
	return w, nil
}

func compareTable(ctx context.Context, recording, table string, o versus.Options) ([]versus.Row, error) {
	tree, err := readTree(recording)
	if err != nil {
		return nil, err
	}
	file, err := os.Open(table)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	times, err := versus.ReadTable(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", table, err)
	}
	name := strings.TrimSuffix(filepath.Base(recording), filepath.Ext(recording))
	return versus.CompareTable(ctx, tree, name, times, o)
}

// upTo returns 1, 2, 3, 4, then powers of two up to n, and n.
func upTo(n int) (p []int) {
	for i := 1; i < n; {
		p = append(p, i)
		if i < 4 {
			i++
		} else {
			i *= 2
		}
	}
	return append(p, n)
}
