package iter

import (
	"math"
	"sync"
	"sync/atomic"

	"github.com/forkjoin-go/forkjoin"
)

// Searches end when nothing that is left could change their result. How soon
// that is depends on where they look first, so they do not just split the
// positions in halves:
//
//   - FindFirst looks at a short prefix, then at the next part twice as long,
//     and so on, each with all workers. It looks at no more than about three
//     times the positions up to the match.
//   - FindLast does the same from the end.
//   - FindAny looks at the beginnings of 16 parts, then further on in all of
//     them, so that it meets what is common somewhere soon.
//
// No position is read twice.

const (
	searchFirst = 1024 // positions to look at first
	searchParts = 16
)

// found is the best match so far.
type found[T any] struct {
	at    atomic.Int64 // where the batch begins that it is in; see first and last
	mu    sync.Mutex
	ok    bool
	elem  T
	index int // in its batch
}

// note keeps a match in the batch at position at, if it is better than the one
// before. Batches do not overlap, so positions tell which is better.
func (f *found[T]) note(at int, better func(a, b int64) bool, v T, index int) {
	f.mu.Lock()
	if !f.ok || better(int64(at), f.at.Load()) {
		f.ok, f.elem, f.index = true, v, index
		f.at.Store(int64(at))
	}
	f.mu.Unlock()
}

func less(a, b int64) bool    { return a < b }
func greater(a, b int64) bool { return a > b }

// first finds the first element that match holds for.
func first[T any](c *call, p *plan[T], match func(T) bool) *found[T] {
	f := new(found[T])
	f.at.Store(math.MaxInt64)
	body := func(h *hand[T, none], lo, hi int) {
		h.each(c, lo, hi, func(at int, batch []T) bool {
			if int64(at) > f.at.Load() {
				return false
			}
			for i := range batch {
				if match(batch[i]) {
					f.note(at, less, batch[i], i)
					return false
				}
			}
			return true
		})
	}
	w := newCrew[T, none](c, p)
	in := func(s supply, most func(at int) int) {
		for at := 0; !f.ok; {
			lo, hi := s.next(&w.window, most(at))
			if lo == hi {
				return
			}
			w.sweep(lo, hi, func(h *hand[T, none], a, b int) {
				if int64(a) < f.at.Load() {
					body(h, a, b)
				}
			})
			at = hi
		}
	}
	if p.feed != nil {
		feeding(c, p, func(s supply) { in(s, func(int) int { return feedMost }) })
	} else {
		in(&positions{n: p.n}, func(at int) int { return max(searchFirst, 2*min(at, maxInt/2)) })
	}
	return f
}

// last finds the last element that match holds for.
func last[T any](c *call, p *plan[T], match func(T) bool) *found[T] {
	f := new(found[T])
	f.at.Store(-1)
	w := newCrew[T, none](c, p)
	for done := 0; done < p.n && !f.ok && !c.over(); {
		size := min(max(searchFirst, 2*min(done, maxInt/2)), p.n-done)
		// The worker that begins at 0 begins at the end of the positions.
		w.sweep(0, size, func(h *hand[T, none], a, b int) {
			lo, hi := p.n-done-b, p.n-done-a
			h.start(hi - lo)
			for hi > lo && int64(hi) > f.at.Load() && !c.over() {
				m := hi - min(h.step, hi-lo)
				batch := h.read(m, hi, h.buf.of(hi-m))
				for i := len(batch) - 1; i >= 0; i-- {
					if match(batch[i]) {
						f.note(m, greater, batch[i], i)
						return
					}
				}
				h.done(hi - m)
				hi = m
			}
		})
		done += size
	}
	return f
}

