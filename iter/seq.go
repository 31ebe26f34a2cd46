package iter

import (
	"context"
	"fmt"
	"unsafe"

	"github.com/forkjoin-go/forkjoin/internal/callsite"
)

// A Seq is a sequence of elements that is computed when it is consumed, by
// several workers at the same time. It is a small value: copy it freely. The
// zero Seq is empty.
//
// A Seq can be consumed several times, and by several goroutines at once, as
// far as its source and the functions in it can. It refers to the slice, map,
// string or tree that it was made from, which must not change while it is
// consumed.
type Seq[T any] struct {
	src source[T] // nil: no elements
	set *settings // nil: none
}

// A source makes the elements of a sequence. Sources are immutable values.
type source[T any] interface {
	// plan prepares one consumption. Sources that need to have all of another
	// sequence before they know their own first element read it here.
	plan(c *call) plan[T]
}

// A plan is one consumption of a sequence. The elements are at positions [0, n),
// in order; any range of positions can be read on its own, so a sequence is
// split by splitting the range, and adaptors are functions from plans to plans.
type plan[T any] struct {
	n      int       // positions; with a feed, the most that there may be
	exact  bool      // there is one element at each position, and not none or many
	plain  bool      // reading runs no function of the user's
	views  bool      // readers never write to dst
	sparse int       // how many positions are of text and the like, where most have no element
	batch  int       // the most positions to read at a time
	feed   feed      // where elements come from if not all are at hand: see feed.go
	drop   int       // elements of feed before position 0
	site   uintptr   // what it consists of, for package callsite
	open   opener[T] // never nil
}

// An opener makes a reader for one goroutine at a time. w is where the reader
// finds the elements of a feed that are at hand.
type opener[T any] func(w *window) reader[T]

// A reader returns the elements at positions [lo, hi), at most plan.batch of
// them. It may write them to dst, whose capacity it may use from its beginning,
// or return memory of its own or of the source. The result is valid until the
// next call and must not be written to, unless it is in dst.
//
// Readers work on some elements at a time rather than on one, because in Go a
// function that is called through a pointer is never inlined: with one element
// at a time, each adaptor would cost two such calls instead of one.
type reader[T any] func(lo, hi int, dst []T) []T

const (
	batchBytes = 4096 // of the elements that are read at a time, about
	batchLeast = 16   // however large they are
	batchMost  = 512
)

// batchOf is how many elements to read at a time.
func batchOf[T any]() int {
	var v T
	return min(max(batchBytes/int(max(unsafe.Sizeof(v), 1)), batchLeast), batchMost)
}

// empty is a plan without elements.
func empty[T any]() plan[T] {
	return plan[T]{exact: true, plain: true, views: true, batch: 1, open: func(*window) reader[T] {
		return func(_, _ int, dst []T) []T { return dst[:0] }
	}}
}

func (s Seq[T]) plan(c *call) plan[T] {
	if s.src == nil {
		return empty[T]()
	}
	return s.src.plan(c)
}

// stretch returns dst with n elements, which are to be overwritten.
func stretch[T any](dst []T, n int) []T {
	if cap(dst) < n {
		return make([]T, n)
	}
	return dst[:n]
}

// A scratch is memory for what is read from another reader.
type scratch[T any] struct {
	buf   []T
	views bool // never needed
}

// of returns room for n elements, or for as many as readers may rely on.
func (s *scratch[T]) of(n int) []T {
	if s.views {
		return nil
	}
	n = min(n, batchMost)
	if cap(s.buf) < n {
		s.buf = make([]T, 0, max(n, min(2*cap(s.buf), batchMost)))
	}
	return s.buf[:0]
}

// then returns a plan with the positions of p whose elements follow one by one
// from those of p. fill writes the elements that follow from in to dst, which is
// as long; open is called for each reader. f is the user's function, if any.
func then[T, U any](p plan[T], f any, open func() (fill func(in []T, dst []U))) plan[U] {
	q := plan[U]{n: p.n, exact: p.exact, plain: p.plain && f == nil, sparse: p.sparse, batch: p.batch, feed: p.feed, drop: p.drop, site: p.and(f)}
	if p.exact {
		q.batch = min(p.batch, batchOf[U]())
	}
	q.open = func(w *window) reader[U] {
		read, fill, buf := p.open(w), open(), scratch[T]{views: p.views}
		return func(lo, hi int, dst []U) []U {
			in := read(lo, hi, buf.of(hi-lo))
			dst = stretch(dst, len(in))
			fill(in, dst)
			return dst
		}
	}
	return q
}

