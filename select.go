package forkjoin

import (
	"cmp"
	"math/bits"
	"slices"
)

// Select rearranges s so that s[k] is the element that would be there if s were
// sorted, with none greater before it and none less behind it, and returns it. For
// floating-point numbers the order is that of [cmp.Compare], with NaNs first.
//
// It is [SelectFunc] with cmp.Compare.
func Select[S ~[]E, E cmp.Ordered](s S, k int) E {
	checkSelect("Select", k, len(s))
	guard(func() { quickselect([]E(s), k, cmp.Compare[E]) })
	return s[k]
}

// SelectFunc rearranges s so that s[k] is the element that would be there if s
// were sorted as cmp determines it, with none greater before it and none less
// behind it, and returns it. The median of s is the one with k = len(s)/2.
//
// It partitions s as [SortFunc] does, in parallel and in place, but goes on in one
// part only.
//
// Cost: about 2·n comparisons.
//
// A cmp that panics or contradicts itself leaves s as it does in [SortFunc].
// SelectFunc panics if k is not an index of s, or cmp is nil. The result depends
// on s, k and cmp alone.
//
// What was done before SelectFunc is synchronized before each call of cmp, and each
// of those before SelectFunc returns.
func SelectFunc[S ~[]E, E any](s S, k int, cmp func(a, b E) int) E {
	if cmp == nil {
		badUse("SelectFunc: cmp is nil")
	}
	checkSelect("SelectFunc", k, len(s))
	guard(func() { quickselect([]E(s), k, cmp) })
	return s[k]
}

func checkSelect(name string, k, n int) {
	if k < 0 || k >= n {
		badUse("%s: k is %d, want >= 0 and < len(s), which is %d", name, k, n)
	}
}

func quickselect[E any](s []E, k int, cmp func(a, b E) int) {
	for limit := bits.Len(uint(len(s))); len(s) > smallSort && limit > 0; {
		n := len(s)
		p := pivotBeside(s, k, cmp)
		mid := partition(s, p, 0, cmp)
		if mid == 0 {
			// Nothing is less than p; what equals it is the least.
			if mid = partition(s, p, 1, cmp); k < mid {
				return
			}
		}
		if k < mid {
			s = s[:mid]
		} else {
			s, k = s[mid:], k-mid
		}
		if len(s) > n-n/8 {
			limit--
		}
	}
	slices.SortFunc(s, cmp)
}
