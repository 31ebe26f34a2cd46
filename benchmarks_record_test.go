package forkjoin_test

import (
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/forkjoin-go/forkjoin"
	"github.com/forkjoin-go/forkjoin/sim"
)

// BenchmarkRecording runs programs that fork at every call, plain and recorded
// on one worker in turn, and reports what recording costs a fork (the median of the
// rounds), how many bytes a task takes in the tree, and how much of the program's
// own time the recording finds.
func BenchmarkRecording(b *testing.B) {
	n := benchPick(27, 18)
	forks := float64(benchFibForks(n).n)
	for _, c := range []struct {
		name string
		fib  func(int) int
	}{{"Join", benchFibJoin}, {"Join2", benchFibJoin2}, {"Recursive", benchFibTyped}} {
		b.Run(c.name, func(b *testing.B) {
			var seq, plain, recorded []time.Duration // of each round
			var tree *sim.Tree
			pool, err := forkjoin.New(forkjoin.Config{Workers: 1})
			if err != nil {
				b.Fatal(err)
			}
			defer pool.Close()
			clocked := func(f func(int) int, times *[]time.Duration) func() {
				runtime.GC() // so that none is left over from the round before
				return func() {
					start := time.Now()
					benchSink = f(n)
					*times = append(*times, time.Since(start))
				}
			}
			for b.Loop() {
				clocked(benchFib, &seq)()
				pool.Run(clocked(c.fib, &plain))
				if tree, err = sim.Record(clocked(c.fib, &recorded)); err != nil {
					b.Fatal(err)
				}
			}
			for i, t := range plain {
				recorded[i] -= t
			}
			perFork := func(times []time.Duration) float64 {
				slices.Sort(times)
				return float64(times[len(times)/2]) / forks
			}
			b.ReportMetric(perFork(recorded), "ns/fork")
			b.ReportMetric(perFork(plain), "plain-ns/fork")
			b.ReportMetric(float64(tree.Size())/float64(tree.Counts().Tasks), "B/task")
			b.ReportMetric(float64(tree.Measure(0).Work)/perFork(seq)/forks, "work/seq")
		})
	}
}
