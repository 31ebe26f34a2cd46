package forkjoin_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
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

// Every call made inside Run uses that pool: its counters move.
func TestPoolRunUsesThePool(t *testing.T) {
	p := newPool(t, forkjoin.Config{Workers: 2})
	within(t, patience, func() {
		before := p.Stats()
		p.Run(func() {
			for range 100 {
				forkjoin.Join(func() {}, func() {})
			}
		})
		if n := p.Stats().Forks - before.Forks; n < 100 {
			t.Errorf("the pool counts %d forks after 100 joins in Run", n)
		}
		before = p.Stats()
		forkjoin.Join(func() {}, func() {})
		if after := p.Stats(); after != before {
			t.Errorf("a join outside Run changed the private pool's counters: %+v, then %+v", before, after)
		}
	})
}

func TestPoolRunNested(t *testing.T) {
	for _, w := range []int{1, 2, 4} {
		a := newPool(t, forkjoin.Config{Workers: w, Name: "a"})
		b := newPool(t, forkjoin.Config{Workers: w, Name: "b"})
		within(t, patience, func() {
			var n atomic.Int64
			loop := func() { forkjoin.ParallelFor(50, func(int) { n.Add(1) }, forkjoin.MaxLeaf(1)) }
			a.Run(func() {
				loop()
				a.Run(func() { loop(); a.Run(loop) })
				b.Run(func() {
					loop()
					a.Run(func() { loop(); b.Run(loop) })
				})
				loop()
			})
			if n.Load() != 50*7 {
				t.Errorf("%d iterations, want %d", n.Load(), 50*7)
			}
			n.Store(0)
			a.Run(func() {
				forkjoin.ParallelFor(20, func(int) {
					b.Run(func() {
						forkjoin.ParallelFor(10, func(int) { a.Run(func() { n.Add(1) }) }, forkjoin.MaxLeaf(1))
					})
				}, forkjoin.MaxLeaf(1))
			})
			if n.Load() != 200 {
				t.Errorf("%d iterations of the nested loops, want 200", n.Load())
			}
		})
	}
}

// Run in Run in Run, a thousand deep, through two pools of one worker.
func TestPoolRunDeep(t *testing.T) {
	a := newPool(t, forkjoin.Config{Workers: 1})
	b := newPool(t, forkjoin.Config{Workers: 1})
	within(t, patience, func() {
		n := 0
		var dive func(depth int)
		dive = func(depth int) {
			n++
			if depth > 0 {
				a.Run(func() { b.Run(func() { dive(depth - 1) }) })
			}
		}
		dive(1000)
		if n != 1001 {
			t.Errorf("%d calls, want 1001", n)
		}
		v := caught(func() {
			var dive func(depth int)
			dive = func(depth int) {
				if depth == 0 {
					panic(errBody)
				}
				a.Run(func() { b.Run(func() { dive(depth - 1) }) })
			}
			dive(300)
		})
		if pe, ok := v.(*forkjoin.PanicError); !ok || pe.Value != errBody {
			t.Errorf("a panic came through 600 Runs as a %T", v)
		}
	})
}

// Two callers that enter two pools of one worker in opposite order.
func TestPoolRunCrossed(t *testing.T) {
	a := newPool(t, forkjoin.Config{Workers: 1})
	b := newPool(t, forkjoin.Config{Workers: 1})
	within(t, patience, func() {
		var n atomic.Int64
		leaf := func() { forkjoin.Join(func() { n.Add(1) }, func() { n.Add(1) }) }
		var wg sync.WaitGroup
		rounds := scale(400)
		for i := range 4 {
			outer, inner := a, b
			if i%2 == 1 {
				outer, inner = b, a
			}
			wg.Go(func() {
				for range rounds {
					outer.Run(func() { inner.Run(leaf) })
				}
			})
		}
		wg.Wait()
		if want := int64(4 * 2 * rounds); n.Load() != want {
			t.Errorf("%d branches ran, want %d", n.Load(), want)
		}
	})
}

