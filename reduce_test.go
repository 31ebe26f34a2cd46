package forkjoin_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/forkjoin-go/forkjoin"
)

func sumInts(lo, hi int) (s int) {
	for i := lo; i < hi; i++ {
		s += i
	}
	return s
}

func add(a, b int) int { return a + b }

// noErr makes the leaf of a ParallelReduceErr from that of a ParallelReduce.
func noErr[T any](leaf func(lo, hi int) T) func(context.Context, int, int) (T, error) {
	return func(_ context.Context, lo, hi int) (T, error) { return leaf(lo, hi), nil }
}

func TestReduceSums(t *testing.T) {
	eachPool(t, []int{1, 2, 3, 16}, func(t *testing.T, w int) {
		for _, n := range append(loopSizes(w), scale(200_000)) {
			for _, b := range leafBounds(n) {
				want := int(int64(n) * int64(n-1) / 2) // wraps as the sum does
				if got := forkjoin.ParallelReduce(n, 0, sumInts, add, b.options()...); got != want {
					t.Fatalf("n=%d %+v: %d, want %d", n, b, got, want)
				}
				got, err := forkjoin.ParallelReduceErr(t.Context(), n, 0, noErr(sumInts), add, b.options()...)
				if got != want || err != nil {
					t.Fatalf("n=%d %+v: %d, %v, want %d", n, b, got, err, want)
				}
			}
		}
	})
}

// Order is kept: combine is associative but far from commutative.
func TestReduceKeepsTheOrder(t *testing.T) {
	eachPool(t, []int{1, 2, 3, 16}, func(t *testing.T, w int) {
		for _, n := range []int{0, 1, 2, w - 1, w, w + 1, 100, scale(5000)} {
			var b strings.Builder
			for i := range n {
				fmt.Fprintf(&b, "%d,", i)
			}
			for _, lb := range []leafBound{{}, {0, 1}, {1, 1}, {7, 0}, {3, 5}, {n + 1, 0}} {
				got := forkjoin.ParallelReduce(n, "", func(lo, hi int) string {
					var b strings.Builder
					for i := lo; i < hi; i++ {
						fmt.Fprintf(&b, "%d,", i)
					}
					return b.String()
				}, func(a, b string) string { return a + b }, lb.options()...)
				if got != b.String() {
					t.Fatalf("n=%d %+v: %.200q is out of order", n, lb, got)
				}
			}
		}
	})
}

// mat is a 2x2 matrix modulo 2^64.
type mat [4]uint64

func (a mat) mul(b mat) mat {
	return mat{a[0]*b[0] + a[1]*b[2], a[0]*b[1] + a[1]*b[3], a[2]*b[0] + a[3]*b[2], a[2]*b[1] + a[3]*b[3]}
}

var matOne = mat{1, 0, 0, 1}

func matLeaf(lo, hi int) mat {
	m := matOne
	for i := lo; i < hi; i++ {
		x := uint64(i)*0x9e3779b97f4a7c15 + 1
		m = m.mul(mat{x, x >> 7, 3, x ^ 5})
	}
	return m
}

func TestReduceMatrixProduct(t *testing.T) {
	eachPool(t, []int{1, 2, 5, 16}, func(t *testing.T, w int) {
		for _, n := range []int{0, 1, 2, 3, 1000, scale(100_003)} {
			want := matLeaf(0, n)
			for _, b := range []leafBound{{}, {0, 1}, {100, 0}, {100, 1000}} {
				if got := forkjoin.ParallelReduce(n, matOne, matLeaf, mat.mul, b.options()...); got != want {
					t.Fatalf("n=%d %+v: %v, want %v", n, b, got, want)
				}
			}
		}
	})
}

// A combine that reuses its left argument is right: each value is used once.
func TestReduceCombineMayReuseItsArguments(t *testing.T) {
	eachPool(t, []int{1, 2, 16}, func(t *testing.T, w int) {
		n := scale(10_000)
		got := forkjoin.ParallelReduce(n, nil, func(lo, hi int) (s []int) {
			for i := lo; i < hi; i++ {
				s = append(s, i)
			}
			return s
		}, func(a, b []int) []int { return append(a, b...) }, forkjoin.MaxLeaf(10))
		if len(got) != n {
			t.Fatalf("%d elements, want %d", len(got), n)
		}
		for i, v := range got {
			if v != i {
				t.Fatalf("element %d is %d", i, v)
			}
		}
	})
}

// shape returns the tree of leaves and combines as text.
func shape(n int, opts ...forkjoin.Option) string {
	return forkjoin.ParallelReduce(n, "", func(lo, hi int) string {
		if lo%3 == 0 {
			spin(2 * time.Microsecond) // some unevenness, so that stealing differs
		}
		return fmt.Sprintf("%d-%d", lo, hi)
	}, func(a, b string) string {
		switch {
		case a == "":
			return b
		case b == "":
			return a
		}
		return "(" + a + " " + b + ")"
	}, opts...)
}

