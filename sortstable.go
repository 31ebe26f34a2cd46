package forkjoin

import "math"

// SortStableFunc sorts s in ascending order as determined by cmp, as [SortFunc]
// does, and leaves equal elements in their order.
//
// It has the signature of [slices.SortStableFunc] and can take its place: cmp
// should be a strict weak order and may be called from several goroutines at once.
//
// Where cmp compares fields of the elements, they are sorted by those, as SortFunc does
// it. Otherwise it is a merge sort whose merges are themselves parallel. What is sorted
// already, in either direction, takes about a comparison for each element; what is made
// of few runs is merged from those, and few different values are put into buckets of
// equal ones.
//
// Cost: where fields decide, about a comparison for each element, else about n·log₂(n).
// The memory is that of SortFunc where fields decide, else a second slice and, where
// values are few, two bytes for each element. A slice of up to 16 elements allocates
// nothing.
//
// Whatever cmp does, s keeps its elements: with an order that contradicts itself
// they are in some order. If cmp panics, SortStableFunc panics with a
// [*PanicError] when no comparison runs any more, and s is left in some order. If
// cmp calls [runtime.Goexit], so does the caller. SortStableFunc panics if cmp is
// nil.
//
// What was done before SortStableFunc is synchronized before each call of cmp, and
// each of those before SortStableFunc returns.
func SortStableFunc[S ~[]E, E any](s S, cmp func(a, b E) int) {
	if cmp == nil {
		badUse("SortStableFunc: cmp is nil")
	}
	returned := false
	defer func() {
		if !returned {
			rethrow(recover())
		}
	}()
	switch {
	case len(s) <= insertionLen:
		insertionSort([]E(s), cmp)
	case len(s) <= smallSort:
		m := mergeSorter[E]{s: s, buf: make([]E, len(s)), cmp: cmp}
		m.sortAlone(0, len(s), false)
	default:
		sortStableFunc([]E(s), cmp)
	}
	returned = true
}

func sortStableFunc[E any](s []E, cmp func(a, b E) int) {
	w, entered := enter()
	if entered {
		defer w.leave()
	}
	sortAnew(s, cmp, true, 0)
}

// stableFork is the length beyond which the halves of a merge sort are forked.
const stableFork = 1024

// A mergeSorter sorts s by merging from s to buf and back.
//
// Each of its methods that sorts a range leaves all elements of that range there in
// s when cmp panics. For a range that ends up in buf: its halves are sorted into s,
// which keeps their elements by this very rule, and merging them into buf changes
// nothing in s. For one that ends up in s: its halves end up in buf, and leave
// their elements in s as well; while they are merged into s they are still in buf,
// from where they are copied back if that fails.
type mergeSorter[E any] struct {
	s, buf []E
	cmp    func(a, b E) int
	from   int // elements that a sample is taken of, to see whether they have few values
}

// sort sorts [lo, hi) of s, into buf or in place.
func (m *mergeSorter[E]) sort(lo, hi int, toBuf bool) {
	if hi-lo <= stableFork {
		m.sortAlone(lo, hi, toBuf)
		return
	}
	if hi-lo >= m.from {
		if m.distribute(lo, hi, toBuf) {
			return
		}
		m = &mergeSorter[E]{s: m.s, buf: m.buf, cmp: m.cmp, from: math.MaxInt}
	}
	mid := int(uint(lo+hi) / 2)
	Join(func() { m.sort(lo, mid, !toBuf) }, func() { m.sort(mid, hi, !toBuf) })
	m.merge(lo, mid, hi, toBuf)
}

// merge merges the sorted [lo, mid) and [mid, hi), from s to buf or back.
func (m *mergeSorter[E]) merge(lo, mid, hi int, toBuf bool) {
	if toBuf {
		merge(m.buf[lo:hi], m.s[lo:mid], m.s[mid:hi], m.cmp)
		return
	}
	returned := false
	defer func() {
		if !returned {
			copy(m.s[lo:hi], m.buf[lo:hi])
		}
	}()
	merge(m.s[lo:hi], m.buf[lo:mid], m.buf[mid:hi], m.cmp)
	returned = true
}

// sortAlone is sort without forks.
func (m *mergeSorter[E]) sortAlone(lo, hi int, toBuf bool) {
	var open span // what is being merged into s
	defer func() {
		if open.lo < open.hi {
			copy(m.s[open.lo:open.hi], m.buf[open.lo:open.hi])
		}
	}()
	m.sortPart(lo, hi, toBuf, &open)
}

func (m *mergeSorter[E]) sortPart(lo, hi int, toBuf bool, open *span) {
	if hi-lo <= insertionLen {
		insertionSort(m.s[lo:hi], m.cmp)
		if toBuf {
			copy(m.buf[lo:hi], m.s[lo:hi])
		}
		return
	}
	mid := int(uint(lo+hi) / 2)
	m.sortPart(lo, mid, !toBuf, open)
	m.sortPart(mid, hi, !toBuf, open)
	if toBuf {
		mergeAlone(m.buf[lo:hi], m.s[lo:mid], m.s[mid:hi], m.cmp)
		return
	}
	*open = span{lo, hi}
	mergeAlone(m.s[lo:hi], m.buf[lo:mid], m.buf[mid:hi], m.cmp)
	*open = span{}
}
