package forkjoin

import (
	"cmp"
	"reflect"
	"slices"
	"unsafe"
)

// Sort sorts s in ascending order, as [cmp.Compare] has it: NaNs come before
// other numbers, and the order of what compares equal (-0 and +0, different
// NaNs) is not specified.
//
// Numbers are sorted by radix, strings by radix over seven bytes at a time.
// Comparisons are made in short slices, in those that are sorted, reversed, made of
// up to four such runs, or sorted but for a sixteenth at one end, which it finds
// out, and where strings have a long prefix in common.
//
// Cost: time grows with len(s). Short slices are sorted by [slices.Sort].
// Others take extra memory: as much as s, for numbers (nothing, if they have one
// byte or lie within 2,048 of each other, or s is short), and three times as much,
// for strings. For numbers it is kept for the next call until the garbage
// collector has run twice. [SortInPlace] does without.
//
// What was done before Sort is synchronized before it reads s, and what it
// writes before it returns.
func Sort[S ~[]E, E cmp.Ordered](s S) {
	if len(s) <= shortSort || inOrder(s, true) {
		sortShort(s)
		return
	}
	if !mergeFewRuns(s) {
		sortBy(s, true)
	}
}

// SortInPlace sorts like [Sort], with little extra memory: a quarter of a megabyte
// for each worker. It takes about one and a half times as long for numbers, and
// twice as long for strings.
//
// What was done before SortInPlace is synchronized before it reads s, and what
// it writes before it returns.
func SortInPlace[S ~[]E, E cmp.Ordered](s S) {
	if len(s) <= shortSort || inOrder(s, false) {
		sortShort(s)
		return
	}
	sortBy(s, false)
}

// shortSort is the length up to which slices.Sort is the faster one.
const shortSort = 64

// sortShort is apart so that nothing else is done for short slices.
func sortShort[S ~[]E, E cmp.Ordered](s S) {
	if len(s) <= shortSort {
		slices.Sort(s)
	}
}

// sortBy sorts by what the elements are, with a buffer or without.
func sortBy[E cmp.Ordered](s []E, buffered bool) {
	switch kind := reflect.TypeFor[E]().Kind(); {
	case kind == reflect.String && buffered:
		sortStrings(recast[string](s))
	case kind == reflect.String:
		sortStringsInPlace(recast[string](s))
	case kind == reflect.Float32:
		sortFloats(recast[uint32](s), buffered)
	case kind == reflect.Float64:
		sortFloats(recast[uint64](s), buffered)
	case buffered || len(s) <= inCache:
		sortIntegers(s, kind, true)
	default:
		quickInPlace(s, func(part []E) { sortIntegers(part, kind, false) })
	}
}

func sortIntegers[E any](s []E, kind reflect.Kind, buffered bool) {
	var e E
	signed := kind >= reflect.Int && kind <= reflect.Int64
	switch unsafe.Sizeof(e) {
	case 1:
		sortWords(recast[uint8](s), signed, buffered)
	case 2:
		sortWords(recast[uint16](s), signed, buffered)
	case 4:
		sortWords(recast[uint32](s), signed, buffered)
	default:
		sortWords(recast[uint64](s), signed, buffered)
	}
}

// recast returns s as a slice of a type with the same layout.
func recast[T, E any](s []E) []T {
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(s))), len(s))
}
