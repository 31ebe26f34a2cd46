package forkjoin_test

import (
	"runtime"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/forkjoin-go/forkjoin"
)

func TestIsSortedFunc(t *testing.T) {
	for _, procs := range []int{1, 2, 8} {
		before := runtime.GOMAXPROCS(procs)
		for n := range 40 {
			v := orderKeys(n, func(i, n int) int { return i / 2 })
			if !forkjoin.IsSortedFunc(v, func(a, b int) int { return a - b }) {
				t.Errorf("%d sorted elements are not", n)
			}
			for i := range v {
				w := slices.Clone(v)
				w[i] = 100
				if got := forkjoin.IsSortedFunc(w, func(a, b int) int { return a - b }); got != (i == n-1) {
					t.Errorf("%d elements, a greater one at %d: %v", n, i, got)
				}
			}
		}
		n := scale(100000)
		for _, at := range []int{1, n / 2, n - 1} {
			v := orderKeys(n, func(i, n int) int { return i })
			v[at] = -1
			var calls atomic.Int64
			if forkjoin.IsSortedFunc(v, func(a, b int) int { calls.Add(1); return a - b }) {
				t.Errorf("%d elements, a less one at %d: sorted", n, at)
			}
			if calls.Load() > int64(n-1) {
				t.Errorf("%d comparisons of %d elements", calls.Load(), n)
			}
		}
		runtime.GOMAXPROCS(before)
	}
}

func TestMinMaxFunc(t *testing.T) {
	for _, procs := range []int{1, 2, 8} {
		before := runtime.GOMAXPROCS(procs)
		for _, p := range orderPatterns {
			for _, n := range []int{1, 2, 3, 4, 5, 64, 65, 1000, scale(100000)} {
				for _, few := range []int{1, 50} {
					v := items(orderKeys(n, func(i, n int) int { return p.key(i, n) / few }))
					lo, hi := forkjoin.MinMaxFunc(v, byItemKey)
					if lo != slices.MinFunc(v, byItemKey) || hi != slices.MaxFunc(v, byItemKey) {
						t.Errorf("%s of %d: got %+v and %+v, want the first ones", p.name, n, lo, hi)
					}
				}
			}
		}
		runtime.GOMAXPROCS(before)
	}
}

// TestOrderPanics has comparisons of what rearranges nothing panic.
func TestOrderPanics(t *testing.T) {
	for _, n := range []int{2, 1000, 50000} {
		v := items(orderKeys(n, func(i, n int) int { return i }))
		for _, k := range []int64{1, int64(n / 2)} {
			by, _ := failAt(k)
			checkPanic(t, func() { forkjoin.IsSortedFunc(v, by) })
			by, _ = failAt(k)
			checkPanic(t, func() { forkjoin.MinMaxFunc(v, by) })
		}
	}
}
