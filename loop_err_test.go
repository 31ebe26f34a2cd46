package forkjoin_test

import (
	"context"
	"errors"
	"math"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/forkjoin-go/forkjoin"
)

var (
	errCause = errors.New("the cause")
	errFirst = errors.New("the first error")
	errLater = errors.New("a later error")
)

type runErr = func(ctx context.Context, n int, body func(ctx context.Context, i int) error, opts ...forkjoin.Option) error

// errForms runs the same body through both calls that take a context.
var errForms = []struct {
	name string
	run  runErr
}{
	{"For", forkjoin.ParallelForErr},
	{"Reduce", func(ctx context.Context, n int, body func(ctx context.Context, i int) error, opts ...forkjoin.Option) error {
		_, err := forkjoin.ParallelReduceErr(ctx, n, 0, func(ctx context.Context, lo, hi int) (int, error) {
			for i := lo; i < hi; i++ {
				if err := body(ctx, i); err != nil {
					return 0, err
				}
			}
			return 0, nil
		}, func(a, b int) int { return 0 }, opts...)
		return err
	}},
}

func eachErrForm(t *testing.T, workers []int, f func(t *testing.T, run runErr)) {
	for _, form := range errForms {
		t.Run(form.name, func(t *testing.T) {
			eachPool(t, workers, func(t *testing.T, _ int) { f(t, form.run) })
		})
	}
}

func TestLoopErrRunsEachIndexOnce(t *testing.T) {
	eachPool(t, []int{1, 2, 16}, func(t *testing.T, w int) {
		for _, n := range loopSizes(w) {
			for _, b := range []leafBound{{}, {7, 0}, {0, 7}, {3, 5}, {n + 1, 0}, {math.MaxInt, 0}} {
				seen := make(tally, n)
				err := forkjoin.ParallelForErr(t.Context(), n, func(_ context.Context, i int) error {
					seen[i].Add(1)
					return nil
				}, b.options()...)
				if err != nil {
					t.Fatalf("n=%d %+v: %v", n, b, err)
				}
				seen.check(t, b)
			}
		}
	})
}

func TestLoopErrReturnsTheError(t *testing.T) {
	eachErrForm(t, []int{1, 3}, func(t *testing.T, run runErr) {
		for _, n := range []int{1, 2, 1000} {
			for _, at := range []int{0, n / 2, n - 1} {
				err := run(t.Context(), n, func(_ context.Context, i int) error {
					if i == at {
						return errFirst
					}
					return nil
				})
				if err != errFirst {
					t.Errorf("n=%d at=%d: error %v, want %v as it was", n, at, err, errFirst)
				}
			}
		}
	})
}

// An error stops what has not started; also in a loop that never ends by itself.
func TestLoopErrStopsTheRest(t *testing.T) {
	eachErrForm(t, []int{1, 2, 16}, func(t *testing.T, run runErr) {
		for _, n := range []int{1 << 20, math.MaxInt} {
			var ran, inside atomic.Int64
			err := run(t.Context(), n, func(_ context.Context, i int) error {
				inside.Add(1)
				defer inside.Add(-1)
				spin(20 * time.Microsecond)
				if ran.Add(1) == 50 {
					return errFirst
				}
				return nil
			}, forkjoin.MaxLeaf(64))
			if err != errFirst {
				t.Errorf("error %v, want %v", err, errFirst)
			}
			if k := inside.Load(); k != 0 {
				t.Errorf("%d bodies still run after the call returned", k)
			}
			if k := ran.Load(); k > 1<<18 {
				t.Errorf("%d iterations ran although the 50th failed", k)
			}
		}
	})
}

