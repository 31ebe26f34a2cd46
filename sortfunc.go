package forkjoin

import (
	"math/bits"
	"slices"
	"unsafe"
)

// SortFunc sorts s in ascending order as determined by cmp, which returns a
// negative number when a < b, a positive one when a > b, and zero when they are
// equal. Elements that are equal may change places; see [SortStableFunc].
//
// It has the signature of [slices.SortFunc] and can take its place: cmp should
// be a strict weak order and may be called from several goroutines at once. The
// result depends on s and cmp alone.
//
// Where cmp compares fields of the elements, or the elements themselves, which it finds
// out by a sample, s is sorted by radix, and cmp is asked whether the result is right.
// Fields are numbers, strings, truth values and arrays of bytes; there may be several,
// upwards or downwards. Otherwise it is a quicksort whose large partitions are themselves
// parallel. What is sorted already, in either direction, takes about a comparison for
// each element, and what is made of few runs is merged.
//
// Cost: where fields decide, about a comparison for each element; else about
// 1.2·n·log₂(n). A slice of up to 128 elements, or 512 of up to 16 bytes, is left to
// slices.SortFunc, and costs a few function calls more. Slices of 2,048 elements and more
// take memory for a second slice and two 64-bit words for each element where fields decide,
// up to four times that where thousands of elements have the same value of one field and
// another one decides; of elements without pointers it is kept for the next call until the
// garbage collector has run twice. Few runs take memory for a second slice.
// [SortInPlaceFunc] does without.
//
// Whatever cmp does, s keeps its elements: with an order that contradicts itself
// they are in some order. If cmp panics, SortFunc panics with a [*PanicError]
// when no comparison runs any more, and s is left in some order. If cmp calls
// [runtime.Goexit], so does the caller. SortFunc panics if cmp is nil.
//
// What was done before SortFunc is synchronized before each call of cmp, and each
// of those before SortFunc returns.
func SortFunc[S ~[]E, E any](s S, cmp func(a, b E) int) {
	if cmp == nil {
		badUse("SortFunc: cmp is nil")
	}
	returned := false
	defer func() {
		if !returned {
			rethrow(recover())
		}
	}()
	if len(s) <= smallSort || plainer(s) {
		slices.SortFunc(s, cmp)
	} else {
		sortFunc([]E(s), cmp)
	}
	returned = true
}

// SortInPlaceFunc sorts like [SortFunc], with little extra memory: by quicksort alone.
//
// Cost: about 1.2·n·log₂(n) comparisons.
//
// What is said there about panics, Goexit and synchronization holds here, too.
func SortInPlaceFunc[S ~[]E, E any](s S, cmp func(a, b E) int) {
	if cmp == nil {
		badUse("SortInPlaceFunc: cmp is nil")
	}
	guard(func() { quicksort([]E(s), cmp, bits.Len(uint(len(s)))) })
}

const (
	smallSort    = 128  // up to here a sort is left to package slices
	insertionLen = 16   // up to here elements are inserted one by one
	sortFork     = 512  // beyond, the parts of a quicksort are forked
	wideSort     = 8192 // beyond, they are made in parallel
)

// plainer reports whether a slice is better left to package slices, whose quicksort
// is a little faster for elements of one or two words.
func plainer[S ~[]E, E any](s S) bool {
	return unsafe.Sizeof(*new(E)) <= 16 && len(s) <= sortFork
}

func sortFunc[E any](s []E, cmp func(a, b E) int) {
	w, entered := enter()
	if entered {
		defer w.leave()
	}
	sortAnew(s, cmp, false, 0)
}

// sortAnew sorts s, as one of the groups of elements with the same key inside so many
// others.
func sortAnew[E any](s []E, cmp func(a, b E) int, stable bool, level int) {
	switch {
	case sortRuns(s, cmp), sortByGuess(s, cmp, stable, level):
	case stable:
		m := mergeSorter[E]{s: s, buf: make([]E, len(s)), cmp: cmp, from: distributeFrom}
		m.sort(0, len(s), false)
	default:
		quicksort(s, cmp, bits.Len(uint(len(s))))
	}
}

// quicksort sorts s. It gives up on pivots after so many bad ones as limit says,
// which takes an input made for that, or a cmp without order.
//
// At any time s has all its elements: they move by exchanges alone, and none is
// outside when cmp is called.
func quicksort[E any](s []E, cmp func(a, b E) int, limit int) {
	for len(s) > sortFork && limit > 0 {
		a, b, left := divide(s, cmp, limit)
		if len(a) > 0 {
			Join(func() { quicksort(a, cmp, left) }, func() { quicksort(b, cmp, left) })
			return
		}
		s, limit = b, left
	}
	if limit <= 0 || plainer(s) {
		slices.SortFunc(s, cmp)
	} else {
		quicksortAlone(s, cmp, limit)
	}
}

// quicksortAlone is quicksort without forks.
func quicksortAlone[E any](s []E, cmp func(a, b E) int, limit int) {
	for len(s) > insertionLen {
		if limit <= 0 {
			slices.SortFunc(s, cmp)
			return
		}
		a, b, left := divide(s, cmp, limit)
		quicksortAlone(a, cmp, left)
		s, limit = b, left
	}
	insertionSort(s, cmp)
}

// divide partitions s by a pivot and returns the parts that are left to sort, and
// limit, less one if the pivot was bad.
func divide[E any](s []E, cmp func(a, b E) int, limit int) (a, b []E, left int) {
	p := pivot(s, cmp)
	mid := partition(s, p, 0, cmp)
	a, b = s[:mid], s[mid:]
	if mid == 0 {
		// Nothing is less than p. What equals it is in its place, together.
		mid = partition(s, p, 1, cmp)
		b = s[mid:]
	} else {
		mid = min(mid, len(b))
	}
	if mid < len(s)/8 {
		limit--
	}
	return a, b, limit
}

// insertionSort is stable. It moves an element down step by step, rather than at the
// end or around a hole: that is one loop whose length cannot be foreseen and not two,
// and no element is outside s when cmp is called.
func insertionSort[E any](s []E, cmp func(a, b E) int) {
	for i := 1; i < len(s); i++ {
		x := s[i]
		for j := i; j > 0 && cmp(x, s[j-1]) < 0; j-- {
			s[j], s[j-1] = s[j-1], x
		}
	}
}
