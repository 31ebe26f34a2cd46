// Command simvsreal runs a program for real and in simulation, and then asks the
// simulation what cannot be measured here: more processors, other schedulers.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"time"

	"github.com/forkjoin-go/forkjoin"
	"github.com/forkjoin-go/forkjoin/sim"
)

func main() {
	n := flag.Int("n", 300_000, "numbers to look at")
	flag.Parse()
	if err := run(os.Stdout, *n); err != nil {
		fmt.Fprintln(os.Stderr, "simvsreal:", err)
		os.Exit(1)
	}
}

func run(w io.Writer, n int) error {
	primes := func() int {
		return forkjoin.ParallelReduce(n, 0, countPrimes, func(a, b int) int { return a + b }, forkjoin.MaxLeaf(1000))
	}
	fmt.Fprintf(w, "%d primes below %d\n", primes(), n)

	// What does the work consist of? One worker runs it, and notes.
	tree, err := sim.Record(func() { primes() })
	if err != nil {
		return err
	}
	m := tree.Measure(0)
	fmt.Fprintf(w, "work %s, span %s: up to %.0f workers find something to do\n",
		sim.Units(m.Work, tree.Meta()), sim.Units(m.Span, tree.Meta()), m.Parallelism())

	// How long does it take here, and how long should it?
	machine, err := sim.Calibrate()
	if err != nil {
		return err
	}
	if machine.Doubt != "" {
		fmt.Fprintln(w, "note:", machine.Doubt)
	}
	workers := runtime.GOMAXPROCS(0)
	cfg := sim.Config{Workers: workers, Costs: machine.Costs}
	r, err := sim.Replay(tree, cfg)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "on %d workers: measured %v, simulated %v\n", workers,
		median(primes).Round(10*time.Microsecond), time.Duration(r.Makespan).Round(10*time.Microsecond))

	// And elsewhere?
	cfg.Workers = 64
	curve, err := sim.Sweep{For: func(n int, body func(i int)) { forkjoin.ParallelFor(n, body) }}.Run(context.Background(), tree, cfg)
	if err != nil {
		return err
	}
	if err := sim.WriteText(w, tree, curve); err != nil {
		return err
	}
	r, err = sim.Replay(tree, cfg)
	if err != nil {
		return err
	}
	sentences, err := sim.Explain(tree, r)
	for _, s := range sentences {
		fmt.Fprintln(w, s)
	}
	return err
}

func countPrimes(lo, hi int) (count int) {
	for n := max(lo, 2); n < hi; n++ {
		prime := true
		for d := 2; d*d <= n && prime; d++ {
			prime = n%d != 0
		}
		if prime {
			count++
		}
	}
	return count
}

// median returns the median time of some calls.
func median(f func() int) time.Duration {
	var times []time.Duration
	for range 9 {
		start := time.Now()
		f()
		times = append(times, time.Since(start))
	}
	slices.Sort(times)
	return times[len(times)/2]
}
