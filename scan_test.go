package forkjoin_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/forkjoin-go/forkjoin"
)

var scanSizes = []int{0, 1, 2, 3, 31, 32, 33, 2047, 2048, 2049, 2111, 2112, 2113, 100_000, 1<<18 + 1}

var scanOptions = [][]forkjoin.Option{nil, {forkjoin.MaxLeaf(1)}, {forkjoin.MaxLeaf(7)}, {forkjoin.MinLeaf(1 << 30)},
	{forkjoin.MinLeaf(50), forkjoin.Label("scan")}}

// The operation keeps the last of two, and counts the length of a chain, so
// that order and completeness show.
type scanLink struct{ first, last int }

func joinLinks(a, b scanLink) scanLink {
	if a.last+1 != b.first {
		panic(fmt.Sprintf("%v is joined with %v", a, b))
	}
	return scanLink{a.first, b.last}
}

func TestScanOrder(t *testing.T) {
	withWorkers(t, func(t *testing.T) {
		run := oneOf(t, 3)
		for _, n := range scanSizes {
			for _, opts := range scanOptions {
				if !run() {
					continue
				}
				src := sliceOf(n, func(i int) scanLink { return scanLink{i, i} })
				dst := make([]scanLink, n+1)
				forkjoin.InclusiveScan(dst, src, joinLinks, opts...)
				for i := range n {
					if dst[i] != (scanLink{0, i}) {
						t.Fatalf("InclusiveScan of %d: element %d is %v", n, i, dst[i])
					}
				}
				if dst[n] != (scanLink{}) {
					t.Fatalf("InclusiveScan of %d wrote beyond its input", n)
				}
				total := forkjoin.ExclusiveScan(dst, src, scanLink{-1, -1}, joinLinks, opts...)
				if total != (scanLink{-1, n - 1}) {
					t.Fatalf("ExclusiveScan of %d returns %v", n, total)
				}
				for i := range n {
					if dst[i] != (scanLink{-1, i - 1}) {
						t.Fatalf("ExclusiveScan of %d: element %d is %v", n, i, dst[i])
					}
				}
			}
		}
	})
}

func TestParallelScan(t *testing.T) {
	withWorkers(t, func(t *testing.T) {
		run := oneOf(t, 3)
		for _, n := range scanSizes {
			for _, opts := range scanOptions {
				if !run() {
					continue
				}
				emitted := make([]scanLink, n)
				total := forkjoin.ParallelScan(n, scanLink{-1, -1},
					func(lo, hi int) scanLink { return scanLink{lo, hi - 1} }, joinLinks,
					func(lo, hi int, before scanLink) {
						for i := lo; i < hi; i++ {
							emitted[i] = joinLinks(before, scanLink{lo, i})
						}
					}, opts...)
				if total != (scanLink{-1, n - 1}) {
					t.Fatalf("ParallelScan of %d returns %v", n, total)
				}
				for i := range n {
					if emitted[i] != (scanLink{-1, i}) {
						t.Fatalf("ParallelScan of %d: element %d is %v", n, i, emitted[i])
					}
				}
			}
		}
	})
}

func TestParallelScanInPlace(t *testing.T) {
	for _, n := range scanSizes {
		s := sliceOf(n, func(i int) int64 { return int64(i) })
		total := forkjoin.ParallelScan(n, 0,
			func(lo, hi int) (sum int64) {
				for _, x := range s[lo:hi] {
					sum += x
				}
				return sum
			},
			func(a, b int64) int64 { return a + b },
			func(lo, hi int, sum int64) {
				for i := lo; i < hi; i++ {
					sum += s[i]
					s[i] = sum
				}
			})
		if want := int64(n) * int64(n-1) / 2; total != want || n > 0 && s[n-1] != want {
			t.Fatalf("the sum of %d is %d, and the last %d, want %d", n, total, s[max(n-1, 0)], want)
		}
	}
}

func TestScanInPlace(t *testing.T) {
	withWorkers(t, func(t *testing.T) {
		for _, n := range scanSizes {
			in := sliceOf(n, func(i int) int { return i*i%17 + 1 })
			add := func(a, b int) int { return a + b }
			want, sum := make([]int, n), 0
			for i, x := range in {
				sum += x
				want[i] = sum
			}
			s := slices.Clone(in)
			forkjoin.InclusiveScan(s, s, add)
			if !slices.Equal(s, want) {
				t.Fatalf("InclusiveScan of %d in place is wrong", n)
			}
			s = slices.Clone(in)
			if total := forkjoin.ExclusiveScan(s, s, 0, add); total != sum {
				t.Fatalf("ExclusiveScan of %d in place returns %d, want %d", n, total, sum)
			}
			for i := range s {
				if s[i] != want[i]-in[i] {
					t.Fatalf("ExclusiveScan of %d in place: element %d is %d, want %d", n, i, s[i], want[i]-in[i])
				}
			}
		}
	})
}