// The first error wins, although a later one has a smaller index or comes from
// a body that noticed the cancellation.
func TestLoopErrFirstWins(t *testing.T) {
	for _, form := range errForms {
		t.Run(form.name, func(t *testing.T) {
			needsThreads(t)
			setProcs(t, 2) // with many, all that the first has could be taken by others that wait
			within(t, patience, func() {
				for range 20 {
					var first atomic.Int64
					var waiting, told atomic.Bool
					err := form.run(t.Context(), 1<<30, func(ctx context.Context, i int) error {
						id := gnum()
						first.CompareAndSwap(0, id)
						switch {
						case id != first.Load():
							waiting.Store(true)
							select {
							case <-ctx.Done():
								told.Store(true)
							case <-time.After(patience / 2):
								t.Error("an error in another body did not cancel the context")
							}
							return errLater
						case waiting.Load():
							return errFirst
						}
						return nil
					}, forkjoin.MaxLeaf(64))
					if err != errFirst {
						t.Fatalf("error %v, want %v", err, errFirst)
					}
					if !told.Load() {
						t.Fatal("the other body was not running at the error")
					}
				}
			})
		})
	}
}

func TestLoopErrCancelledBefore(t *testing.T) {
	eachErrForm(t, []int{1, 2}, func(t *testing.T, run runErr) {
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(errCause)
		for _, n := range []int{1, 2, 1000, math.MaxInt} {
			err := run(ctx, n, func(context.Context, int) error {
				t.Error("a body ran although the context was cancelled before the call")
				return nil
			})
			if err != errCause {
				t.Errorf("n=%d: error %v, want the cause", n, err)
			}
		}
		plain, stop := context.WithCancel(t.Context())
		stop()
		if err := run(plain, 5, func(context.Context, int) error { return nil }); err != context.Canceled {
			t.Errorf("error %v, want %v", err, context.Canceled)
		}
	})
}

func TestLoopErrCancelledDuring(t *testing.T) {
	eachErrForm(t, []int{1, 2, 16}, func(t *testing.T, run runErr) {
		ctx, cancel := context.WithCancelCause(t.Context())
		defer cancel(nil)
		started := make(chan struct{})
		var once sync.Once
		go func() {
			<-started
			cancel(errCause)
		}()
		var inside atomic.Int64
		err := run(ctx, math.MaxInt, func(context.Context, int) error {
			inside.Add(1)
			defer inside.Add(-1)
			once.Do(func() { close(started) })
			spin(20 * time.Microsecond)
			return nil
		}, forkjoin.MaxLeaf(100))
		if err != errCause {
			t.Errorf("error %v, want the cause", err)
		}
		if k := inside.Load(); k != 0 {
			t.Errorf("%d bodies still run after the call returned", k)
		}
	})
}

func TestLoopErrCancelledInside(t *testing.T) {
	eachErrForm(t, []int{1, 2, 16}, func(t *testing.T, run runErr) {
		for _, heed := range []bool{false, true} { // whether the body returns its context's error
			ctx, cancel := context.WithCancelCause(t.Context())
			var ran atomic.Int64
			err := run(ctx, math.MaxInt, func(ctx context.Context, i int) error {
				spin(5 * time.Microsecond)
				if ran.Add(1) == 30 {
					cancel(errCause)
				}
				if heed {
					return ctx.Err()
				}
				return nil
			}, forkjoin.MaxLeaf(100))
			if err != errCause && !(heed && errors.Is(err, context.Canceled)) {
				t.Errorf("heed %v: error %v, want the cause", heed, err)
			}
			cancel(nil)
		}
	})
}

// A body that waits for its context does not keep a cancelled call from
// ending, even on one worker with work queued behind it.
func TestLoopErrCancelledWhileBodiesWait(t *testing.T) {
	eachErrForm(t, []int{1, 2}, func(t *testing.T, run runErr) {
		ctx, cancel := context.WithTimeoutCause(t.Context(), 5*time.Millisecond, errCause)
		defer cancel()
		err := run(ctx, 1000, func(ctx context.Context, _ int) error {
			<-ctx.Done()
			return context.Cause(ctx)
		}, forkjoin.MaxLeaf(1))
		if err != errCause {
			t.Errorf("error %v, want the cause", err)
		}
	})
}

