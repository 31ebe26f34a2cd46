package forkjoin_test

import (
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/forkjoin-go/forkjoin"
)

// Workers follows GOMAXPROCS where it is asked to, and only there.
func TestGOMAXPROCSWorkersFollow(t *testing.T) {
	if build.wasm {
		t.Skip("GOMAXPROCS is fixed")
	}
	old := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(old)
	follows, fixed := newPool(t, forkjoin.Config{}), newPool(t, forkjoin.Config{Workers: 3})
	within(t, patience, func() {
		for _, n := range []int{1, 4, 2, 16, 1, 3} {
			runtime.GOMAXPROCS(n)
			if got := forkjoin.Default().Workers(); got != n {
				t.Errorf("GOMAXPROCS %d: Default().Workers() = %d", n, got)
			}
			if got := follows.Workers(); got != n {
				t.Errorf("GOMAXPROCS %d: Workers() of a pool that follows = %d", n, got)
			}
			if got := fixed.Workers(); got != 3 {
				t.Errorf("GOMAXPROCS %d: Workers() of a pool of 3 = %d", n, got)
			}
			for _, p := range []*forkjoin.Pool{forkjoin.Default(), follows, fixed} {
				broadcastOnce(t, p)
				p.Run(func() {
					seen := make(tally, 500)
					forkjoin.ParallelFor(500, func(i int) { seen[i].Add(1) }, forkjoin.MaxLeaf(1))
					seen.check(t, n)
				})
			}
		}
	})
}

// More processors are put to use, and fewer are respected: at GOMAXPROCS=1
// nothing is stolen from a caller that only computes.
func TestGOMAXPROCSIsPutToUse(t *testing.T) {
	if build.wasm {
		t.Skip("GOMAXPROCS is fixed")
	}
	old := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(old)
	for _, n := range []int{1, 4, 2, 3} {
		runtime.GOMAXPROCS(n)
		within(t, patience, func() {
			var who ids
			panicsWith(t, "enough", func() {
				forkjoin.ParallelFor(1<<30, func(int) {
					if who.add(); who.len() >= n {
						panic("enough")
					}
				}, forkjoin.MaxLeaf(4))
			})
		})
	}
	runtime.GOMAXPROCS(1)
	within(t, patience, func() {
		soon(t, patience, "nothing is stolen at GOMAXPROCS=1", func() bool {
			before := forkjoin.Default().Stats().Steals
			forkjoin.ParallelFor(10_000, func(int) { spin(100 * time.Nanosecond) }, forkjoin.MaxLeaf(1))
			return forkjoin.Default().Stats().Steals == before
		})
	})
}

// A pool that follows never runs more bodies than the largest GOMAXPROCS there
// was during the run.
func TestGOMAXPROCSPoolFollowsDownwards(t *testing.T) {
	if build.wasm {
		t.Skip("GOMAXPROCS is fixed")
	}
	old := runtime.GOMAXPROCS(4)
	defer runtime.GOMAXPROCS(old)
	p := newPool(t, forkjoin.Config{})
	within(t, patience, func() {
		loop := func(g *gauge) {
			p.Run(func() {
				forkjoin.ParallelFor(300, func(int) { g.enter(); spin(5 * time.Microsecond); g.leave() }, forkjoin.MaxLeaf(1))
			})
		}
		var g gauge
		loop(&g)
		if m := g.most.Load(); m > 4 {
			t.Errorf("%d bodies at once at GOMAXPROCS=4", m)
		}
		runtime.GOMAXPROCS(2)
		soon(t, patience, "at most 2 bodies run at once at GOMAXPROCS=2", func() bool { // workers notice one by one
			var after gauge
			loop(&after)
			return after.most.Load() <= 2
		})
	})
}

// GOMAXPROCS changes all the time while calls of every kind run.
func TestGOMAXPROCSStorm(t *testing.T) {
	if build.wasm {
		t.Skip("GOMAXPROCS is fixed")
	}
	old := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(old)
	follows, fixed := newPool(t, forkjoin.Config{}), newPool(t, forkjoin.Config{Workers: 2})
	within(t, 2*patience, func() {
		var over atomic.Bool
		var storm, wg sync.WaitGroup
		storm.Go(func() {
			for !over.Load() {
				runtime.GOMAXPROCS(1 + rand.IntN(6))
				time.Sleep(time.Duration(rand.IntN(500)) * time.Microsecond)
			}
		})
		fib := forkjoin.Recursive(func(t *forkjoin.Task[int, int], n int) int {
			if n < 2 {
				return n
			}
			a, b := t.Join(n-1, n-2)
			return a + b
		})
		once := func() {
			seen := make(tally, 300)
			forkjoin.ParallelFor(300, func(i int) { seen[i].Add(1); spin(time.Microsecond) }, forkjoin.MaxLeaf(3))
			for i := range seen {
				if k := seen[i].Load(); k != 1 {
					t.Errorf("index %d ran %d times", i, k)
				}
			}
			if got := forkjoin.ParallelReduce(5000, 0, sumInts, add, forkjoin.MaxLeaf(100)); got != 5000*4999/2 {
				t.Errorf("sum is %d", got)
			}
			if got := fib(12); got != 144 {
				t.Errorf("fib(12) = %d", got)
			}
			a, b := 0, 0
			forkjoin.Join(func() { a = 1 }, func() { b = 2 })
			var g forkjoin.WaitGroup
			var n atomic.Int64
			for range 5 {
				g.Go(func() { n.Add(1) })
			}
			g.Wait()
			if a+b != 3 || n.Load() != 5 {
				t.Errorf("join gave %d, group ran %d tasks", a+b, n.Load())
			}
		}
		end := time.Now().Add(800 * time.Millisecond)
		for _, enter := range []func(func()){func(f func()) { f() }, func(f func()) { f() }, follows.Run, fixed.Run} {
			wg.Go(func() {
				for time.Now().Before(end) {
					enter(once)
				}
			})
		}
		wg.Go(func() {
			for time.Now().Before(end) {
				var done sync.WaitGroup
				for _, p := range []*forkjoin.Pool{forkjoin.Default(), follows, fixed} {
					done.Add(1)
					if err := p.Submit(done.Done); err != nil {
						t.Error(err)
						done.Done()
					}
				}
				done.Wait()
			}
		})
		wg.Wait()
		over.Store(true)
		storm.Wait()
	})
}