// anyone finds any element that match holds for.
func anyone[T any](c *call, p *plan[T], match func(T) bool) *found[T] {
	if p.feed != nil || p.n <= searchFirst {
		return first(c, p, match)
	}
	f := new(found[T])
	var hit atomic.Bool
	w := newCrew[T, none](c, p)
	look := func(h *hand[T, none], lo, hi int) {
		h.each(c, lo, hi, func(at int, batch []T) bool {
			for i := range batch {
				if hit.Load() {
					return false
				}
				if match(batch[i]) {
					hit.Store(true)
					f.note(at, less, batch[i], i)
					return false
				}
			}
			return true
		})
	}
	part, extra := p.n/searchParts, p.n%searchParts
	bound := func(i int) int { return i*part + min(i, extra) }
	for done, size := 0, 1; done <= part && !hit.Load() && !c.over(); done, size = done+size, min(2*size, maxInt/4) {
		if done+size > part {
			size = part + 1 - done // the first parts are longer by one
		}
		forkjoin.ParallelFor(searchParts, func(i int) {
			lo := bound(i) + done
			hi := min(lo+size, bound(i+1))
			if lo >= hi || hit.Load() || c.over() {
				return
			}
			h := w.hire(lo)
			look(h, lo, hi)
			w.rest(h, hi)
		}, w.options[2], w.options[3])
	}
	return f
}

// FindFirst returns the first element for which match holds, and whether there
// is one. It panics if match is nil.
//
// Positions far behind that element are not looked at: about as many as before
// it, with all workers at the same time.
func FindFirst[T any](s Seq[T], match func(T) bool) (v T, ok bool) {
	need("FindFirst", "match", match == nil)
	return find(s, match, first)
}

// FindLast returns the last element for which match holds, and whether there is
// one. It looks from the end on, as [FindFirst] does from the beginning; a
// sequential source is collected first. It panics if match is nil.
func FindLast[T any](s Seq[T], match func(T) bool) (v T, ok bool) {
	need("FindLast", "match", match == nil)
	return find(s, match, func(c *call, p *plan[T], match func(T) bool) *found[T] {
		all := finite(c, *p)
		return last(c, &all, match)
	})
}

// FindAny returns an element for which match holds, not always the same one, and
// whether there is one. It looks everywhere at the same time, so that it soon
// meets what is common in any part of the sequence. It panics if match is nil.
func FindAny[T any](s Seq[T], match func(T) bool) (v T, ok bool) {
	need("FindAny", "match", match == nil)
	return find(s, match, anyone)
}

func find[T any](s Seq[T], match func(T) bool, how func(c *call, p *plan[T], match func(T) bool) *found[T]) (v T, ok bool) {
	f := consume(s, match, func(c *call, p *plan[T]) *found[T] { return how(c, p, match) })
	return f.elem, f.ok
}

// Any reports whether match holds for any element. It ends as soon as it does;
// see [FindAny]. It panics if match is nil.
func Any[T any](s Seq[T], match func(T) bool) bool {
	need("Any", "match", match == nil)
	_, ok := find(s, match, anyone)
	return ok
}

// All reports whether match holds for all elements. It ends as soon as it does
// not for one; see [FindAny]. It panics if match is nil.
func All[T any](s Seq[T], match func(T) bool) bool {
	need("All", "match", match == nil)
	_, ok := find(s, func(v T) bool { return !match(v) }, anyone)
	return !ok
}

// None reports whether match holds for no element. It ends as soon as it does
// for one; see [FindAny]. It panics if match is nil.
func None[T any](s Seq[T], match func(T) bool) bool {
	need("None", "match", match == nil)
	_, ok := find(s, match, anyone)
	return !ok
}

// Contains reports whether v is among the elements. It ends as soon as it is
// found; see [FindAny].
func Contains[T comparable](s Seq[T], v T) bool {
	_, ok := find(s, func(w T) bool { return v == w }, anyone)
	return ok
}

// Position returns the number of the first element for which match holds,
// counted from 0, or -1 if there is none. It looks from the beginning on, as
// [FindFirst] does. It panics if match is nil.
func Position[T any](s Seq[T], match func(T) bool) int {
	need("Position", "match", match == nil)
	return consume(s, match, func(c *call, p *plan[T]) int {
		if p.exact {
			f := first(c, p, match)
			if !f.ok {
				return -1
			}
			return int(f.at.Load()) + f.index
		}
		n := 0
		q := then(*p, match, func() func([]T, []bool) {
			return func(in []T, dst []bool) {
				for i, v := range in {
					dst[i] = match(v)
				}
			}
		})
		seen := false
		inTurn(c, &q, func(block []bool, _ int) bool {
			for _, yes := range block {
				if yes {
					seen = true
					return false
				}
				n++
			}
			return true
		})
		if !seen {
			return -1
		}
		return n
	})
}
