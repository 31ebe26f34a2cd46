package forkjoin_test

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/forkjoin-go/forkjoin"
)

// bubble runs f in a synctest bubble under a deadline of real time.
func bubble(t *testing.T, f func(t *testing.T)) {
	t.Helper()
	late := time.AfterFunc(patience, func() {
		panic("a bubble did not end; all goroutines:\n" + string(stacks()))
	})
	defer late.Stop()
	synctest.Test(t, f)
}

// outside checks that calls outside any bubble still work, are shared, and can
// wait: what the package made for itself in a bubble would crash here.
func outside(t *testing.T) {
	t.Helper()
	within(t, patience, func() {
		seen := make(tally, 2000)
		forkjoin.ParallelFor(len(seen), func(i int) { seen[i].Add(1) }, forkjoin.MaxLeaf(1))
		seen.check(t, "after a bubble")
		var callers sync.WaitGroup
		for range 8 { // among them, probably, goroutines that reuse what the bubble's were
			callers.Go(func() {
				var stolen atomic.Bool
				forkjoin.Join(func() { // the branches may run one after the other
					for end := time.Now().Add(20 * time.Millisecond); !stolen.Load() && time.Now().Before(end); {
						runtime.Gosched()
					}
				}, func() { stolen.Store(true); time.Sleep(2 * time.Millisecond) })
			})
		}
		callers.Wait()
		done := make(chan struct{})
		forkjoin.Default().Submit(func() { close(done) })
		<-done
		forkjoin.ParallelFor(3, func(int) { forkjoin.Blocking(func() { time.Sleep(time.Millisecond) }) }, forkjoin.MaxLeaf(1))
		broadcastOnce(t, forkjoin.Default())
		var wg forkjoin.WaitGroup
		var n atomic.Int64
		for range 10 {
			wg.Go(func() { n.Add(1) })
		}
		wg.Wait()
		if n.Load() != 10 {
			t.Errorf("%d tasks ran after a bubble, want 10", n.Load())
		}
	})
}

// parallelOutside keeps the default pool's workers awake while a bubble runs:
// none of them may take anything from it.
func parallelOutside(t *testing.T) (stop func()) {
	var over atomic.Bool
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for !over.Load() {
				forkjoin.ParallelFor(100, func(int) { spin(10 * time.Microsecond) }, forkjoin.MaxLeaf(1))
				time.Sleep(time.Millisecond)
			}
		})
	}
	return func() { over.Store(true); wg.Wait() }
}

func TestSynctestStaysOnTheCaller(t *testing.T) {
	stop := parallelOutside(t)
	defer stop()
	for range 5 {
		bubble(t, func(t *testing.T) {
			me := gnum()
			var n atomic.Int64
			here := func() {
				n.Add(1)
				if id := gnum(); id != me {
					t.Errorf("a body ran on goroutine %d, the caller is %d", id, me)
				}
				toil(2)
			}
			ctx := context.Background()
			forkjoin.Join(here, here)
			forkjoin.Join2(func() int { here(); return 0 }, func() int { here(); return 0 })
			forkjoin.JoinAll(here, here, here)
			forkjoin.ParallelFor(200, func(int) { here() }, forkjoin.MaxLeaf(1))
			forkjoin.ParallelForRange(0, 200, func(int, int) { here() }, forkjoin.MaxLeaf(1))
			forkjoin.ParallelFor2D(10, 10, func(_, _, _, _ int) { here() }, forkjoin.MaxLeaf(1))
			forkjoin.ParallelForWith(100, func() int { here(); return 0 }, func(int, int) { here() }, forkjoin.MaxLeaf(1))
			forkjoin.ParallelForErr(ctx, 100, func(context.Context, int) error { here(); return nil }, forkjoin.MaxLeaf(1))
			forkjoin.ParallelReduce(100, 0, func(int, int) int { here(); return 0 }, add, forkjoin.MaxLeaf(1))
			forkjoin.ParallelReduceErr(ctx, 100, 0, func(context.Context, int, int) (int, error) { here(); return 0, nil }, add, forkjoin.MaxLeaf(1))
			forkjoin.Recursive(func(t *forkjoin.Task[int, int], n int) int {
				here()
				if n > 0 {
					t.Join(n-1, n-1)
					t.JoinAll([]int{n - 1, n - 1}, make([]int, 2))
				}
				return 0
			})(3)
			if n.Load() < 500 {
				t.Errorf("only %d bodies ran", n.Load())
			}
		})
	}
	outside(t)
}

