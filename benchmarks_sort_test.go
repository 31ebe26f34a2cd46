package forkjoin_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/forkjoin-go/forkjoin"
)

// The figures of sorting and scanning. Sorts are compared with package slices;
// benchmarks/peers compares with others.

// benchSorts compares two ways to sort copies of the same slice.
func benchSorts[E any](b *testing.B, in []E, workers int, seq, par func([]E)) {
	s := slices.Clone(in)
	reset := func() { copy(s, in) }
	t := benchAlternate(b,
		benchWay{op: func() { seq(s) }, reset: reset, workers: workers},
		benchWay{op: func() { par(s) }, reset: reset, workers: workers})
	benchFigure(b, t[1].ns/t[0].ns, "x-slices")
	benchFigure(b, t[1].ns/1e6, "ms")
}

func benchFiguresSort(b *testing.B) {
	b.Run("short", benchFiguresShort)
	rng := rand.New(rand.NewPCG(1, 1))
	for _, workers := range []int{1, 2} {
		n := benchPick(1e7, 1e5)
		for _, p := range sortPatterns {
			in := sliceOf(n, func(i int) int64 { return p.at(rng, i, n) })
			b.Run(fmt.Sprintf("%s/%s", p.name, benchWorkers(workers)), func(b *testing.B) {
				benchSorts(b, in, workers, slices.Sort[[]int64], forkjoin.Sort[[]int64])
			})
		}
		ints := sliceOf(n, func(int) int64 { return int64(rng.Uint64()) })
		b.Run("inplace/"+benchWorkers(workers), func(b *testing.B) {
			benchSorts(b, ints, workers, slices.Sort[[]int64], forkjoin.SortInPlace[[]int64])
		})
		floats := sliceOf(n, func(int) float64 { return rng.NormFloat64() })
		b.Run("floats/"+benchWorkers(workers), func(b *testing.B) {
			benchSorts(b, floats, workers, slices.Sort[[]float64], forkjoin.Sort[[]float64])
		})
		strs := benchStrings(rng, n/10)
		b.Run("strings/"+benchWorkers(workers), func(b *testing.B) {
			benchSorts(b, strs, workers, slices.Sort[[]string], forkjoin.Sort[[]string])
		})
		b.Run("inplace-strings/"+benchWorkers(workers), func(b *testing.B) {
			benchSorts(b, strs, workers, slices.Sort[[]string], forkjoin.SortInPlace[[]string])
		})
		recs := sliceOf(n/10, func(int) benchRecord { return benchRecord{key: rng.Int64N(1000)} })
		b.Run("bykey/"+benchWorkers(workers), func(b *testing.B) {
			benchSorts(b, recs, workers,
				func(s []benchRecord) {
					slices.SortStableFunc(s, func(a, b benchRecord) int { return cmp.Compare(a.key, b.key) })
				},
				func(s []benchRecord) { forkjoin.SortByKey(s, func(r benchRecord) int64 { return r.key }) })
		})
	}
}

// A benchRecord has 64 bytes.
type benchRecord struct {
	key int64
	_   [7]int64
}

func benchStrings(rng *rand.Rand, n int) []string {
	var all strings.Builder
	for range 16 * n {
		all.WriteByte('a' + byte(rng.IntN(26)))
	}
	return sliceOf(n, func(i int) string { return all.String()[16*i:][:16] })
}

// benchFiguresShort sorts many short slices, so that one costs more than the
// clock.
func benchFiguresShort(b *testing.B) {
	for _, n := range []int{1, 8, 64, 65, 256, 1000} {
		many := 4096/n + 1
		rng := rand.New(rand.NewPCG(1, 1))
		in := sliceOf(n*many, func(int) int64 { return int64(rng.Uint64()) })
		each := func(sort func([]int64)) func([]int64) {
			return func(s []int64) {
				for part := range slices.Chunk(s, n) {
					sort(part)
				}
			}
		}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s := slices.Clone(in)
			reset := func() { copy(s, in) }
			t := benchAlternate(b,
				benchWay{op: func() { each(slices.Sort[[]int64])(s) }, reset: reset, workers: 2},
				benchWay{op: func() { each(forkjoin.Sort[[]int64])(s) }, reset: reset, workers: 2})
			benchFigure(b, (t[1].ns-t[0].ns)/float64(many), "ns-over-seq")
			benchFigure(b, t[1].ns/t[0].ns, "x-slices")
		})
	}
}

// benchFigureSum compares a sum with what two goroutines read in the same time.
func benchFigureSum(b *testing.B) {
	x := benchFloats(benchPick(1e8, 1e6))
	var part [2]struct {
		sum float64
		_   [56]byte
	}
	read, stop := benchHalves(func(k int) { part[k].sum = benchSum(x[len(x)*k/2 : len(x)*(k+1)/2]) })
	defer stop()
	sum := 0.0
	t := benchAlternate(b,
		benchWay{op: read, workers: 2},
		benchWay{op: func() {
			sum = forkjoin.ParallelReduce(len(x), 0,
				func(lo, hi int) float64 { return benchSum(x[lo:hi]) },
				func(a, b float64) float64 { return a + b })
		}, workers: 2})
	benchFigure(b, t[0].ns/t[1].ns, "of-bandwidth")
	benchFigure(b, 8*float64(len(x))/t[1].ns, "GB/s")
	if want := part[0].sum + part[1].sum; sum != want {
		b.Errorf("sum is %v, want %v", sum, want)
	}
}

// benchFigureScan compares a scan with two goroutines that read the input, and
// then read it again and write as much.
func benchFigureScan(b *testing.B) {
	n := benchPick(1e8, 1e6)
	x, y := benchFloats(n), make([]float64, n)
	var part [2]struct {
		sum float64
		_   [56]byte
	}
	twice, stop := benchHalves(func(k int) {
		lo, hi := n*k/2, n*(k+1)/2
		part[k].sum = benchSum(x[lo:hi])
		copy(y[lo:hi], x[lo:hi])
	})
	defer stop()
	add := func(a, b float64) float64 { return a + b }
	emit := func(lo, hi int, sum float64) {
		y := y[lo:hi]
		for i, v := range x[lo:hi] {
			sum += v
			y[i] = sum
		}
	}
	t := benchAlternate(b,
		benchWay{op: twice, workers: 2},
		benchWay{op: func() {
			forkjoin.ParallelScan(n, 0, func(lo, hi int) float64 { return benchSum(x[lo:hi]) }, add, emit)
		}, workers: 2},
		benchWay{op: func() { forkjoin.InclusiveScan(y, x, add) }, workers: 2},
		benchWay{op: func() { emit(0, n, 0) }, workers: 2},
		benchWay{op: func() { forkjoin.InclusiveSum(y, x) }, workers: 2})
	benchFigure(b, t[0].ns/t[4].ns, "of-bandwidth")
	benchFigure(b, t[3].ns/t[4].ns, "speedup")
	benchFigure(b, t[4].ns/1e6, "ms")
	benchFigure(b, t[0].ns/t[1].ns, "loops-of-bandwidth")
	benchFigure(b, t[3].ns/t[1].ns, "loops-speedup")
	benchFigure(b, t[0].ns/t[2].ns, "inclusive-of-bandwidth")
	benchFigure(b, t[3].ns/t[2].ns, "inclusive-speedup")
	if y[n-1] != part[0].sum+part[1].sum {
		b.Errorf("the last is %v, want %v", y[n-1], part[0].sum+part[1].sum)
	}
}
