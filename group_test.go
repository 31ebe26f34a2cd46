package forkjoin_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/forkjoin-go/forkjoin"
)

// Group against what errgroup.Group does.

func TestGroupZeroValue(t *testing.T) {
	one, two := errors.New("one"), errors.New("two")
	everywhere(t, func(t *testing.T, p place) {
		within(t, 20*time.Second, func() {
			p.run(func() {
				if err := new(forkjoin.Group).Wait(); err != nil {
					t.Errorf("Wait without tasks: %v", err)
				}
				for _, errs := range [][]error{{}, {nil}, {one}, {one, nil}, {nil, one}, {nil, nil, nil}} {
					var g forkjoin.Group
					var want error
					for _, err := range errs {
						if err != nil {
							want = err
						}
						g.Go(func() error { return err })
					}
					if err := g.Wait(); err != want {
						t.Errorf("%v: Wait is %v, want %v", errs, err, want)
					}
				}
				// Of several errors it is one of them.
				var g forkjoin.Group
				g.Go(func() error { return one })
				g.Go(func() error { return two })
				if err := g.Wait(); err != one && err != two {
					t.Errorf("Wait is %v", err)
				}
			})
		})
	})
}

// The error that was first in time wins.
func TestGroupFirstErrorWins(t *testing.T) {
	one, two := errors.New("one"), errors.New("two")
	everywhere(t, func(t *testing.T, p place) {
		within(t, 30*time.Second, func() {
			p.run(func() {
				for range 10 {
					g, ctx := forkjoin.WithContext(context.Background())
					g.Go(func() error { <-ctx.Done(); return two })
					g.Go(func() error { return one })
					g.Go(func() error { <-ctx.Done(); return two })
					if err := g.Wait(); err != one {
						t.Errorf("Wait is %v, want %v", err, one)
					}
				}
			})
		})
	})
}

func TestGroupWithContext(t *testing.T) {
	boom := errors.New("boom")
	type key struct{}
	everywhere(t, func(t *testing.T, p place) {
		within(t, 30*time.Second, func() {
			p.run(func() {
				parent := context.WithValue(context.Background(), key{}, "value")

				// Cancelled by Wait, not before.
				g, ctx := forkjoin.WithContext(parent)
				if ctx.Value(key{}) != "value" {
					t.Error("the context does not descend from its parent")
				}
				g.Go(func() error { return ctx.Err() })
				if err := g.Wait(); err != nil {
					t.Errorf("Wait is %v: cancelled too soon", err)
				}
				if ctx.Err() != context.Canceled {
					t.Errorf("after Wait the context's error is %v", ctx.Err())
				}

				// By the first error, which is its cause.
				g, ctx = forkjoin.WithContext(parent)
				g.Go(func() error { <-ctx.Done(); return ctx.Err() })
				g.Go(func() error { return boom })
				g.Go(func() error { <-ctx.Done(); return nil })
				if err := g.Wait(); err != boom {
					t.Errorf("Wait is %v, want %v", err, boom)
				}
				if cause := context.Cause(ctx); cause != boom || ctx.Err() != context.Canceled {
					t.Errorf("cause is %v and error %v", cause, ctx.Err())
				}

				// By its parent.
				outer, cancel := context.WithCancel(parent)
				g, ctx = forkjoin.WithContext(outer)
				g.Go(func() error { <-ctx.Done(); return context.Cause(ctx) })
				cancel()
				if err := g.Wait(); err != context.Canceled {
					t.Errorf("Wait is %v, want %v", err, context.Canceled)
				}

				// An error of one group does not reach another of the same parent.
				g, _ = forkjoin.WithContext(parent)
				h, ctx := forkjoin.WithContext(parent)
				g.Go(func() error { return boom })
				if err := g.Wait(); err != boom {
					t.Errorf("Wait is %v", err)
				}
				if ctx.Err() != nil {
					t.Error("the other group was cancelled")
				}
				if err := h.Wait(); err != nil {
					t.Errorf("the other group's Wait is %v", err)
				}
			})
		})
	})
}

