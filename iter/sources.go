package iter

import (
	"math"

	"golang.org/x/exp/constraints"
)

const maxInt = math.MaxInt

// Slice returns the elements of s. It costs nothing beyond reading them.
func Slice[S ~[]E, E any](s S) Seq[E] {
	return Seq[E]{src: slice[E](s)}
}

type slice[E any] []E

func (s slice[E]) plan(*call) plan[E] {
	return plan[E]{n: len(s), exact: true, plain: true, views: true, batch: batchOf[E](), open: func(*window) reader[E] {
		return func(lo, hi int, _ []E) []E { return s[lo:hi] }
	}}
}

// SliceMut returns pointers to the elements of s, for changing them in place.
func SliceMut[S ~[]E, E any](s S) Seq[*E] {
	return made(len(s), func(lo int, dst []*E) {
		part := s[lo:]
		for i := range dst {
			dst[i] = &part[i]
		}
	})
}

// made returns n elements; fill writes those from position lo on into dst.
func made[T any](n int, fill func(lo int, dst []T)) Seq[T] {
	return Seq[T]{src: filler[T]{n, fill}}
}

type filler[T any] struct {
	n    int
	fill func(lo int, dst []T)
}

func (f filler[T]) plan(*call) plan[T] {
	return plan[T]{n: f.n, exact: true, plain: true, batch: batchOf[T](), open: func(*window) reader[T] {
		return func(lo, hi int, dst []T) []T {
			dst = stretch(dst, hi-lo)
			f.fill(lo, dst)
			return dst
		}
	}}
}

// Range returns the integers from lo on that are less than hi; none if lo >= hi.
// It panics if they are more than the largest int.
func Range[N constraints.Integer](lo, hi N) Seq[N] {
	if lo >= hi {
		return Seq[N]{}
	}
	// The difference is right modulo 2⁶⁴, also where hi-lo overflows in N.
	n := uint64(hi) - uint64(lo)
	if n > maxInt {
		bad("Range: [%d, %d) has more than %d elements", lo, hi, maxInt)
	}
	return made(int(n), func(at int, dst []N) {
		v := lo + N(at)
		for i := range dst {
			dst[i] = v
			v++
		}
	})
}

// Repeat returns v, n times. It panics if n is negative.
func Repeat[T any](v T, n int) Seq[T] {
	if n < 0 {
		bad("Repeat: n is %d, want >= 0", n)
	}
	return made(n, func(_ int, dst []T) {
		for i := range dst {
			dst[i] = v
		}
	})
}

// Once returns v alone.
func Once[T any](v T) Seq[T] { return Slice([]T{v}) }

// Empty returns no elements.
func Empty[T any]() Seq[T] { return Seq[T]{} }

// Chunks returns s cut into parts of n elements, the last of which may have
// less. The parts share the memory of s, but appending to one does not change
// the next. It panics if n < 1.
func Chunks[S ~[]E, E any](s S, n int) Seq[S] {
	if n < 1 {
		bad("Chunks: n is %d, want >= 1", n)
	}
	count := len(s) / n
	if len(s)%n > 0 {
		count++
	}
	return chunks(s, n, count)
}

// ChunksExact is [Chunks] without a last part that has less than n elements.
func ChunksExact[S ~[]E, E any](s S, n int) Seq[S] {
	if n < 1 {
		bad("ChunksExact: n is %d, want >= 1", n)
	}
	return chunks(s, n, len(s)/n)
}

func chunks[S ~[]E, E any](s S, n, count int) Seq[S] {
	return made(count, func(at int, dst []S) {
		for i := range dst {
			lo := (at + i) * n
			hi := lo + min(n, len(s)-lo)
			dst[i] = s[lo:hi:hi]
		}
	})
}

// Windows returns all runs of n neighbours in s, which overlap: the first n
// elements, those from the second on, and so on; none if s is shorter than n.
// They share the memory of s. It panics if n < 1.
func Windows[S ~[]E, E any](s S, n int) Seq[S] {
	if n < 1 {
		bad("Windows: n is %d, want >= 1", n)
	}
	return made(max(0, len(s)-n+1), func(at int, dst []S) {
		for i := range dst {
			dst[i] = s[at+i : at+i+n : at+i+n]
		}
	})
}

