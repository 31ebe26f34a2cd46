package iter

import (
	"github.com/forkjoin-go/forkjoin"
)

// The two ways to go through a plan.
//
// sweep is for consumers whose result does not depend on how the positions were
// cut: it splits on demand, as ParallelForRange does, and each goroutine gathers
// in a hand of its own.
//
// fold is for those whose result may depend on it: the leaves and the tree of
// merges depend on the number of positions alone, as with ParallelReduce.

// sweep calls body for ranges that make up all positions of p, at the same time
// for different hands, and returns the hands.
func sweep[T, A any](c *call, p *plan[T], body func(h *hand[T, A], lo, hi int)) []*hand[T, A] {
	w := newCrew[T, A](c, p)
	w.sweepFrom(0, body)
	return w.all
}

// sweepFrom is sweep for the positions from at on. With a feed these are all.
func (w *crew[T, A]) sweepFrom(at int, body func(h *hand[T, A], lo, hi int)) {
	if w.p.feed == nil {
		w.sweep(at, w.p.n, body)
		return
	}
	feeding(w.c, w.p, func(s supply) {
		for {
			lo, hi := s.next(&w.window, feedMost)
			if lo == hi {
				return
			}
			w.sweep(lo, hi, body)
		}
	})
}

// sweep is sweep for a part of the plan.
func (w *crew[T, A]) sweep(lo, hi int, body func(h *hand[T, A], lo, hi int)) {
	if lo == hi {
		return
	}
	forkjoin.ParallelForRange(lo, hi, func(lo, hi int) {
		if w.c.over() {
			return
		}
		h := w.hire(lo)
		body(h, lo, hi)
		w.rest(h, hi)
	}, w.options[:]...)
}

// plainLeaf is how many positions are worth being run apart if no function of
// the user's is run for them.
const plainLeaf = 16384

// Where an accumulator is made for some positions, sparsity of those that are
// sparse count as one.
const sparsity = 64

// leastLeaf returns how many positions are worth an accumulator: as many parts as
// ParallelReduce makes of other positions, in the proportion that they have here.
func (p *plan[T]) leastLeaf() int {
	weight := p.n - p.sparse + p.sparse/sparsity
	parts := max(64, weight/1024)
	return max(1, p.n/parts)
}

// none is what hands gather that gather nothing.
type none = struct{}

// fold returns the merger of what leaf returns for the parts of p, or identity
// if there are no positions. trusted says that leaf and merge run no function of
// the user's.
func fold[T, R any](c *call, p *plan[T], identity R, trusted bool, leaf func(h *hand[T, none], lo, hi int) R, merge func(a, b R) R) R {
	// What is folded in one piece depends on the elements' numbers only.
	whole := func(s supply, w *window) (lo, hi int) {
		return s.nextWhole(w, func(at int) int { return min(max(1, at/2), feedWhole) })
	}
	return foldBy(c, p, whole, identity, trusted, leaf, merge)
}

// foldBy is fold with the pieces of a feed that next returns.
func foldBy[T, R any](c *call, p *plan[T], next func(s supply, w *window) (lo, hi int), identity R, trusted bool, leaf func(h *hand[T, none], lo, hi int) R, merge func(a, b R) R) R {
	w := newCrew[T, none](c, p)
	options := w.options
	both := func(a, b R) R {
		if c.ended.Load() {
			return a // parts that were skipped have no result to merge
		}
		return merge(a, b)
	}
	if trusted && p.plain && !c.limited && p.feed == nil {
		if p.n < 2*plainLeaf {
			return leaf(w.hire(0), 0, p.n)
		}
		options[0] = forkjoin.MinLeaf(plainLeaf)
	} else if p.sparse > 0 && !c.limited {
		options[0] = forkjoin.MinLeaf(p.leastLeaf())
	}
	part := func(lo, hi int) R {
		return forkjoin.ParallelReduce(hi-lo, identity, func(a, b int) (r R) {
			if c.over() {
				return r
			}
			h := w.hire(lo + a)
			r = leaf(h, lo+a, lo+b)
			w.rest(h, lo+b)
			return r
		}, both, options[:]...)
	}
	if p.feed == nil {
		return part(0, p.n)
	}
	result := identity
	feeding(c, p, func(s supply) {
		for first := true; ; first = false {
			lo, hi := next(s, &w.window)
			switch {
			case lo == hi:
				return
			case first:
				result = part(lo, hi)
			default:
				before := result
				result = part(lo, hi)
				forkjoin.ParallelReduce(1, identity, func(int, int) R { // for its treatment of panics
					result = both(before, result)
					return result
				}, both)
			}
		}
	})
	return result
}
