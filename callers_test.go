package forkjoin_test

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/forkjoin-go/forkjoin"
)

// fromInit is computed while the package is initialised, before main and before
// any pool was asked for. Child processes of other tests go without, because
// some of them look at what merely importing the package does.
var fromInit = func() (r struct {
	ran            bool
	fib, sum, join int
}) {
	if os.Getenv("FORKJOIN_TEST_CHILD") != "" {
		return r
	}
	r.ran = true
	r.fib = forkjoin.Recursive(func(t *forkjoin.Task[int, int], n int) int {
		if n < 2 {
			return n
		}
		a, b := t.Join(n-1, n-2)
		return a + b
	})(15)
	r.sum = forkjoin.ParallelReduce(1000, 0, func(lo, hi int) int { return hi - lo }, func(a, b int) int { return a + b })
	var wg forkjoin.WaitGroup
	var n atomic.Int64
	wg.Go(func() { n.Add(2) })
	forkjoin.Join(func() { n.Add(3) }, func() { n.Add(4) })
	wg.Wait()
	r.join = int(n.Load())
	return r
}()

func init() {
	forkjoin.ParallelFor(10, func(int) {})
}

func TestDuringInit(t *testing.T) {
	if !fromInit.ran {
		t.Skip("not in a child process")
	}
	if fromInit.fib != 610 || fromInit.sum != 1000 || fromInit.join != 9 {
		t.Errorf("got %+v", fromInit)
	}
}

// A thousand callers at once, each of whom makes every kind of call.
func TestThousandCallers(t *testing.T) {
	eachProcs(t, func(t *testing.T) {
		within(t, 60*time.Second, func() {
			callers := 1000
			if build.wasm || build.race {
				callers = 200
			}
			var wait sync.WaitGroup
			var start sync.WaitGroup
			start.Add(1)
			var failed atomic.Int64
			for c := range callers {
				wait.Go(func() {
					start.Wait()
					if err := everyCall(c); err != nil {
						failed.Add(1)
						t.Error(err)
					}
				})
			}
			start.Done()
			wait.Wait()
			if failed.Load() != 0 {
				t.Errorf("%d of %d callers failed", failed.Load(), callers)
			}
		})
	})
}

// The same through one small pool, which the callers have to share.
func TestThousandCallersOnePool(t *testing.T) {
	for _, workers := range []int{1, 3} {
		inPool(t, workers, func(t *testing.T, p place) {
			within(t, 60*time.Second, func() {
				callers := scale(1000)
				var wait sync.WaitGroup
				for c := range callers {
					wait.Go(func() {
						p.run(func() {
							if err := everyCall(c); err != nil {
								t.Error(err)
							}
						})
					})
				}
				wait.Wait()
			})
		})
	}
}

// everyCall makes every kind of call and checks the results.
func everyCall(c int) error {
	if got := fib(8 + c%4); got != seqFib(8+c%4) {
		return fmt.Errorf("caller %d: fib %d", c, got)
	}
	if got := joinFib(5); got != 5 {
		return fmt.Errorf("caller %d: joinFib(5) = %d", c, got)
	}
	n := 50 + c%50
	seen := make([]int32, n)
	forkjoin.ParallelFor(n, func(i int) { seen[i]++ })
	for i, k := range seen {
		if k != 1 {
			return fmt.Errorf("caller %d: index %d ran %d times", c, i, k)
		}
	}
	sum := forkjoin.ParallelReduce(n, 0, func(lo, hi int) int {
		s := 0
		for i := lo; i < hi; i++ {
			s += i
		}
		return s
	}, func(a, b int) int { return a + b })
	if sum != n*(n-1)/2 {
		return fmt.Errorf("caller %d: sum to %d is %d", c, n, sum)
	}
	g, ctx := forkjoin.WithContext(context.Background())
	var ran atomic.Int32
	for range 3 {
		g.Go(func() error { ran.Add(1); return ctx.Err() })
	}
	if err := g.Wait(); err != nil || ran.Load() != 3 {
		return fmt.Errorf("caller %d: %d of 3 tasks ran, error %v", c, ran.Load(), err)
	}
	if c%10 == 0 {
		o := outcomeOf(func() { forkjoin.Join(nop, func() { panic(c) }) })
		if pe, ok := o.panicked.(*forkjoin.PanicError); !ok || pe.Value != c {
			return fmt.Errorf("caller %d: %v, want its own panic", c, o)
		}
	}
	return nil
}

// Callers that come and go: what one goroutine leaves behind, the next with the
// same address must not find.
func TestCallersComeAndGo(t *testing.T) {
	eachProcs(t, func(t *testing.T) {
		within(t, 30*time.Second, func() {
			for round := range scale(2000) {
				done := make(chan int)
				go func() {
					switch round % 3 {
					case 0:
						done <- fib(5)
					case 1:
						done <- joinFib(5)
					case 2:
						defer func() { recover(); done <- 5 }()
						forkjoin.Join(nop, func() { panic("gone") })
					}
				}()
				if got := <-done; got != 5 {
					t.Fatalf("round %d: %d", round, got)
				}
				if i := forkjoin.WorkerIndex(); i != -1 {
					t.Fatalf("round %d: worker index %d outside any call", round, i)
				}
			}
		})
	})
}

