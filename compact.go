package forkjoin

import (
	"reflect"
	"slices"
)

// Compact replaces runs of equal elements by a single one, the first, and returns
// the shortened slice; in a sorted slice that leaves each value once. Like
// [slices.Compact] it sets the elements behind to zero.
//
// Cost: up to about 65,000 elements, and with one worker, that of slices.Compact;
// else a comparison and a move for each element, by all workers, and what is kept
// moves a second time, one after the other, at the speed of copy. Elements that hold
// interface values, whose comparison may panic, are treated by [CompactFunc] with the
// operator ==.
//
// What was done before Compact is synchronized before it reads s, and what it writes
// before it returns.
func Compact[S ~[]E, E comparable](s S) S {
	switch {
	case !neverPanics(reflect.TypeFor[E]()):
		return CompactFunc(s, func(a, b E) bool { return a == b })
	case len(s) < compactShared || workersHere() == 1:
		return slices.Compact(s)
	}
	kept := make([]int, (len(s)-1)/compactBlock+1)
	ParallelFor(len(kept), func(b int) {
		lo := b * compactBlock
		kept[b] = len(slices.Compact(s[lo:min(lo+compactBlock, len(s))]))
	})
	to := kept[0]
	for b := 1; b < len(kept); b++ {
		part := s[b*compactBlock:][:kept[b]]
		if part[0] == s[to-1] {
			part = part[1:] // a run that began in the block before
		}
		to += copy(s[to:], part)
	}
	clear(s[to:])
	return s[:to]
}

const (
	compactAlone  = 1000    // elements that one goroutine compacts, also where eq takes long
	compactShared = 1 << 16 // elements for which == or a move is worth a worker
	compactBlock  = 1 << 13
	compactMarks  = 1 << 10 // elements that are compared by eq in one piece
)

// neverPanics reports whether comparing two values of type t cannot panic.
func neverPanics(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Interface:
		return false
	case reflect.Array:
		return neverPanics(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if !neverPanics(t.Field(i).Type) {
				return false
			}
		}
	}
	return true
}

// CompactFunc replaces runs of elements that eq calls equal by a single one, the
// first, and returns the shortened slice. Like [slices.CompactFunc] it compares each
// element with the one before it and sets the elements behind to zero.
//
// Cost: a call and a move for each element; a byte of memory for each, none up to
// a thousand. In long slices what is kept moves a second time, one after the other,
// at the speed of copy.
//
// If eq panics, CompactFunc panics with a [*PanicError] when no call runs any more;
// unless s is short, it is unchanged. Goexit is as for [Join]. CompactFunc panics if
// eq is nil.
//
// What was done before CompactFunc is synchronized before each call of eq, and each
// of those before CompactFunc returns.
func CompactFunc[S ~[]E, E any](s S, eq func(a, b E) bool) S {
	if eq == nil {
		badUse("CompactFunc: eq is nil")
	}
	if len(s) <= compactAlone {
		var short S
		guard(func() { short = slices.CompactFunc(s, eq) })
		return short
	}
	repeats := make([]bool, len(s))
	ParallelFor((len(s)-1)/compactMarks+1, func(b int) {
		lo := b * compactMarks
		part := s[max(0, lo-1):min(lo+compactMarks, len(s))]
		marks := repeats[lo+1-min(1, lo):][:len(part)-1]
		for i := range marks {
			marks[i] = eq(part[i+1], part[i])
		}
	})
	from := slices.Index(repeats, true)
	if from < 0 {
		return s
	}
	if len(s) < compactShared || workersHere() == 1 {
		to := from + packed(s[from:], repeats[from:])
		clear(s[to:])
		return s[:to]
	}
	kept := make([]int, (len(s)-1)/compactBlock+1)
	ParallelFor(len(kept), func(b int) {
		lo, hi := b*compactBlock, min((b+1)*compactBlock, len(s))
		kept[b] = packed(s[lo:hi], repeats[lo:hi])
	})
	to := 0
	for b, n := range kept {
		to += copy(s[to:], s[b*compactBlock:][:n])
	}
	clear(s[to:])
	return s[:to]
}

// packed moves the elements of s that do not repeat the one before to its front, and
// returns their number.
func packed[E any](s []E, repeats []bool) int {
	n := 0
	repeats = repeats[:len(s)]
	for i := range s {
		if !repeats[i] {
			s[n] = s[i]
			n++
		}
	}
	return n
}
