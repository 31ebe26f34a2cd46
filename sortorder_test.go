package forkjoin_test

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"github.com/forkjoin-go/forkjoin"
)

func TestIsSorted(t *testing.T) {
	withWorkers(t, func(t *testing.T) {
		for _, n := range []int{0, 1, 2, 4, 5, 6, 9, 1<<15 - 1, 1 << 15, 1<<15 + 1, 100_000} {
			s := sliceOf(n, func(i int) int { return i / 2 })
			if !forkjoin.IsSorted(s) {
				t.Fatalf("%d that are sorted are not", n)
			}
			for _, at := range []int{1, 2, 3, 4, 5, n / 2, 1<<14 - 1, 1 << 14, 1<<14 + 1, n - 1} {
				if at <= 0 || at >= n {
					continue
				}
				was := s[at]
				s[at] = s[at-1] - 1
				if forkjoin.IsSorted(s) {
					t.Fatalf("%d with a step down at %d are sorted", n, at)
				}
				s[at] = was
			}
		}
	})
}

func TestIsSortedFloats(t *testing.T) {
	zoo := floatZoo()
	slices.SortFunc(zoo, cmp.Compare)
	if !forkjoin.IsSorted(zoo) {
		t.Errorf("%v is not sorted", zoo)
	}
	for i := range zoo {
		for j := range zoo {
			pair := []float64{zoo[i], zoo[j]}
			if got, want := forkjoin.IsSorted(pair), cmp.Compare(zoo[i], zoo[j]) <= 0; got != want {
				t.Errorf("IsSorted(%v) is %v", pair, got)
			}
		}
	}
}

func TestMinMax(t *testing.T) {
	withWorkers(t, func(t *testing.T) {
		for _, n := range []int{1, 2, 3, 1<<14 - 1, 1 << 14, 100_000} {
			for _, at := range []int{0, n / 2, n - 1} {
				s := sliceOf(n, func(i int) int { return i*7919%100 + 1 })
				s[at] = 0
				s[n-1-at] = 1000
				lo, hi := forkjoin.MinMax(s)
				if lo != slices.Min(s) || hi != slices.Max(s) {
					t.Fatalf("the extremes of %d are %d and %d", n, lo, hi)
				}
			}
		}
		s := make([]float64, 50_000)
		s[40_000] = math.NaN()
		if lo, hi := forkjoin.MinMax(s); lo == lo || hi == hi {
			t.Errorf("with a NaN the extremes are %v and %v", lo, hi)
		}
	})
	if got := panicOf(func() { forkjoin.MinMax([]string{}) }); got != "forkjoin: MinMax: len(s) is 0, want > 0" {
		t.Errorf("the panic is %v", got)
	}
}
