package forkjoin_test

import (
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/forkjoin-go/forkjoin"
)

func TestPoolNewRefusesBadConfig(t *testing.T) {
	for _, c := range []struct {
		cfg   forkjoin.Config
		words []string
	}{
		{forkjoin.Config{Workers: -1}, []string{"Workers", "-1"}},
		{forkjoin.Config{Workers: -1 << 30}, []string{"Workers"}},
		{forkjoin.Config{Pin: 17}, []string{"Pin", "17"}},
		{forkjoin.Config{Pin: -1}, []string{"Pin", "-1"}},
		{forkjoin.Config{MaxTasks: -5}, []string{"MaxTasks", "-5"}},
	} {
		p, err := forkjoin.New(c.cfg)
		if p != nil || err == nil {
			t.Errorf("New(%+v) = %v, %v, want no pool and an error", c.cfg, p, err)
			continue
		}
		checkText(t, err, c.words...)
	}
}

func TestPoolWorkers(t *testing.T) {
	for _, w := range []int{1, 2, 3, 64, 1000} {
		if got := newPool(t, forkjoin.Config{Workers: w}).Workers(); got != w {
			t.Errorf("Workers() = %d, want %d", got, w)
		}
	}
	n := runtime.GOMAXPROCS(0)
	if got := newPool(t, forkjoin.Config{}).Workers(); got != n {
		t.Errorf("Workers() of a pool that follows GOMAXPROCS = %d, want %d", got, n)
	}
	if got := forkjoin.Default().Workers(); got != n {
		t.Errorf("Default().Workers() = %d, want %d", got, n)
	}
	if p := forkjoin.Default(); p != forkjoin.Default() {
		t.Error("Default returns different pools")
	}
}

func TestPoolRefusesNil(t *testing.T) {
	p := newPool(t, forkjoin.Config{Workers: 1})
	refuses(t, func() { p.Run(nil) }, "Run", "nil")
	refuses(t, func() { p.Broadcast(nil) }, "Broadcast", "nil")
	refuses(t, func() {
		if err := p.Submit(nil); err != nil {
			panic(err)
		}
	}, "Submit", "nil")
	refuses(t, func() { forkjoin.Blocking(nil) }, "Blocking", "nil")
}