// The leaves and the tree that combines them depend on n and the options
// alone: the same at every number of workers and every GOMAXPROCS.
func TestReduceShapeIsFixed(t *testing.T) {
	type key struct {
		n int
		b leafBound
	}
	var keys []key
	for _, n := range []int{1, 2, 3, 63, 64, 65, 1000, 4097, scale(100_000)} {
		for _, b := range []leafBound{{}, {0, 100}, {50, 0}, {30, 90}} {
			keys = append(keys, key{n, b})
		}
	}
	want := make(map[key]string)
	within(t, patience, func() {
		for _, k := range keys {
			want[k] = shape(k.n, k.b.options()...)
		}
	})
	for _, w := range []int{1, 2, 3, 4, 7, 8, 16, 31, 64} {
		p := newPool(t, forkjoin.Config{Workers: w})
		within(t, patience, func() {
			p.Run(func() {
				for _, k := range keys {
					if got := shape(k.n, k.b.options()...); got != want[k] {
						t.Fatalf("%d workers, %+v: tree %.300s, in the default pool %.300s", w, k, got, want[k])
					}
				}
			})
		})
	}
	for _, n := range []int{1, 2, 5} {
		setProcs(t, n)
		within(t, patience, func() {
			for _, k := range keys {
				if got := shape(k.n, k.b.options()...); got != want[k] {
					t.Fatalf("GOMAXPROCS %d, %+v: tree %.300s, before %.300s", n, k, got, want[k])
				}
			}
		})
	}
}

// So the sum of floats has the same bits on any number of workers.
func TestReduceFloatBits(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	x := make([]float64, scale(200_000))
	for i := range x {
		x[i] = (r.Float64() - 0.5) * math.Exp2(float64(r.IntN(60)))
	}
	sum := func(lo, hi int) (s float64) {
		for _, v := range x[lo:hi] {
			s += v
		}
		return s
	}
	plus := func(a, b float64) float64 { return a + b }
	sizes := []int{0, 1, 2, 1000, len(x) / 3, len(x)}
	bits := func() (b []uint64) {
		for _, n := range sizes {
			for _, o := range []leafBound{{}, {0, 64}, {1000, 0}} {
				b = append(b, math.Float64bits(forkjoin.ParallelReduce(n, 0, sum, plus, o.options()...)))
				f, err := forkjoin.ParallelReduceErr(t.Context(), n, 0, noErr(sum), plus, o.options()...)
				if err != nil {
					t.Error(err)
				}
				b = append(b, math.Float64bits(f))
			}
		}
		return b
	}
	var want []uint64
	within(t, patience, func() { want = bits() })
	for i := 0; i < len(want); i += 2 {
		if want[i] != want[i+1] {
			t.Errorf("ParallelReduce and ParallelReduceErr differ: %x and %x", want[i], want[i+1])
		}
	}
	step := 1
	if scale(8) < 8 {
		step = 7
	}
	for w := 1; w <= 64; w += step {
		p := newPool(t, forkjoin.Config{Workers: w})
		within(t, patience, func() {
			p.Run(func() {
				if got := bits(); !slices.Equal(got, want) {
					t.Errorf("%d workers: bits %x, want %x", w, got, want)
				}
			})
		})
	}
	for _, n := range []int{1, 2, 3, 8} {
		setProcs(t, n)
		within(t, patience, func() {
			if got := bits(); !slices.Equal(got, want) {
				t.Errorf("GOMAXPROCS %d: bits %x, want %x", n, got, want)
			}
		})
	}
}

// The identity is returned for n = 0, as it is, and is neutral otherwise.
func TestReduceIdentity(t *testing.T) {
	eachPool(t, []int{1, 3}, func(t *testing.T, _ int) {
		id := new(int)
		leaf := func(lo, hi int) *int { t.Error("a leaf of an empty range ran"); return nil }
		combine := func(a, b *int) *int { t.Error("combine ran on an empty range"); return nil }
		if got := forkjoin.ParallelReduce(0, id, leaf, combine); got != id {
			t.Errorf("n=0: %p, want the identity %p", got, id)
		}
		if got, err := forkjoin.ParallelReduceErr(t.Context(), 0, id, noErr(leaf), combine); got != id || err != nil {
			t.Errorf("n=0: %p, %v, want the identity %p", got, err, id)
		}
		for n := range 70 {
			got := forkjoin.ParallelReduce(n, math.MinInt, func(lo, hi int) int { return hi - 1 }, func(a, b int) int { return max(a, b) })
			if want := n - 1; n > 0 && got != want || n == 0 && got != math.MinInt {
				t.Errorf("maximum below %d: %d", n, got)
			}
		}
	})
}

