package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"runtime"

	"github.com/forkjoin-go/forkjoin"
	"github.com/forkjoin-go/forkjoin/internal/nearness"
	"github.com/forkjoin-go/forkjoin/internal/topology"
)

var topoCommand = command{
	name:    "topo",
	summary: "show which processors are near each other, and who robs whom",
	run:     runTopo,
}

const topoHelp = `usage: forkjoin topo [FLAGS]

Shows the processors (CPUs) of this machine as a tree, by what they share, with
where this process may run and how much of their time it may use, and whom a thief
on one of them robs first. -fixture shows another machine in place of this one;
-fixture list names those that are known.

With -study it simulates instead what it is worth to rob the nearest first, on all
machines that are known, and writes the tables of docs/TOPOLOGY.md, or as SVG its
plot; that takes a minute or two.

Example:
  forkjoin topo -fixture epyc-7702 -cpu 5

Flags:
`

func runTopo(args []string, stdout, stderr io.Writer) int {
	f := &simFlags{FlagSet: flag.NewFlagSet("topo", flag.ContinueOnError)}
	f.formatFlags("text", "json", "svg")
	fixture := f.String("fixture", "", "show the machine of that `NAME`, or \"list\"")
	cpu := f.Int("cpu", -1, "show whom a thief on that CPU robs (default: the first and the last)")
	study := f.Bool("study", false, "simulate what it is worth to rob the nearest first")
	if status, proceed := f.parse(args, 0, topoHelp, stdout, stderr); !proceed {
		return status
	}
	if *study && (f.given("fixture") || f.given("cpu")) {
		return misused(f.FlagSet, stderr, "-study is of all machines: it goes without -fixture and -cpu")
	}
	content := func(w io.Writer) error { return writeStudy(w, f.format) }
	switch {
	case *study:
	case *fixture == "list" && f.format == "svg":
		return misused(f.FlagSet, stderr, "there is no picture of the list of machines")
	case *fixture == "list":
		content = func(w io.Writer) error { return listMachines(w, f.format) }
	default:
		m, here := topology.Host(), true
		if f.given("fixture") {
			var err error
			if m, err = topology.Fixture(*fixture); err != nil {
				return misused(f.FlagSet, stderr, "%v", plain(err))
			}
			here = false
		}
		thieves := m.Thieves()
		if f.given("cpu") {
			if _, known := m.CPU(*cpu); !known {
				return misused(f.FlagSet, stderr, "-cpu is %d, which is not online there", *cpu)
			}
			thieves = []int{*cpu}
		}
		content = func(w io.Writer) error { return writeTopo(w, m, thieves, here, f.format) }
	}
	return f.finish(untilSignal(func(ctx context.Context) error {
		return write(ctx, f.output, stdout, content)
	}), stderr)
}

func listMachines(w io.Writer, format string) error {
	type machine struct {
		Name  string `json:"name"`
		Title string `json:"title"`
	}
	var machines []machine
	for _, name := range topology.Fixtures() {
		m, err := topology.Fixture(name)
		if err != nil {
			return err
		}
		machines = append(machines, machine{name, m.Title})
	}
	if format == "json" {
		return writeJSON(w, machines)
	}
	for _, m := range machines {
		if _, err := fmt.Fprintf(w, "%-18s  %s\n", m.Name, m.Title); err != nil {
			return err
		}
	}
	return nil
}

// topoReport is what -json writes.
type topoReport struct {
	Format     string `json:"format"`
	GOMAXPROCS int    `json:"gomaxprocs,omitempty"` // of this machine
	Workers    int    `json:"workers,omitempty"`
	OneRing    bool   `json:"oneRing"` // all that may be used are equally near
	*topology.Map
	Thieves []topology.Thief `json:"thieves"`
}

func writeTopo(w io.Writer, m *topology.Map, thieves []int, here bool, format string) error {
	switch format {
	case "svg":
		return m.WriteSVG(w, thieves[0])
	case "json":
		r := topoReport{Format: "forkjoin-topo/1", OneRing: m.OneRing(), Map: m}
		if here {
			r.GOMAXPROCS, r.Workers = runtime.GOMAXPROCS(0), forkjoin.Default().Workers()
		}
		for _, id := range thieves {
			r.Thieves = append(r.Thieves, m.Thief(id))
		}
		return writeJSON(w, r)
	}
	if err := m.WriteText(w, thieves); err != nil || !here {
		return err
	}
	_, err := fmt.Fprintf(w, "\nThe default pool has %d workers, which is GOMAXPROCS.\n", forkjoin.Default().Workers())
	return err
}

func writeStudy(w io.Writer, format string) error {
	rows, err := nearness.Study(topology.Fixtures(), nearness.Seeds, func(n int, body func(i int)) {
		forkjoin.ParallelFor(n, body, forkjoin.MaxLeaf(1))
	})
	if err != nil {
		return err
	}
	switch format {
	case "svg":
		return nearness.WritePlot(w, rows)
	case "json":
		return writeJSON(w, rows)
	}
	return nearness.WriteStudy(w, rows)
}
