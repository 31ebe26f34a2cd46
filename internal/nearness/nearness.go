// Package nearness studies, by simulation, what it is worth that thieves go to
// near victims first: on each machine that internal/topology has a description of
// and for four programs, against victims chosen at random and in turn. It writes
// the tables and the plot of docs/TOPOLOGY.md.
package nearness

import (
	"cmp"
	"slices"

	"github.com/forkjoin-go/forkjoin/internal/topology"
	"github.com/forkjoin-go/forkjoin/sim"
)

// A Row is a program on a machine, with thieves of three kinds.
type Row struct {
	Machine string `json:"machine"`
	Workers int    `json:"workers"`
	Program string `json:"program"`
	Rings   int    `json:"rings"`  // distances between workers
	Caches  int    `json:"caches"` // last-level caches or, where these are not known, memory nodes

	Nearest    Outcome `json:"nearest"`
	Random     Outcome `json:"random"`
	RoundRobin Outcome `json:"roundRobin"`
}

// An Outcome is the medians of some runs.
type Outcome struct {
	Makespan int64 `json:"makespan"` // ns
	Steals   int64 `json:"steals"`
	Remote   int64 `json:"remote"`  // steals from another of the Caches
	Latency  int64 `json:"latency"` // ns that a steal takes on average, without what the task loses
}

// Costs are those of the study: typical ones, and what a task loses that leaves
// its second-level cache, last-level cache or memory node: the time to read half
// a megabyte, two and four from beyond.
func Costs() sim.Costs {
	c := sim.TypicalCosts()
	c.Refill = [4]float64{0, 10_000, 50_000, 100_000}
	return c
}

// Seeds is how many runs there are of each kind in docs/TOPOLOGY.md.
const Seeds = 5

// Study returns the rows of some machines, each of so many runs with different
// seeds (small machines, with less work, get eight times as many). loop runs body
// for 0 to n-1, perhaps several at the same time.
func Study(machines []string, seeds int, loop func(n int, body func(i int))) ([]Row, error) {
	rows := make([]Row, len(machines)*len(workloads))
	errs := make([]error, len(rows))
	loop(len(rows), func(i int) {
		rows[i], errs[i] = study(machines[i/len(workloads)], workloads[i%len(workloads)], seeds)
	})
	return rows, cmp.Or(errs...)
}

func study(machine string, w workload, seeds int) (Row, error) {
	m, err := topology.Fixture(machine)
	if err != nil {
		return Row{}, err
	}
	n := len(m.Allowed())
	if n <= 32 {
		seeds *= 8
	}
	row := Row{Machine: machine, Workers: n, Program: w.name}
	row.Rings, row.Caches = shape(m)
	far := 2 // the first distance that leaves the cache
	if m.Near() > topology.SameL3 {
		far = 3
	}
	tree := w.tree(n)
	for _, run := range []struct {
		victim sim.Victim
		out    *Outcome
	}{{sim.VictimDefault, &row.Nearest}, {sim.VictimRandom, &row.Random}, {sim.VictimRoundRobin, &row.RoundRobin}} {
		cfg := sim.Config{Workers: n, Victim: run.victim, Costs: Costs(), Topology: sim.Topology{Machine: machine}}
		if *run.out, err = outcome(tree, cfg, seeds, far); err != nil {
			return Row{}, err
		}
	}
	return row, nil
}

// shape returns how many distances there are between the CPUs of a machine that
// may be used, and how many last-level caches or, where these are not known,
// memory nodes.
func shape(m *topology.Map) (rings, caches int) {
	cpus := m.Allowed()
	seen, places := map[int]bool{}, map[int]bool{}
	for i, a := range cpus {
		if m.Near() > topology.SameL3 {
			places[a.Node] = true
		} else {
			places[a.L3] = true
		}
		for _, b := range cpus[:i] {
			seen[m.Ring(a.ID, b.ID)] = true
		}
	}
	return len(seen), len(places)
}

// outcome returns the medians of runs with different seeds.
func outcome(t *sim.Tree, cfg sim.Config, seeds, far int) (Outcome, error) {
	var all [4][]int64
	for s := range seeds {
		cfg.Seed = uint64(s + 1)
		r, err := sim.Replay(t, cfg)
		if err != nil {
			return Outcome{}, err
		}
		latency, remote := 0.0, int64(0)
		for d, k := range r.Distances {
			if d >= far {
				remote += k
			}
			latency += float64(k) * cfg.Costs.Steal[d]
		}
		for i, v := range []int64{r.Makespan, r.Steals, remote, int64(latency) / max(1, r.Steals)} {
			all[i] = append(all[i], v)
		}
	}
	median := func(v []int64) int64 {
		slices.Sort(v)
		return (v[len(v)/2] + v[(len(v)-1)/2]) / 2
	}
	return Outcome{median(all[0]), median(all[1]), median(all[2]), median(all[3])}, nil
}
