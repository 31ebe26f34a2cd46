package forkjoin

import "slices"

// Compact replaces runs of equal elements by a single one, the first, and returns
// the shortened slice; in a sorted slice that leaves each value once. Like
// [slices.Compact] it sets the elements behind to zero.
//
// It is [CompactFunc] with the operator ==.
func Compact[S ~[]E, E comparable](s S) S {
	return compact(s, func(a, b E) bool { return a == b })
}

// CompactFunc replaces runs of elements that eq calls equal by a single one, the
// first, and returns the shortened slice. Like [slices.CompactFunc] it compares each
// element with the one before it and sets the elements behind to zero.
//
// Cost: a call and a move for each element; a byte of memory for each, none up to
// a thousand. The last move of what is kept is one after the other, at the speed of
// copy.
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
	return compact(s, eq)
}

const smallCompact = 1000

func compact[S ~[]E, E any](s S, eq func(a, b E) bool) S {
	if len(s) <= smallCompact {
		var short S
		guard(func() { short = slices.CompactFunc(s, eq) })
		return short
	}
	m := markAll(len(s), func(i int) bool { return i == 0 || !eq(s[i], s[i-1]) })
	if m.total == len(s) {
		return s
	}
	m.each(func(_, lo, hi int) { // pack each block, then all of them
		to := lo
		for k, marked := range m.marked[lo:hi] {
			if marked {
				if to != lo+k {
					s[to] = s[lo+k]
				}
				to++
			}
		}
	})
	for b, to := range m.before {
		end := m.total
		if b+1 < len(m.before) {
			end = m.before[b+1]
		}
		copy(s[to:end], s[b*markBlock:])
	}
	clear(s[m.total:])
	return s[:m.total]
}
