package iter

import "github.com/forkjoin-go/forkjoin"

// ForEach calls f for each element, perhaps several at the same time, in no
// particular order. It is [forkjoin.ParallelFor] over a sequence: costs, panics
// and synchronization are the same. It panics if f is nil.
func (s Seq[T]) ForEach(f func(T)) {
	need("Seq.ForEach", "f", f == nil)
	consume(s, f, func(c *call, p *plan[T]) none {
		sweep(c, p, func(h *hand[T, none], lo, hi int) {
			h.each(c, lo, hi, func(_ int, batch []T) bool {
				for i := range batch {
					f(batch[i])
				}
				return true
			})
		})
		return none{}
	})
}

// ForEachErr calls f for each element, perhaps several at the same time, until
// one call returns an error, and returns the first error, or the cause of the
// context given to [Seq.WithContext] if that ended it or is done before, also if there
// are no elements. Calls that have not begun
// then are skipped. It panics if f is nil.
func (s Seq[T]) ForEachErr(f func(T) error) error {
	need("Seq.ForEachErr", "f", f == nil)
	_, err := consumeErr(s, f, func(c *call, p *plan[T]) none {
		sweep(c, p, func(h *hand[T, none], lo, hi int) {
			h.each(c, lo, hi, func(_ int, batch []T) bool {
				for i := range batch {
					if i > 0 && c.over() {
						return false
					}
					if err := f(batch[i]); err != nil {
						c.fail(err)
						return false
					}
				}
				return true
			})
		})
		return none{}
	})
	return err
}

// Count returns the number of elements, all of which are computed if that runs
// any function.
func Count[T any](s Seq[T]) int {
	return consume(s, nil, func(c *call, p *plan[T]) int {
		if p.exact && p.plain && p.feed == nil {
			return p.n
		}
		hands := sweep(c, p, func(h *hand[T, int], lo, hi int) {
			h.each(c, lo, hi, func(_ int, batch []T) bool {
				h.acc += len(batch)
				return true
			})
		})
		n := 0
		for _, h := range hands {
			n += h.acc
		}
		return n
	})
}

// ranged calls body for ranges that make up [0, n), at once where that pays.
// body runs no function of the user's.
func ranged(n int, body func(lo, hi int)) {
	if n < plainLeaf {
		body(0, n)
		return
	}
	forkjoin.ParallelForRange(0, n, body)
}
