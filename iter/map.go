package iter

// Map returns f of each element.
//
// Cost: a call of f for each element, which is then stored once. Where f does next to
// nothing, the call is most of that: [Chunks] lets f be a loop over many elements, as
// [forkjoin.ParallelForRange] does, and a sum of its results is as fast as
// [forkjoin.ParallelReduce]. Map panics if f is nil.
func Map[T, U any](s Seq[T], f func(T) U) Seq[U] {
	need("Map", "f", f == nil)
	return Seq[U]{late[U](func(c *call) plan[U] {
		return then(s.plan(c), f, func() func([]T, []U) {
			return func(in []T, dst []U) { mapTo(dst, in, f) }
		})
	}), s.set}
}

// mapTo writes f of each element of in to dst, which is as long. Four at a time
// take a fifth less, since what the loop itself needs is in memory across a call.
func mapTo[T, U any](dst []U, in []T, f func(T) U) {
	dst = dst[:len(in)]
	for len(in) >= 4 && len(dst) >= 4 {
		dst[0] = f(in[0])
		dst[1] = f(in[1])
		dst[2] = f(in[2])
		dst[3] = f(in[3])
		in, dst = in[4:], dst[4:]
	}
	for i, v := range in {
		dst[i] = f(v)
	}
}

// MapWith returns f of each element and a state that no other call is using
// meanwhile. init makes one for each goroutine that takes part, when that is to
// read its first elements. Use it for buffers, generators of random numbers and
// the like; which elements share a state is left open. MapWith panics if init or
// f is nil.
func MapWith[T, S, U any](s Seq[T], init func() S, f func(state S, v T) U) Seq[U] {
	need("MapWith", "init", init == nil)
	need("MapWith", "f", f == nil)
	return Seq[U]{late[U](func(c *call) plan[U] {
		return then(s.plan(c), f, func() func([]T, []U) {
			var state S
			made := false
			return func(in []T, dst []U) {
				if !made {
					state, made = init(), true
				}
				dst = dst[:len(in)]
				for i, v := range in {
					dst[i] = f(state, v)
				}
			}
		})
	}), s.set}
}

// Inspect calls f for each element that is read, and returns the elements. It
// panics if f is nil.
func Inspect[T any](s Seq[T], f func(T)) Seq[T] {
	need("Inspect", "f", f == nil)
	return Map(s, func(v T) T { f(v); return v })
}

// Filter returns the elements for which keep holds. It panics if keep is nil.
func Filter[T any](s Seq[T], keep func(T) bool) Seq[T] {
	need("Filter", "keep", keep == nil)
	return Seq[T]{late[T](func(c *call) plan[T] {
		return some(s.plan(c), keep, func(in, dst []T) int {
			dst = dst[:len(in)]
			n := 0
			for _, v := range in {
				dst[n] = v
				if keep(v) {
					n++
				}
			}
			return n
		})
	}), s.set}
}

// FilterMap returns the first results of f for the elements for which its second
// is true. It panics if f is nil.
func FilterMap[T, U any](s Seq[T], f func(T) (U, bool)) Seq[U] {
	need("FilterMap", "f", f == nil)
	return Seq[U]{late[U](func(c *call) plan[U] {
		return some(s.plan(c), f, func(in []T, dst []U) int {
			dst = dst[:len(in)]
			n := 0
			for _, v := range in {
				u, ok := f(v)
				if ok {
					dst[n] = u
					n++
				}
			}
			return n
		})
	}), s.set}
}

// some returns a plan with the positions of p, of whose elements some are left.
// fill writes those that follow from in to dst, which is as long, and returns
// their number. f is the user's function.
func some[T, U any](p plan[T], f any, fill func(in []T, dst []U) int) plan[U] {
	q := plan[U]{n: p.n, sparse: p.sparse, batch: p.batch, feed: p.feed, drop: p.drop, site: p.and(f)}
	q.open = func(w *window) reader[U] {
		read, buf := p.open(w), scratch[T]{views: p.views}
		var own []U
		return func(lo, hi int, dst []U) []U {
			in := read(lo, hi, buf.of(hi-lo))
			if cap(dst) < len(in) {
				own = stretch(own, len(in))
				dst = own
			}
			dst = dst[:len(in)]
			return dst[:fill(in, dst)]
		}
	}
	return q
}

// FlatMap returns all elements of what f returns for each element. It panics if
// f is nil.
func FlatMap[T, U any](s Seq[T], f func(T) []U) Seq[U] {
	need("FlatMap", "f", f == nil)
	return flat(s, false, f)
}

// Flatten returns the elements of the slices that are the elements of s.
func Flatten[S ~[]E, E any](s Seq[S]) Seq[E] {
	return flat(s, true, func(v S) []E { return v })
}

func flat[T, U any](s Seq[T], plain bool, f func(T) []U) Seq[U] {
	return Seq[U]{late[U](func(c *call) plan[U] {
		p := s.plan(c)
		q := plan[U]{n: p.n, plain: p.plain && plain, sparse: p.sparse, batch: p.batch, feed: p.feed, drop: p.drop, site: p.and(f)}
		q.open = func(w *window) reader[U] {
			read, buf := p.open(w), scratch[T]{views: p.views}
			var own roomy[U]
			return func(lo, hi int, dst []U) []U {
				in := read(lo, hi, buf.of(hi-lo))
				if len(in) == 1 {
					return f(in[0])
				}
				dst = own.room(dst)
				for _, v := range in {
					dst = append(dst, f(v)...)
				}
				return own.keep(dst)
			}
		}
		return q
	}), s.set}
}
