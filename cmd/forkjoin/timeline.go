package main

import (
	"cmp"
	"context"
	"encoding/csv"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/forkjoin-go/forkjoin/sim"
	"github.com/forkjoin-go/forkjoin/sim/gotrace"
)

var timelineCommand = command{
	name:    "timeline",
	summary: "what a Go execution trace says of a real run",
	run:     runTimeline,
}

const timelineHelp = `usage: forkjoin timeline [FLAGS] TRACE

Reads a Go execution trace (of runtime/trace, or go test -trace) and prints how
busy the processors were, and with what. As JSON or CSV it writes each time that a
goroutine ran, in the form in which "forkjoin replay -timeline" writes those of a
simulated run.

Example:
  go test -bench Sum -trace trace.out && forkjoin timeline trace.out

Flags:
`

func runTimeline(args []string, stdout, stderr io.Writer) int {
	f := &simFlags{FlagSet: flag.NewFlagSet("timeline", flag.ContinueOnError)}
	f.formatFlags("text", "json", "csv")
	if status, proceed := f.parse(args, 1, timelineHelp, stdout, stderr); !proceed {
		return status
	}
	if f.NArg() == 0 {
		return misused(f.FlagSet, stderr, "no trace is named")
	}
	return f.finish(untilSignal(func(ctx context.Context) error {
		file, err := os.Open(f.Arg(0))
		if err != nil {
			return err
		}
		defer file.Close()
		t, err := gotrace.Read(file)
		if err != nil {
			return err
		}
		return write(ctx, f.output, stdout, func(w io.Writer) error { return writeTimeline(w, f.format, t) })
	}), stderr)
}

func writeTimeline(w io.Writer, format string, t *gotrace.Timeline) error {
	switch format {
	case "json":
		return writeJSON(w, struct {
			Version int               `json:"version"`
			Kind    string            `json:"kind"`
			Unit    string            `json:"unit"`
			Content *gotrace.Timeline `json:"content"`
		}{sim.Version, "timeline", "ns", t})
	case "csv":
		out := csv.NewWriter(w)
		out.Write([]string{"worker", "from (ns)", "to (ns)", "label"})
		for _, s := range t.Spans {
			out.Write([]string{fmt.Sprint(s.Worker), fmt.Sprint(s.From), fmt.Sprint(s.To), s.Label})
		}
		out.Flush()
		return out.Error()
	}
	units := func(ns int64) string { return sim.Units(ns, sim.Meta{}) }
	fmt.Fprintf(w, "%s on %d processors, busy %.1f %%\n", units(t.Elapsed), t.Workers, 100*t.Busy)
	busy := make([]int64, t.Workers)
	type part struct {
		label string
		ns    int64
		times int
	}
	var parts []part
	at := map[string]int{}
	for _, s := range t.Spans {
		busy[s.Worker] += s.To - s.From
		i, known := at[s.Label]
		if !known {
			i = len(parts)
			at[s.Label] = i
			parts = append(parts, part{label: s.Label})
		}
		parts[i].ns += s.To - s.From
		parts[i].times++
	}
	for i, ns := range busy {
		fmt.Fprintf(w, "  processor %-3d ran goroutines for %s, %.1f %%\n", i, units(ns), 100*float64(ns)/float64(max(1, t.Elapsed)))
	}
	slices.SortStableFunc(parts, func(a, b part) int { return cmp.Compare(b.ns, a.ns) })
	for _, p := range parts[:min(10, len(parts))] {
		name := []rune(cmp.Or(withoutPath(p.label), "(unknown)"))
		if len(name) > 46 {
			name = append([]rune("…"), name[len(name)-45:]...)
		}
		fmt.Fprintf(w, "  %-46s %9s in %d times\n", string(name), units(p.ns), p.times)
	}
	return nil
}

// withoutPath returns the name of a function without the path of its package, as in
// "forkjoin.Join". Labels that are no such names stay as they are.
func withoutPath(label string) string {
	if i := strings.LastIndexByte(label, '/'); i > 0 && strings.Contains(label[:i], ".") {
		return label[i+1:]
	}
	return label
}
