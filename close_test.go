package forkjoin_test

import (
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/forkjoin-go/forkjoin"
)

func openPool(t testing.TB, cfg forkjoin.Config) *forkjoin.Pool {
	t.Helper()
	p, err := forkjoin.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func closeNow(t testing.TB, p *forkjoin.Pool) {
	t.Helper()
	if err := p.Close(); err != nil {
		t.Errorf("Close: %v", err)
	}
}

func TestCloseUnused(t *testing.T) {
	within(t, patience, func() {
		for _, w := range []int{0, 1, 8} {
			p := openPool(t, forkjoin.Config{Workers: w})
			for range 3 {
				closeNow(t, p)
			}
		}
	})
}

// Close waits for all that was submitted.
func TestCloseWaits(t *testing.T) {
	for _, w := range []int{1, 2, 8} {
		within(t, patience, func() {
			p := openPool(t, forkjoin.Config{Workers: w})
			const n = 200
			ran := make(tally, n)
			for i := range n {
				if err := p.Submit(func() {
					if i == 0 {
						time.Sleep(30 * time.Millisecond)
					}
					spin(10 * time.Microsecond)
					ran[i].Add(1)
				}); err != nil {
					t.Fatal(err)
				}
			}
			closeNow(t, p)
			ran.check(t, w)
		})
	}
}

// Tasks may submit tasks; Close waits for those that were taken, too.
func TestCloseWaitsForTasksOfTasks(t *testing.T) {
	for _, w := range []int{1, 2, 8} {
		within(t, patience, func() {
			p := openPool(t, forkjoin.Config{Workers: w})
			var taken, ran atomic.Int64
			var spawn func(depth int) func()
			spawn = func(depth int) func() {
				return func() {
					for range 3 {
						if depth == 0 {
							break
						}
						switch err := p.Submit(spawn(depth - 1)); {
						case err == nil:
							taken.Add(1)
						case !errors.Is(err, forkjoin.ErrClosed):
							t.Errorf("Submit: %v", err)
						}
					}
					spin(5 * time.Microsecond)
					ran.Add(1)
				}
			}
			for range 5 {
				taken.Add(1)
				if err := p.Submit(spawn(4)); err != nil {
					t.Fatal(err)
				}
			}
			closeNow(t, p)
			if ran.Load() != taken.Load() {
				t.Errorf("%d tasks were taken, %d had run when Close returned", taken.Load(), ran.Load())
			}
			time.Sleep(time.Millisecond)
			if ran.Load() != taken.Load() {
				t.Errorf("%d tasks were taken, %d ran", taken.Load(), ran.Load())
			}
		})
	}
}

func TestCloseRefusesAfterwards(t *testing.T) {
	within(t, patience, func() {
		p := openPool(t, forkjoin.Config{Workers: 2, Name: "closed one"})
		p.Run(func() {})
		closeNow(t, p)
		ran := func() { t.Error("a task ran in a closed pool") }
		for range 3 {
			err := p.Submit(ran)
			if !errors.Is(err, forkjoin.ErrClosed) {
				t.Errorf("Submit after Close: %v, want ErrClosed", err)
				continue
			}
			checkText(t, err)
		}
		refuses(t, func() { p.Run(ran) }, "Run", "closed")
		refuses(t, func() { p.Broadcast(func(int) { ran() }) }, "Broadcast", "closed")
		if p.Workers() != 2 {
			t.Errorf("Workers() of a closed pool is %d, want 2", p.Workers())
		}
		p.Stats()
		closeNow(t, p)
	})
}

// A second Close does nothing; while the first still waits it may wait too,
// but it does not return before the work is done.
func TestCloseTwiceAtOnce(t *testing.T) {
	within(t, patience, func() {
		p := openPool(t, forkjoin.Config{Workers: 1})
		var done atomic.Bool
		release := make(chan struct{})
		p.Submit(func() { <-release; done.Store(true) })
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				closeNow(t, p)
				if !done.Load() {
					t.Error("Close returned while a submitted task was running")
				}
			})
		}
		time.Sleep(20 * time.Millisecond)
		close(release)
		wg.Wait()
	})
}

// A Run that has begun is let finish.
func TestCloseDuringRun(t *testing.T) {
	for _, w := range []int{1, 3} {
		within(t, patience, func() {
			p := openPool(t, forkjoin.Config{Workers: w})
			inside, n := make(chan struct{}), atomic.Int64{}
			var wg sync.WaitGroup
			wg.Go(func() {
				p.Run(func() {
					close(inside)
					time.Sleep(10 * time.Millisecond) // Close begins meanwhile
					forkjoin.ParallelFor(1000, func(int) { n.Add(1) }, forkjoin.MaxLeaf(10))
					forkjoin.Join(func() { n.Add(1) }, func() { n.Add(1) })
					var g forkjoin.WaitGroup
					for range 10 {
						g.Go(func() { n.Add(1) })
					}
					g.Wait()
				})
			})
			<-inside
			closeNow(t, p)
			wg.Wait()
			if n.Load() != 1012 {
				t.Errorf("%d steps of the Run were done, want 1012", n.Load())
			}
		})
	}
}