// With a panic the context is cancelled too: others may be waiting for it.
func TestGroupPanicCancels(t *testing.T) {
	everywhere(t, func(t *testing.T, p place) {
		within(t, 30*time.Second, func() {
			for _, o := range ordeals {
				got := outcomeOf(func() {
					p.run(func() {
						g, ctx := forkjoin.WithContext(context.Background())
						g.Go(func() error { <-ctx.Done(); return ctx.Err() })
						g.Go(func() error { o.throw(); return nil })
						g.Wait()
					})
				})
				wantPanic(t, got, o, "WithContext")
			}
			got := outcomeOf(func() {
				p.run(func() {
					g, ctx := forkjoin.WithContext(context.Background())
					g.Go(func() error { <-ctx.Done(); return ctx.Err() })
					g.Go(func() error { runtime.Goexit(); return nil })
					g.Wait()
				})
			})
			wantExit(t, got, "WithContext")
		})
	})
}

// What tells of a Goexit, as the cause of the context does, is an error like others:
// a task that panics with it panics.
func TestGroupGoexitCauseIsAnError(t *testing.T) {
	everywhere(t, func(t *testing.T, p place) {
		within(t, 30*time.Second, func() {
			var ctx context.Context
			outcomeOf(func() {
				p.run(func() {
					var g *forkjoin.Group
					g, ctx = forkjoin.WithContext(context.Background())
					g.Go(func() error { runtime.Goexit(); return nil })
					g.Wait()
				})
			})
			cause := context.Cause(ctx)
			checkText(t, cause, "Goexit")
			for name, f := range map[string]func(){
				"WaitGroup": func() {
					var g forkjoin.WaitGroup
					g.Go(func() { panic(cause) })
					g.Wait()
				},
				"Join": func() { forkjoin.Join(func() { linger() }, func() { panic(cause) }) },
			} {
				got := outcomeOf(func() { p.run(f) })
				if e, ok := got.panicked.(*forkjoin.PanicError); !ok || e.Value != cause {
					t.Errorf("%s: %v, want a *PanicError for %v", name, got, cause)
				}
			}
		})
	})
}

// A panic and an error: the panic is never lost.
func TestGroupPanicBesidesError(t *testing.T) {
	everywhere(t, func(t *testing.T, p place) {
		within(t, 30*time.Second, func() {
			for range scale(50) {
				got := outcomeOf(func() {
					p.run(func() {
						var g forkjoin.Group
						g.Go(func() error { throwStruct(); return nil })
						g.Go(func() error { return nil })
						g.Go(func() error { fib(5); return nil })
						g.Wait()
					})
				})
				wantPanic(t, got, ordeals[3], "beside others")
			}
		})
	})
}

func TestGroupLimit(t *testing.T) {
	everywhere(t, func(t *testing.T, p place) {
		within(t, 60*time.Second, func() {
			p.run(func() {
				for _, limit := range []int{1, 2, 3, 10} {
					var g forkjoin.Group
					g.SetLimit(limit)
					var active, most, ran atomic.Int64
					n := scale(300)
					for i := range n {
						g.Go(func() error {
							a := active.Add(1)
							for m := most.Load(); a > m && !most.CompareAndSwap(m, a); m = most.Load() {
							}
							if i%16 == 0 {
								linger()
							}
							ran.Add(1)
							active.Add(-1)
							return nil
						})
					}
					if err := g.Wait(); err != nil {
						t.Error(err)
					}
					if most.Load() > int64(limit) {
						t.Errorf("limit %d: %d at the same time", limit, most.Load())
					}
					if ran.Load() != int64(n) {
						t.Errorf("limit %d: %d of %d ran", limit, ran.Load(), n)
					}
				}
			})
		})
	})
}

// Under a limit tasks that block are counted as well: the next one starts only
// when one of them has ended.
func TestGroupLimitWithBlockedTasks(t *testing.T) {
	eachProcs(t, func(t *testing.T) {
		within(t, 20*time.Second, func() {
			var g forkjoin.Group
			g.SetLimit(2)
			gate := make(chan struct{})
			for range 2 {
				g.Go(func() error { <-gate; return nil })
			}
			started, third := make(chan struct{}), make(chan struct{})
			go func() {
				g.Go(func() error { close(started); return nil })
				close(third)
			}()
			select {
			case <-started:
				t.Error("a third task started although two of two were active")
			case <-time.After(40 * time.Millisecond):
			}
			if g.TryGo(func() error { t.Error("ran"); return nil }) {
				t.Error("TryGo took a task although two of two were active")
			}
			close(gate)
			<-third
			if err := g.Wait(); err != nil {
				t.Error(err)
			}
			<-started
		})
	})
}

