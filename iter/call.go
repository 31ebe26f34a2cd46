package iter

import (
	"context"
	"runtime/debug"
	"runtime/pprof"
	"sync"
	"sync/atomic"

	"github.com/forkjoin-go/forkjoin"
	"github.com/forkjoin-go/forkjoin/internal/callsite"
)

// A call is one consumption of a sequence, or a part of one that can end on its
// own.
type call struct {
	outer    *call // nil: none
	contexts []context.Context
	options  [3]forkjoin.Option
	limited  bool    // the leaves' sizes were asked for
	site     uintptr // of the consumer's function, for package callsite; 0: it has none

	ended atomic.Bool // what has not begun is to be skipped
	mu    sync.Mutex
	err   error // why, if that was a failure
}

func begin(set *settings) *call {
	c := new(call)
	if set == nil {
		return c
	}
	c.contexts = set.contexts
	c.limited = set.minLeaf > 0 || set.maxLeaf > 0
	if set.minLeaf > 0 {
		c.options[0] = forkjoin.MinLeaf(set.minLeaf)
	}
	if set.maxLeaf > 0 {
		c.options[1] = forkjoin.MaxLeaf(set.maxLeaf)
	}
	if set.label != "" {
		c.options[2] = forkjoin.Label(set.label)
	}
	return c
}

// part returns a call that can end without ending c.
func (c *call) part() *call {
	return &call{outer: c, options: c.options, limited: c.limited, site: c.site}
}

// consumedBy notes the user's function that a sequence is consumed with; nil is none.
func (c *call) consumedBy(f any) {
	if f != nil {
		c.site = callsite.CodeOf(f)
	}
}

// over reports whether what has not begun is to be skipped.
func (c *call) over() bool {
	if c.ended.Load() {
		return true
	}
	for _, ctx := range c.contexts {
		if ctx.Err() != nil {
			c.fail(context.Cause(ctx))
			return true
		}
	}
	return c.outer != nil && c.outer.over()
}

// end has the rest skipped.
func (c *call) end() { c.ended.Store(true) }

// fail ends c because of err, unless it has failed before.
func (c *call) fail(err error) {
	c.mu.Lock()
	if c.err == nil {
		c.err = err
	}
	c.mu.Unlock()
	c.end()
}

// failure returns what c has failed with, nil if it has not.
func (c *call) failure() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// mustNot panics if c has failed.
func (c *call) mustNot() {
	if !c.ended.Load() {
		return
	}
	if err := c.failure(); err != nil {
		panic(&forkjoin.PanicError{Value: err, Stack: debug.Stack()})
	}
}

// consume has f consume s with a function of the user's, if by is one. It panics if
// the consumption is cut short.
func consume[T, R any](s Seq[T], by any, f func(c *call, p *plan[T]) R) R {
	c := begin(s.set)
	c.consumedBy(by)
	r := run(c, func() R {
		p := s.plan(c)
		return f(c, &p)
	})
	c.mustNot()
	return r
}

// consumeErr is consume for consumers that return errors.
func consumeErr[T, R any](s Seq[T], by any, f func(c *call, p *plan[T]) R) (R, error) {
	c := begin(s.set)
	c.consumedBy(by)
	r := run(c, func() R {
		p := s.plan(c)
		return f(c, &p)
	})
	return r, c.failure()
}

// run returns what f returns, unless c is over. Workers that help f have the
// labels of the first of c's contexts that has some.
func run[R any](c *call, f func() R) (r R) {
	if c.over() {
		return r
	}
	for _, ctx := range c.contexts {
		if hasLabels(ctx) {
			// A loop of one iteration runs it here, under labels that last as long.
			err := forkjoin.ParallelForErr(context.WithoutCancel(ctx), 1, func(context.Context, int) error {
				r = f()
				return nil
			})
			if err != nil {
				panic(err) // nothing here can fail
			}
			return r
		}
	}
	return f()
}

func hasLabels(ctx context.Context) (has bool) {
	pprof.ForLabels(ctx, func(_, _ string) bool { has = true; return false })
	return has
}
