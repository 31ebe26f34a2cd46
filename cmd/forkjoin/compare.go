package main

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/forkjoin-go/forkjoin/internal/progress"
	"github.com/forkjoin-go/forkjoin/internal/versus"
	"github.com/forkjoin-go/forkjoin/internal/workload"
	"github.com/forkjoin-go/forkjoin/sim"
)

var compareCommand = command{
	name:    "compare",
	summary: "real runs of eight programs beside simulated ones",
	run:     runCompare,
}

const compareHelp = `usage: forkjoin compare [FLAGS] [PROGRAM...]

Runs built-in programs for real with 1 to GOMAXPROCS workers, records each on one
worker, and replays the recording with as many simulated ones, at costs that are
measured on this machine. Prints the predicted and the measured time, steals, and
share of the time that the workers were busy.

Programs that are slowed down by memory when several workers are at them are
named as such: that is not predicted. Nothing else should run on the machine.

Programs: fib, mergesort, quicksort, nqueens, matmul, tree, mapreduce, mandelbrot;
by default all.

Example:
  forkjoin compare -repeat 15 fib nqueens

Flags:
`

// compareShrink lets tests make the programs smaller.
var compareShrink int

func runCompare(args []string, stdout, stderr io.Writer) int {
	f := &simFlags{FlagSet: flag.NewFlagSet("compare", flag.ContinueOnError)}
	f.formatFlags()
	f.StringVar(&f.costs, "costs", "measure", "`COSTS`: typical, free, measure, or a file of \"forkjoin calibrate\"")
	repeat := f.Int("repeat", 15, "measure `N` times and show the median of the least disturbed third")
	list := f.String("points", "", "numbers of workers, as in `1,2,4`, in place of 1 to GOMAXPROCS")
	quiet := f.Bool("quiet", false, "show no progress on a terminal")
	if status, proceed := parse(f.FlagSet, args, len(workload.All()), compareHelp, stdout, stderr); !proceed {
		return status
	}
	if *repeat < 1 {
		return misused(f.FlagSet, stderr, "-repeat is %d, want >= 1", *repeat)
	}
	if !slices.Contains([]string{"text", "json", "csv"}, f.format) {
		return misused(f.FlagSet, stderr, "-format is %q, want text, json or csv", f.format)
	}
	o := versus.Options{Repeat: *repeat, Shrink: compareShrink}
	var err error
	if o.Workers, err = numbers(*list); err != nil {
		return misused(f.FlagSet, stderr, "-points is %q, want numbers of workers between 1 and %d, as in 1,2,64", *list, sim.MaxWorkers)
	}
	if o.Workers == nil {
		o.Workers = upTo(runtime.GOMAXPROCS(0))
	}
	for _, x := range workload.All() {
		if f.NArg() == 0 || slices.Contains(f.Args(), x.Name) {
			o.Workloads = append(o.Workloads, x)
		}
	}
	if f.NArg() > 0 && len(o.Workloads) != f.NArg() {
		return misused(f.FlagSet, stderr, "programs are %s, want some of those that -h names, each once", strings.Join(f.Args(), " "))
	}
	if !*quiet {
		line := progress.New(stderr)
		defer line.Stop()
		o.Step = line.Step
	}
	return f.finish(untilSignal(func(ctx context.Context) (err error) {
		if o.Costs, err = f.resolveCosts(); err != nil {
			return err
		}
		rows, err := versus.Compare(ctx, o)
		if err != nil {
			return err
		}
		return write(ctx, f.output, stdout, func(w io.Writer) error { return writeRows(w, f.format, rows) })
	}), stderr)
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

// share writes a share of the time; one below 0 is not known.
func share(x float64) string {
	if x < 0 {
		return "?"
	}
	return fmt.Sprintf("%.0f%%", 100*x)
}

func writeRows(w io.Writer, format string, rows []versus.Row) error {
	switch format {
	case "json":
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(struct {
			Version int          `json:"version"`
			Kind    string       `json:"kind"`
			Machine string       `json:"machine"`
			Date    time.Time    `json:"date"`
			Content []versus.Row `json:"content"`
		}{sim.Version, "rows", runtime.GOOS + "/" + runtime.GOARCH, time.Now().UTC().Truncate(time.Second), rows})
	case "csv":
		out := csv.NewWriter(w)
		out.Write([]string{"program", "workers", "predicted (seconds)", "measured (seconds)", "error", "predicted steals", "measured steals", "predicted busy", "measured busy", "inflation", "memory-bound"})
		for _, r := range rows {
			out.Write([]string{r.Workload, fmt.Sprint(r.Workers), fmt.Sprintf("%.9f", float64(r.Predicted)/1e9), fmt.Sprintf("%.9f", float64(r.Measured)/1e9), fmt.Sprintf("%.4f", r.Error),
				fmt.Sprint(r.PredictedSteals), fmt.Sprint(r.MeasuredSteals), fmt.Sprintf("%.3f", r.PredictedBusy), fmt.Sprintf("%.3f", r.MeasuredBusy), fmt.Sprintf("%.3f", r.Inflation), fmt.Sprint(r.MemoryBound)})
		}
		out.Flush()
		return out.Error()
	}
	fmt.Fprintf(w, "%-11s %3s  %9s %9s %7s  %6s %6s  %5s %5s  %s\n", "program", "P", "predicted", "measured", "error", "steals", "", "busy", "", "memory")
	var errs []float64
	disturbed := 0
	for _, r := range rows {
		mark := fmt.Sprintf("x%.2f", r.Inflation)
		if r.MemoryBound {
			mark += " bound"
		} else {
			errs = append(errs, math.Abs(r.Error))
		}
		if r.Workers == 1 {
			mark = ""
		}
		if r.Disturbed > 0.02 {
			mark += fmt.Sprintf(" disturbed %.0f%%", 100*r.Disturbed)
			disturbed++
		}
		fmt.Fprintf(w, "%-11s %3d  %9s %9s %+6.1f%%  %6d %6d  %5s %5s  %s\n", r.Workload, r.Workers,
			sim.Units(r.Predicted, sim.Meta{}), sim.Units(r.Measured, sim.Meta{}), 100*r.Error,
			r.PredictedSteals, r.MeasuredSteals, share(r.PredictedBusy), share(r.MeasuredBusy), mark)
	}
	if len(errs) > 0 {
		slices.Sort(errs)
		fmt.Fprintf(w, "error where memory does not decide: median %.1f %%, worst %.1f %%, of %d rows\n", 100*errs[len(errs)/2], 100*errs[len(errs)-1], len(errs))
	}
	if disturbed > 0 {
		fmt.Fprintf(w, "%d rows are disturbed: other programs were on the processors\n", disturbed)
	}
	return nil
}
