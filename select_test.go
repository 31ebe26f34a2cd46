package forkjoin_test

import (
	"math"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/forkjoin-go/forkjoin"
)

func checkSelected(t *testing.T, keys []int, k int) {
	t.Helper()
	v := items(keys)
	got := forkjoin.SelectFunc(v, k, byItemKey)
	checkItems(t, v, keys)
	want := slices.Sorted(slices.Values(keys))[k]
	if got != v[k] || got.key != want {
		t.Fatalf("element %d of %d is %+v and was returned as %+v, want key %d", k, len(v), v[k], got, want)
	}
	for i, x := range v {
		if i < k && x.key > want || i > k && x.key < want {
			t.Fatalf("element %d of %d is %d, on the wrong side of %d at %d", i, len(v), x.key, want, k)
		}
	}
}

func TestSelectFunc(t *testing.T) {
	for _, procs := range []int{1, 2, 8} {
		before := runtime.GOMAXPROCS(procs)
		for _, p := range orderPatterns {
			for _, n := range []int{1, 2, 3, 17, 128, 129} {
				keys := orderKeys(n, p.key)
				for k := range n {
					checkSelected(t, keys, k)
				}
			}
			for _, n := range []int{1000, 8193, scale(50000)} {
				for _, k := range []int{0, 1, n / 100, n / 3, n / 2, n - 2, n - 1} {
					checkSelected(t, orderKeys(n, p.key), k)
				}
			}
		}
		runtime.GOMAXPROCS(before)
	}
}

// TestSelectComparisons bounds the comparisons.
func TestSelectComparisons(t *testing.T) {
	const n = 50000
	for _, p := range orderPatterns {
		for _, k := range []int{0, n / 10, n / 2, n - 1} {
			var calls atomic.Int64
			forkjoin.SelectFunc(items(orderKeys(n, p.key)), k, func(a, b item) int { calls.Add(1); return byItemKey(a, b) })
			if each := float64(calls.Load()) / n; each > 4.5 {
				t.Errorf("%s, k = %d: %.2f comparisons an element, want <= 4.5", p.name, k, each)
			}
		}
	}
}

func TestSelectFloats(t *testing.T) {
	v := []float64{3, math.NaN(), 1, math.Inf(-1), 2}
	if got := forkjoin.Select(v, 1); got != math.Inf(-1) || !math.IsNaN(v[0]) {
		t.Errorf("got %v from %v", got, v)
	}
}
