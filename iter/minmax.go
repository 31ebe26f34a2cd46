package iter

import (
	"cmp"
)

// Min returns the least element, and whether there is one. If any is NaN, the
// result is NaN, as with [slices.Min].
func Min[T cmp.Ordered](s Seq[T]) (v T, ok bool) {
	r := optional(s, nil, func(acc T, batch []T) T {
		for _, v := range batch {
			acc = min(acc, v)
		}
		return acc
	}, func(a, b T) T { return min(a, b) })
	return r.v, r.ok
}

// Max returns the greatest element, and whether there is one. If any is NaN, the
// result is NaN, as with [slices.Max].
func Max[T cmp.Ordered](s Seq[T]) (v T, ok bool) {
	r := optional(s, nil, func(acc T, batch []T) T {
		for _, v := range batch {
			acc = max(acc, v)
		}
		return acc
	}, func(a, b T) T { return max(a, b) })
	return r.v, r.ok
}

// MinFunc returns the first of the least elements in the order of compare, and
// whether there is one. It panics if compare is nil.
func MinFunc[T any](s Seq[T], compare func(a, b T) int) (v T, ok bool) {
	need("MinFunc", "compare", compare == nil)
	r := optional(s, compare, func(acc T, batch []T) T {
		for _, v := range batch {
			if compare(v, acc) < 0 {
				acc = v
			}
		}
		return acc
	}, func(a, b T) T {
		if compare(b, a) < 0 {
			return b
		}
		return a
	})
	return r.v, r.ok
}

// MaxFunc returns the first of the greatest elements in the order of compare, as
// [slices.MaxFunc] does, and whether there is one. It panics if compare is nil.
func MaxFunc[T any](s Seq[T], compare func(a, b T) int) (v T, ok bool) {
	need("MaxFunc", "compare", compare == nil)
	return MinFunc(s, func(a, b T) int { return compare(b, a) })
}

// MinMax returns the least and the greatest element in one go, and whether there
// are any. If any is NaN, both are.
func MinMax[T cmp.Ordered](s Seq[T]) (least, greatest T, ok bool) {
	type both struct {
		least, greatest T
		ok              bool
	}
	r := consume(s, nil, func(c *call, p *plan[T]) both {
		return fold(c, p, both{}, true, func(h *hand[T, none], lo, hi int) (r both) {
			h.each(c, lo, hi, func(_ int, batch []T) bool {
				if !r.ok && len(batch) > 0 {
					r = both{batch[0], batch[0], true}
				}
				for _, v := range batch {
					r.least, r.greatest = min(r.least, v), max(r.greatest, v)
				}
				return true
			})
			return r
		}, func(a, b both) both {
			switch {
			case !a.ok:
				return b
			case !b.ok:
				return a
			}
			return both{min(a.least, b.least), max(a.greatest, b.greatest), true}
		})
	})
	return r.least, r.greatest, r.ok
}

// IsSorted reports whether no element is less than the one before it, in the
// order of [cmp.Compare], as [slices.IsSorted] does. It ends early if not.
func IsSorted[T cmp.Ordered](s Seq[T]) bool {
	return isSorted(s, true, cmp.Compare[T])
}

// IsSortedFunc is [IsSorted] in the order of compare. It panics if compare is nil.
func IsSortedFunc[T any](s Seq[T], compare func(a, b T) int) bool {
	need("IsSortedFunc", "compare", compare == nil)
	return isSorted(s, false, compare)
}

func isSorted[T any](s Seq[T], trusted bool, compare func(a, b T) int) bool {
	type ends struct {
		first, last T
		ok          bool // there are any
	}
	return consume(s, compare, func(c *call, p *plan[T]) bool {
		part := c.part() // ends when two elements are found that are not in order
		// How the elements are cut does not show in the result, so none has to wait.
		atHand := func(s supply, w *window) (lo, hi int) { return s.next(w, feedMost) }
		foldBy(part, p, atHand, ends{}, trusted, func(h *hand[T, none], lo, hi int) (r ends) {
			h.each(part, lo, hi, func(_ int, batch []T) bool {
				for _, v := range batch {
					if !r.ok {
						r = ends{v, v, true}
						continue
					}
					if compare(v, r.last) < 0 {
						part.end()
						return false
					}
					r.last = v
				}
				return true
			})
			return r
		}, func(a, b ends) ends {
			switch {
			case !a.ok:
				return b
			case !b.ok:
				return a
			case compare(b.first, a.last) < 0:
				part.end()
			}
			return ends{a.first, b.last, true}
		})
		return !part.ended.Load()
	})
}