func TestScanSameBits(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	rng := rand.New(rand.NewPCG(7, 8))
	src := sliceOf(300_000, func(int) float64 { return rng.NormFloat64() * math.Exp(20*rng.NormFloat64()) })
	add := func(a, b float64) float64 { return a + b }
	var inclusive, exclusive []float64
	for _, workers := range []int{1, 2, 3, 8, 64} {
		runtime.GOMAXPROCS(workers)
		for range 3 {
			a, b := make([]float64, len(src)), make([]float64, len(src))
			forkjoin.InclusiveScan(a, src, add)
			total := forkjoin.ExclusiveScan(b, src, 0, add)
			b = append(b, total)
			if inclusive == nil {
				inclusive, exclusive = a, b
			}
			if !slices.Equal(a, inclusive) || !slices.Equal(b, exclusive) {
				t.Fatalf("with %d workers the scan has other bits", workers)
			}
		}
	}
}

func TestScanPanics(t *testing.T) {
	withWorkers(t, func(t *testing.T) {
		for _, n := range []int{2, 100, 5000, 100_000} {
			calls := 2 * n
			if n <= 2048 {
				calls = n - 1
			}
			for _, at := range []int{1, calls / 3, calls - calls/8} {
				var count atomic.Int64
				boom := errors.New("boom")
				failed := panicOf(func() {
					s := make([]int, n)
					forkjoin.InclusiveScan(s, s, func(a, b int) int {
						if count.Add(1) == int64(max(1, at)) {
							panic(boom)
						}
						return a + b
					})
				})
				if p, ok := failed.(*forkjoin.PanicError); !ok || !errors.Is(p, boom) {
					t.Fatalf("scan of %d that panics at call %d: %v", n, at, failed)
				}
			}
		}
	})
}

func panicOf(f func()) (value any) {
	defer func() { value = recover() }()
	f()
	return nil
}

func TestScanBadUse(t *testing.T) {
	add := func(a, b int) int { return a + b }
	s := make([]int, 10)
	for _, c := range []struct {
		want string
		call func()
	}{
		{"forkjoin: InclusiveScan: dst has 9 elements, want >= 10", func() { forkjoin.InclusiveScan(s[:9], s, add) }},
		{"forkjoin: ExclusiveScan: dst has 0 elements, want >= 1", func() { forkjoin.ExclusiveScan(nil, s[:1], 0, add) }},
		{"forkjoin: InclusiveScan: op is nil", func() { forkjoin.InclusiveScan(s, s, nil) }},
		{"forkjoin: ExclusiveScan: op is nil", func() { forkjoin.ExclusiveScan(s, nil, 0, nil) }},
		{"forkjoin: InclusiveScan: dst and src overlap", func() { forkjoin.InclusiveScan(s[1:], s[:9], add) }},
		{"forkjoin: ExclusiveScan: dst and src overlap", func() { forkjoin.ExclusiveScan(s[:9], s[1:], 0, add) }},
		{"forkjoin: InclusiveScan: MinLeaf is 3, want <= MaxLeaf, which is 2", func() {
			forkjoin.InclusiveScan(s, s, add, forkjoin.MinLeaf(3), forkjoin.MaxLeaf(2))
		}},
		{"forkjoin: ParallelScan: n is -1, want >= 0", func() {
			forkjoin.ParallelScan(-1, 0, func(lo, hi int) int { return 0 }, add, func(lo, hi, before int) {})
		}},
		{"forkjoin: ParallelScan: fold is nil", func() { forkjoin.ParallelScan(1, 0, nil, add, func(lo, hi, before int) {}) }},
		{"forkjoin: ParallelScan: op is nil", func() {
			forkjoin.ParallelScan(1, 0, func(lo, hi int) int { return 0 }, nil, func(lo, hi, before int) {})
		}},
		{"forkjoin: ParallelScan: emit is nil", func() { forkjoin.ParallelScan(1, 0, func(lo, hi int) int { return 0 }, add, nil) }},
	} {
		if got, _ := panicOf(c.call).(string); !strings.HasPrefix(got, c.want) {
			t.Errorf("the panic is %q, want %q", got, c.want)
		}
	}
	if !slices.Equal(s, make([]int, 10)) {
		t.Error("something has run")
	}
	forkjoin.InclusiveScan(s[5:], s[:5], add) // neighbours do not overlap
	if total := forkjoin.ExclusiveScan(s, nil, 42, add); total != 42 {
		t.Errorf("the total of nothing is %d", total)
	}
	forkjoin.InclusiveScan(make([]struct{}, 3000), make([]struct{}, 3000), func(a, b struct{}) struct{} { return a })
}

// A long operation on few elements is done in parallel if the caller says so.
func TestScanNested(t *testing.T) {
	n := 50
	dst := make([]int, n)
	forkjoin.InclusiveScan(dst, sliceOf(n, func(i int) int { return i }), func(a, b int) int {
		return forkjoin.ParallelReduce(100, 0, func(lo, hi int) int { return 0 }, func(a, b int) int { return a + b }) + a + b
	}, forkjoin.MaxLeaf(5))
	if dst[n-1] != n*(n-1)/2 {
		t.Errorf("the sum is %d", dst[n-1])
	}
}