// Channels of the bubble may be used in bodies: whoever touched them from
// outside would crash.
func TestSynctestBubbleChannelsInBodies(t *testing.T) {
	stop := parallelOutside(t)
	defer stop()
	bubble(t, func(t *testing.T) {
		c := make(chan int, 1000)
		forkjoin.ParallelFor(100, func(i int) { c <- i }, forkjoin.MaxLeaf(1))
		forkjoin.Join(func() { c <- 1 }, func() { c <- 2 })
		forkjoin.ParallelReduce(100, 0, func(lo, hi int) int { c <- lo; return 0 }, add, forkjoin.MaxLeaf(1))
		if len(c) < 200 {
			t.Errorf("%d values in the channel", len(c))
		}
		// A body may wait for a goroutine of the bubble.
		d := make(chan int)
		go func() {
			for i := range 10 {
				d <- i
			}
		}()
		sum := 0
		forkjoin.ParallelFor(10, func(int) { sum += <-d }, forkjoin.MaxLeaf(1))
		if sum != 45 {
			t.Errorf("sum is %d, want 45", sum)
		}
	})
	outside(t)
}

// Sleeping in bodies takes the bubble's time, one body after the other.
func TestSynctestSleepTakesFakeTime(t *testing.T) {
	bubble(t, func(t *testing.T) {
		hour := func() { time.Sleep(time.Hour) }
		begin := time.Now()
		forkjoin.Join(hour, hour)
		if d := time.Since(begin); d != 2*time.Hour {
			t.Errorf("two sleeps on one goroutine took %v, want 2h", d)
		}
		begin = time.Now()
		forkjoin.ParallelFor(10, func(int) { hour() }, forkjoin.MaxLeaf(1))
		if d := time.Since(begin); d != 10*time.Hour {
			t.Errorf("ten sleeps in a loop took %v, want 10h", d)
		}
		begin = time.Now()
		forkjoin.ParallelReduce(4, 0, func(lo, hi int) int { hour(); return 0 }, add, forkjoin.MaxLeaf(1))
		if d := time.Since(begin); d != 4*time.Hour {
			t.Errorf("four sleeps in a reduction took %v, want 4h", d)
		}
		begin = time.Now()
		forkjoin.Blocking(hour)
		if d := time.Since(begin); d != time.Hour {
			t.Errorf("a sleep in Blocking took %v, want 1h", d)
		}
		ctx, cancel := context.WithTimeout(context.Background(), 90*time.Minute)
		defer cancel()
		err := forkjoin.ParallelForErr(ctx, 10, func(context.Context, int) error { hour(); return nil }, forkjoin.MaxLeaf(1))
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error %v, want %v", err, context.DeadlineExceeded)
		}
	})
	outside(t)
}

// Tasks of groups run on goroutines of the bubble, all at the same fake time.
func TestSynctestGroups(t *testing.T) {
	stop := parallelOutside(t)
	defer stop()
	bubble(t, func(t *testing.T) {
		me := gnum()
		begin := time.Now()
		var wg forkjoin.WaitGroup
		var n atomic.Int64
		for range 20 {
			wg.Go(func() {
				if gnum() == me {
					t.Error("a task ran on the goroutine that gave it")
				}
				time.Sleep(time.Hour)
				n.Add(1)
			})
		}
		wg.Wait()
		if d := time.Since(begin); d != time.Hour || n.Load() != 20 {
			t.Errorf("%d sleeps side by side took %v, want 20 in 1h", n.Load(), d)
		}

		// Tasks that block on channels of the bubble, and on each other.
		a, b := make(chan int), make(chan int)
		var g forkjoin.Group
		g.Go(func() error { a <- 1; <-b; return nil })
		g.Go(func() error { <-a; b <- 1; return errFirst })
		if err := g.Wait(); err != errFirst {
			t.Errorf("error %v, want %v", err, errFirst)
		}

		h, ctx := forkjoin.WithContext(context.Background())
		h.SetLimit(2)
		begin = time.Now()
		for range 6 {
			h.Go(func() error {
				forkjoin.Join(func() { time.Sleep(time.Minute) }, func() { time.Sleep(time.Minute) })
				return ctx.Err()
			})
		}
		if err := h.Wait(); err != nil {
			t.Error(err)
		}
		if d := time.Since(begin); d != 6*time.Minute {
			t.Errorf("six tasks of two minutes, two at a time, took %v, want 6m", d)
		}
	})
	outside(t)
}

