package main

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/forkjoin-go/forkjoin/internal/versus"
	"github.com/forkjoin-go/forkjoin/sim"
)

func writeRows(w io.Writer, format string, rows []versus.Row) error {
	switch format {
	case "json":
		return writeJSON(w, struct {
			Version int          `json:"version"`
			Kind    string       `json:"kind"`
			Machine string       `json:"machine"`
			Date    time.Time    `json:"date"`
			Content []versus.Row `json:"content"`
		}{sim.Version, "rows", runtime.GOOS + "/" + runtime.GOARCH, time.Now().UTC().Truncate(time.Second), rows})
	case "csv":
		return writeRowsCSV(w, rows)
	}
	fmt.Fprintf(w, "%-11s %3s  %9s %9s %7s  %6s %6s  %5s %5s  %s\n", "program", "P", "predicted", "measured", "error", "steals", "", "busy", "", "memory")
	for _, r := range rows {
		mark := ""
		if r.Workers > 1 && r.Inflation > 0 {
			mark = fmt.Sprintf("x%.2f", r.Inflation)
		}
		if r.MemoryBound {
			mark += " bound"
		}
		if r.Disturbed > disturbedFrom {
			mark += fmt.Sprintf(" disturbed %.0f%%", 100*r.Disturbed)
		}
		line := fmt.Sprintf("%-11s %3d  %9s %9s %+6.1f%%  %6d %6s  %4.0f%% %5s  %s", r.Workload, r.Workers,
			sim.Units(r.Predicted, sim.Meta{}), sim.Units(r.Measured, sim.Meta{}), 100*r.Error,
			r.PredictedSteals, known(float64(r.MeasuredSteals), "%.0f"), 100*r.PredictedBusy, known(100*r.MeasuredBusy, "%.0f%%"), mark)
		fmt.Fprintln(w, strings.TrimRight(line, " "))
	}
	for _, s := range remarks(rows) {
		fmt.Fprintln(w, s)
	}
	return nil
}

// known formats what is known: what is not is negative.
func known(x float64, format string) string {
	if x < 0 {
		return "-"
	}
	return fmt.Sprintf(format, x)
}

func writeRowsCSV(w io.Writer, rows []versus.Row) error {
	out := csv.NewWriter(w)
	out.Write([]string{"program", "workers", "predicted (seconds)", "measured (seconds)", "error", "predicted steals", "measured steals", "predicted busy", "measured busy", "inflation", "memory-bound"})
	for _, r := range rows {
		inflation, bound := "", ""
		if r.Inflation > 0 {
			inflation, bound = fmt.Sprintf("%.3f", r.Inflation), fmt.Sprint(r.MemoryBound)
		}
		out.Write([]string{r.Workload, fmt.Sprint(r.Workers), fmt.Sprintf("%.9f", float64(r.Predicted)/1e9), fmt.Sprintf("%.9f", float64(r.Measured)/1e9), fmt.Sprintf("%.4f", r.Error),
			fmt.Sprint(r.PredictedSteals), orNothing(known(float64(r.MeasuredSteals), "%.0f")), fmt.Sprintf("%.3f", r.PredictedBusy), orNothing(known(r.MeasuredBusy, "%.3f")), inflation, bound})
	}
	out.Flush()
	return out.Error()
}

// orNothing leaves a field of a CSV file empty where a text has a dash.
func orNothing(s string) string { return strings.TrimSuffix(s, "-") }

// disturbedFrom is from which share on a row is called disturbed.
const disturbedFrom = 0.02

func summary(errs []float64) string {
	if len(errs) == 0 {
		return "no rows"
	}
	slices.Sort(errs)
	return fmt.Sprintf("median %.1f %%, worst %.1f %%, of %d rows", 100*errs[len(errs)/2], 100*errs[len(errs)-1], len(errs))
}

// remarks sums up how far predictions were off, and says what stands out.
func remarks(rows []versus.Row) (say []string) {
	var errs, calm []float64
	where, alone := "", 0.0 // how much longer than predicted it took on one worker; 0: unknown
	for _, r := range rows {
		if r.Inflation > 0 {
			where = " where memory does not decide"
		}
		if !r.MemoryBound {
			errs = append(errs, math.Abs(r.Error))
			if r.Disturbed <= disturbedFrom {
				calm = append(calm, math.Abs(r.Error))
			}
		}
	}
	if len(errs) > 0 {
		say = append(say, fmt.Sprintf("error%s: %s", where, summary(errs)))
	}
	if disturbed := len(errs) - len(calm); disturbed > 0 {
		say = append(say, fmt.Sprintf("other programs were on the processors in %d of them; without those: %s", disturbed, summary(calm)))
	}
	for _, r := range rows {
		if r.Inflation > 0 {
			continue // it was run here, and memory has been looked at
		}
		over := float64(r.Measured) / float64(max(1, r.Predicted))
		switch {
		case r.Workers == 1:
			if alone = over; math.Abs(r.Error) > 0.1 {
				say = append(say, "one worker was off by so much that machine or input may not be those of the recording")
			}
		case alone > 0 && over > 1.1*alone:
			say = append(say, fmt.Sprintf("%d workers took %.2f times as long as predicted, one took %.2f: what a replay does not\nknow, such as memory or a lock, holds them up together", r.Workers, over, alone))
		}
	}
	return say
}
