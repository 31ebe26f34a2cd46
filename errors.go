package forkjoin

import (
	"context"

	"github.com/forkjoin-go/forkjoin/internal/atomic"
	"github.com/forkjoin-go/forkjoin/internal/joint"
)

// ParallelForErr calls body(ctx, i) for each i in [0, n), perhaps several at the
// same time, until one returns an error, and returns the first error. It is
// [ParallelFor] with errors and cancellation.
//
// After an error, or when ctx is done, iterations that have not begun are
// skipped, and the context that bodies get is done; those that have begun are
// waited for. If ctx ended the loop, the result is its cause ([context.Cause]); so it
// is if ctx is done at the call, also if n is 0.
// Bodies that workers run have the profile labels of ctx.
//
// Cost: that of ParallelFor, a derived context, and a look at it for each
// iteration. Panics and synchronization are as for ParallelFor. It also panics
// if ctx is nil.
func ParallelForErr(ctx context.Context, n int, body func(ctx context.Context, i int) error, opts ...Option) error {
	l := check("ParallelForErr", n, body == nil, "body", opts)
	a := newAttempt("ParallelForErr", ctx)
	defer joint.Cancel(a.cancel, nil)
	if !a.over() && n > 0 {
		under(ctx, func() { parallelLoop(0, n, &errBody{a, body}, body, l) })
	}
	return a.result()
}

type errBody struct {
	*attempt
	body func(ctx context.Context, i int) error
}

func (b *errBody) chunk(_ *worker, lo, hi int) bool {
	returned := false
	defer func() {
		if !returned {
			b.abort()
		}
	}()
	for i := lo; i < hi; i++ {
		if b.over() {
			break
		}
		b.try(b.body(b.ctx, i))
	}
	returned = true
	return !b.failed.Load()
}

// ParallelReduceErr is [ParallelReduce] with errors and cancellation. It returns
// the first error of a leaf, or the cause of ctx if that ended it or is done at the
// call, also if n is 0, together with identity; without an error the result is that
// of ParallelReduce.
//
// After an error, or when ctx is done, parts that have not begun are skipped,
// and the context that leaves get is done; those that have begun are waited for.
// Leaves that workers run have the profile labels of ctx.
//
// Costs, panics and synchronization are as for ParallelReduce. It also panics if
// ctx is nil.
func ParallelReduceErr[T any](ctx context.Context, n int, identity T, leaf func(ctx context.Context, lo, hi int) (T, error), combine func(a, b T) T, opts ...Option) (T, error) {
	l := check("ParallelReduceErr", n, leaf == nil, "leaf", opts)
	if combine == nil {
		badUse("ParallelReduceErr: combine is nil")
	}
	a := newAttempt("ParallelReduceErr", ctx)
	defer joint.Cancel(a.cancel, nil)
	result := identity
	if !a.over() && n > 0 {
		under(ctx, func() {
			result = reduce(n, func(lo, hi int) T {
				part, err := leaf(a.ctx, lo, hi)
				a.try(err)
				return part
			}, combine, a, l)
		})
	}
	if err := a.result(); err != nil {
		return identity, err
	}
	return result, nil
}

// An attempt is a call that ends with its first error or with its context.
type attempt struct {
	ctx    context.Context // of the bodies
	parent context.Context
	cancel context.CancelCauseFunc
	failed atomic.Bool // err is set
	mu     joint.Mutex
	err    error // the first; under mu
}

func newAttempt(name string, parent context.Context) *attempt {
	if parent == nil {
		badUse("%s: ctx is nil", name)
	}
	a := &attempt{parent: parent}
	a.ctx, a.cancel = context.WithCancelCause(parent)
	return a
}

// over reports whether what has not begun is to be skipped.
func (a *attempt) over() bool {
	if a.failed.Load() {
		return true
	}
	if joint.Err(a.parent) == nil {
		return false
	}
	a.try(context.Cause(a.parent))
	return true
}

// try notes err, if it is the first.
func (a *attempt) try(err error) {
	if err == nil {
		return
	}
	a.mu.Lock()
	first := a.err == nil
	if first {
		a.err = err
		a.failed.Store(true)
	}
	a.mu.Unlock()
	if first {
		joint.Cancel(a.cancel, err)
	}
}

// abort ends the attempt because a body panicked or ended its goroutine.
func (a *attempt) abort() { a.try(context.Canceled) }

// result returns the first error. All bodies have ended.
func (a *attempt) result() error {
	if a.failed.Load() {
		return a.err
	}
	return nil
}