func TestLoopErrDeadline(t *testing.T) {
	eachErrForm(t, []int{1, 2}, func(t *testing.T, run runErr) {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
		defer cancel()
		err := run(ctx, math.MaxInt, func(context.Context, int) error { spin(10 * time.Microsecond); return nil }, forkjoin.MaxLeaf(100))
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error %v, want %v", err, context.DeadlineExceeded)
		}
	})
}

// A context cancelled after the last iteration has ended may be reported or
// not, but one that lives is not.
func TestLoopErrLiveContextIsNoError(t *testing.T) {
	eachErrForm(t, []int{1, 2}, func(t *testing.T, run runErr) {
		for n := range 50 {
			ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
			if err := run(ctx, n, func(context.Context, int) error { return nil }); err != nil {
				t.Fatalf("n=%d: %v", n, err)
			}
			cancel()
		}
	})
}

// The body's context carries the values of the caller's, lives while the call
// is well, and hands the error on as its cause.
func TestLoopErrBodyContext(t *testing.T) {
	type key struct{}
	eachErrForm(t, []int{1, 2}, func(t *testing.T, run runErr) {
		parent := context.WithValue(t.Context(), key{}, "value")
		var kept atomic.Value
		err := run(parent, 300, func(ctx context.Context, i int) error {
			if ctx.Value(key{}) != "value" {
				t.Error("the body's context lost the caller's value")
			}
			kept.CompareAndSwap(nil, ctx)
			if err := ctx.Err(); err != nil {
				t.Errorf("the body's context is over without a reason: %v", err)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		err = run(parent, 300, func(ctx context.Context, i int) error {
			if i == 0 {
				kept.Store(ctx)
				return errFirst
			}
			return nil
		})
		if err != errFirst {
			t.Fatal(err)
		}
		ctx := kept.Load().(context.Context)
		if ctx.Err() == nil {
			t.Error("the body's context lives on after an error")
		}
		if parent.Err() != nil {
			t.Error("the caller's context was cancelled")
		}
	})
}

// Nested calls hand their context down, and their errors up.
func TestLoopErrNested(t *testing.T) {
	eachErrForm(t, []int{1, 2, 16}, func(t *testing.T, run runErr) {
		ctx, cancel := context.WithCancelCause(t.Context())
		defer cancel(nil)
		var ran atomic.Int64
		nested := func(fail func(i, j int) error) error {
			ran.Store(0)
			return run(ctx, 20, func(ctx context.Context, i int) error {
				return run(ctx, 20, func(_ context.Context, j int) error {
					ran.Add(1)
					return fail(i, j)
				}, forkjoin.MaxLeaf(1))
			}, forkjoin.MaxLeaf(1))
		}
		if err := nested(func(i, j int) error { return nil }); err != nil || ran.Load() != 400 {
			t.Errorf("error %v after %d of 400 bodies", err, ran.Load())
		}
		err := nested(func(i, j int) error {
			if i == 13 && j == 5 {
				return errFirst
			}
			return nil
		})
		if err != errFirst {
			t.Errorf("error %v, want %v", err, errFirst)
		}
		err = nested(func(i, j int) error {
			if i == 3 {
				cancel(errCause)
			}
			return nil
		})
		if err != errCause {
			t.Errorf("error %v, want the cause", err)
		}
	})
}

// A panic is never lost behind an error: a body that panics after another has
// failed still panics in the caller.
func TestLoopErrPanicAfterError(t *testing.T) {
	for _, form := range errForms {
		t.Run(form.name, func(t *testing.T) {
			threads(t, 2)
			within(t, patience, func() {
				var first atomic.Int64
				var waiting atomic.Bool
				panicsWith(t, "after the error", func() {
					err := form.run(t.Context(), 1<<30, func(ctx context.Context, i int) error {
						id := gnum()
						first.CompareAndSwap(0, id)
						switch {
						case id != first.Load():
							waiting.Store(true)
							<-ctx.Done()
							panic("after the error")
						case waiting.Load():
							return errFirst
						}
						return nil
					}, forkjoin.MaxLeaf(64))
					t.Errorf("returned %v", err)
				})
			})
		})
	}
}

// A panic, too, cancels the context of bodies that wait for it.
func TestLoopErrPanicCancelsTheContext(t *testing.T) {
	for _, form := range errForms {
		t.Run(form.name, func(t *testing.T) {
			threads(t, 2)
			within(t, patience, func() {
				var first atomic.Int64
				var waiting, told atomic.Bool
				panicsWith(t, "stop", func() {
					form.run(t.Context(), 1<<30, func(ctx context.Context, i int) error {
						id := gnum()
						first.CompareAndSwap(0, id)
						switch {
						case id != first.Load():
							waiting.Store(true)
							select {
							case <-ctx.Done():
								told.Store(true)
							case <-time.After(patience / 3):
							}
							return ctx.Err()
						case waiting.Load():
							panic("stop")
						}
						return nil
					}, forkjoin.MaxLeaf(64))
				})
				if !told.Load() {
					t.Error("a panic did not cancel the context of a body that waited for it")
				}
			})
		})
	}
}

func TestLoopErrRefusesBadInput(t *testing.T) {
	body := func(context.Context, int) error { t.Error("a task has run"); return nil }
	leaf := func(context.Context, int, int) (int, error) { t.Error("a task has run"); return 0, nil }
	add := func(a, b int) int { return a + b }
	var none context.Context
	bg := context.Background()
	refuses(t, func() { forkjoin.ParallelForErr(none, 5, body) }, "ParallelForErr", "ctx", "nil")
	refuses(t, func() { forkjoin.ParallelForErr(none, 0, body) }, "ParallelForErr", "ctx", "nil")
	refuses(t, func() { forkjoin.ParallelForErr(bg, -3, body) }, "ParallelForErr", "-3")
	refuses(t, func() { forkjoin.ParallelForErr(bg, 5, nil) }, "ParallelForErr", "body", "nil")
	refuses(t, func() { forkjoin.ParallelForErr(bg, 5, body, forkjoin.MinLeaf(3), forkjoin.MaxLeaf(2)) }, "MinLeaf", "3", "2")
	refuses(t, func() { forkjoin.ParallelReduceErr(none, 5, 0, leaf, add) }, "ParallelReduceErr", "ctx", "nil")
	refuses(t, func() { forkjoin.ParallelReduceErr(bg, -3, 0, leaf, add) }, "ParallelReduceErr", "-3")
	refuses(t, func() { forkjoin.ParallelReduceErr(bg, 5, 0, nil, add) }, "ParallelReduceErr", "leaf", "nil")
	refuses(t, func() { forkjoin.ParallelReduceErr(bg, 5, 0, leaf, nil) }, "ParallelReduceErr", "combine", "nil")
	refuses(t, func() { forkjoin.ParallelReduceErr(bg, 5, 0, leaf, add, forkjoin.MinLeaf(3), forkjoin.MaxLeaf(2)) }, "MinLeaf", "3", "2")
}

// Bad input is refused even when the context is over.
func TestLoopErrBadInputBeforeContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	refuses(t, func() {
		forkjoin.ParallelForErr(ctx, -1, func(context.Context, int) error { return nil })
	}, "ParallelForErr", "-1")
}

// A context that is done at the call is what the call reports, whatever it has to do.
func TestLoopErrReportsAContextThatIsDone(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errFirst)
	eachErrForm(t, []int{1, 3}, func(t *testing.T, run runErr) {
		for _, n := range []int{0, 1, 1000} {
			err := run(ctx, n, func(context.Context, int) error { t.Error("a body has run"); return nil })
			if err != errFirst {
				t.Errorf("n=%d: error %v, want the context's cause, %v", n, err, errFirst)
			}
		}
		if err := run(t.Context(), 0, func(context.Context, int) error { return errFirst }); err != nil {
			t.Errorf("n=0: error %v", err)
		}
	})
}
