package iter

import "github.com/forkjoin-go/forkjoin/internal/callsite"

// Chain returns the elements of the sequences one after the other. Those of
// sequential sources are collected first.
func Chain[T any](seqs ...Seq[T]) Seq[T] {
	seqs = append([]Seq[T](nil), seqs...)
	var set *settings
	for _, s := range seqs {
		set = both(set, s.set)
	}
	return Seq[T]{late[T](func(c *call) plan[T] {
		plans := make([]plan[T], len(seqs))
		for i, s := range seqs {
			plans[i] = finite(c, s.plan(c))
		}
		return chain(plans)
	}), set}
}

// chain returns the elements of all plans. It puts them together in pairs, so that
// a reader goes through few levels to where its elements come from.
func chain[T any](plans []plan[T]) plan[T] {
	switch len(plans) {
	case 0:
		return empty[T]()
	case 1:
		return plans[0]
	}
	mid := len(plans) / 2
	return chained(chain(plans[:mid]), chain(plans[mid:]))
}

// chained returns the elements of p and then those of q.
func chained[T any](p, q plan[T]) plan[T] {
	switch {
	case p.n == 0:
		return q
	case q.n == 0:
		return p
	case p.n > maxInt-q.n:
		bad("Chain: sequences have %d and %d elements, want no more than %d together", p.n, q.n, maxInt)
	}
	z := plan[T]{n: p.n + q.n, exact: p.exact && q.exact, plain: p.plain && q.plain, sparse: p.sparse + q.sparse, batch: min(p.batch, q.batch), site: callsite.Mix(callsite.Mix(2, p.site), q.site)}
	z.open = func(w *window) reader[T] {
		readP, readQ := p.open(w), q.open(w)
		var own roomy[T]
		return func(lo, hi int, dst []T) []T {
			switch {
			case hi <= p.n:
				return readP(lo, hi, dst)
			case lo >= p.n:
				return readQ(lo-p.n, hi-p.n, dst)
			}
			dst = append(own.room(dst), readP(lo, p.n, nil)...)
			return own.keep(append(dst, readQ(0, hi-p.n, nil)...))
		}
	}
	return z
}

// Interleave returns the elements of a and b by turns, beginning with a, and
// then the rest of the longer one. A sequence whose elements' numbers are not
// known (see [Zip]), or that comes from a sequential source, is collected first.
func Interleave[T any](a, b Seq[T]) Seq[T] {
	return Seq[T]{late[T](func(c *call) plan[T] {
		p, q := indexed(c, a.plan(c)), indexed(c, b.plan(c))
		if p.n > maxInt-q.n {
			bad("Interleave: the sequences have %d and %d elements, want no more than %d together", p.n, q.n, maxInt)
		}
		n := min(p.n, q.n)
		rest := p
		if q.n > p.n {
			rest = q
		}
		turns := Seq[T]{src: late[T](func(*call) plan[T] { return alternating(p, q, 2*n) })}
		return chained(turns.plan(c), shifted(rest, n))
	}), both(a.set, b.set)}
}

// alternating returns the first n elements of p and q by turns.
func alternating[T any](p, q plan[T], n int) plan[T] {
	z := plan[T]{n: n, exact: true, plain: p.plain && q.plain, batch: min(p.batch, q.batch), site: callsite.Mix(callsite.Mix(2, p.site), q.site)}
	z.open = func(w *window) reader[T] {
		readP, readQ := p.open(w), q.open(w)
		bufP, bufQ := scratch[T]{views: p.views}, scratch[T]{views: q.views}
		return func(lo, hi int, dst []T) []T {
			dst = stretch(dst, hi-lo)
			// Of the positions before i, half are p's, rounded up.
			ps := readP(lo-lo/2, hi-hi/2, bufP.of(hi-lo))
			qs := readQ(lo/2, hi/2, bufQ.of(hi-lo))
			for i, v := range ps {
				dst[2*i+lo%2] = v
			}
			for i, v := range qs {
				dst[2*i+1-lo%2] = v
			}
			return dst
		}
	}
	return z
}

// Intersperse returns the elements of s with sep between each two. A sequence
// whose elements' numbers are not known (see [Zip]), or that comes from a
// sequential source, is collected first.
func Intersperse[T any](s Seq[T], sep T) Seq[T] {
	return Seq[T]{late[T](func(c *call) plan[T] {
		p := indexed(c, s.plan(c))
		if p.n == 0 {
			return p
		}
		if p.n > maxInt/2 {
			bad("Intersperse: the sequence has %d elements, and with separators more than %d", p.n, maxInt)
		}
		return alternating(p, Repeat(sep, p.n).plan(c), 2*p.n-1)
	}), s.set}
}
