package forkjoin

import (
	"context"
	"math"

	"github.com/forkjoin-go/forkjoin/internal/joint"
)

// A Group runs functions that may fail, and waits for them. It can stand in for
// the Group of golang.org/x/sync/errgroup; the zero value is ready to use, has
// no limit and does not cancel, and it must not be copied after its first use.
//
// Tasks are run as those of a [WaitGroup]: the functions may wait for each
// other. All functions given to a zero Group are run, whether others fail or
// not. In a Group from [WithContext], those that have not started when one fails
// or the context is done are skipped.
type Group struct {
	tasks  groupTasks
	parent context.Context // of WithContext
	labels *labels
}

// WithContext returns a Group and a context derived from ctx, which is canceled
// when a function given to Go returns an error or panics, with that as its
// cause, or when Wait returns. Functions that workers run have the
// profile labels of ctx. WithContext panics if ctx is nil.
func WithContext(ctx context.Context) (*Group, context.Context) {
	if ctx == nil {
		badUse("WithContext: ctx is nil")
	}
	derived, cancel := context.WithCancelCause(ctx)
	g := &Group{parent: ctx, labels: labelsOf(ctx)}
	g.tasks.get(true).cancel = cancel
	return g, derived
}

// Go has f called, soon, by a worker or by a goroutine in Wait. With a limit, no
// more than that many functions run at the same time, and while some thousands are
// waiting Go waits too, unless a task calls it. It may be called by tasks of the
// group. Go panics if f is nil.
//
// What was done before Go is synchronized before f starts.
func (g *Group) Go(f func() error) {
	if f == nil {
		badUse("Group.Go: f is nil")
	}
	g.tasks.get(true).add(g.task(f), f, g.labels, false)
}

// TryGo is Go if fewer functions than the limit are waiting or running, and
// returns true then. Otherwise it does nothing and returns false.
func (g *Group) TryGo(f func() error) bool {
	if f == nil {
		badUse("Group.TryGo: f is nil")
	}
	return g.tasks.get(true).add(g.task(f), f, g.labels, true)
}

func (g *Group) task(f func() error) task {
	parent := g.parent
	if parent == nil || parent.Done() == nil {
		return task{e: f}
	}
	return task{e: func() error {
		if joint.Err(parent) != nil {
			return context.Cause(parent)
		}
		return f()
	}}
}

// SetLimit allows at most n of the group's functions to run at the same time. A
// negative n means no limit; with 0, none is ever started. It panics if
// functions of the group are waiting or running.
func (g *Group) SetLimit(n int) {
	t := g.tasks.get(true)
	t.mu.Lock()
	defer t.mu.Unlock()
	if active := t.active(); active > 0 {
		badUse("Group.SetLimit: limit is %d while %d functions are active", n, active)
	}
	t.limit = min(max(n, -1), math.MaxInt-1) + 1
}

// Wait returns when all functions given to Go have returned, and runs some of
// them meanwhile. It returns the first error. After that the group may be used
// again, except that one from [WithContext] has its context canceled; as with
// errgroup, a first error is returned by later calls of Wait, too.
//
// If functions panicked, Wait panics with a [*PanicError] for the first when all
// have ended, once: a later Wait returns it as an error. If the first to fail
// called [runtime.Goexit], so does Wait's caller. Everything done in the
// functions is synchronized before Wait returns.
func (g *Group) Wait() error { return g.tasks.wait() }
