package workload

import (
	"testing"

	"github.com/forkjoin-go/forkjoin"
)

// small are sizes that take next to nothing.
var small = map[string]int{"fib": 18, "mergesort": 3000, "quicksort": 3000, "nqueens": 6, "matmul": 20, "tree": 5, "mapreduce": 70000, "mandelbrot": 20, "triad": 5000, "counters": 5000}

// A workload gives the same on any number of workers, and again after a reset.
func TestWorkloadsRepeat(t *testing.T) {
	for _, x := range append(All(), Memory()...) {
		var want uint64
		for _, p := range []int{1, 2, 5} {
			pool, err := forkjoin.New(forkjoin.Config{Workers: p})
			if err != nil {
				t.Fatal(err)
			}
			work, reset := x.Make(small[x.Name])
			for range 2 {
				var got uint64
				pool.Run(func() { got = work() })
				if want == 0 {
					want = got
				}
				if got != want || got == 0 {
					t.Errorf("%s on %d workers: %d, want %d", x.Name, p, got, want)
				}
				reset()
			}
			if err := pool.Close(); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func TestKnownResults(t *testing.T) {
	for name, want := range map[string]uint64{"fib": 2584, "nqueens": 4} {
		for _, x := range All() {
			if x.Name == name {
				work, _ := x.Make(small[name])
				if got := work(); got != want {
					t.Errorf("%s of %d is %d, want %d", name, small[name], got, want)
				}
			}
		}
	}
	for _, sorting := range []func(int) (func() uint64, func()){mergesorting, quicksorting} {
		work, _ := sorting(5000)
		sorted := work()
		again, _ := mergesorting(5000)
		if sorted != again() {
			t.Error("the sorts differ")
		}
	}
}
