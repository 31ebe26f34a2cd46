package iter

import "github.com/forkjoin-go/forkjoin"

// Chunked returns the elements n at a time, as slices of their own, the last of
// which may have less. It panics if n < 1.
//
// A sequence whose elements' numbers are not known (see [Zip]), or that comes
// from a sequential source, is collected first, and then the slices share its
// memory. For the parts of a slice use [Chunks].
func Chunked[T any](s Seq[T], n int) Seq[[]T] {
	if n < 1 {
		bad("Chunked: n is %d, want >= 1", n)
	}
	return Seq[[]T]{late[[]T](func(c *call) plan[[]T] {
		p := s.plan(c)
		if !p.exact || p.feed != nil {
			return Chunks(collect(c, &p, nil), n).plan(c)
		}
		count := p.n / n
		if p.n%n > 0 {
			count++
		}
		z := plan[[]T]{n: count, exact: true, plain: p.plain, batch: min(batchOf[[]T](), max(1, p.batch/n)), site: p.site}
		z.open = func(w *window) reader[[]T] {
			read := p.open(w)
			return func(lo, hi int, dst [][]T) [][]T {
				dst = stretch(dst, hi-lo)
				for i := range dst {
					at := (lo + i) * n
					dst[i] = readAll(read, p.batch, at, at+min(n, p.n-at))
				}
				return dst
			}
		}
		return z
	}), s.set}
}

// readAll returns the elements at positions [lo, hi) of an exact plan in a slice
// of their own.
func readAll[T any](read reader[T], batch, lo, hi int) []T {
	all := fitting[T](hi - lo)
	for at := 0; at < len(all); {
		n := min(batch, len(all)-at)
		place(all[at:at+n:at+n], read(lo+at, lo+at+n, all[at:at:at+n]))
		at += n
	}
	return all
}

// place makes dst equal to what a reader that was given it has returned.
func place[T any](dst, read []T) {
	if len(read) > 0 && &read[0] != &dst[0] {
		copy(dst, read)
	}
}

// Windowed returns all runs of n neighbours, which overlap and share memory. The
// elements are collected first. For those of a slice use [Windows]. It panics if
// n < 1.
func Windowed[T any](s Seq[T], n int) Seq[[]T] {
	if n < 1 {
		bad("Windowed: n is %d, want >= 1", n)
	}
	return Seq[[]T]{late[[]T](func(c *call) plan[[]T] {
		p := s.plan(c)
		return Windows(collect(c, &p, nil), n).plan(c)
	}), s.set}
}

// Dedup returns the elements without those that equal the one before them. The
// elements are collected first.
func Dedup[T comparable](s Seq[T]) Seq[T] {
	return DedupFunc(s, func(a, b T) bool { return a == b })
}

// DedupFunc is [Dedup] for elements that equal says are equal. It is called for
// neighbours, in the order that they have in s. DedupFunc panics if equal is nil.
func DedupFunc[T any](s Seq[T], equal func(a, b T) bool) Seq[T] {
	need("DedupFunc", "equal", equal == nil)
	return Seq[T]{late[T](func(c *call) plan[T] {
		p := s.plan(c)
		all := collect(c, &p, nil)
		q := plan[T]{n: len(all), batch: batchOf[T](), site: p.and(equal)}
		q.open = func(*window) reader[T] {
			var own []T
			return func(lo, hi int, dst []T) []T {
				if cap(dst) < hi-lo {
					own = stretch(own, hi-lo)
					dst = own
				}
				dst = dst[:0]
				for i := lo; i < hi; i++ {
					if i == 0 || !equal(all[i-1], all[i]) {
						dst = append(dst, all[i])
					}
				}
				return dst
			}
		}
		return q
	}), s.set}
}

// Scan returns the running totals: the first element, op of the first two, op of
// that and the third, and so on. op must be associative. The elements are
// collected first; op is then called about twice for each element, in an order
// that depends on their number alone, so floating-point totals are the same on
// any number of workers. Scan panics if op is nil.
func Scan[T any](s Seq[T], op func(a, b T) T) Seq[T] {
	need("Scan", "op", op == nil)
	return Seq[T]{late[T](func(c *call) plan[T] {
		p := s.plan(c)
		all := collect(c, &p, nil)
		if !c.over() {
			scan(all, op, c.options[2])
		}
		return slice[T](all).plan(c)
	}), s.set}
}

// scan replaces the elements by their running totals: within blocks first, then
// over the blocks' totals, which are added in the end.
func scan[T any](v []T, op func(a, b T) T, label forkjoin.Option) {
	blocks := min(max(1, len(v)/1024, min(len(v)/16, 64)), 4096)
	bound := func(i int) int { return len(v)/blocks*i + min(i, len(v)%blocks) }
	forkjoin.ParallelFor(blocks, func(i int) {
		part := v[bound(i):bound(i+1)]
		for j := 1; j < len(part); j++ {
			part[j] = op(part[j-1], part[j])
		}
	}, label)
	if blocks == 1 {
		return
	}
	before := make([]T, blocks)
	forkjoin.ParallelFor(1, func(int) { // for its treatment of panics
		for i := 1; i < blocks; i++ {
			before[i] = v[bound(i)-1]
			if i > 1 {
				before[i] = op(before[i-1], before[i])
			}
		}
	})
	forkjoin.ParallelFor(blocks-1, func(i int) {
		part := v[bound(i+1):bound(i+2)]
		for j := range part {
			part[j] = op(before[i+1], part[j])
		}
	}, label)
}
