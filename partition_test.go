package forkjoin_test

import (
	"runtime"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/forkjoin-go/forkjoin"
)

func TestPartition(t *testing.T) {
	for _, procs := range []int{1, 2, 8} {
		before := runtime.GOMAXPROCS(procs)
		for name, first := range map[string]func(i int) bool{
			"none":       func(i int) bool { return false },
			"all":        func(i int) bool { return true },
			"every 2nd":  func(i int) bool { return i%2 == 0 },
			"every 97th": func(i int) bool { return i%97 == 0 },
			"blocks":     func(i int) bool { return i/4096%2 == 1 },
			"scattered":  func(i int) bool { return uint32(i)*0x9E3779B1>>9%3 == 0 },
		} {
			for _, n := range []int{0, 1, 2, 3, 100, 4095, 4096, 4097, 8192, scale(100001)} {
				v := items(orderKeys(n, func(i, n int) int { return i }))
				var want, rest []item
				for _, x := range v {
					if first(x.seq) {
						want = append(want, x)
					} else {
						rest = append(rest, x)
					}
				}
				var calls atomic.Int64
				got := forkjoin.Partition(v, func(x item) bool { calls.Add(1); return first(x.seq) })
				if got != len(want) || !slices.Equal(v, append(want, rest...)) {
					t.Errorf("%s of %d: not partitioned in order, or %d is not the number of the first", name, n, got)
				}
				if calls.Load() != int64(n) {
					t.Errorf("%s of %d: %d calls", name, n, calls.Load())
				}
			}
		}
		runtime.GOMAXPROCS(before)
	}
}

// TestPartitionPanics checks that a panic leaves the slice as it was.
func TestPartitionPanics(t *testing.T) {
	v := items(orderKeys(20000, func(i, n int) int { return i }))
	want := slices.Clone(v)
	checkPanic(t, func() {
		forkjoin.Partition(v, func(x item) bool {
			if x.seq == 12345 {
				panic(errComparison)
			}
			return x.seq%2 == 0
		})
	})
	if !slices.Equal(v, want) {
		t.Error("the slice has changed")
	}
}

func TestCompactFunc(t *testing.T) {
	for _, procs := range []int{1, 2, 8} {
		before := runtime.GOMAXPROCS(procs)
		for _, p := range orderPatterns {
			for _, n := range []int{0, 1, 2, 3, 999, 1000, 1001, 4096, 4097, 8193, scale(50001)} {
				for _, step := range []int{1, 3, 5000} {
					v := items(orderKeys(n, func(i, n int) int { return p.key(i/step, n) }))
					all, want := slices.Clone(v), slices.Clone(v)
					same := func(a, b item) bool { return a.key == b.key }
					want = slices.CompactFunc(want, same)
					got := forkjoin.CompactFunc(v, same)
					if !slices.Equal(got, want) {
						t.Fatalf("%s of %d: %d elements left, want %d, or others", p.name, n, len(got), len(want))
					}
					if n > 0 && &got[0] != &v[0] {
						t.Fatal("the result is not the beginning of s")
					}
					for i, x := range v[len(got):] {
						if x != (item{}) {
							t.Fatalf("%s of %d: element %d behind the result is not zero", p.name, n, i)
						}
					}
					if keys := keysOf(all); !slices.Equal(forkjoin.Compact(keys), keysOf(want)) {
						t.Fatalf("%s of %d: Compact differs from CompactFunc", p.name, n)
					}
				}
			}
		}
		runtime.GOMAXPROCS(before)
	}
}

func TestCompactPanics(t *testing.T) {
	for _, n := range []int{2, 500, 20000} {
		v := items(orderKeys(n, func(i, n int) int { return i / 2 }))
		want := slices.Clone(v)
		checkPanic(t, func() {
			forkjoin.CompactFunc(v, func(a, b item) bool {
				if a.seq >= n/2 {
					panic(errComparison)
				}
				return a.key == b.key
			})
		})
		if n > 1000 && !slices.Equal(v, want) {
			t.Error("the slice has changed")
		}
	}
}
