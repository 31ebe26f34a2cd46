package iter

import (
	"cmp"
	"slices"
)

// TopK returns the k greatest elements, the greatest first, in the order of
// [cmp.Compare]; all elements if there are fewer. It panics if k is negative.
//
// Cost: a comparison for each element, and more for those that are among the
// greatest so far.
func TopK[T cmp.Ordered](s Seq[T], k int) []T {
	if k < 0 {
		bad("TopK: k is %d, want >= 0", k)
	}
	return topK(s, k, true, cmp.Compare[T])
}

// TopKFunc is [TopK] in the order of compare. Of equal elements the first count,
// and come first. TopKFunc panics if compare is nil.
func TopKFunc[T any](s Seq[T], k int, compare func(a, b T) int) []T {
	if k < 0 {
		bad("TopKFunc: k is %d, want >= 0", k)
	}
	need("TopKFunc", "compare", compare == nil)
	return topK(s, k, false, compare)
}

func topK[T any](s Seq[T], k int, trusted bool, compare func(a, b T) int) []T {
	return consume(s, compare, func(c *call, p *plan[T]) []T {
		if k == 0 {
			return nil
		}
		return fold(c, p, nil, trusted, func(h *hand[T, none], lo, hi int) []T {
			t := top[T]{k: k, compare: compare}
			h.each(c, lo, hi, func(_ int, batch []T) bool {
				for _, v := range batch {
					t.add(v)
				}
				return true
			})
			t.settle()
			return t.elems
		}, func(a, b []T) []T {
			return merged(a, b, k, compare)
		})
	})
}

// A top is the greatest elements so far, and some more: when there are twice as
// many as wanted it sorts them, and drops the rest.
type top[T any] struct {
	k       int
	compare func(a, b T) int
	elems   []T
	sorted  int // so many at the beginning are in order
	full    bool
}

func (t *top[T]) add(v T) {
	if t.full && t.compare(v, t.elems[t.k-1]) <= 0 {
		return // k elements that came before are no less
	}
	t.elems = append(t.elems, v)
	if len(t.elems)-t.sorted > t.k && len(t.elems) >= 64 {
		t.settle()
	}
}

// settle sorts the elements and keeps k of them.
func (t *top[T]) settle() {
	slices.SortStableFunc(t.elems, func(a, b T) int { return t.compare(b, a) })
	if len(t.elems) >= t.k {
		clear(t.elems[t.k:])
		t.elems, t.full = t.elems[:t.k], true
	}
	t.sorted = len(t.elems)
}

// merged returns the k greatest of a and b, which are in order, a's before b's
// where they are equal.
func merged[T any](a, b []T, k int, compare func(a, b T) int) []T {
	out := make([]T, 0, min(k, len(a)+len(b)))
	for len(out) < cap(out) {
		if len(b) == 0 || len(a) > 0 && compare(b[0], a[0]) <= 0 {
			out, a = append(out, a[0]), a[1:]
		} else {
			out, b = append(out, b[0]), b[1:]
		}
	}
	return out
}