func TestReduceLeavesKeepTheirBounds(t *testing.T) {
	eachPool(t, []int{1, 2, 16}, func(t *testing.T, w int) {
		for _, n := range loopSizes(w) {
			for _, b := range leafBounds(n) {
				var mu sync.Mutex
				var pieces [][2]int
				forkjoin.ParallelReduce(n, 0, func(lo, hi int) int {
					mu.Lock()
					pieces = append(pieces, [2]int{lo, hi})
					mu.Unlock()
					return 0
				}, add, b.options()...)
				if err := b.check(0, n, pieces); err != nil {
					t.Fatalf("n=%d %+v: %v", n, b, err)
				}
			}
		}
	})
}

func TestReduceMaxInt(t *testing.T) {
	eachPool(t, []int{1, 3}, func(t *testing.T, _ int) {
		length := func(lo, hi int) int {
			if lo < 0 || hi <= lo {
				t.Errorf("leaf [%d, %d)", lo, hi)
			}
			return hi - lo
		}
		for _, n := range []int{math.MaxInt, math.MaxInt - 1, math.MaxInt/2 + 1} {
			for _, min := range []int{math.MaxInt, math.MaxInt / 2, math.MaxInt / 8, math.MaxInt / 1000} {
				if got := forkjoin.ParallelReduce(n, 0, length, add, forkjoin.MinLeaf(min)); got != n {
					t.Errorf("n=%d MinLeaf(%d): lengths add up to %d", n, min, got)
				}
			}
		}
		var leaves atomic.Int64
		_, err := forkjoin.ParallelReduceErr(t.Context(), math.MaxInt, 0, func(_ context.Context, lo, hi int) (int, error) {
			if leaves.Add(1) == 100 {
				return 0, errFirst
			}
			return length(lo, hi), nil
		}, add, forkjoin.MaxLeaf(10))
		if err != errFirst {
			t.Errorf("error %v, want %v", err, errFirst)
		}
	})
}

func TestReducePanicInCombine(t *testing.T) {
	eachPool(t, []int{1, 2, 16}, func(t *testing.T, _ int) {
		for _, at := range []int64{1, 2, 50} {
			var calls atomic.Int64
			combine := func(a, b int) int {
				if calls.Add(1) == at {
					panic(errBody)
				}
				return a + b
			}
			pe := panicsWith(t, errBody, func() {
				forkjoin.ParallelReduce(1000, 0, sumInts, combine, forkjoin.MaxLeaf(10))
			})
			if pe != nil && !errors.Is(pe, errBody) {
				t.Errorf("errors.Is does not see %v", errBody)
			}
			calls.Store(0)
			panicsWith(t, errBody, func() {
				forkjoin.ParallelReduceErr(t.Context(), 1000, 0, noErr(sumInts), combine, forkjoin.MaxLeaf(10))
			})
		}
	})
}

// With an error no combine needs to run any more, and none is given a value
// that no leaf returned.
func TestReduceErrCombinesOnlyWhatLeavesReturned(t *testing.T) {
	type val struct{ n int }
	eachPool(t, []int{1, 2, 16}, func(t *testing.T, _ int) {
		for at := range 40 {
			_, err := forkjoin.ParallelReduceErr(t.Context(), 1000, &val{}, func(_ context.Context, lo, hi int) (*val, error) {
				if lo <= 25*at && 25*at < hi {
					return nil, errFirst
				}
				return &val{hi - lo}, nil
			}, func(a, b *val) *val {
				if a == nil || b == nil {
					t.Error("combine was given what no leaf returned")
					return nil
				}
				return &val{a.n + b.n}
			}, forkjoin.MaxLeaf(10))
			if err != errFirst {
				t.Errorf("error %v, want %v", err, errFirst)
			}
		}
	})
}