// Callers whose goroutine is wired to its thread, and tasks that wire theirs.
func TestLockedThreads(t *testing.T) {
	everywhere(t, func(t *testing.T, p place) {
		within(t, 30*time.Second, func() {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			p.run(func() {
				if got := fib(12); got != 144 {
					t.Errorf("fib(12) = %d", got)
				}
				if got := joinFib(8); got != 21 {
					t.Errorf("joinFib(8) = %d", got)
				}
				var n atomic.Int64
				forkjoin.ParallelFor(20, func(i int) {
					runtime.LockOSThread()
					defer runtime.UnlockOSThread()
					forkjoin.Join(func() { busy(i); n.Add(1) }, func() { busy(i); n.Add(1) })
				}, forkjoin.MaxLeaf(1))
				var wg forkjoin.WaitGroup
				for range 10 {
					wg.Go(func() {
						runtime.LockOSThread()
						defer runtime.UnlockOSThread()
						n.Add(1)
					})
				}
				wg.Wait()
				if n.Load() != 50 {
					t.Errorf("%d, want 50", n.Load())
				}
			})
		})
	})
}

// A locked caller whose branch is stolen: its own thread goes on with it.
func TestLockedThreadStolen(t *testing.T) {
	needsThreads(t)
	within(t, 30*time.Second, func() {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
		for _, f := range movable() {
			for range scale(20) {
				g := form{f.name, func(a, b func()) {
					runtime.LockOSThread()
					defer runtime.UnlockOSThread()
					f.run(a, b)
				}, f.join}
				o := g.stolen(t, place{workers: 4, run: func(f func()) { f() }}, nop, func() {
					runtime.LockOSThread()
					linger()
					runtime.UnlockOSThread()
				})
				if !o.returned {
					t.Errorf("%s: %v", f.name, o)
				}
			}
		}
	})
}

// Finalizers and cleanups are callers like any other.
func TestFromFinalizers(t *testing.T) {
	eachProcs(t, func(t *testing.T) {
		within(t, 30*time.Second, func() {
			var finalized, cleaned atomic.Int64
			const count = 5
			for range count {
				func() {
					a := new([64]byte)
					runtime.SetFinalizer(a, func(*[64]byte) {
						if everyCall(7) == nil {
							finalized.Add(1)
						}
					})
					b := new([64]byte)
					runtime.AddCleanup(b, func(n int) {
						if everyCall(n) == nil {
							cleaned.Add(1)
						}
					}, 10)
				}()
			}
			soon(t, 10*time.Second, "finalizers and cleanups that fork have run", func() bool {
				runtime.GC()
				return finalized.Load() == count && cleaned.Load() == count
			})
		})
	})
}

// Timers' functions too, also while a call of the same program is running.
func TestFromTimers(t *testing.T) {
	eachProcs(t, func(t *testing.T) {
		within(t, 30*time.Second, func() {
			errs := make(chan error, 10)
			for c := range 10 {
				time.AfterFunc(time.Duration(c)*100*time.Microsecond, func() { errs <- everyCall(c) })
			}
			for range 10 {
				forkjoin.ParallelFor(100, func(int) { runtime.Gosched() })
				if err := <-errs; err != nil {
					t.Error(err)
				}
			}
		})
	})
}

// GOMAXPROCS changes while callers are at work.
func TestProcsChangeUnderCallers(t *testing.T) {
	needsThreads(t)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	within(t, 60*time.Second, func() {
		var stop atomic.Bool
		var wait sync.WaitGroup
		for c := range 8 {
			wait.Go(func() {
				for round := 0; !stop.Load(); round++ {
					if err := everyCall(c + round); err != nil {
						t.Error(err)
						return
					}
				}
			})
		}
		for round := range scale(60) {
			runtime.GOMAXPROCS([]int{1, 4, 2, 8, 3}[round%5])
			time.Sleep(2 * time.Millisecond)
		}
		stop.Store(true)
		wait.Wait()
		sane(t)
	})
}

// The stack of a caller that has grown and shrunk is still found.
func TestCallersWithGrowingStacks(t *testing.T) {
	var deep func(n int, f func()) int
	deep = func(n int, f func()) int {
		var pad [128]int
		if n == 0 {
			f()
			return 1
		}
		pad[n%128] = deep(n-1, f)
		return pad[n%128] + 1
	}
	everywhere(t, func(t *testing.T, p place) {
		within(t, 30*time.Second, func() {
			p.run(func() {
				for _, depth := range []int{1, 50, 500, 1} {
					a, b := forkjoin.Join2(
						func() int { return deep(depth, func() { fib(6) }) },
						func() int { return deep(depth, func() { joinFib(4); runtime.GC() }) })
					if a != depth+1 || b != depth+1 {
						t.Errorf("depth %d: %d and %d", depth, a, b)
					}
				}
			})
		})
	})
}