// Without a context an error stops nothing: every function that was given runs,
// as programs that count on their side effects expect.
func TestGroupZeroRunsAll(t *testing.T) {
	boom := errors.New("boom")
	everywhere(t, func(t *testing.T, p place) {
		within(t, 20*time.Second, func() {
			p.run(func() {
				for _, limit := range []int{-1, 1, 3} {
					var g forkjoin.Group
					g.SetLimit(limit)
					var ran atomic.Int64
					for i := range 200 {
						g.Go(func() error {
							ran.Add(1)
							if i%3 == 0 {
								return boom
							}
							return nil
						})
					}
					if err := g.Wait(); err != boom || ran.Load() != 200 {
						t.Errorf("limit %d: %d of 200 ran, error %v", limit, ran.Load(), err)
					}
				}
			})
		})
	})
}

// A cancelled parent: Wait ends, and says why.
func TestGroupParentCancelled(t *testing.T) {
	cause := errors.New("the cause")
	everywhere(t, func(t *testing.T, p place) {
		within(t, 20*time.Second, func() {
			p.run(func() {
				for _, limit := range []int{-1, 1, 2} {
					parent, cancel := context.WithCancelCause(context.Background())
					g, ctx := forkjoin.WithContext(parent)
					g.SetLimit(limit)
					for range 50 {
						g.Go(func() error { <-ctx.Done(); return context.Cause(ctx) })
					}
					cancel(cause)
					g.Go(func() error { <-ctx.Done(); return context.Cause(ctx) })
					if err := g.Wait(); err != cause {
						t.Errorf("limit %d: Wait is %v, want %v", limit, err, cause)
					}
				}
			})
		})
	})
}

// One slot passed from hand to hand: a task under a limit starts the next one.
func TestGroupLimitedTasksTryGo(t *testing.T) {
	everywhere(t, func(t *testing.T, p place) {
		within(t, 20*time.Second, func() {
			p.run(func() {
				var g forkjoin.Group
				g.SetLimit(2)
				var ran atomic.Int64
				var next func(left int) func() error
				next = func(left int) func() error {
					return func() error {
						ran.Add(1)
						if left > 0 {
							for !g.TryGo(next(left - 1)) {
								runtime.Gosched()
							}
						}
						return nil
					}
				}
				g.Go(next(50))
				if err := g.Wait(); err != nil || ran.Load() != 51 {
					t.Errorf("%d of 51 ran, error %v", ran.Load(), err)
				}
			})
		})
	})
}

func TestGroupTryGo(t *testing.T) {
	eachProcs(t, func(t *testing.T) {
		within(t, 20*time.Second, func() {
			var g forkjoin.Group
			n := 42
			g.SetLimit(n)
			gate := make(chan struct{})
			work := func() error { <-gate; return nil }
			for i := range n {
				if !g.TryGo(work) {
					t.Errorf("TryGo %d of %d refused", i, n)
				}
			}
			for range 3 {
				if g.TryGo(work) {
					t.Error("TryGo over the limit took a task")
				}
			}
			close(gate)
			if err := g.Wait(); err != nil {
				t.Error(err)
			}

			g.SetLimit(1)
			gate = make(chan struct{})
			if !g.TryGo(work) || g.TryGo(work) {
				t.Error("TryGo at a limit of one")
			}
			close(gate)
			if err := g.Wait(); err != nil {
				t.Error(err)
			}

			g.SetLimit(0)
			if g.TryGo(work) {
				t.Error("TryGo at a limit of none took a task")
			}

			g.SetLimit(-1)
			for range 100 {
				if !g.TryGo(func() error { return nil }) {
					t.Error("TryGo without a limit refused")
				}
			}
			if err := g.Wait(); err != nil {
				t.Error(err)
			}
		})
	})
}

// A task may give its group any number of tasks, though none of them can start
// before it has ended.
func TestGroupTaskGivesMany(t *testing.T) {
	const many = 6000
	give := func(t *testing.T, give func(g *forkjoin.Group, f func() error)) {
		var g forkjoin.Group
		g.SetLimit(1)
		var n atomic.Int64
		g.Go(func() error {
			give(&g, func() error { n.Add(1); return nil })
			return nil
		})
		g.Wait()
		if n.Load() != many {
			t.Errorf("%d tasks ran, want %d", n.Load(), many)
		}
	}
	plain := func(g *forkjoin.Group, f func() error) {
		for range many {
			g.Go(f)
		}
	}
	everywhere(t, func(t *testing.T, p place) {
		within(t, 30*time.Second, func() {
			p.run(func() {
				give(t, plain)
				give(t, func(g *forkjoin.Group, f func() error) {
					forkjoin.ParallelFor(many, func(int) { g.Go(f) })
				})
				give(t, func(g *forkjoin.Group, f func() error) {
					forkjoin.Default().Run(func() { plain(g, f) })
				})
			})
			give(t, plain)
		})
	})
	bubble(t, func(t *testing.T) { give(t, plain) })
}