// A panic in Run's function arrives in the caller, and in the same type
// whether a worker was free or the function had to wait for one.
func TestPoolRunPanics(t *testing.T) {
	p := newPool(t, forkjoin.Config{Workers: 1})
	within(t, patience, func() {
		run := func() any { return caught(func() { p.Run(func() { panic(errBody) }) }) }
		free := run()
		release, busy := make(chan struct{}), make(chan struct{})
		go p.Run(func() { close(busy); <-release })
		<-busy
		time.AfterFunc(30*time.Millisecond, func() { close(release) })
		queued := run()
		for _, v := range []any{free, queued} {
			if err, ok := v.(error); !ok || !errors.Is(err, errBody) {
				t.Errorf("panic value is %T (%v), want an error that is %v", v, v, errBody)
			}
		}
		if f, q := fmt.Sprintf("%T", free), fmt.Sprintf("%T", queued); f != q {
			t.Errorf("panic value is a %s when a worker is free, a %s when not", f, q)
		}
		panicsWith(t, "inner", func() {
			p.Run(func() { p.Run(func() { forkjoin.Join(func() {}, func() { panic("inner") }) }) })
		})
	})
}

func TestPoolRunGoexit(t *testing.T) {
	p := newPool(t, forkjoin.Config{Workers: 1})
	within(t, patience, func() {
		for range 50 {
			returned := make(chan bool, 1)
			go func() {
				ok := false
				defer func() { returned <- ok }()
				p.Run(func() { runtime.Goexit() })
				ok = true
			}()
			if <-returned {
				t.Fatal("Run returned although its function called Goexit")
			}
		}
		ran := false
		p.Run(func() { ran = true })
		if !ran {
			t.Error("the pool runs nothing any more")
		}
	})
}

func TestPoolRunManyCallers(t *testing.T) {
	for _, w := range []int{1, 2, 3} {
		p := newPool(t, forkjoin.Config{Workers: w})
		within(t, patience, func() {
			var wg sync.WaitGroup
			var n atomic.Int64
			callers := scale(400)
			for range callers {
				wg.Go(func() {
					p.Run(func() {
						forkjoin.ParallelFor(20, func(int) { n.Add(1) }, forkjoin.MaxLeaf(2))
					})
				})
			}
			wg.Wait()
			if n.Load() != int64(20*callers) {
				t.Errorf("%d iterations, want %d", n.Load(), 20*callers)
			}
		})
	}
}

// A pool of w workers runs at most w pieces of user code at a time, however
// many callers there are. Only the innermost bodies are counted: a body that
// waits in a nested call does not run.
func TestPoolNeverRunsMoreThanItsWorkers(t *testing.T) {
	for _, w := range []int{1, 2, 3} {
		t.Run(fmt.Sprintf("workers=%d", w), func(t *testing.T) {
			p := newPool(t, forkjoin.Config{Workers: w})
			within(t, patience, func() {
				var g gauge
				leaf := func() {
					g.enter()
					spin(3 * time.Microsecond)
					if g.now.Load() > 1 {
						runtime.Gosched()
					}
					g.leave()
				}
				var callers sync.WaitGroup
				for range 6 {
					callers.Go(func() {
						for range scale(80) {
							p.Run(func() {
								forkjoin.ParallelFor(8, func(int) {
									forkjoin.ParallelFor(4, func(int) { leaf() }, forkjoin.MaxLeaf(1))
								}, forkjoin.MaxLeaf(1))
								forkjoin.Join(leaf, func() { forkjoin.Join(leaf, leaf) })
							})
							if err := p.Submit(leaf); err != nil {
								t.Error(err)
							}
						}
					})
				}
				callers.Wait()
				if m := g.most.Load(); m > int64(w) {
					t.Errorf("%d bodies ran at once in a pool of %d workers", m, w)
				}
			})
		})
	}
}

