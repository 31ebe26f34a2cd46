package iter

import (
	"unsafe"

	"github.com/forkjoin-go/forkjoin/internal/fresh"
)

// Collect returns all elements, in order.
//
// Where their numbers are known (see [Zip]), the workers write each element
// straight to its place; else elements are copied once more. Collect panics if it
// is known that there are more than a slice can have.
func (s Seq[T]) Collect() []T { return s.AppendTo(nil) }

// AppendTo appends all elements to dst, in order, and returns the extended
// slice, as append does. It panics, as [Seq.Collect] does, if there are more
// elements than a slice can have.
func (s Seq[T]) AppendTo(dst []T) []T {
	return consume(s, nil, func(c *call, p *plan[T]) []T { return collect(c, p, dst) })
}

// CollectInto writes the elements to the beginning of dst, in order, and returns
// their number. It panics if there are more than dst has room for; dst may then
// have been written to.
func (s Seq[T]) CollectInto(dst []T) int {
	return consume(s, nil, func(c *call, p *plan[T]) int {
		if p.exact && p.feed == nil {
			if p.n > len(dst) {
				bad("Seq.CollectInto: len(dst) is %d, want >= %d, the number of elements", len(dst), p.n)
			}
			return len(collect(c, p, dst[:0]))
		}
		all := collect(c, p, nil)
		if len(all) > len(dst) {
			bad("Seq.CollectInto: len(dst) is %d, want >= %d, the number of elements", len(dst), len(all))
		}
		return copy(dst, all)
	})
}

// collect appends all elements of p to dst.
func collect[T any](c *call, p *plan[T], dst []T) []T {
	if p.exact && p.feed == nil {
		w := newCrew[T, none](c, p)
		return w.collect(0, p.n, dst)
	}
	hands := sweep(c, p, func(h *hand[T, pieces[T]], lo, hi int) { gather(c, h, lo, hi) })
	return join(dst, accs(hands)...)
}

// collect appends the elements at positions [lo, hi) of an exact plan to dst.
func (w *crew[T, A]) collect(lo, hi int, dst []T) []T {
	from := len(dst)
	if hi-lo > maxInt-from {
		bad("Seq.AppendTo: len(dst) is %d and the sequence has %d elements, want no more than %d together", from, hi-lo, maxInt)
	}
	dst = growTo(dst, from+hi-lo)
	out := dst[from:]
	w.sweep(lo, hi, func(h *hand[T, A], a, b int) {
		h.start(b - a)
		for a < b && !w.c.over() {
			m := h.next(a, b)
			part := out[a-lo : m-lo : m-lo]
			place(part, h.read(a, m, part[:0]))
			h.done(m - a)
			a = m
		}
	})
	return dst
}

// growTo returns dst with n elements, of which the new ones are not cleared. What
// is appended to again and again grows by more than it needs, as with append.
func growTo[T any](dst []T, n int) []T {
	if cap(dst) >= n {
		return dst[:n]
	}
	room := n
	if len(dst) > 0 {
		room = max(n, min(cap(dst), maxInt/2)/2*3)
	}
	grown := fitting[T](room)
	copy(grown, dst)
	clear(grown[n:]) // as the room behind what append returns is
	return grown[:n]
}

// fitting is fresh.Slice, where the number of elements is the user's.
func fitting[T any](n int) []T {
	var v T
	size := int(max(unsafe.Sizeof(v), 1))
	if n < 1<<30/size {
		return fresh.Slice[T](n)
	}
	fits := false
	defer func() {
		if !fits {
			recover() // make's, which knows how much is too much here
			bad("Seq.Collect: the sequence has %d elements of %d bytes, more than a slice can have", n, unsafe.Sizeof(v))
		}
	}()
	if unsafe.Sizeof(v) > 0 && n > maxInt/size {
		return nil
	}
	elems := fresh.Slice[T](n)
	fits = true
	return elems
}

// gather has h collect the elements at positions [lo, hi).
func gather[T any](c *call, h *hand[T, pieces[T]], lo, hi int) {
	if h.end != lo {
		h.acc.cut()
	}
	h.start(hi - lo)
	for lo < hi && !c.over() {
		m := h.next(lo, hi)
		h.acc.put(lo, h.read(lo, m, h.acc.room()))
		h.done(m - lo)
		lo = m
	}
}

// accs returns what the hands have gathered.
func accs[T, A any](hands []*hand[T, A]) []*A {
	all := make([]*A, len(hands))
	for i, h := range hands {
		all[i] = &h.acc
	}
	return all
}

// CollectMap returns a map of the pairs. Of those with equal keys the last one
// counts. The pairs are computed by all workers and put into the map by one.
func CollectMap[K comparable, V any](s Seq[Pair[K, V]]) map[K]V {
	pairs := s.Collect()
	m := make(map[K]V)
	for _, p := range pairs {
		m[p.First] = p.Second
	}
	return m
}

// Partition returns the elements for which yes holds and the others, both in
// order. It panics if yes is nil.
func Partition[T any](s Seq[T], yes func(T) bool) (holds, not []T) {
	need("Partition", "yes", yes == nil)
	type two struct{ holds, not pieces[T] }
	consume(s, yes, func(c *call, p *plan[T]) none {
		hands := sweep(c, p, func(h *hand[T, two], lo, hi int) {
			if h.end != lo {
				h.acc.holds.cut()
				h.acc.not.cut()
			}
			h.each(c, lo, hi, func(at int, batch []T) bool {
				for i := range batch {
					if yes(batch[i]) {
						h.acc.holds.put(at, batch[i:i+1])
					} else {
						h.acc.not.put(at, batch[i:i+1])
					}
				}
				return true
			})
		})
		var ys, ns []*pieces[T]
		for _, h := range hands {
			ys, ns = append(ys, &h.acc.holds), append(ns, &h.acc.not)
		}
		holds, not = join(nil, ys...), join(nil, ns...)
		return none{}
	})
	return holds, not
}

// Unzip returns the first and the second values of the pairs, both in order.
func Unzip[A, B any](s Seq[Pair[A, B]]) ([]A, []B) {
	pairs := s.Collect()
	as, bs := fresh.Slice[A](len(pairs)), fresh.Slice[B](len(pairs))
	ranged(len(pairs), func(lo, hi int) {
		for i, p := range pairs[lo:hi] {
			as[lo+i], bs[lo+i] = p.First, p.Second
		}
	})
	return as, bs
}