// Reductions nest in the leaves and the combines of others of the same type.
func TestReduceNested(t *testing.T) {
	eachPool(t, []int{1, 2, 16}, func(t *testing.T, _ int) {
		inner := func(n int) int {
			return forkjoin.ParallelReduce(n, 0, func(lo, hi int) int { return hi - lo }, add, forkjoin.MaxLeaf(3))
		}
		for range 10 {
			got := forkjoin.ParallelReduce(60, 0, func(lo, hi int) (s int) {
				for i := lo; i < hi; i++ {
					s += inner(i)
				}
				return s
			}, func(a, b int) int {
				if k := inner(20); k != 20 {
					t.Errorf("a reduction inside combine gave %d, want 20", k)
				}
				return a + b
			}, forkjoin.MaxLeaf(1))
			if got != 60*59/2 {
				t.Errorf("sum is %d, want %d", got, 60*59/2)
			}
			// The same again where an inner one panics and is recovered, or ends
			// the outer one.
			got = forkjoin.ParallelReduce(30, 0, func(lo, hi int) int {
				v := caught(func() {
					forkjoin.ParallelReduce(10, 0, func(lo, hi int) int { panic(errBody) }, add, forkjoin.MaxLeaf(1))
				})
				if _, ok := v.(*forkjoin.PanicError); !ok {
					t.Errorf("panic value %T", v)
				}
				return inner(hi - lo)
			}, add, forkjoin.MaxLeaf(1))
			if got != 30 {
				t.Errorf("sum is %d after recovered panics, want 30", got)
			}
			panicsWith(t, errBody, func() {
				forkjoin.ParallelReduce(30, 0, func(lo, hi int) int {
					if lo == 17 {
						forkjoin.ParallelReduce(10, 0, func(lo, hi int) int { panic(errBody) }, add, forkjoin.MaxLeaf(1))
					}
					return inner(5)
				}, add, forkjoin.MaxLeaf(1))
			})
		}
	})
}

// Values of every kind of layout come through: wide, empty, pointers, none.
func TestReduceTypes(t *testing.T) {
	eachPool(t, []int{1, 4}, func(t *testing.T, _ int) {
		n := 5000
		type wide struct {
			a [20]int
			s string
		}
		w := forkjoin.ParallelReduce(n, wide{}, func(lo, hi int) (w wide) {
			for i := lo; i < hi; i++ {
				w.a[i%20] += i
			}
			w.s = "x"
			return w
		}, func(a, b wide) wide {
			for i := range a.a {
				a.a[i] += b.a[i]
			}
			a.s = "x"
			return a
		}, forkjoin.MaxLeaf(50))
		if total := 0; true {
			for _, v := range w.a {
				total += v
			}
			if total != n*(n-1)/2 || w.s != "x" {
				t.Errorf("wide: %d %q", total, w.s)
			}
		}
		forkjoin.ParallelReduce(n, struct{}{}, func(lo, hi int) struct{} { return struct{}{} }, func(a, b struct{}) struct{} { return a }, forkjoin.MaxLeaf(50))
		if v := forkjoin.ParallelReduce[any](n, nil, func(lo, hi int) any { return hi }, func(a, b any) any { return b }, forkjoin.MaxLeaf(50)); v != n {
			t.Errorf("any: %v, want %d", v, n)
		}
		runtime.GC()
		m := forkjoin.ParallelReduce(n, nil, func(lo, hi int) map[int]bool {
			m := make(map[int]bool)
			for i := lo; i < hi; i++ {
				m[i] = true
			}
			return m
		}, func(a, b map[int]bool) map[int]bool {
			if a == nil {
				return b
			}
			for k := range b {
				a[k] = true
			}
			return a
		}, forkjoin.MaxLeaf(50))
		if len(m) != n {
			t.Errorf("map: %d keys, want %d", len(m), n)
		}
	})
}

func TestReduceRefusesBadInput(t *testing.T) {
	leaf := func(int, int) int { t.Error("a task has run"); return 0 }
	refuses(t, func() { forkjoin.ParallelReduce(-1, 0, leaf, add) }, "ParallelReduce", "-1")
	refuses(t, func() { forkjoin.ParallelReduce(5, 0, nil, add) }, "ParallelReduce", "leaf", "nil")
	refuses(t, func() { forkjoin.ParallelReduce(5, 0, leaf, nil) }, "ParallelReduce", "combine", "nil")
	refuses(t, func() { forkjoin.ParallelReduce(0, 0, leaf, nil) }, "ParallelReduce", "combine", "nil")
	refuses(t, func() { forkjoin.ParallelReduce(5, 0, leaf, add, forkjoin.MinLeaf(3), forkjoin.MaxLeaf(2)) }, "MinLeaf", "3", "2")
	refuses(t, func() { forkjoin.ParallelReduce(5, 0, leaf, add, forkjoin.MinLeaf(-7)) }, "MinLeaf", "-7")
}

// A long reduction is shared.
func TestReduceIsShared(t *testing.T) {
	threads(t, 4)
	within(t, patience, func() {
		var who ids
		panicsWith(t, "enough", func() {
			forkjoin.ParallelReduce(1<<28, 0, func(lo, hi int) int {
				who.add()
				if who.len() >= 3 {
					panic("enough")
				}
				spin(5 * time.Microsecond)
				return 0
			}, add, forkjoin.MaxLeaf(16))
		})
	})
}
