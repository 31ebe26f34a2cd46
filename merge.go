package forkjoin

import "cmp"

// Merge merges the sorted slices a and b into dst[:len(a)+len(b)], in ascending
// order. Of equal elements those of a come first. For floating-point numbers the
// order is that of [cmp.Compare], with NaNs first.
//
// It is [MergeFunc] with cmp.Compare.
func Merge[S ~[]E, E cmp.Ordered](dst, a, b S) {
	checkMerge("Merge", dst, a, b)
	guard(func() { merge([]E(dst[:len(a)+len(b)]), []E(a), []E(b), cmp.Compare[E]) })
}

// MergeFunc merges a and b, which must be sorted as cmp determines it, into
// dst[:len(a)+len(b)]. Of equal elements those of a come first. dst must not
// overlap a or b.
//
// The result is cut in the middle, and where that cuts a and b found by bisection,
// so that both halves can be merged at the same time.
//
// Cost: at most a comparison for each element, and a few for each thousands of
// them; no memory but for the forks.
//
// Whatever cmp does, dst gets each element of a and b once, unless cmp panics: then
// MergeFunc panics with a [*PanicError] when no comparison runs any more, and dst
// has undefined contents. Goexit is as for [Join]. MergeFunc panics if dst is
// shorter than a and b together or overlaps one of them, or cmp is nil.
//
// What was done before MergeFunc is synchronized before each call of cmp, and each
// of those before MergeFunc returns.
func MergeFunc[S ~[]E, E any](dst, a, b S, cmp func(a, b E) int) {
	if cmp == nil {
		badUse("MergeFunc: cmp is nil")
	}
	checkMerge("MergeFunc", dst, a, b)
	guard(func() { merge([]E(dst[:len(a)+len(b)]), []E(a), []E(b), cmp) })
}

func checkMerge[E any](name string, dst, a, b []E) {
	if len(dst)-len(a) < len(b) {
		badUse("%s: len(dst) is %d, want >= len(a)+len(b), which is %d", name, len(dst), uint(len(a))+uint(len(b)))
	}
	dst = dst[:len(a)+len(b)]
	if apart, ok := overlap(dst, a); ok {
		badUse("%s: dst and a overlap, %d bytes apart; want separate memory", name, apart)
	}
	if apart, ok := overlap(dst, b); ok {
		badUse("%s: dst and b overlap, %d bytes apart; want separate memory", name, apart)
	}
}

// mergeFork is the length beyond which a merge is forked.
const mergeFork = 2048

// merge merges a and b into dst, which is as long as both.
func merge[E any](dst, a, b []E, cmp func(a, b E) int) {
	if len(dst) <= mergeFork {
		mergeAlone(dst, a, b, cmp)
		return
	}
	k := len(dst) / 2
	i := mergeSplit(a, b, k, cmp)
	j := k - i
	Join(
		func() { merge(dst[:k], a[:i], b[:j], cmp) },
		func() { merge(dst[k:], a[i:], b[j:], cmp) })
}

// mergeSplit returns how many of the first k elements of a merged with b come
// from a.
func mergeSplit[E any](a, b []E, k int, cmp func(a, b E) int) int {
	lo, hi := max(0, k-len(b)), min(k, len(a))
	for lo < hi {
		mid := int(uint(lo+hi) / 2)
		if cmp(b[k-1-mid], a[mid]) < 0 {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return lo
}

func mergeAlone[E any](dst, a, b []E, cmp func(a, b E) int) {
	switch {
	case len(a) == 0 || len(b) == 0 || cmp(b[0], a[len(a)-1]) >= 0:
	case cmp(b[len(b)-1], a[0]) < 0:
		a, b = b, a
	default:
		mergeMixed(dst, a, b, cmp)
		return
	}
	copy(dst[copy(dst, a):], b)
}

// mergeMixed merges a and b, neither of which is empty. The first elements of
// both are kept in variables, which spares large ones a copy for each call of cmp.
func mergeMixed[E any](dst, a, b []E, cmp func(a, b E) int) {
	i, j, x, y := 0, 0, a[0], b[0]
	for {
		if cmp(y, x) < 0 {
			dst[i+j] = y
			if j++; j == len(b) {
				copy(dst[i+j:], a[i:])
				return
			}
			y = b[j]
		} else {
			dst[i+j] = x
			if i++; i == len(a) {
				copy(dst[i+j:], b[j:])
				return
			}
			x = a[i]
		}
	}
}