func TestPoolSubmitRunsEverythingOnce(t *testing.T) {
	for _, w := range []int{0, 1, 2, 16} {
		p := newPool(t, forkjoin.Config{Workers: w})
		within(t, patience, func() {
			const submitters = 8
			each := scale(2000)
			ran := make(tally, submitters*each)
			var wg, done sync.WaitGroup
			done.Add(len(ran))
			for s := range submitters {
				wg.Go(func() {
					for i := range each {
						err := p.Submit(func() {
							ran[s*each+i].Add(1)
							done.Done()
						})
						if err != nil {
							t.Error(err)
							done.Done()
						}
					}
				})
			}
			wg.Wait()
			done.Wait()
			ran.check(t, w)
		})
	}
}

// Submit returns without waiting, and its tasks may use the whole surface.
func TestPoolSubmittedTasksFork(t *testing.T) {
	p := newPool(t, forkjoin.Config{Workers: 2})
	within(t, patience, func() {
		release := make(chan struct{})
		var n atomic.Int64
		var done sync.WaitGroup
		for range 20 {
			done.Add(1)
			err := p.Submit(func() {
				defer done.Done()
				<-release // so Submit cannot have waited for us
				forkjoin.ParallelFor(100, func(int) { n.Add(1) }, forkjoin.MaxLeaf(5))
				p.Run(func() { forkjoin.Join(func() { n.Add(1) }, func() { n.Add(1) }) })
				done.Add(1)
				if err := p.Submit(func() { n.Add(1); done.Done() }); err != nil {
					t.Error(err)
				}
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		close(release)
		done.Wait()
		if n.Load() != 20*103 {
			t.Errorf("%d steps, want %d", n.Load(), 20*103)
		}
	})
}

// A task given to a pool whose workers are just falling asleep, or just ending
// after a second without work, runs all the same.
func TestPoolLosesNoWake(t *testing.T) {
	p := newPool(t, forkjoin.Config{Workers: 2})
	within(t, patience, func() {
		for range scale(1500) {
			time.Sleep(time.Duration(rand.IntN(150)) * time.Microsecond)
			done := make(chan struct{})
			p.Submit(func() { close(done) })
			<-done
		}
	})
	if build.wasm {
		return
	}
	within(t, patience, func() {
		var wg sync.WaitGroup
		for i := range 60 {
			wg.Go(func() {
				p := openPool(t, forkjoin.Config{Workers: 1 + i%2})
				for range 2 {
					done := make(chan struct{})
					p.Submit(func() { close(done) })
					<-done
					time.Sleep(995*time.Millisecond + time.Duration(i)*200*time.Microsecond)
				}
				if i%3 > 0 {
					var n atomic.Int64
					p.Run(func() { forkjoin.ParallelFor(10, func(int) { n.Add(1) }, forkjoin.MaxLeaf(1)) })
					if n.Load() != 10 {
						t.Errorf("%d iterations, want 10", n.Load())
					}
				}
				closeNow(t, p)
			})
		}
		wg.Wait()
	})
}

// Work submitted to the default pool runs although nobody ever calls in.
func TestPoolSubmitToDefault(t *testing.T) {
	within(t, patience, func() {
		for range 100 {
			done := make(chan struct{})
			if err := forkjoin.Default().Submit(func() { close(done) }); err != nil {
				t.Fatal(err)
			}
			<-done
		}
	})
}

func TestPoolPanicHandler(t *testing.T) {
	got := make(chan *forkjoin.PanicError, 100)
	p := newPool(t, forkjoin.Config{Workers: 2, PanicHandler: func(e *forkjoin.PanicError) { got <- e }})
	within(t, patience, func() {
		for range 20 {
			if err := p.Submit(func() { panickingBody(0) }); err != nil {
				t.Fatal(err)
			}
			pe := <-got
			if pe == nil || pe.Value != errBody || !strings.Contains(string(pe.Stack), "panickingBody") {
				t.Fatalf("the handler was given %+v", pe)
			}
		}
		// A panic that comes out of a join is handed on as it is.
		p.Submit(func() { forkjoin.Join(func() {}, func() { panic("branch") }) })
		if pe := <-got; pe.Value != "branch" {
			t.Errorf("Value is %v, want \"branch\"", pe.Value)
		}
		// Panics elsewhere go to the caller, not to the handler.
		v := caught(func() { p.Run(func() { panic("run") }) })
		if v == nil {
			t.Error("Run swallowed a panic")
		}
		panicsWith(t, "loop", func() { p.Run(func() { forkjoin.ParallelFor(10, func(int) { panic("loop") }) }) })
		done := make(chan struct{})
		p.Submit(func() { close(done) })
		<-done
		if len(got) > 0 {
			t.Errorf("the handler was also given %v", <-got)
		}
	})
}

// Without a handler a panic in a submitted task ends the program, as in a
// goroutine: it has no caller to go to, and to drop it would hide the fault.
func TestPoolPanicWithoutHandler(t *testing.T) {
	const name = "TestPoolPanicWithoutHandler"
	if isChild(name) {
		p, err := forkjoin.New(forkjoin.Config{Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		p.Submit(func() { panic("nobody catches this") })
		time.Sleep(10 * time.Second)
		os.Exit(0)
	}
	out, err := child(t, name)
	if err == nil {
		t.Fatalf("the process lived on after a panic in a submitted task:\n%s", out)
	}
	for _, want := range []string{"nobody catches this", "panic", "TestPoolPanicWithoutHandler"} {
		if !strings.Contains(out, want) {
			t.Errorf("the crash does not show %q:\n%s", want, out)
		}
	}
}

// Goexit ends the task, not the pool's ability to run others.
func TestPoolSubmitGoexit(t *testing.T) {
	p := newPool(t, forkjoin.Config{Workers: 1, PanicHandler: func(e *forkjoin.PanicError) { t.Errorf("handler: %v", e) }})
	within(t, patience, func() {
		for range 50 {
			p.Submit(func() { runtime.Goexit() })
			done := make(chan struct{})
			p.Submit(func() { close(done) })
			<-done
		}
	})
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

// Above MaxTasks outstanding tasks a further one runs inline.
func TestPoolMaxTasks(t *testing.T) {
	p := newPool(t, forkjoin.Config{Workers: 2, MaxTasks: 2})
	within(t, patience, func() {
		release := make(chan struct{})
		var busy, done sync.WaitGroup
		busy.Add(2)
		for range 2 {
			done.Add(1)
			p.Submit(func() { busy.Done(); <-release; done.Done() })
		}
		busy.Wait()
		me, ran := gnum(), false
		if err := p.Submit(func() { ran = gnum() == me }); err != nil {
			t.Error(err)
		}
		if !ran {
			t.Error("the third task did not run inline although two were outstanding")
		}
		close(release)
		done.Wait()
	})
	within(t, patience, func() {
		var n, g = atomic.Int64{}, gauge{}
		p.Run(func() {
			var wg forkjoin.WaitGroup
			for range 1000 {
				wg.Go(func() { g.enter(); n.Add(1); g.leave() })
			}
			wg.Wait()
		})
		if n.Load() != 1000 {
			t.Errorf("%d tasks ran, want 1000", n.Load())
		}
	})
	// A Run is no task, and does not count.
	within(t, patience, func() {
		for range 10 {
			p := newPool(t, forkjoin.Config{Workers: 2, MaxTasks: 2}) // nothing is about to end
			p.Run(func() {
				p.Run(func() {
					me, id := gnum(), make(chan int64, 2)
					p.Submit(func() { id <- gnum() })
					p.Submit(func() { id <- gnum() })
					forkjoin.Blocking(func() {
						if a, b := <-id, <-id; a == me || b == me {
							t.Error("a task ran inline although fewer than MaxTasks were outstanding")
						}
					})
				})
			})
		}
	})
	// An inline task that panics goes where the others go.
	got := make(chan any, 1)
	q := newPool(t, forkjoin.Config{Workers: 1, MaxTasks: 1, PanicHandler: func(e *forkjoin.PanicError) { got <- e.Value }})
	within(t, patience, func() {
		release, busy := make(chan struct{}), make(chan struct{})
		q.Submit(func() { close(busy); <-release })
		<-busy
		if v := caught(func() { q.Submit(func() { panic("inline") }) }); v != nil {
			t.Errorf("Submit panicked with %v", v)
		}
		if v := <-got; v != "inline" {
			t.Errorf("the handler was given %v", v)
		}
		close(release)
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