// synctest.Wait sees tasks that block as blocked.
func TestSynctestWait(t *testing.T) {
	bubble(t, func(t *testing.T) {
		c, n := make(chan int), atomic.Int64{}
		var wg forkjoin.WaitGroup
		for range 3 {
			wg.Go(func() {
				n.Add(1)
				<-c
				n.Add(1)
			})
		}
		synctest.Wait()
		if n.Load() != 3 {
			t.Errorf("after Wait %d tasks had begun, want 3", n.Load())
		}
		ended := false
		go func() { wg.Wait(); ended = true }()
		synctest.Wait() // the waiter is blocked as well
		if ended {
			t.Error("WaitGroup.Wait returned although its tasks block")
		}
		close(c)
		synctest.Wait()
		if n.Load() != 6 || !ended {
			t.Errorf("after Wait %d steps were done and Wait had returned: %v; want 6 and true", n.Load(), ended)
		}
	})
	outside(t)
}

func TestSynctestPanics(t *testing.T) {
	bubble(t, func(t *testing.T) {
		panicsWith(t, "left", func() { forkjoin.Join(func() { panic("left") }, func() {}) })
		panicsWith(t, "loop", func() { forkjoin.ParallelFor(10, func(int) { panic("loop") }) })
		panicsWith(t, "task", func() {
			var wg forkjoin.WaitGroup
			wg.Go(func() { time.Sleep(time.Second); panic("task") })
			wg.Wait()
		})
	})
	outside(t)
}

// A pool from outside may be used in a bubble, and one made inside must be
// over when the bubble is.
func TestSynctestPools(t *testing.T) {
	p := newPool(t, forkjoin.Config{Workers: 2})
	bubble(t, func(t *testing.T) {
		me := gnum()
		c := make(chan int, 100)
		p.Run(func() {
			forkjoin.ParallelFor(50, func(i int) {
				if gnum() != me {
					t.Error("a body in Run left the caller's goroutine")
				}
				c <- i
			}, forkjoin.MaxLeaf(1))
			forkjoin.Join(func() { time.Sleep(time.Hour) }, func() { c <- 1 })
		})
		if len(c) != 51 {
			t.Errorf("%d values in the channel, want 51", len(c))
		}
	})
	bubble(t, func(t *testing.T) {
		q := openPool(t, forkjoin.Config{Workers: 2})
		n := atomic.Int64{}
		q.Run(func() {
			forkjoin.ParallelFor(10, func(int) { n.Add(1) }, forkjoin.MaxLeaf(1))
			var wg forkjoin.WaitGroup
			wg.Go(func() { time.Sleep(time.Hour); n.Add(1) })
			wg.Wait()
		})
		closeNow(t, q)
		if n.Load() != 11 {
			t.Errorf("%d steps, want 11", n.Load())
		}
	})
	within(t, patience, func() {
		p.Run(func() { forkjoin.ParallelFor(100, func(int) {}, forkjoin.MaxLeaf(1)) })
	})
	outside(t)
}

// Submitted tasks and broadcasts, too, stay in the bubble: they may use what is
// of the bubble, and their sleep is fake.
func TestSynctestSubmitAndBroadcast(t *testing.T) {
	own := newPool(t, forkjoin.Config{Workers: 3})
	stop := parallelOutside(t)
	defer stop()
	for _, p := range []*forkjoin.Pool{own, forkjoin.Default()} {
		bubble(t, func(t *testing.T) {
			c := make(chan int, 1000)
			begin := time.Now()
			for i := range 10 {
				if err := p.Submit(func() { time.Sleep(time.Hour); c <- i }); err != nil {
					t.Error(err)
				}
			}
			for range 10 {
				<-c
			}
			if d := time.Since(begin); d != time.Hour {
				t.Errorf("ten tasks of an hour took %v", d)
			}
			p.Broadcast(func(worker int) { time.Sleep(time.Hour); c <- worker })
			if len(c) != p.Workers() {
				t.Errorf("%d workers ran the broadcast, want %d", len(c), p.Workers())
			}
			p.Run(func() {
				forkjoin.Blocking(func() { time.Sleep(time.Hour) })
				p.Submit(func() { c <- -1 })
			})
			synctest.Wait()
		})
	}
	outside(t)
	within(t, patience, func() { broadcastOnce(t, own) })
}

