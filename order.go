package forkjoin

import "github.com/forkjoin-go/forkjoin/internal/atomic"

// IsSortedFunc reports whether s is sorted in ascending order, with cmp as the
// comparison function as defined by [SortFunc].
//
// Cost: a comparison for each pair of neighbours; after the first pair that is out
// of order has been seen, a few more.
//
// If cmp panics, IsSortedFunc panics with a [*PanicError] when no comparison runs
// any more. Goexit is as for [Join]. IsSortedFunc panics if cmp is nil.
//
// What was done before IsSortedFunc is synchronized before each call of cmp, and
// each of those before IsSortedFunc returns.
func IsSortedFunc[S ~[]E, E any](s S, cmp func(a, b E) int) bool {
	if cmp == nil {
		badUse("IsSortedFunc: cmp is nil")
	}
	var disorder atomic.Bool
	ParallelForRange(1, len(s), func(lo, hi int) {
		if disorder.Load() {
			return
		}
		for i := lo; i < hi; i++ {
			if cmp(s[i], s[i-1]) < 0 {
				disorder.Store(true)
				return
			}
		}
	})
	return !disorder.Load()
}

// MinMaxFunc returns the least and the greatest element of s, using cmp to compare
// elements. If there are several, it returns the first of each, as
// [slices.MinFunc] and [slices.MaxFunc] do.
//
// Cost: three comparisons for every two elements.
//
// If cmp panics, MinMaxFunc panics with a [*PanicError] when no comparison runs any
// more. Goexit is as for [Join]. MinMaxFunc panics if s is empty or cmp is nil.
//
// What was done before MinMaxFunc is synchronized before each call of cmp, and each
// of those before MinMaxFunc returns.
func MinMaxFunc[S ~[]E, E any](s S, cmp func(a, b E) int) (lo, hi E) {
	if cmp == nil {
		badUse("MinMaxFunc: cmp is nil")
	}
	if len(s) == 0 {
		badUse("MinMaxFunc: len(s) is 0, want > 0")
	}
	m := ParallelReduce(len(s), extremes{},
		func(lo, hi int) extremes { return extremesOf(s, lo, hi, cmp) },
		func(a, b extremes) extremes {
			if cmp(s[b.least], s[a.least]) < 0 {
				a.least = b.least
			}
			if cmp(s[b.greatest], s[a.greatest]) > 0 {
				a.greatest = b.greatest
			}
			return a
		})
	return s[m.least], s[m.greatest]
}

// extremes says where the least and the greatest element are.
type extremes struct{ least, greatest int }

func extremesOf[E any](s []E, lo, hi int, cmp func(a, b E) int) extremes {
	m := extremes{lo, lo}
	for lo++; lo < hi; lo += 2 {
		less, more := lo, lo
		if lo+1 < hi {
			switch c := cmp(s[lo+1], s[lo]); {
			case c < 0:
				less = lo + 1
			case c > 0:
				more = lo + 1
			}
		}
		if cmp(s[less], s[m.least]) < 0 {
			m.least = less
		}
		if cmp(s[more], s[m.greatest]) > 0 {
			m.greatest = more
		}
	}
	return m
}