func TestGroupSetLimitWhileActive(t *testing.T) {
	eachProcs(t, func(t *testing.T) {
		within(t, 20*time.Second, func() {
			var g forkjoin.Group
			g.SetLimit(3)
			gate := make(chan struct{})
			for range 2 {
				g.Go(func() error { <-gate; return nil })
			}
			refuses(t, func() { g.SetLimit(5) }, "SetLimit", "2")
			close(gate)
			if err := g.Wait(); err != nil {
				t.Error(err)
			}
			g.SetLimit(5) // nothing is active any more
			g.Go(func() error { return nil })
			if err := g.Wait(); err != nil {
				t.Error(err)
			}
		})
	})
}

// With no limit, or a negative one, there can be as many active as are started.
func TestGroupNoLimit(t *testing.T) {
	eachProcs(t, func(t *testing.T) {
		within(t, 30*time.Second, func() {
			for _, set := range []bool{false, true} {
				var g forkjoin.Group
				if set {
					g.SetLimit(1)
					g.SetLimit(-1)
				}
				const n = 20
				var meet sync.WaitGroup
				meet.Add(n)
				for range n {
					g.Go(func() error {
						meet.Done()
						meet.Wait()
						return nil
					})
				}
				if err := g.Wait(); err != nil {
					t.Error(err)
				}
			}
		})
	})
}

func TestGroupReuse(t *testing.T) {
	boom := errors.New("boom")
	everywhere(t, func(t *testing.T, p place) {
		within(t, 20*time.Second, func() {
			p.run(func() {
				var g forkjoin.Group
				for round := range scale(100) {
					n := 0
					g.Go(func() error { n++; return nil })
					if err := g.Wait(); err != nil || n != 1 {
						t.Fatalf("round %d: ran %d times, error %v", round, n, err)
					}
				}
				// errgroup keeps its error.
				g.Go(func() error { return boom })
				for range 2 {
					if err := g.Wait(); err != boom {
						t.Errorf("Wait is %v, want %v", err, boom)
					}
				}
			})
		})
	})
}

// When Wait has returned the variable is the user's again, who may overwrite it:
// a worker that comes late for the tasks must not look into it.
func TestGroupOverwritten(t *testing.T) {
	everywhere(t, func(t *testing.T, p place) {
		within(t, 60*time.Second, func() {
			p.run(func() {
				var g forkjoin.Group
				var w forkjoin.WaitGroup
				ran := new(int)
				for i := range scale(2_000) {
					g.Go(func() error { *ran++; return nil })
					if err := g.Wait(); err != nil {
						t.Fatal(err)
					}
					g = forkjoin.Group{}
					w.Go(func() { *ran++ })
					w.Wait()
					w = forkjoin.WaitGroup{}
					if *ran != 2*(i+1) {
						t.Fatalf("%d tasks ran in %d rounds", *ran, i+1)
					}
				}
			})
		})
	})
}

// After the Wait that panicked, the panic is an error like others.
func TestGroupReuseAfterPanic(t *testing.T) {
	boom := errors.New("boom")
	everywhere(t, func(t *testing.T, p place) {
		within(t, 20*time.Second, func() {
			p.run(func() {
				var g forkjoin.Group
				g.Go(func() error { panic(boom) })
				if got := outcomeOf(func() { g.Wait() }); got.returned {
					t.Error("Wait returned")
				}
				if e, ok := g.Wait().(*forkjoin.PanicError); !ok || e.Value != boom {
					t.Errorf("the next Wait returned %v", e)
				}
			})
		})
	})
}