// Keys returns the keys of m, in no particular order.
//
// A map cannot be split, so its keys are first copied, by one goroutine, each
// time that the sequence is consumed. The same holds for [Values] and [Pairs].
func Keys[M ~map[K]V, K comparable, V any](m M) Seq[K] {
	return fromMap(m, func(k K, _ V) K { return k })
}

// Values returns the values of m, in no particular order; see [Keys].
func Values[M ~map[K]V, K comparable, V any](m M) Seq[V] {
	return fromMap(m, func(_ K, v V) V { return v })
}

// Pairs returns the keys of m with their values, in no particular order; see
// [Keys].
func Pairs[M ~map[K]V, K comparable, V any](m M) Seq[Pair[K, V]] {
	return fromMap(m, func(k K, v V) Pair[K, V] { return Pair[K, V]{k, v} })
}

func fromMap[M ~map[K]V, K comparable, V, T any](m M, f func(K, V) T) Seq[T] {
	return Seq[T]{src: late[T](func(c *call) plan[T] {
		elems := make(slice[T], 0, len(m))
		for k, v := range m {
			elems = append(elems, f(k, v))
		}
		return elems.plan(c)
	})}
}

// late is a source whose plan is made by a function.
type late[T any] func(c *call) plan[T]

func (f late[T]) plan(c *call) plan[T] { return f(c) }

// parts is a source whose elements begin at some of n positions. fill appends
// the elements that begin in [lo, hi) to dst, in order.
type parts[T any] struct {
	n     int
	plain bool
	fill  func(lo, hi int, dst []T) []T
}

// partBatch is how many positions of parts are read at a time: more than
// elsewhere, since most have no element.
const partBatch = 4096

func (s parts[T]) plan(*call) plan[T] {
	return plan[T]{n: s.n, plain: s.plain, sparse: s.n, batch: partBatch, open: func(*window) reader[T] {
		var own roomy[T]
		return func(lo, hi int, dst []T) []T { return own.keep(s.fill(lo, hi, own.room(dst))) }
	}}
}

// A roomy is memory for readers that cannot know how much they will return.
type roomy[T any] struct {
	own   []T
	given int // capacity of what room returned
}

// room returns dst, or own memory that is larger, without elements.
func (r *roomy[T]) room(dst []T) []T {
	if cap(dst) < cap(r.own) {
		dst = r.own
	}
	r.given = cap(dst)
	return dst[:0]
}

// keep returns what was appended to that, and keeps the memory if it has grown.
func (r *roomy[T]) keep(dst []T) []T {
	if cap(dst) > r.given {
		r.own = dst[:0]
	}
	return dst
}

// ChunkBy returns s cut into the longest parts in which same holds for all
// neighbours. same is called once or twice for each pair of neighbours. The
// parts share the memory of s. ChunkBy panics if same is nil.
func ChunkBy[S ~[]E, E any](s S, same func(a, b E) bool) Seq[S] {
	need("ChunkBy", "same", same == nil)
	return Seq[S]{src: parts[S]{n: len(s), fill: func(lo, hi int, dst []S) []S {
		for lo > 0 && lo < hi && same(s[lo-1], s[lo]) {
			lo++
		}
		for lo < hi {
			end := lo + 1
			for end < len(s) && same(s[end-1], s[end]) {
				end++
			}
			dst = append(dst, s[lo:end:end])
			lo = end
		}
		return dst
	}}}
}

// Split returns the parts of s between elements for which sep holds, which are
// left out: always one part more than there are such elements, some of which
// may be empty. sep is called once or twice for each element. The parts share
// the memory of s. Split panics if sep is nil.
func Split[S ~[]E, E any](s S, sep func(E) bool) Seq[S] {
	need("Split", "sep", sep == nil)
	if len(s) == maxInt {
		bad("Split: s has %d elements", len(s)) // of no size
	}
	// A part begins at position 0 and behind each separator.
	return Seq[S]{src: parts[S]{n: len(s) + 1, fill: func(lo, hi int, dst []S) []S {
		for lo > 0 && lo < hi && !sep(s[lo-1]) {
			lo++
		}
		for lo < hi {
			end := lo
			for end < len(s) && !sep(s[end]) {
				end++
			}
			dst = append(dst, s[lo:end:end])
			lo = end + 1
		}
		return dst
	}}}
}
