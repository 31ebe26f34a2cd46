package forkjoin_test

import (
	"math"
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
			for _, n := range []int{0, 1, 2, 3, 100, 999, 1000, 1001, 4095, 4096, 4097, 8192, scale(100001)} {
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

// Runs of equal elements across the blocks that workers take, and elements that equal
// each other or themselves in no ordinary way.
func TestCompactLong(t *testing.T) {
	const n = 1<<16 + 5000
	nan := math.NaN()
	for _, procs := range []int{1, 2, 8} {
		before := runtime.GOMAXPROCS(procs)
		for _, run := range []int{1, 2, 3, 8191, 8192, 8193, 30000, n} {
			v, boxed := make([]float64, n), make([]any, n)
			for i := range v {
				switch v[i] = float64(i / run); {
				case i/run%7 == 3:
					v[i] = nan
				case i/run%7 == 5:
					v[i] = math.Copysign(0, float64(i%2)-0.5)
				}
				boxed[i] = v[i]
			}
			want := slices.Compact(slices.Clone(v))
			got, others := forkjoin.Compact(slices.Clone(v)), forkjoin.Compact(boxed)
			if len(got) != len(want) || len(others) != len(want) {
				t.Fatalf("runs of %d: %d left, %d of interfaces, want %d", run, len(got), len(others), len(want))
			}
			for i, x := range want {
				if bits := math.Float64bits(x); math.Float64bits(got[i]) != bits || math.Float64bits(others[i].(float64)) != bits {
					t.Fatalf("runs of %d: element %d is %v and %v, want %v", run, i, got[i], others[i], x)
				}
			}
			for _, x := range got[len(got):n] {
				if x != 0 {
					t.Fatalf("runs of %d: %v behind the result, want 0", run, x)
				}
			}
			for _, x := range others[len(others):n] {
				if x != nil {
					t.Fatalf("runs of %d: %v behind the result, want nil", run, x)
				}
			}
		}
		runtime.GOMAXPROCS(before)
	}
}

// Interface values need not be comparable.
func TestCompactOfWhatCannotBeCompared(t *testing.T) {
	type boxed struct{ in [1]any }
	for _, n := range []int{2, 2000, 1 << 17} {
		v := make([]boxed, n)
		for i := range v {
			v[i].in[0] = i / 2
		}
		v[n-1].in[0], v[n-2].in[0] = []int{1}, []int{1}
		if p, ok := caught(func() { forkjoin.Compact(v) }).(*forkjoin.PanicError); !ok {
			t.Errorf("%d elements: no PanicError", n)
		} else if _, ok := p.Value.(runtime.Error); !ok {
			t.Errorf("%d elements: panic with %v, want a runtime.Error", n, p.Value)
		}
		if n > 1000 && (v[1].in[0] != 0 || v[n-3].in[0] != (n-3)/2) {
			t.Errorf("%d elements: the slice has changed", n)
		}
	}
}