// A pool from outside may be closed in a bubble while its workers have work to do.
func TestSynctestCloseOfAPoolFromOutside(t *testing.T) {
	for range 20 {
		p := openPool(t, forkjoin.Config{Workers: 2})
		var n atomic.Int64
		for range 4 {
			p.Submit(func() { spin(time.Millisecond); n.Add(1) })
		}
		bubble(t, func(t *testing.T) { closeNow(t, p) })
		if n.Load() != 4 {
			t.Errorf("%d tasks ran before Close returned, want 4", n.Load())
		}
	}
}

// A Wait in a bubble may be for tasks that were given outside. They run outside.
func TestSynctestWaitForTasksFromOutside(t *testing.T) {
	for range 20 {
		var g forkjoin.WaitGroup
		var n atomic.Int64
		begun := make(chan struct{})
		task := func() {
			if now := time.Now(); now == now.Round(0) {
				t.Error("a task from outside runs in the bubble")
			}
			spin(time.Millisecond)
			n.Add(1)
		}
		g.Go(func() { close(begun); task() })
		for range 4 {
			g.Go(task)
		}
		<-begun
		bubble(t, func(t *testing.T) {
			g.Wait()
			if n.Load() != 5 {
				t.Errorf("%d tasks had ended when Wait returned, want 5", n.Load())
			}
		})
	}
}

// The first use of the package in a process is in a bubble: what it sets up
// then must serve those outside.
func TestSynctestFirstUse(t *testing.T) {
	const name = "TestSynctestFirstUse"
	if !isChild(name) {
		if out, err := child(t, name); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	bubble(t, func(t *testing.T) {
		forkjoin.ParallelFor(1000, func(int) { toil(2) }, forkjoin.MaxLeaf(1))
		forkjoin.Join(func() { time.Sleep(time.Second) }, func() {})
		forkjoin.ParallelReduce(100, 0, sumInts, add, forkjoin.MaxLeaf(1))
		var wg forkjoin.WaitGroup
		wg.Go(func() { time.Sleep(time.Hour) })
		wg.Wait()
	})
	outside(t)
	threads(t, 2)
	within(t, patience, func() {
		var who ids
		panicsWith(t, "enough", func() {
			forkjoin.ParallelFor(1<<30, func(int) {
				if who.add(); who.len() > 1 {
					panic("enough")
				}
			})
		})
	})
	bubble(t, func(t *testing.T) { forkjoin.ParallelFor(10, func(int) { time.Sleep(time.Second) }) })
}

// Several bubbles, one after the other and with parallel work between them.
func TestSynctestManyBubbles(t *testing.T) {
	for range 30 {
		bubble(t, func(t *testing.T) {
			var wg forkjoin.WaitGroup
			for range 3 {
				wg.Go(func() { time.Sleep(time.Second); forkjoin.Join(func() {}, func() {}) })
			}
			forkjoin.ParallelFor(100, func(int) { toil(1) }, forkjoin.MaxLeaf(1))
			wg.Wait()
		})
		forkjoin.ParallelFor(200, func(int) { spin(time.Microsecond) }, forkjoin.MaxLeaf(1))
	}
	outside(t)
}

// A job of others may wait when the last guest of the default pool leaves, and that
// guest be in a bubble: the worker that then starts must not belong to the bubble,
// where it would run the job in fake time and never end.
func TestSynctestStartsNoWorkerForOthers(t *testing.T) {
	setProcs(t, 1) // a guest takes the only slot
	// No worker sleeps, so one has to be started.
	eventually(3*time.Second, func() bool { return runtime.NumGoroutine() <= 2 })
	var inside atomic.Bool
	ran := make(chan bool, 1)
	go func() {
		for !inside.Load() {
			runtime.Gosched()
		}
		forkjoin.Default().Submit(func() { // waits, as the guest is running
			now := time.Now()
			ran <- now == now.Round(0)
		})
		inside.Store(false)
	}()
	bubble(t, func(*testing.T) {
		forkjoin.Join(func() {
			for inside.Store(true); inside.Load(); {
				runtime.Gosched()
			}
		}, func() {})
	})
	if <-ran {
		t.Error("a job from outside ran in a bubble")
	}
}
