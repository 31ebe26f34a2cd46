package iter

import "github.com/forkjoin-go/forkjoin/internal/callsite"

// A Pair is two values that belong together.
type Pair[A, B any] struct {
	First  A
	Second B
}

// Zip returns pairs of the first elements of a and b, the second ones, and so
// on, as many as the shorter one has.
//
// To pair elements, their numbers must be known. Those after [Filter], [FlatMap]
// and other adaptors that leave elements out or add some are not known before
// all have been computed; such a sequence is collected first. So is b, if both
// come from a sequential source.
func Zip[A, B any](a Seq[A], b Seq[B]) Seq[Pair[A, B]] {
	return Seq[Pair[A, B]]{late[Pair[A, B]](func(c *call) plan[Pair[A, B]] {
		p, q := numbered(c, a.plan(c)), numbered(c, b.plan(c))
		if p.feed != nil && q.feed != nil {
			q = collected(c, q)
		}
		z := plan[Pair[A, B]]{n: min(p.n, q.n), exact: true, plain: p.plain && q.plain, batch: min(p.batch, q.batch, batchOf[Pair[A, B]]()), site: callsite.Mix(callsite.Mix(1, p.site), q.site)}
		if p.feed != nil {
			z.feed, z.drop = p.feed, p.drop
		} else {
			z.feed, z.drop = q.feed, q.drop
		}
		z.open = func(w *window) reader[Pair[A, B]] {
			readA, readB := p.open(w), q.open(w)
			bufA, bufB := scratch[A]{views: p.views}, scratch[B]{views: q.views}
			return func(lo, hi int, dst []Pair[A, B]) []Pair[A, B] {
				as, bs := readA(lo, hi, bufA.of(hi-lo)), readB(lo, hi, bufB.of(hi-lo))
				dst = stretch(dst, hi-lo)
				for i := range dst {
					dst[i] = Pair[A, B]{as[i], bs[i]}
				}
				return dst
			}
		}
		return z
	}), both(a.set, b.set)}
}

// Enumerate returns the elements with their numbers, from 0 on. A sequence whose
// elements' numbers are not known is collected first; see [Zip].
func Enumerate[T any](s Seq[T]) Seq[Pair[int, T]] {
	return Zip(Seq[int]{src: naturals}, s)
}

// naturals are the numbers from 0 on.
var naturals = Range(0, maxInt).src

// ZipLongest is [Zip] with as many pairs as the longer sequence has elements:
// padA and padB stand for what the shorter one lacks. Sequences from a
// sequential source are collected first, too.
func ZipLongest[A, B any](a Seq[A], b Seq[B], padA A, padB B) Seq[Pair[A, B]] {
	return Seq[Pair[A, B]]{late[Pair[A, B]](func(c *call) plan[Pair[A, B]] {
		p, q := indexed(c, a.plan(c)), indexed(c, b.plan(c))
		n := max(p.n, q.n)
		return Zip(padded(p, padA, n), padded(q, padB, n)).plan(c)
	}), both(a.set, b.set)}
}

// padded returns p with as many pads as it takes to have n elements.
func padded[T any](p plan[T], pad T, n int) Seq[T] {
	return Chain(ready(p), Repeat(pad, n-p.n))
}

// ready returns a sequence whose plan is p.
func ready[T any](p plan[T]) Seq[T] {
	return Seq[T]{src: late[T](func(*call) plan[T] { return p })}
}

// numbered returns p if there is one element at each position, else a plan for
// which that is so.
func numbered[T any](c *call, p plan[T]) plan[T] {
	if p.exact {
		return p
	}
	return collected(c, p)
}

// indexed is numbered for adaptors that need all positions to be at hand.
func indexed[T any](c *call, p plan[T]) plan[T] {
	if p.exact && p.feed == nil {
		return p
	}
	return collected(c, p)
}

// finite returns p, or, if it has a feed, a plan without one.
func finite[T any](c *call, p plan[T]) plan[T] {
	if p.feed == nil {
		return p
	}
	return collected(c, p)
}

// collected returns a plan of the elements of p, which are computed now.
func collected[T any](c *call, p plan[T]) plan[T] {
	return slice[T](collect(c, &p, nil)).plan(c)
}