// and returns what p and then f, a function or nil, consist of.
func (p *plan[T]) and(f any) uintptr {
	if f == nil {
		return p.site
	}
	return callsite.Mix(p.site, callsite.CodeOf(f))
}

// settings are what WithMinLeaf and its like ask for. They are never changed.
type settings struct {
	minLeaf, maxLeaf int // 0: not set
	label            string
	contexts         []context.Context
}

// with returns s with its settings changed by f.
func (s Seq[T]) with(f func(*settings)) Seq[T] {
	var set settings
	if s.set != nil {
		set = *s.set
	}
	f(&set)
	return Seq[T]{s.src, &set}
}

// WithMinLeaf asks that no part of s that is run in one piece has fewer than n
// positions, as [forkjoin.MinLeaf] does. Positions are the elements of the
// source, or what the last adaptor made of them that has one element for each:
// after [Filter] and [FlatMap] they are those of what was filtered or mapped. It
// holds for the whole of a chain of adaptors. Where sequences are put together, as
// by [Zip] and [Chain], what the first one asks for counts, and what the next ones
// ask for as far as it does not contradict that. WithMinLeaf panics if n < 1, and
// if n is more than s was given with [Seq.WithMaxLeaf].
func (s Seq[T]) WithMinLeaf(n int) Seq[T] {
	if n < 1 {
		bad("Seq.WithMinLeaf: n is %d, want >= 1", n)
	}
	return s.with(func(set *settings) {
		if set.maxLeaf > 0 && n > set.maxLeaf {
			bad("Seq.WithMinLeaf: n is %d, want <= %d, which WithMaxLeaf was given", n, set.maxLeaf)
		}
		set.minLeaf = n
	})
}

// WithMaxLeaf asks that no part of s that is run in one piece has more than n
// positions; see [Seq.WithMinLeaf]. Use WithMaxLeaf(1) before a fold of few
// elements that take long each. It panics if n < 1, and if n is less than s was
// given with [Seq.WithMinLeaf].
func (s Seq[T]) WithMaxLeaf(n int) Seq[T] {
	if n < 1 {
		bad("Seq.WithMaxLeaf: n is %d, want >= 1", n)
	}
	return s.with(func(set *settings) {
		if n < set.minLeaf {
			bad("Seq.WithMaxLeaf: n is %d, want >= %d, which WithMinLeaf was given", n, set.minLeaf)
		}
		set.maxLeaf = n
	})
}

// WithLabel names what consumes s in recordings and execution traces, as
// [forkjoin.Label] does.
func (s Seq[T]) WithLabel(name string) Seq[T] {
	return s.with(func(set *settings) { set.label = name })
}

// WithContext has consumers of s end early when ctx is done: what has not begun
// is skipped. [Seq.ForEachErr] and [TryReduce] then return its cause. The other
// consumers, which have no error to return, panic with a
// [*forkjoin.PanicError] whose Value is the cause, rather than with a result
// that lacks something. Workers have the profile labels of ctx, but for [Seq.All],
// where they have the caller's. WithContext panics if ctx is nil.
func (s Seq[T]) WithContext(ctx context.Context) Seq[T] {
	if ctx == nil {
		bad("Seq.WithContext: ctx is nil")
	}
	return s.with(func(set *settings) {
		set.contexts = append(set.contexts[:len(set.contexts):len(set.contexts)], ctx)
	})
}

// both returns the settings of a sequence made of two. Where they differ, or
// contradict each other, those of the first count; contexts add up.
func both(a, b *settings) *settings {
	if a == nil || b == nil || a == b {
		if a == nil {
			return b
		}
		return a
	}
	set := *a
	if set.minLeaf == 0 && (set.maxLeaf == 0 || b.minLeaf <= set.maxLeaf) {
		set.minLeaf = b.minLeaf
	}
	if set.maxLeaf == 0 && b.maxLeaf >= set.minLeaf {
		set.maxLeaf = b.maxLeaf
	}
	if set.label == "" {
		set.label = b.label
	}
	set.contexts = append(set.contexts[:len(set.contexts):len(set.contexts)], b.contexts...)
	return &set
}

// bad reports a mistake in a call.
func bad(format string, args ...any) {
	panic("forkjoin: iter." + fmt.Sprintf(format, args...))
}

// need reports a missing function.
func need(name, arg string, missing bool) {
	if missing {
		bad("%s: %s is nil", name, arg)
	}
}