// OnStart and OnExit frame the life of every worker goroutine, on it.
func TestPoolCallbacks(t *testing.T) {
	var mu sync.Mutex
	started, exited := map[int64]int{}, map[int64]int{}
	p, err := forkjoin.New(forkjoin.Config{
		Workers: 3,
		OnStart: func(worker int) {
			mu.Lock()
			defer mu.Unlock()
			if worker < 0 {
				t.Errorf("OnStart(%d)", worker)
			}
			if _, twice := started[gnum()]; twice {
				t.Errorf("OnStart ran twice on one goroutine")
			}
			started[gnum()] = worker
			forkjoin.Join(func() {}, func() {}) // the whole surface may be used here
		},
		OnExit: func(worker int) {
			mu.Lock()
			defer mu.Unlock()
			if w, ok := started[gnum()]; !ok || w != worker {
				t.Errorf("OnExit(%d) on a goroutine whose OnStart was %d, %v", worker, w, ok)
			}
			exited[gnum()]++
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	within(t, patience, func() {
		mu.Lock()
		if len(started) > 0 {
			t.Error("New has started a worker before there was work")
		}
		mu.Unlock()
		var done sync.WaitGroup
		for range 200 {
			done.Add(1)
			p.Submit(func() {
				defer done.Done()
				mu.Lock()
				_, ok := started[gnum()]
				mu.Unlock()
				if !ok {
					t.Error("a task ran on a goroutine that OnStart has not seen")
				}
				spin(20 * time.Microsecond)
			})
		}
		done.Wait()
		p.Run(func() {
			for range 50 {
				forkjoin.ParallelFor(20, func(int) {
					forkjoin.ParallelFor(5, func(int) { spin(5 * time.Microsecond) }, forkjoin.MaxLeaf(1))
				}, forkjoin.MaxLeaf(1))
			}
		})
		// Goroutines that a task ends, and those that are lent, count like others.
		b := newBarrier(6)
		for i := range 6 {
			p.Submit(runtime.Goexit)
			p.Submit(func() {
				if !b.arrive(patience / 2) {
					t.Error("tasks that wait for each other never met")
				}
				if i%2 == 0 {
					runtime.Goexit()
				}
			})
		}
		if err := p.Close(); err != nil {
			t.Error(err)
		}
		ok := eventually(10*time.Second, func() bool {
			mu.Lock()
			defer mu.Unlock()
			return len(started) == len(exited)
		})
		mu.Lock()
		defer mu.Unlock()
		if !ok || len(started) == 0 {
			t.Errorf("%d workers started, %d exited", len(started), len(exited))
		}
		for id, n := range exited {
			if n != 1 {
				t.Errorf("OnExit ran %d times on goroutine %d", n, id)
			}
		}
	})
}

func TestPoolStats(t *testing.T) {
	p := newPool(t, forkjoin.Config{Workers: 4})
	threads(t, 2)
	within(t, patience, func() {
		stop := make(chan struct{})
		var watch sync.WaitGroup
		watch.Go(func() {
			last := p.Stats()
			for {
				now := p.Stats()
				for _, c := range [][2]uint64{
					{last.Forks, now.Forks}, {last.Steals, now.Steals}, {last.Publishes, now.Publishes}, {last.Wakes, now.Wakes},
					{last.Parks, now.Parks}, {last.Tasks, now.Tasks}, {last.Lent, now.Lent},
				} {
					if c[1] < c[0] {
						t.Errorf("a counter went back: %+v, then %+v", last, now)
						return
					}
				}
				last = now
				select {
				case <-stop:
					return
				default:
					runtime.Gosched()
				}
			}
		})
		before := p.Stats()
		const rounds = 40
		var tasks sync.WaitGroup
		for range rounds {
			tasks.Add(1)
			p.Submit(tasks.Done)
			p.Run(func() {
				for range 25 {
					forkjoin.Join(func() { spin(2 * time.Microsecond) }, func() { spin(2 * time.Microsecond) })
				}
				var wg forkjoin.WaitGroup
				var g forkjoin.Group
				for range 5 {
					wg.Go(func() {})
					g.Go(func() error { return nil })
				}
				wg.Wait()
				g.Wait()
			})
		}
		tasks.Wait()
		close(stop)
		watch.Wait()
		ok := eventually(time.Second, func() bool { // a worker may count a task after running it
			s := p.Stats()
			return s.Tasks-before.Tasks >= 11*rounds
		})
		s := p.Stats()
		if s.Forks-before.Forks < 25*rounds {
			t.Errorf("%d forks counted, want at least the %d joins", s.Forks-before.Forks, 25*rounds)
		}
		if !ok || s.Tasks-before.Tasks > 11*rounds {
			t.Errorf("%d tasks counted, want %d", s.Tasks-before.Tasks, 11*rounds)
		}
		if s.Steals > s.Forks+s.Tasks {
			t.Errorf("more steals than there was to steal: %+v", s)
		}
	})
}

func TestPoolThousandMadeAndClosed(t *testing.T) {
	within(t, 2*patience, func() {
		before := runtime.NumGoroutine()
		n := scale(1000)
		for i := range n {
			p, err := forkjoin.New(forkjoin.Config{Workers: 1 + i%4})
			if err != nil {
				t.Fatal(err)
			}
			done := make(chan struct{})
			p.Submit(func() { close(done) })
			p.Run(func() { forkjoin.ParallelFor(10, func(int) {}) })
			<-done
			if err := p.Close(); err != nil {
				t.Fatal(err)
			}
		}
		if !eventually(5*time.Second, func() bool { return runtime.NumGoroutine() <= before+2 }) {
			t.Errorf("%d goroutines before %d pools were made and closed, %d after\n%s", before, n, runtime.NumGoroutine(), stacks())
		}
	})
}

// A pool that is dropped without Close goes too: first its idle goroutines,
// then the pool itself.
func TestPoolDroppedUnclosed(t *testing.T) {
	within(t, 2*patience, func() {
		before := runtime.NumGoroutine()
		var gone atomic.Int64
		const n = 30
		for i := range n {
			dropPool(t, i, &gone)
		}
		ok := eventually(15*time.Second, func() bool {
			runtime.GC()
			return gone.Load() == n && runtime.NumGoroutine() <= before+2
		})
		if !ok {
			t.Errorf("of %d dropped pools %d were collected; %d goroutines, before %d\n%s", n, gone.Load(), runtime.NumGoroutine(), before, stacks())
		}
	})
}

// What was submitted to a pool that is dropped runs all the same.
func TestPoolDroppedWithWork(t *testing.T) {
	within(t, patience, func() {
		var ran atomic.Int64
		const pools, tasks = 20, 50
		for i := range pools {
			p := openPool(t, forkjoin.Config{Workers: 1 + i%2})
			for range tasks {
				p.Submit(func() { spin(20 * time.Microsecond); ran.Add(1) })
			}
		}
		if !eventually(patience/2, func() bool { runtime.GC(); return ran.Load() == pools*tasks }) {
			t.Errorf("%d of %d tasks ran in dropped pools", ran.Load(), pools*tasks)
		}
	})
}

//go:noinline
func dropPool(t *testing.T, i int, gone *atomic.Int64) {
	p, err := forkjoin.New(forkjoin.Config{Workers: 1 + i%3, Name: "dropped"})
	if err != nil {
		t.Fatal(err)
	}
	runtime.AddCleanup(p, func(c *atomic.Int64) { c.Add(1) }, gone)
	done := make(chan struct{})
	p.Submit(func() { close(done) })
	<-done
	p.Run(func() { forkjoin.ParallelFor(100, func(int) { spin(time.Microsecond) }, forkjoin.MaxLeaf(1)) })
	p.Run(func() { fib(15) }) // a package variable, which must not keep the pool
}

func TestPoolPinCores(t *testing.T) {
	for _, w := range []int{0, 1, 2, 5} {
		p, err := forkjoin.New(forkjoin.Config{Workers: w, Pin: forkjoin.PinCores})
		if err != nil {
			t.Skipf("PinCores is refused here: %v", err)
		}
		within(t, patience, func() {
			var n atomic.Int64
			for range 20 {
				p.Run(func() { forkjoin.ParallelFor(100, func(int) { n.Add(1) }, forkjoin.MaxLeaf(1)) })
			}
			var done sync.WaitGroup
			done.Add(50)
			for range 50 {
				p.Submit(func() { n.Add(1); done.Done() })
			}
			done.Wait()
			if n.Load() != 2050 {
				t.Errorf("%d steps, want 2050", n.Load())
			}
			if err := p.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// Pinning is for workers: a caller's thread keeps the processors it may use.
func TestPoolPinCoresLeavesCallersAlone(t *testing.T) {
	allowed := func() string {
		text, err := os.ReadFile("/proc/thread-self/status")
		if err != nil {
			t.Skip(err)
		}
		_, rest, _ := strings.Cut(string(text), "Cpus_allowed_list:")
		list, _, _ := strings.Cut(rest, "\n")
		return strings.TrimSpace(list)
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	before := allowed()
	p := newPool(t, forkjoin.Config{Workers: 2, Pin: forkjoin.PinCores})
	for range 20 {
		p.Run(func() {
			forkjoin.ParallelFor(50, func(int) { spin(2 * time.Microsecond) }, forkjoin.MaxLeaf(1))
			forkjoin.Blocking(func() { time.Sleep(time.Millisecond) })
		})
	}
	if after := allowed(); after != before {
		t.Errorf("the caller's thread may use %s after the call, %s before", after, before)
	}
}

func TestPoolDefaultCannotBeClosed(t *testing.T) {
	err := forkjoin.Default().Close()
	if err == nil {
		t.Fatal("Default().Close() returned nil")
	}
	checkText(t, err)
	within(t, patience, func() {
		seen := make(tally, 100)
		forkjoin.ParallelFor(100, func(i int) { seen[i].Add(1) })
		seen.check(t, "after Default().Close()")
		done := make(chan struct{})
		if err := forkjoin.Default().Submit(func() { close(done) }); err != nil {
			t.Fatal(err)
		}
		<-done
	})
}

func TestPoolWorkerIndex(t *testing.T) {
	if i := forkjoin.WorkerIndex(); i != -1 {
		t.Errorf("WorkerIndex outside any call is %d, want -1", i)
	}
	p := newPool(t, forkjoin.Config{Workers: 3})
	within(t, patience, func() {
		p.Run(func() {
			if i := forkjoin.WorkerIndex(); i < 0 {
				t.Errorf("WorkerIndex inside Run is %d", i)
			}
			var busy [64]atomic.Int32
			var outside, twice atomic.Int64
			forkjoin.ParallelFor(300, func(int) {
				i := forkjoin.WorkerIndex()
				if i < 0 {
					outside.Add(1)
				} else if i < len(busy) {
					if busy[i].Add(1) != 1 {
						twice.Add(1)
					}
					spin(3 * time.Microsecond)
					busy[i].Add(-1)
				}
			}, forkjoin.MaxLeaf(1))
			if outside.Load() > 0 || twice.Load() > 0 {
				t.Errorf("in a loop %d bodies ran on no worker, %d on one that ran another", outside.Load(), twice.Load())
			}
		})
		done := make(chan int)
		p.Submit(func() { done <- forkjoin.WorkerIndex() })
		if i := <-done; i < 0 {
			t.Errorf("WorkerIndex inside a submitted task is %d", i)
		}
	})
	if i := forkjoin.WorkerIndex(); i != -1 {
		t.Errorf("WorkerIndex after the calls is %d, want -1", i)
	}
}

// Yield may be called anywhere, and lets others run even on one processor.
func TestPoolYield(t *testing.T) {
	setProcs(t, 1)
	within(t, patience, func() {
		forkjoin.Yield()
		p := newPool(t, forkjoin.Config{Workers: 1})
		p.Run(forkjoin.Yield)
		var flag atomic.Bool
		go flag.Store(true)
		forkjoin.ParallelFor(1, func(int) {
			for !flag.Load() {
				forkjoin.Yield()
			}
		})
	})
}

func TestPoolZeroIsRefused(t *testing.T) {
	for name, p := range map[string]*forkjoin.Pool{"zero": new(forkjoin.Pool), "nil": nil} {
		t.Run(name, func(t *testing.T) {
			refuses(t, func() { p.Run(nop) }, "Pool.Run", "New")
			refuses(t, func() { p.Submit(nop) }, "Pool.Submit", "New")
			refuses(t, func() { p.Broadcast(func(int) {}) }, "Pool.Broadcast", "New")
			refuses(t, func() { p.Workers() }, "Pool.Workers", "New")
			refuses(t, func() { p.Stats() }, "Pool.Stats", "New")
			refuses(t, func() { p.Close() }, "Pool.Close", "New")
		})
	}
}
