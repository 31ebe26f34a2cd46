package iter

import "sync/atomic"

// Take returns the first n elements, or all if there are fewer. It panics if n
// is negative.
//
// Where the numbers of the elements are not known (see [Zip]), they are computed
// from the first on until there are n.
func Take[T any](s Seq[T], n int) Seq[T] {
	if n < 0 {
		bad("Take: n is %d, want >= 0", n)
	}
	return Seq[T]{late[T](func(c *call) plan[T] {
		p := s.plan(c)
		if p.exact {
			p.n = min(p.n, n)
			return p
		}
		var first slice[T]
		if n > 0 {
			inTurn(c, &p, func(block []T, _ int) bool {
				first = append(first, block[:min(len(block), n-len(first))]...)
				return len(first) < n
			})
		}
		return first.plan(c)
	}), s.set}
}

// Skip returns all elements but the first n. It panics if n is negative.
//
// Where the numbers of the elements are known (see [Zip]), those that are skipped
// are not computed.
func Skip[T any](s Seq[T], n int) Seq[T] {
	if n < 0 {
		bad("Skip: n is %d, want >= 0", n)
	}
	if n == 0 {
		return s
	}
	return Seq[T]{late[T](func(c *call) plan[T] {
		p := s.plan(c)
		if p.exact {
			return shifted(p, n)
		}
		left := n
		return skipping(c, p, func(block []T) int {
			k := min(left, len(block))
			left -= k
			return k
		}, func() bool { return left == 0 })
	}), s.set}
}

// shifted returns p without its first n positions.
func shifted[T any](p plan[T], n int) plan[T] {
	n = min(n, p.n)
	open := p.open
	p.n -= n
	p.sparse = min(p.sparse, p.n)
	if p.feed != nil {
		p.drop += n
	}
	p.open = func(w *window) reader[T] {
		read := open(w)
		return func(lo, hi int, dst []T) []T { return read(lo+n, hi+n, dst) }
	}
	return p
}

// skipping returns a plan of p without elements at its beginning. skip returns
// how many elements of a block are to be left out; over reports whether that was
// all.
func skipping[T any](c *call, p plan[T], skip func(block []T) int, over func() bool) plan[T] {
	var rest slice[T] // of the last block that was read
	at := 0
	inTurn(c, &p, func(block []T, end int) bool {
		rest, at = append(rest, block[skip(block):]...), end
		// The rest of a sequential source cannot be read later.
		return !over() || p.feed != nil
	})
	if p.feed != nil {
		return rest.plan(c)
	}
	return chained(rest.plan(c), shifted(p, at))
}

// TakeWhile returns the elements before the first one for which keep does not
// hold. Elements are computed from the first on, in parallel, until that is
// found; some behind it may be computed, too. It panics if keep is nil.
func TakeWhile[T any](s Seq[T], keep func(T) bool) Seq[T] {
	need("TakeWhile", "keep", keep == nil)
	return Seq[T]{late[T](func(c *call) plan[T] {
		p := Map(s, func(v T) verdict[T] { return verdict[T]{v, keep(v)} }).plan(c)
		var first slice[T]
		inTurn(c, &p, func(block []verdict[T], _ int) bool {
			for _, v := range block {
				if !v.holds {
					return false
				}
				first = append(first, v.of)
			}
			return true
		})
		return first.plan(c)
	}), s.set}
}

// SkipWhile returns the elements from the first one on for which skip does not
// hold. Elements are computed from the first on, in parallel, until that is
// found, and the rest when it is needed; that of a sequential source is collected.
// skip may be called for elements behind the first for which it does not hold.
// SkipWhile panics if skip is nil.
func SkipWhile[T any](s Seq[T], skip func(T) bool) Seq[T] {
	need("SkipWhile", "skip", skip == nil)
	return Seq[T]{late[T](func(c *call) plan[T] {
		var done atomic.Bool
		p := Map(s, func(v T) verdict[T] { return verdict[T]{v, !done.Load() && skip(v)} }).plan(c)
		q := skipping(c, p, func(block []verdict[T]) int {
			if done.Load() {
				return 0
			}
			for i, v := range block {
				if !v.holds {
					done.Store(true)
					return i
				}
			}
			return len(block)
		}, done.Load)
		return then(q, nil, func() func([]verdict[T], []T) {
			return func(in []verdict[T], dst []T) {
				for i, v := range in {
					dst[i] = v.of
				}
			}
		})
	}), s.set}
}

// A verdict is an element and whether something holds for it.
type verdict[T any] struct {
	of    T
	holds bool
}

// StepBy returns every n-th element, beginning with the first. Those between are
// not computed, where the numbers of the elements are known (see [Zip]) and the
// source is not sequential; else all are, first. It panics if n < 1.
func StepBy[T any](s Seq[T], n int) Seq[T] {
	if n < 1 {
		bad("StepBy: n is %d, want >= 1", n)
	}
	if n == 1 {
		return s
	}
	return Seq[T]{late[T](func(c *call) plan[T] {
		p := indexed(c, s.plan(c))
		q := p
		q.n, q.views = p.n/n, false
		if p.n%n > 0 {
			q.n++
		}
		q.open = func(w *window) reader[T] {
			read, buf := p.open(w), scratch[T]{views: p.views}
			return func(lo, hi int, dst []T) []T {
				dst = stretch(dst, hi-lo)
				for i := range dst {
					at := (lo + i) * n
					dst[i] = read(at, at+1, buf.of(1))[0]
				}
				return dst
			}
		}
		return q
	}), s.set}
}

// Rev returns the elements in reverse order. Those of a sequential source are
// collected first.
func Rev[T any](s Seq[T]) Seq[T] {
	return Seq[T]{late[T](func(c *call) plan[T] {
		p := finite(c, s.plan(c))
		q := p
		q.views = false
		q.open = func(w *window) reader[T] {
			read, buf := p.open(w), scratch[T]{views: p.views}
			var own []T
			return func(lo, hi int, dst []T) []T {
				in := read(p.n-hi, p.n-lo, buf.of(hi-lo))
				if cap(dst) < len(in) {
					own = stretch(own, len(in))
					dst = own
				}
				dst = dst[:len(in)]
				for i, v := range in {
					dst[len(in)-1-i] = v
				}
				return dst
			}
		}
		return q
	}), s.set}
}
