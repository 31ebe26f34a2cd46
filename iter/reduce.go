package iter

import (
	"golang.org/x/exp/constraints"
)

// Reduce combines all elements in pairs, in order, with op, which must be
// associative. With no elements the result is identity, which is not used
// otherwise.
//
// The order in which elements are combined depends on their positions alone (see
// [forkjoin.ParallelReduce]), so the result is the same on any number of
// workers, to the last bit, also for operations that are associative only
// nearly. That holds for all functions of this package that combine elements.
// Reduce panics if op is nil.
func Reduce[T any](s Seq[T], identity T, op func(a, b T) T) T {
	need("Reduce", "op", op == nil)
	return reduced(s, identity, op, func(acc T, batch []T) T {
		for _, v := range batch {
			acc = op(acc, v)
		}
		return acc
	}, op)
}

// An option is a value, or none.
type option[T any] struct {
	v  T
	ok bool
}

// reduced is Reduce with a function that adds some elements at a time. by is the
// user's function, nil if none is run.
func reduced[T any](s Seq[T], identity T, by any, add func(acc T, batch []T) T, op func(a, b T) T) T {
	r := optional(s, by, add, op)
	if !r.ok {
		return identity
	}
	return r.v
}

func optional[T any](s Seq[T], by any, add func(acc T, batch []T) T, op func(a, b T) T) option[T] {
	return consume(s, by, func(c *call, p *plan[T]) option[T] {
		return fold(c, p, option[T]{}, by == nil, func(h *hand[T, none], lo, hi int) (r option[T]) {
			h.each(c, lo, hi, func(_ int, batch []T) bool {
				if !r.ok && len(batch) > 0 {
					r = option[T]{batch[0], true}
					batch = batch[1:]
				}
				r.v = add(r.v, batch)
				return true
			})
			return r
		}, func(a, b option[T]) option[T] {
			switch {
			case !a.ok:
				return b
			case !b.ok:
				return a
			}
			return option[T]{op(a.v, b.v), true}
		})
	})
}

// TryReduce is [Reduce] for an operation that may fail. It returns the first
// error, or the cause of the context given to [Seq.WithContext] if that ended
// it, together with identity. What has not begun then is skipped.
func TryReduce[T any](s Seq[T], identity T, op func(a, b T) (T, error)) (T, error) {
	need("TryReduce", "op", op == nil)
	r, err := consumeErr(s, op, func(c *call, p *plan[T]) option[T] {
		try := func(a, b T) T {
			v, err := op(a, b)
			if err != nil {
				c.fail(err)
			}
			return v
		}
		return fold(c, p, option[T]{}, false, func(h *hand[T, none], lo, hi int) (r option[T]) {
			h.each(c, lo, hi, func(_ int, batch []T) bool {
				for _, v := range batch {
					switch {
					case c.over():
						return false
					case r.ok:
						r.v = try(r.v, v)
					default:
						r = option[T]{v, true}
					}
				}
				return true
			})
			return r
		}, func(a, b option[T]) option[T] {
			switch {
			case !a.ok:
				return b
			case !b.ok:
				return a
			}
			return option[T]{try(a.v, b.v), true}
		})
	})
	if err != nil || !r.ok {
		return identity, err
	}
	return r.v, nil
}

// Fold adds elements, in order, to accumulators, and merges those in pairs, in
// order. init makes an accumulator; merge must be associative, and may change
// its arguments and return one of them, as add may. How elements are divided
// among accumulators depends on their positions alone: about 64 accumulators,
// and more for more than 65,536 positions (in text, whose bytes are the positions
// of its lines and words, four million); see [forkjoin.ParallelReduce]. What
// comes from a sequential source, whose end nobody knows, is folded in segments of
// up to 1,024 elements with up to 64 accumulators each. [Seq.WithMinLeaf] asks for
// less of them. With no positions the result is init().
// Fold panics if a function is nil.
func Fold[T, A any](s Seq[T], init func() A, add func(acc A, v T) A, merge func(a, b A) A) A {
	need("Fold", "init", init == nil)
	need("Fold", "add", add == nil)
	need("Fold", "merge", merge == nil)
	r := consume(s, add, func(c *call, p *plan[T]) option[A] {
		return fold(c, p, option[A]{}, false, func(h *hand[T, none], lo, hi int) option[A] {
			acc := init()
			h.each(c, lo, hi, func(_ int, batch []T) bool {
				a := acc // which is in memory
				for i := range batch {
					a = add(a, batch[i])
				}
				acc = a
				return true
			})
			return option[A]{acc, true}
		}, func(a, b option[A]) option[A] { return option[A]{merge(a.v, b.v), true} })
	})
	if !r.ok {
		return init()
	}
	return r.v
}

// Sum returns the sum of all elements: for floating-point numbers the same on
// any number of workers, though not that of a loop, since four partial sums are
// kept at the same time.
func Sum[T constraints.Integer | constraints.Float](s Seq[T]) T {
	if v, ok := s.src.(slice[T]); ok && s.set == nil && len(v) < 2*plainLeaf {
		var l lanes[T]
		l.add(v)
		return l.total()
	}
	return consume(s, nil, func(c *call, p *plan[T]) T {
		return fold(c, p, 0, true, func(h *hand[T, none], lo, hi int) T {
			var l lanes[T]
			h.each(c, lo, hi, func(_ int, batch []T) bool { l.add(batch); return true })
			return l.total()
		}, func(a, b T) T { return a + b })
	})
}

// lanes are partial sums. Which one an element goes to depends on how many came
// before, not on how many come at a time.
type lanes[T constraints.Integer | constraints.Float] struct {
	sums [4]T
	turn int
}

func (l *lanes[T]) add(v []T) {
	for l.turn != 0 && len(v) > 0 {
		l.sums[l.turn] += v[0]
		l.turn = (l.turn + 1) % 4
		v = v[1:]
	}
	a, b, c, d := l.sums[0], l.sums[1], l.sums[2], l.sums[3]
	for len(v) >= 4 {
		a += v[0]
		b += v[1]
		c += v[2]
		d += v[3]
		v = v[4:]
	}
	l.sums = [4]T{a, b, c, d}
	for i, w := range v {
		l.sums[i] += w
		l.turn = i + 1
	}
}

func (l *lanes[T]) total() T { return l.sums[0] + l.sums[1] + (l.sums[2] + l.sums[3]) }

// Product returns the product of all elements, 1 if there are none.
func Product[T constraints.Integer | constraints.Float](s Seq[T]) T {
	return reduced(s, 1, nil, func(acc T, batch []T) T {
		for _, v := range batch {
			acc *= v
		}
		return acc
	}, func(a, b T) T { return a * b })
}
