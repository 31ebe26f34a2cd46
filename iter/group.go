package iter

import (
	"cmp"
	"slices"
)

// GroupBy returns the elements for each key, in order. It panics if key is nil.
//
// Each goroutine that takes part groups in a table of its own. These are joined,
// by all of them, at the end, and one puts the groups into the map. Of keys that
// are equal and yet differ, as 0 and -0 do, any may be the map's.
func GroupBy[T any, K comparable](s Seq[T], key func(T) K) map[K][]T {
	need("GroupBy", "key", key == nil)
	return consume(s, key, func(c *call, p *plan[T]) map[K][]T {
		hands := sweep(c, p, func(h *hand[T, groups[K, T]], lo, hi int) {
			if h.end != lo {
				h.acc.turn++
			}
			h.each(c, lo, hi, func(at int, batch []T) bool {
				for _, v := range batch {
					h.acc.of.at(key(v)).value.add(v, at, h.acc.turn)
				}
				return true
			})
		})
		tables := make([]*table[K, runs[T]], len(hands))
		for i, h := range hands {
			tables[i] = &h.acc.of
		}
		m := filling[K, runs[T], []T]{
			add:    func(to, from *entry[K, runs[T]]) { to.value.join(&from.value) },
			finish: func(e *entry[K, runs[T]]) { e.value.sort() },
			put:    func(m map[K][]T, e *entry[K, runs[T]]) { m[e.key] = e.value.elems },
		}
		m.merge(tables, settled)
		return m.m
	})
}

// groups are the elements that one hand has grouped.
type groups[K comparable, T any] struct {
	of   table[K, runs[T]]
	turn int // of going on somewhere else
}

// runs are elements with equal keys, in runs that are in order each.
type runs[T any] struct {
	elems  []T
	starts []runStart
}

// A runStart is where a run begins: the position of its first element, its index
// in elems, and the turn in which its hand read it.
type runStart struct{ at, index, turn int }

func (r *runs[T]) add(v T, at, turn int) {
	if n := len(r.starts); n == 0 || r.starts[n-1].turn != turn {
		r.starts = append(r.starts, runStart{at, len(r.elems), turn})
	}
	r.elems = append(r.elems, v)
}

// join adds the runs of another hand, after which no elements can be added.
func (r *runs[T]) join(s *runs[T]) {
	for _, start := range s.starts {
		start.index += len(r.elems)
		r.starts = append(r.starts, start)
	}
	r.elems = append(r.elems, s.elems...)
}

// sort puts the runs in order.
func (r *runs[T]) sort() {
	byPosition := func(a, b runStart) int { return cmp.Compare(a.at, b.at) }
	if slices.IsSortedFunc(r.starts, byPosition) {
		return
	}
	pieces := make([]piece[T], len(r.starts))
	end := len(r.elems)
	for i, s := range slices.Backward(r.starts) {
		pieces[i] = piece[T]{s.at, r.elems[s.index:end]}
		end = s.index
	}
	slices.SortFunc(pieces, func(a, b piece[T]) int { return cmp.Compare(a.at, b.at) })
	sorted := make([]T, 0, len(r.elems))
	for _, p := range pieces {
		sorted = append(sorted, p.elems...)
	}
	r.elems = sorted
}
