package forkjoin_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/forkjoin-go/forkjoin"
)

// The figures of sorting with a comparator, beside package slices.

func init() {
	benchBounds["sortfunc/random/2workers speedup-slices"] = benchLeast(2.4)
	benchBounds["sortfunc/stable/1000keys/2workers speedup-slices"] = benchLeast(4)
	benchBounds["sortfunc/short/8 ns-over-seq"] = benchMost(50)
	benchBounds["sortfunc/short/128 ns-over-seq"] = benchMost(50)
}

func benchByKey(a, b benchRecord) int { return cmp.Compare(a.key, b.key) }

// benchByHash goes by no field.
func benchByHash(a, b benchRecord) int {
	const odd = 0x9E3779B97F4A7C15
	return cmp.Compare(uint64(a.key)*odd, uint64(b.key)*odd)
}

func benchFiguresSortFunc(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	n := benchPick(1e6, 1e4)
	random := sliceOf(n, func(int) benchRecord { return benchRecord{key: rng.Int64()} })
	few := sliceOf(n, func(int) benchRecord { return benchRecord{key: rng.Int64N(1000)} })
	rising := sliceOf(n, func(i int) benchRecord { return benchRecord{key: int64(i)} })
	for _, workers := range []int{1, 2} {
		for _, in := range []struct {
			name string
			s    []benchRecord
			by   func(a, b benchRecord) int
		}{
			{"random", random, benchByKey}, {"1000keys", few, benchByKey}, {"sorted", rising, benchByKey},
			{"random/nofield", random, benchByHash}, {"1000keys/nofield", few, benchByHash},
		} {
			b.Run(fmt.Sprintf("%s/%s", in.name, benchWorkers(workers)), func(b *testing.B) {
				benchSortFuncs(b, in.s, workers,
					func(s []benchRecord) { slices.SortFunc(s, in.by) },
					func(s []benchRecord) { forkjoin.SortFunc(s, in.by) })
			})
			b.Run(fmt.Sprintf("stable/%s/%s", in.name, benchWorkers(workers)), func(b *testing.B) {
				benchSortFuncs(b, in.s, workers,
					func(s []benchRecord) { slices.SortStableFunc(s, in.by) },
					func(s []benchRecord) { forkjoin.SortStableFunc(s, in.by) })
			})
		}
	}
	for _, n := range []int{1, 8, 64, 128, 129, 256, 1000} {
		b.Run(fmt.Sprintf("short/%d", n), func(b *testing.B) { benchShortSortFunc(b, n) })
	}
}

func benchSortFuncs(b *testing.B, in []benchRecord, workers int, seq, par func([]benchRecord)) {
	s := slices.Clone(in)
	reset := func() { copy(s, in) }
	t := benchAlternate(b,
		benchWay{op: func() { seq(s) }, reset: reset, workers: workers},
		benchWay{op: func() { par(s) }, reset: reset, workers: workers})
	benchFigure(b, t[0].ns/t[1].ns, "speedup-slices")
	benchFigure(b, t[1].ns/1e6, "ms")
}

// benchShortSortFunc sorts many slices of n elements.
func benchShortSortFunc(b *testing.B, n int) {
	many := 4096/n + 1
	rng := rand.New(rand.NewPCG(1, 1))
	in := sliceOf(n*many, func(int) int64 { return rng.Int64() })
	s := slices.Clone(in)
	each := func(sort func(s []int64, by func(a, b int64) int)) benchWay {
		return benchWay{workers: 2, reset: func() { copy(s, in) }, op: func() {
			for part := range slices.Chunk(s, n) {
				sort(part, cmp.Compare[int64])
			}
		}}
	}
	t := benchAlternate(b, each(slices.SortFunc[[]int64]), each(forkjoin.SortFunc[[]int64]))
	benchFigure(b, (t[1].ns-t[0].ns)/float64(many), "ns-over-seq")
	benchFigure(b, t[1].ns/t[0].ns, "x-slices")
}
