package iter

import (
	"cmp"
	"slices"

	"github.com/forkjoin-go/forkjoin"
)

// CountBy returns how many elements there are for each key: a histogram. It
// panics if key is nil.
//
// Each goroutine that takes part counts in a map of its own, and these are added
// up at the end.
func CountBy[T any, K comparable](s Seq[T], key func(T) K) map[K]int {
	need("CountBy", "key", key == nil)
	return consume(s, func(c *call, p *plan[T]) map[K]int {
		hands := sweep(c, p, func(h *hand[T, map[K]int], lo, hi int) {
			if h.acc == nil {
				h.acc = make(map[K]int)
			}
			counts := h.acc
			h.each(c, lo, hi, func(_ int, batch []T) bool {
				for i := range batch {
					counts[key(batch[i])]++
				}
				return true
			})
		})
		return totals(hands)
	})
}

// totals adds the counts of all hands to the largest map of them.
func totals[T any, K comparable](hands []*hand[T, map[K]int]) map[K]int {
	if len(hands) == 0 {
		return make(map[K]int)
	}
	// The largest comes first.
	slices.SortFunc(hands, func(a, b *hand[T, map[K]int]) int { return cmp.Compare(len(b.acc), len(a.acc)) })
	all := hands[0].acc
	for _, h := range hands[1:] {
		for k, n := range h.acc {
			all[k] += n
		}
	}
	return all
}

// GroupBy returns the elements for each key, in order. It panics if key is nil.
//
// Each goroutine that takes part groups in a map of its own, and these are joined
// at the end.
func GroupBy[T any, K comparable](s Seq[T], key func(T) K) map[K][]T {
	need("GroupBy", "key", key == nil)
	return consume(s, func(c *call, p *plan[T]) map[K][]T {
		hands := sweep(c, p, func(h *hand[T, groups[K, T]], lo, hi int) {
			if h.acc.of == nil {
				h.acc.of = make(map[K]*runs[T])
			}
			if h.end != lo {
				h.acc.turn++
			}
			h.each(c, lo, hi, func(at int, batch []T) bool {
				for _, v := range batch {
					h.acc.add(key(v), at, v)
				}
				return true
			})
		})
		return joined(accs(hands))
	})
}

// groups are the elements that one hand has grouped.
type groups[K comparable, T any] struct {
	of   map[K]*runs[T]
	turn int // of going on somewhere else
}

// runs are elements with equal keys, in runs that are in order each.
type runs[T any] struct {
	elems  []T
	starts []runStart
}

type runStart struct{ at, index, turn int }

func (g *groups[K, T]) add(k K, at int, v T) {
	r := g.of[k]
	if r == nil {
		r = new(runs[T])
		g.of[k] = r
	}
	if n := len(r.starts); n == 0 || r.starts[n-1].turn != g.turn {
		r.starts = append(r.starts, runStart{at, len(r.elems), g.turn})
	}
	r.elems = append(r.elems, v)
}

// joined joins the groups of all hands.
func joined[K comparable, T any](hands []*groups[K, T]) map[K][]T {
	type group struct {
		of    []*runs[T]
		elems []T
	}
	byKey := make(map[K]*group)
	var list []*group
	for _, h := range hands {
		for k, r := range h.of {
			g := byKey[k]
			if g == nil {
				g = new(group)
				byKey[k] = g
				list = append(list, g)
			}
			g.of = append(g.of, r)
		}
	}
	forkjoin.ParallelFor(len(list), func(i int) { list[i].elems = inTurn(list[i].of) })
	all := make(map[K][]T, len(byKey))
	for k, g := range byKey {
		all[k] = g.elems
	}
	return all
}

// inTurn returns the elements of all runs in order.
func inTurn[T any](all []*runs[T]) []T {
	if len(all) == 1 && len(all[0].starts) == 1 {
		return all[0].elems
	}
	var pieces []piece[T]
	n := 0
	for _, r := range all {
		for i, s := range r.starts {
			end := len(r.elems)
			if i+1 < len(r.starts) {
				end = r.starts[i+1].index
			}
			pieces = append(pieces, piece[T]{s.at, r.elems[s.index:end]})
		}
		n += len(r.elems)
	}
	slices.SortFunc(pieces, func(a, b piece[T]) int { return cmp.Compare(a.at, b.at) })
	out := make([]T, 0, n)
	for _, p := range pieces {
		out = append(out, p.elems...)
	}
	return out
}