// Close against Submit, Run and Close: what was taken runs exactly once, what
// was refused never does.
func TestCloseRaces(t *testing.T) {
	within(t, 2*patience, func() {
		for round := range scale(300) {
			p := openPool(t, forkjoin.Config{Workers: 1 + round%4})
			var taken, ran, runs, calls atomic.Int64
			start := make(chan struct{})
			var wg sync.WaitGroup
			for range 3 {
				wg.Go(func() {
					<-start
					for range 40 {
						switch err := p.Submit(func() { ran.Add(1) }); {
						case err == nil:
							taken.Add(1)
						case !errors.Is(err, forkjoin.ErrClosed):
							t.Errorf("Submit: %v", err)
						default:
							return
						}
					}
				})
			}
			for range 2 {
				wg.Go(func() {
					<-start
					for range 10 {
						v := caught(func() {
							p.Run(func() {
								forkjoin.ParallelFor(10, func(int) { calls.Add(1) }, forkjoin.MaxLeaf(1))
							})
							runs.Add(1)
						})
						if v != nil {
							checkText(t, v, "Run", "closed")
							return
						}
					}
				})
			}
			wg.Go(func() {
				<-start
				for range 5 {
					var n atomic.Int64
					v := caught(func() { p.Broadcast(func(int) { n.Add(1) }) })
					if v != nil {
						checkText(t, v, "Broadcast", "closed")
						return
					}
					if n.Load() != int64(p.Workers()) {
						t.Errorf("round %d: %d workers of %d ran a broadcast", round, n.Load(), p.Workers())
					}
				}
			})
			for k := range 2 {
				wg.Go(func() {
					<-start
					for range k * round % 7 {
						runtime.Gosched()
					}
					closeNow(t, p)
				})
			}
			close(start)
			wg.Wait()
			closeNow(t, p)
			if taken.Load() != ran.Load() {
				t.Errorf("round %d: %d tasks were taken, %d ran", round, taken.Load(), ran.Load())
			}
			if calls.Load() != 10*runs.Load() {
				t.Errorf("round %d: %d Runs returned, but %d iterations ran", round, runs.Load(), calls.Load())
			}
		}
	})
}

// Close inside one of the pool's own tasks would wait for itself: it must say
// so, or return, but not hang.
func TestCloseFromInside(t *testing.T) {
	for _, c := range []struct {
		name  string
		enter func(p *forkjoin.Pool, f func())
	}{
		{"Run", func(p *forkjoin.Pool, f func()) { p.Run(f) }},
		{"Submit", func(p *forkjoin.Pool, f func()) { p.Submit(f) }},
		{"loop in Run", func(p *forkjoin.Pool, f func()) {
			p.Run(func() { forkjoin.ParallelFor(1, func(int) { f() }) })
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			within(t, patience, func() {
				p := openPool(t, forkjoin.Config{Workers: 2})
				done := make(chan struct{})
				c.enter(p, func() {
					defer close(done)
					v := caught(func() {
						if err := p.Close(); err != nil {
							checkText(t, err, "Close")
						}
					})
					if v != nil {
						checkText(t, v, "Close")
					}
				})
				<-done
				closeNow(t, p)
			})
		})
	}
}

// Closed pools leave no goroutine behind, whatever they were doing.
func TestCloseLeavesNoGoroutines(t *testing.T) {
	within(t, 2*patience, func() {
		before := runtime.NumGoroutine()
		for i := range 40 {
			p := openPool(t, forkjoin.Config{Workers: 1 + i%5})
			for range 20 {
				p.Submit(func() {
					forkjoin.Blocking(func() { time.Sleep(100 * time.Microsecond) })
					forkjoin.ParallelFor(20, func(int) {
						forkjoin.ParallelFor(5, func(int) { spin(time.Microsecond) }, forkjoin.MaxLeaf(1))
					}, forkjoin.MaxLeaf(1))
				})
			}
			closeNow(t, p)
		}
		if !eventually(5*time.Second, func() bool { return runtime.NumGoroutine() <= before+2 }) {
			t.Errorf("%d goroutines before, %d after all pools were closed\n%s", before, runtime.NumGoroutine(), stacks())
		}
	})
}
