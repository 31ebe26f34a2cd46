package main

import (
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
machines that are known, and writes the tables of docs/TOPOLOGY.md; that takes
a minute or two.

Example:
  forkjoin topo -fixture epyc-7702 -cpu 5

Flags:
`

func runTopo(args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("topo", flag.ContinueOnError)
	asJSON := flags.Bool("json", false, "write JSON")
	asSVG := flags.Bool("svg", false, "write a picture; with -study, the plot")
	fixture := flags.String("fixture", "", "show the machine of that `NAME`, or \"list\"")
	cpu := flags.Int("cpu", -1, "show whom a thief on that CPU robs (default: the first and the last)")
	study := flags.Bool("study", false, "simulate what it is worth to rob the nearest first")
	if status, proceed := parse(flags, args, 0, topoHelp, stdout, stderr); !proceed {
		return status
	}
	set := map[string]bool{}
	flags.Visit(func(f *flag.Flag) { set[f.Name] = true })
	switch {
	case *asJSON && *asSVG:
		return misused(flags, stderr, "-json and -svg exclude each other")
	case *study && (set["fixture"] || set["cpu"]):
		return misused(flags, stderr, "-study is of all machines: it goes without -fixture and -cpu")
	}
	var err error
	switch {
	case *study:
		err = writeStudy(stdout, *asJSON, *asSVG)
	case *fixture == "list":
		err = listMachines(stdout)
	default:
		m := topology.Host()
		if set["fixture"] {
			if m, err = topology.Fixture(*fixture); err != nil {
				return misused(flags, stderr, "%v", plain(err))
			}
		}
		thieves := m.Thieves()
		if set["cpu"] {
			if _, known := m.CPU(*cpu); !known {
				return misused(flags, stderr, "-cpu is %d, which is not online there", *cpu)
			}
			thieves = []int{*cpu}
		}
		err = writeTopo(stdout, m, thieves, !set["fixture"], *asJSON, *asSVG)
	}
	if err != nil {
		fmt.Fprintf(stderr, "forkjoin: topo: %v\n", plain(err))
		return failure
	}
	return ok
}

func listMachines(w io.Writer) error {
	for _, name := range topology.Fixtures() {
		m, err := topology.Fixture(name)
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(w, "%-18s  %s\n", name, m.Title); err != nil {
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

func writeTopo(w io.Writer, m *topology.Map, thieves []int, here, asJSON, asSVG bool) error {
	switch {
	case asSVG:
		return m.WriteSVG(w, thieves[0])
	case asJSON:
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

func writeStudy(w io.Writer, asJSON, asSVG bool) error {
	rows, err := nearness.Study(topology.Fixtures(), nearness.Seeds, func(n int, body func(i int)) {
		forkjoin.ParallelFor(n, body, forkjoin.MaxLeaf(1))
	})
	switch {
	case err != nil:
		return err
	case asSVG:
		return nearness.WritePlot(w, rows)
	case asJSON:
		return writeJSON(w, rows)
	}
	return nearness.WriteStudy(w, rows)
}
