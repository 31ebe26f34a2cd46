package iter

import "cmp"

// Equal reports whether a and b have the same number of elements and those are
// equal one by one. It ends as soon as two are found that are not. Sequences
// whose elements' numbers are not known (see [Zip]), and those from sequential
// sources, are collected first: their end is waited for.
func Equal[T comparable](a, b Seq[T]) bool {
	return paired(a, b, func(c *call, p, q plan[T], pairs plan[Pair[T, T]]) bool {
		if p.n != q.n {
			return false
		}
		return !anyone(c, &pairs, func(v Pair[T, T]) bool { return v.First != v.Second }).ok
	})
}

// Compare compares a and b element by element in the order of [cmp.Compare], as
// [slices.Compare] does: the first two elements that differ decide, or else the
// numbers of elements. Sequences are collected first as by [Equal].
func Compare[T cmp.Ordered](a, b Seq[T]) int {
	return paired(a, b, func(c *call, p, q plan[T], pairs plan[Pair[T, T]]) int {
		f := first(c, &pairs, func(v Pair[T, T]) bool { return cmp.Compare(v.First, v.Second) != 0 })
		if f.ok {
			return cmp.Compare(f.elem.First, f.elem.Second)
		}
		return cmp.Compare(p.n, q.n)
	})
}

// paired has f consume two sequences, of which all positions are at hand, and
// the pairs of their elements.
func paired[T, R any](a, b Seq[T], f func(c *call, p, q plan[T], pairs plan[Pair[T, T]]) R) R {
	c := begin(both(a.set, b.set))
	r := run(c, func() R {
		p, q := indexed(c, a.plan(c)), indexed(c, b.plan(c))
		return f(c, p, q, Zip(ready(p), ready(q)).plan(c))
	})
	c.mustNot()
	return r
}
