package forkjoin

import (
	"context"
	"runtime/trace"

	"github.com/forkjoin-go/forkjoin/internal/atomic"
	"github.com/forkjoin-go/forkjoin/internal/policy"
)

// ParallelReduce folds the range [0, n): it calls leaf for disjoint parts that
// cover the range and combines their results in pairs, in order. combine must
// be associative; it need not be commutative. Each result is combined exactly
// once, so combine may change its arguments and return one of them. With n = 0
// the result is identity, which is not used otherwise.
//
// The parts, and which results are combined with which, depend on n and on the
// options alone. So the result is the same for any number of workers and any
// timing, to the last bit, also for floating-point sums, whose operation is not
// associative. There are up to 64 parts; from n = 65,536 on each has about
// 1,024 iterations, and from 4,194,304 on there are about 4,096. Where single
// iterations take long, use [MaxLeaf] to get more.
//
// Cost: about 3 allocations and, for each part, the two calls and about three
// more.
//
// If leaf or combine panics, ParallelReduce panics with a [*PanicError] when
// what had started has ended; the rest is skipped. Goexit is as for [Join]. It
// panics if n is negative, leaf or combine is nil, or options contradict each
// other.
//
// What was done before the call is synchronized before every call of leaf, both
// calls that make the arguments of a combine before that, and all before
// ParallelReduce returns.
func ParallelReduce[T any](n int, identity T, leaf func(lo, hi int) T, combine func(a, b T) T, opts ...Option) T {
	l := check("ParallelReduce", n, leaf == nil, "leaf", opts)
	if combine == nil {
		badUse("ParallelReduce: combine is nil")
	}
	if n == 0 {
		return identity
	}
	return reduce(n, leaf, combine, nil, l)
}

func reduce[T any](n int, leaf func(lo, hi int) T, combine func(a, b T) T, a *attempt, l limits) T {
	w, entered := enter()
	if entered {
		defer w.leave()
	}
	code := codeOf(leaf)
	if l.label != "" && trace.IsEnabled() {
		plain := leaf
		leaf = func(lo, hi int) T {
			defer trace.StartRegion(context.Background(), l.label).End()
			return plain(lo, hi)
		}
	}
	r := &reducer[T]{leaf: leaf, combine: combine, attempt: a, n: n}
	r.blocks, r.size = l.Blocks(n)
	r.f = r.node
	r.known = l.siteOf(code)
	t, ok := w.reducer.(*Task[span, T])
	if ok { // not in use by a reduction further out
		w.reducer = nil
		t.f, t.r = r.f, &r.recursion
		t.beat = policy.Beat{Ticks: r.known.beat.Load()}
		r.first.Store(t)
	}
	if w.tape != nil {
		defer r.record(w, code, l.label)()
	}
	result, failure := r.start(w, span{0, r.blocks})
	if failure != nil {
		panic(failure)
	}
	t = r.task(w)
	t.f, t.r = nil, nil
	for _, c := range t.cells {
		c.r = nil
	}
	w.reducer = t // the latest, whatever its type
	return result
}

// A reducer is a reduction as a recursion over blocks of the range.
type reducer[T any] struct {
	recursion[span, T]
	leaf    func(lo, hi int) T
	combine func(a, b T) T
	attempt *attempt // of ParallelReduceErr, or nil
	failed  atomic.Bool

	n, blocks int
	size      int // of blocks but for the last; 0: they are of equal size
}

// over reports that the result is not wanted any more.
func (r *reducer[T]) over() bool {
	return r.failed.Load() || r.attempt != nil && r.attempt.over()
}

// A span is the blocks [lo, hi).
type span struct{ lo, hi int }

func (r *reducer[T]) node(t *Task[span, T], s span) (result T) {
	if r.over() {
		return result
	}
	returned := false
	defer func() {
		if !returned {
			r.failed.Store(true)
			if r.attempt != nil {
				r.attempt.abort()
			}
		}
	}()
	if s.hi-s.lo == 1 {
		if r.part != nil {
			result = r.recordLeaf(t.w, s.lo)
		} else {
			result = r.leaf(r.bound(s.lo), r.bound(s.hi))
		}
	} else {
		mid := s.lo + (s.hi-s.lo)/2
		x, y := t.Join(span{s.lo, mid}, span{mid, s.hi})
		switch {
		case r.over():
		case r.part != nil:
			result = r.recordCombine(t.w, mid, x, y)
		default:
			result = r.combine(x, y)
		}
	}
	returned = true
	return result
}

// bound returns where block i begins.
func (r *reducer[T]) bound(i int) int {
	if r.size == 0 {
		return cut(r.n, r.blocks, i)
	}
	if i == r.blocks {
		return r.n
	}
	return i * r.size
}