func TestGroupGoInsideTasks(t *testing.T) {
	everywhere(t, func(t *testing.T, p place) {
		within(t, 20*time.Second, func() {
			p.run(func() {
				var g forkjoin.Group
				var leaves atomic.Int64
				var grow func(depth int) error
				grow = func(depth int) error {
					if depth == 0 {
						leaves.Add(1)
						return nil
					}
					for range 4 {
						g.Go(func() error { return grow(depth - 1) })
					}
					return nil
				}
				g.Go(func() error { return grow(4) })
				if err := g.Wait(); err != nil || leaves.Load() != 256 {
					t.Errorf("%d leaves, want 256; error %v", leaves.Load(), err)
				}
			})
		})
	})
}

// The usual pipeline: producers, a stage and a collector in one group, joined by
// unbuffered channels.
func TestGroupPipeline(t *testing.T) {
	everywhere(t, func(t *testing.T, p place) {
		within(t, 30*time.Second, func() {
			p.run(func() {
				g, ctx := forkjoin.WithContext(context.Background())
				numbers, squares := make(chan int), make(chan int)
				n := scale(500)
				g.Go(func() error {
					defer close(numbers)
					for i := range n {
						select {
						case numbers <- i:
						case <-ctx.Done():
							return ctx.Err()
						}
					}
					return nil
				})
				var stage sync.WaitGroup
				stage.Add(3)
				for range 3 {
					g.Go(func() error {
						defer stage.Done()
						for v := range numbers {
							select {
							case squares <- v * v:
							case <-ctx.Done():
								return ctx.Err()
							}
						}
						return nil
					})
				}
				g.Go(func() error { stage.Wait(); close(squares); return nil })
				sum := 0
				for v := range squares {
					sum += v
				}
				if err := g.Wait(); err != nil {
					t.Error(err)
				}
				if want := (n - 1) * n * (2*n - 1) / 6; sum != want {
					t.Errorf("sum %d, want %d", sum, want)
				}
			})
		})
	})
}

// The pipeline is torn down by an error in the middle.
func TestGroupPipelineError(t *testing.T) {
	boom := errors.New("boom")
	everywhere(t, func(t *testing.T, p place) {
		within(t, 30*time.Second, func() {
			p.run(func() {
				g, ctx := forkjoin.WithContext(context.Background())
				numbers := make(chan int)
				g.Go(func() error {
					for i := 0; ; i++ {
						select {
						case numbers <- i:
						case <-ctx.Done():
							return ctx.Err()
						}
					}
				})
				for range 3 {
					g.Go(func() error {
						for {
							select {
							case v := <-numbers:
								if v == 20 {
									return boom
								}
							case <-ctx.Done():
								return ctx.Err()
							}
						}
					})
				}
				if err := g.Wait(); err != boom {
					t.Errorf("Wait is %v, want %v", err, boom)
				}
			})
		})
	})
}

func TestGroupBadInput(t *testing.T) {
	within(t, 10*time.Second, func() {
		var g forkjoin.Group
		refuses(t, func() { g.Go(nil) }, "Go", "nil")
		refuses(t, func() { g.TryGo(nil) }, "TryGo", "nil")
		g.Go(func() error { return nil })
		if err := g.Wait(); err != nil {
			t.Error(err)
		}
	})
}

// An error keeps its identity and type.
func TestGroupErrorIdentity(t *testing.T) {
	within(t, 10*time.Second, func() {
		want := &customError{7}
		var g forkjoin.Group
		g.Go(func() error { return want })
		err := g.Wait()
		var got *customError
		if err != error(want) || !errors.As(err, &got) || got.code != 7 || strings.HasPrefix(err.Error(), "forkjoin") {
			t.Errorf("Wait is %v", err)
		}
	})
}

type customError struct{ code int }

func (e *customError) Error() string { return fmt.Sprint("code ", e.code) }

// A limit given up by tasks that panic or exit is free for others.
func TestGroupLimitAfterPanic(t *testing.T) {
	everywhere(t, func(t *testing.T, p place) {
		within(t, 30*time.Second, func() {
			for _, bad := range []func(){throwStruct, runtime.Goexit} {
				var g forkjoin.Group
				g.SetLimit(1)
				var ran atomic.Int64
				got := outcomeOf(func() {
					p.run(func() {
						g.Go(func() error { bad(); return nil })
						for range 5 {
							g.Go(func() error { ran.Add(1); return nil })
						}
						g.Wait()
					})
				})
				if got.returned {
					t.Error("Wait returned")
				}
				g.SetLimit(2) // nothing is active
			}
			p.run(func() { sane(t) })
		})
	})
}
