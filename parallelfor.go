package forkjoin

import (
	"context"
	"math"
	"runtime/trace"

	"github.com/forkjoin-go/forkjoin/internal/joint"
)

// ParallelFor calls body(i) for each i in [0, n), perhaps several at the same
// time.
//
// Nothing is cut in advance. The caller goes through the range in order, in
// pieces of a few microseconds, and gives the upper half of what is left to a
// worker that has become idle, which does the same. So a short loop runs like a
// plain one, and an uneven one keeps all workers busy until its end.
//
// Cost: a fixed cost of about twenty function calls, and one call for each
// iteration; nothing is allocated unless a part is given away. Where the body is
// small, [ParallelForRange] lets it be a plain loop.
//
// If body panics, ParallelFor panics with a [*PanicError] when the pieces that
// had started have ended; the rest is skipped. If body calls [runtime.Goexit],
// so does the caller. ParallelFor panics if n is negative, body is nil, or
// options contradict each other.
//
// What was done before ParallelFor is synchronized before each call of body, and
// each of those before ParallelFor returns.
func ParallelFor(n int, body func(i int), opts ...Option) {
	l := check("ParallelFor", n, body == nil, "body", opts)
	parallelLoop(0, n, eachBody(body), body, l)
}

// ParallelForRange calls body for disjoint ranges that together make [lo, hi),
// perhaps several at the same time. If hi <= lo it does nothing.
//
// It is [ParallelFor] for small iterations: with the loop inside body the
// compiler sees it. Costs, panics and synchronization are the same; it also
// panics if hi-lo overflows.
func ParallelForRange(lo, hi int, body func(lo, hi int), opts ...Option) {
	l := check("ParallelForRange", 0, body == nil, "body", opts)
	if lo < hi && hi-lo < 0 {
		badUse("ParallelForRange: [%d, %d) has more than %d iterations", lo, hi, math.MaxInt)
	}
	parallelLoop(lo, hi, rangeBody(body), body, l)
}

type eachBody func(i int)

func (b eachBody) chunk(_ *worker, lo, hi int) bool {
	for i := lo; i < hi; i++ {
		b(i)
	}
	return true
}

type rangeBody func(lo, hi int)

func (b rangeBody) chunk(_ *worker, lo, hi int) bool {
	b(lo, hi)
	return true
}

// A labeled body shows its chunks in execution traces.
type labeled struct {
	body
	name string
}

func (b *labeled) chunk(w *worker, lo, hi int) bool {
	defer trace.StartRegion(context.Background(), b.name).End()
	return b.body.chunk(w, lo, hi)
}

// ParallelForWith calls body(scratch, i) for each i in [0, n), perhaps several
// at the same time. scratch is a value that no other call is using: init makes
// one for each goroutine that takes part, before its first iteration; that may be
// some more than there are processors. Use it for buffers and the like; the values
// are dropped at the end.
//
// Costs, panics and synchronization are as for [ParallelFor]; besides, each
// piece looks its scratch up. It panics if n is negative, init or body is nil,
// or options contradict each other.
func ParallelForWith[S any](n int, init func() S, body func(scratch S, i int), opts ...Option) {
	if init == nil {
		badUse("ParallelForWith: init is nil")
	}
	l := check("ParallelForWith", n, body == nil, "body", opts)
	parallelLoop(0, n, &scratchBody[S]{init: init, body: body}, body, l)
}

type scratchBody[S any] struct {
	init func() S
	body func(scratch S, i int)

	mu   joint.Mutex
	used []scratchOf[S]
}

type scratchOf[S any] struct {
	w *worker
	s *S
}

func (b *scratchBody[S]) chunk(w *worker, lo, hi int) bool {
	s := *b.of(w)
	for i := lo; i < hi; i++ {
		b.body(s, i)
	}
	return true
}

// of returns w's scratch. It is w's alone, because a worker never begins a
// chunk of this loop while it is inside another one: a join in the body runs
// its own subtree and nothing else.
func (b *scratchBody[S]) of(w *worker) *S {
	b.mu.Lock()
	for _, u := range b.used {
		if u.w == w {
			b.mu.Unlock()
			return u.s
		}
	}
	b.mu.Unlock()
	s := b.init()
	b.mu.Lock()
	b.used = append(b.used, scratchOf[S]{w, &s})
	b.mu.Unlock()
	return &s
}
