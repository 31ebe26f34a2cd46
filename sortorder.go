package forkjoin

import (
	"cmp"
	"slices"

	"github.com/forkjoin-go/forkjoin/internal/atomic"
)

// IsSorted reports whether s is in ascending order, as [cmp.Compare] has it. It
// looks no further when it has found that it is not.
//
// What was done before IsSorted is synchronized before it reads s, and that
// before IsSorted returns.
func IsSorted[S ~[]E, E cmp.Ordered](s S) bool {
	return holdsBetween(s, ascends)
}

// holdsBetween reports whether ok holds for all neighbours in s. It is asked
// about parts of s that have one element in common with the next one each.
func holdsBetween[S ~[]E, E any](s S, ok func(part S) bool) bool {
	if len(s) < 2*blockSize {
		return ok(s)
	}
	var not atomic.Bool
	ParallelForRange(1, len(s), func(lo, hi int) {
		for ; lo < hi && !not.Load(); lo += blockSize {
			if !ok(s[lo-1 : min(hi, lo+blockSize)]) {
				not.Store(true)
			}
		}
	})
	return !not.Load()
}

// inOrder reports whether s is sorted, after it has made it so if all it takes is to
// reverse it or to merge a short part at one end. It looks at few elements of
// slices that are not like that.
func inOrder[E cmp.Ordered](s []E, buffered bool) bool {
	if sortEnd(s, buffered) {
		return true
	}
	if descends(s[:min(len(s), 32)]) && holdsBetween(s, descends) {
		reverse(s)
		return true
	}
	return false
}

// fewRuns is how many runs are merged in less time than a sort by radix takes.
const fewRuns = 4

// mergeFewRuns sorts s if it is made of a few parts that are sorted or reversed,
// and reports whether it did.
func mergeFewRuns[E cmp.Ordered](s []E) bool {
	if len(s) < blockSize || !mayHaveRuns(s, cmp.Compare[E]) {
		return false
	}
	runs := findRuns(s, cmp.Compare[E])
	if runs == nil || len(runs) > fewRuns {
		return false
	}
	m := mergeSorter[E]{s: s, buf: make([]E, len(s)), cmp: cmp.Compare[E]}
	m.mergeRuns(runs, false)
	return true
}

// ascends is IsSorted by one worker.
func ascends[S ~[]E, E cmp.Ordered](s S) bool {
	for ; len(s) > 4; s = s[4:] {
		p := (*[5]E)(s)
		if cmp.Less(p[1], p[0]) || cmp.Less(p[2], p[1]) || cmp.Less(p[3], p[2]) || cmp.Less(p[4], p[3]) {
			return false
		}
	}
	return slices.IsSorted(s)
}

func descends[S ~[]E, E cmp.Ordered](s S) bool {
	for ; len(s) > 4; s = s[4:] {
		p := (*[5]E)(s)
		if cmp.Less(p[0], p[1]) || cmp.Less(p[1], p[2]) || cmp.Less(p[2], p[3]) || cmp.Less(p[3], p[4]) {
			return false
		}
	}
	for i := 1; i < len(s); i++ {
		if cmp.Less(s[i-1], s[i]) {
			return false
		}
	}
	return true
}

func reverse[S ~[]E, E any](s S) {
	n := len(s)
	ParallelForRange(0, n/2, func(lo, hi int) {
		front, back := s[lo:hi], s[n-hi:n-lo]
		for i, j := 0, len(back)-1; i < len(front) && j >= 0; i, j = i+1, j-1 {
			front[i], back[j] = back[j], front[i]
		}
	})
}

// MinMax returns the least and the greatest element of s, in one pass. As for
// [slices.Min] and [slices.Max], a NaN makes both results NaN, and MinMax panics if
// s is empty.
//
// What was done before MinMax is synchronized before it reads s, and that before
// MinMax returns.
func MinMax[S ~[]E, E cmp.Ordered](s S) (lo, hi E) {
	if len(s) == 0 {
		badUse("MinMax: len(s) is 0, want > 0")
	}
	type both struct{ lo, hi E }
	leaf := func(i, j int) both {
		b := both{s[i], s[i]}
		for _, x := range s[i+1 : j] {
			b.lo, b.hi = min(b.lo, x), max(b.hi, x)
		}
		return b
	}
	if len(s) < blockSize {
		b := leaf(0, len(s))
		return b.lo, b.hi
	}
	b := ParallelReduce(len(s), both{}, leaf,
		func(b, c both) both { return both{min(b.lo, c.lo), max(b.hi, c.hi)} })
	return b.lo, b.hi
}
