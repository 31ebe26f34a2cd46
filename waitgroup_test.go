package forkjoin_test

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/forkjoin-go/forkjoin"
)

// goWaiter is what programs use of sync.WaitGroup when they only start
// functions and wait for them.
type goWaiter interface {
	Go(f func())
	Wait()
}

var (
	_ goWaiter = (*forkjoin.WaitGroup)(nil)
	_ goWaiter = (*sync.WaitGroup)(nil)
)

// What holds for sync.WaitGroup holds for the drop-in: both run the same cases.
func TestWaitGroupDropIn(t *testing.T) {
	makers := map[string]func() goWaiter{
		"sync":     func() goWaiter { return new(sync.WaitGroup) },
		"forkjoin": func() goWaiter { return new(forkjoin.WaitGroup) },
	}
	for name, create := range makers {
		t.Run(name, func(t *testing.T) {
			everywhere(t, func(t *testing.T, p place) {
				within(t, 30*time.Second, func() {
					p.run(func() {
						create().Wait() // nothing to wait for

						wg := create()
						for round := range 5 { // the same one, again and again
							n := []int{0, 1, 2, 17, scale(2000)}[round]
							counts := make([]int, n)
							for i := range n {
								wg.Go(func() { counts[i]++ })
							}
							wg.Wait()
							for i, c := range counts {
								if c != 1 {
									t.Fatalf("round %d: task %d ran %d times", round, i, c)
								}
							}
							wg.Wait()
						}

						// Tasks start tasks, and Wait waits for those too.
						var leaves atomic.Int64
						var grow func(depth int)
						grow = func(depth int) {
							if depth == 0 {
								leaves.Add(1)
								return
							}
							for range 3 {
								wg.Go(func() { grow(depth - 1) })
							}
						}
						wg.Go(func() { grow(5) })
						wg.Wait()
						if n := leaves.Load(); n != 243 {
							t.Errorf("%d leaves, want 243", n)
						}
					})

					// Several goroutines wait for the same tasks.
					wg := create()
					var done, early atomic.Int64
					gate := make(chan struct{})
					for range 10 {
						wg.Go(func() { <-gate; done.Add(1) })
					}
					var waiters sync.WaitGroup
					for range 5 {
						waiters.Go(func() {
							wg.Wait()
							if done.Load() != 10 {
								early.Add(1)
							}
						})
					}
					time.Sleep(time.Millisecond)
					close(gate)
					waiters.Wait()
					if n := early.Load(); n != 0 {
						t.Errorf("%d of 5 waiters returned early", n)
					}
				})
			})
		})
	}
}

// Go from a goroutine that is in no call, from one in another pool, and from a
// task that is not of the group.
func TestWaitGroupFromAnywhere(t *testing.T) {
	eachProcs(t, func(t *testing.T) {
		pool, err := forkjoin.New(forkjoin.Config{Workers: 2})
		if err != nil {
			t.Fatal(err)
		}
		within(t, 20*time.Second, func() {
			var wg forkjoin.WaitGroup
			var n atomic.Int64
			one := func() { n.Add(1) }
			wg.Go(one)
			pool.Run(func() { wg.Go(one) })
			var wait sync.WaitGroup
			wait.Go(func() { wg.Go(one) })
			wait.Wait()
			forkjoin.Join(func() { wg.Go(one) }, func() { wg.Go(one) })
			forkjoin.ParallelFor(10, func(int) { wg.Go(one) })
			wg.Wait()
			if n.Load() != 15 {
				t.Errorf("%d tasks ran, want 15", n.Load())
			}
			if err := pool.Close(); err != nil {
				t.Error(err)
			}
		})
	})
}

// A group whose Wait is called elsewhere than its Go, and tasks that outlive
// the call they were started from.
func TestWaitGroupOutlivesItsStarter(t *testing.T) {
	everywhere(t, func(t *testing.T, p place) {
		within(t, 20*time.Second, func() {
			for range scale(100) {
				var wg forkjoin.WaitGroup
				n := 0
				gate := make(chan struct{})
				p.run(func() { wg.Go(func() { <-gate; n++ }) })
				close(gate)
				done := make(chan struct{})
				go func() { wg.Wait(); close(done) }()
				<-done
				if n != 1 {
					t.Fatalf("the task ran %d times", n)
				}
			}
		})
	})
}

// Many small tasks: goroutines stay few, unlike with sync.WaitGroup.
func TestWaitGroupGoroutinesAreFew(t *testing.T) {
	eachProcs(t, func(t *testing.T) {
		within(t, 30*time.Second, func() {
			baseline := runtime.NumGoroutine()
			var most atomic.Int64
			var wg forkjoin.WaitGroup
			n := scale(20_000)
			var ran atomic.Int64
			for range n {
				wg.Go(func() {
					if ran.Add(1)%64 == 0 {
						if g := int64(runtime.NumGoroutine()); g > most.Load() {
							most.Store(g)
						}
					}
				})
			}
			wg.Wait()
			if ran.Load() != int64(n) {
				t.Errorf("%d of %d tasks ran", ran.Load(), n)
			}
			if limit := int64(baseline + 3*runtime.GOMAXPROCS(0) + 32); most.Load() > limit {
				t.Errorf("%d goroutines for %d tasks that never block, want at most %d", most.Load(), n, limit)
			}
		})
	})
}

func TestWaitGroupPanic(t *testing.T) {
	everywhere(t, func(t *testing.T, p place) {
		within(t, 30*time.Second, func() {
			for _, o := range ordeals {
				// Go does not panic; Wait does, after the others have ended.
				var finished atomic.Int64
				goReturned := false
				got := outcomeOf(func() {
					p.run(func() {
						var wg forkjoin.WaitGroup
						for i := range 20 {
							wg.Go(func() {
								if i == 7 {
									o.throw()
								}
								linger()
								finished.Add(1)
							})
						}
						goReturned = true
						wg.Wait()
					})
				})
				wantPanic(t, got, o, "one of twenty")
				if !goReturned {
					t.Error("Go panicked")
				}
				before := finished.Load()
				time.Sleep(time.Millisecond)
				if after := finished.Load(); after != before || after > 19 {
					t.Errorf("tasks finished after Wait: %d, then %d", before, after)
				}
			}
			// All panic: one of them is told.
			got := outcomeOf(func() {
				p.run(func() {
					var wg forkjoin.WaitGroup
					for range 20 {
						wg.Go(throwStruct)
					}
					wg.Wait()
				})
			})
			wantPanic(t, got, ordeals[3], "twenty of twenty")
			p.run(func() { sane(t) })
		})
	})
}

func TestWaitGroupBadInput(t *testing.T) {
	within(t, 10*time.Second, func() {
		var wg forkjoin.WaitGroup
		refuses(t, func() { wg.Go(nil) }, "Go", "nil")
		wg.Go(nop)
		wg.Wait()
	})
}

// Tasks that wait for each other make progress as goroutines do, whatever the
// order in which they start and however few processors there are.
func TestWaitGroupTasksBlockOnEachOther(t *testing.T) {
	everywhere(t, func(t *testing.T, p place) {
		run := func(name string, f func()) {
			t.Run(name, func(t *testing.T) {
				within(t, 20*time.Second, func() {
					p.run(f)
					p.run(func() { sane(t) })
				})
			})
		}
		run("a task waits for a later one", func() {
			var wg forkjoin.WaitGroup
			ch := make(chan int)
			got := 0
			wg.Go(func() { got = <-ch })
			wg.Go(func() { ch <- 42 })
			wg.Wait()
			if got != 42 {
				t.Errorf("got %d, want 42", got)
			}
		})
		run("a task waits for an earlier one", func() {
			var wg forkjoin.WaitGroup
			ch := make(chan int)
			got := 0
			wg.Go(func() { ch <- 42 })
			wg.Go(func() { got = <-ch })
			wg.Wait()
			if got != 42 {
				t.Errorf("got %d, want 42", got)
			}
		})
		run("ping-pong", func() {
			var wg forkjoin.WaitGroup
			ping, pong := make(chan int), make(chan int)
			rounds := scale(1000)
			last := 0
			wg.Go(func() {
				for i := range rounds {
					ping <- i
					last = <-pong
				}
				close(ping)
			})
			wg.Go(func() {
				for i := range ping {
					pong <- i * 2
				}
			})
			wg.Wait()
			if last != 2*(rounds-1) {
				t.Errorf("got %d, want %d", last, 2*(rounds-1))
			}
		})
		run("a chain", func() {
			var wg forkjoin.WaitGroup
			const n = 20
			links := make([]chan int, n+1)
			for i := range links {
				links[i] = make(chan int)
			}
			for i := range n {
				wg.Go(func() { links[i+1] <- 1 + <-links[i] })
			}
			wg.Go(func() { links[0] <- 0 })
			got := 0
			wg.Go(func() { got = <-links[n] })
			wg.Wait()
			if got != n {
				t.Errorf("got %d, want %d", got, n)
			}
		})
		run("a barrier of twenty", func() {
			var wg forkjoin.WaitGroup
			var meet sync.WaitGroup
			meet.Add(20)
			var through atomic.Int64
			for range 20 {
				wg.Go(func() {
					meet.Done()
					meet.Wait()
					through.Add(1)
				})
			}
			wg.Wait()
			if through.Load() != 20 {
				t.Errorf("%d of 20 came through", through.Load())
			}
		})
		run("mutex and condition", func() {
			var wg forkjoin.WaitGroup
			var mu sync.Mutex
			cond := sync.NewCond(&mu)
			ready := 0
			for i := range 10 {
				wg.Go(func() {
					mu.Lock()
					for ready != 9-i {
						cond.Wait()
					}
					ready++
					mu.Unlock()
					cond.Broadcast()
				})
			}
			wg.Wait()
			if ready != 10 {
				t.Errorf("ready %d, want 10", ready)
			}
		})
		run("the caller is waited for", func() {
			var wg forkjoin.WaitGroup
			ch := make(chan int)
			sum := 0
			wg.Go(func() {
				for v := range ch {
					sum += v
				}
			})
			for i := range 10 {
				ch <- i
			}
			close(ch)
			wg.Wait()
			if sum != 45 {
				t.Errorf("sum %d, want 45", sum)
			}
		})
	})
}

// A task blocks on what another group does.
func TestWaitGroupsBlockOnEachOther(t *testing.T) {
	everywhere(t, func(t *testing.T, p place) {
		within(t, 20*time.Second, func() {
			p.run(func() {
				var one, two forkjoin.WaitGroup
				a, b := make(chan int), make(chan int)
				got := 0
				one.Go(func() { a <- 1 + <-b })
				two.Go(func() { b <- 1 })
				two.Go(func() { got = <-a })
				one.Wait()
				two.Wait()
				if got != 2 {
					t.Errorf("got %d, want 2", got)
				}
				// Tasks of one group wait for the other group as a whole.
				var inner forkjoin.WaitGroup
				n := 0
				var mu sync.Mutex
				inner.Go(func() { mu.Lock(); n++; mu.Unlock() })
				for range 10 {
					one.Go(func() {
						inner.Wait()
						mu.Lock()
						if n != 1 {
							t.Errorf("n = %d before inner had ended", n)
						}
						mu.Unlock()
					})
				}
				one.Wait()
			})
		})
	})
}

// What a task does is seen after Wait and what was done before Go is seen in
// the task, without further synchronisation.
func TestWaitGroupOrdersMemory(t *testing.T) {
	everywhere(t, func(t *testing.T, p place) {
		within(t, 20*time.Second, func() {
			p.run(func() {
				var wg forkjoin.WaitGroup
				for round := range scale(200) {
					in := make([]int, 30)
					out := make([]int, 30)
					for i := range in {
						in[i] = round + i
						wg.Go(func() { out[i] = in[i] * 2 })
					}
					wg.Wait()
					for i, v := range out {
						if v != 2*(round+i) {
							t.Fatalf("round %d: out[%d] = %d", round, i, v)
						}
					}
				}
			})
		})
	})
}

// A WaitGroup holds on to nothing of its tasks once they are done.
func TestWaitGroupLetsGo(t *testing.T) {
	everywhere(t, func(t *testing.T, p place) {
		within(t, 30*time.Second, func() {
			const count = 50
			var wg forkjoin.WaitGroup
			var gone atomic.Int64
			p.run(func() {
				for range count {
					b := new([1 << 12]byte)
					runtime.AddCleanup(b, func(int) { gone.Add(1) }, 0)
					wg.Go(func() { b[0]++; seqFib(10) })
				}
				wg.Wait()
			})
			soon(t, 10*time.Second, "closures of finished tasks are collected", func() bool {
				runtime.GC()
				return gone.Load() == count
			})
			runtime.KeepAlive(&wg)
		})
	})
}

// The same for what a task failed with, once Wait has passed it on.
func TestWaitGroupLetsGoOfPanics(t *testing.T) {
	everywhere(t, func(t *testing.T, p place) {
		within(t, 30*time.Second, func() {
			var wg forkjoin.WaitGroup
			var gone atomic.Bool
			p.run(func() {
				value := new([1 << 12]byte)
				runtime.AddCleanup(value, func(int) { gone.Store(true) }, 0)
				wg.Go(func() { panic(value) })
				if caught(wg.Wait) == nil {
					t.Error("Wait did not panic")
				}
			})
			soon(t, 10*time.Second, "the value of a panic is collected", func() bool {
				runtime.GC()
				return gone.Load()
			})
			runtime.KeepAlive(&wg)
		})
	})
}

func TestStatsCountTasks(t *testing.T) {
	for _, n := range []int{1, 3} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			pool, err := forkjoin.New(forkjoin.Config{Workers: n})
			if err != nil {
				t.Fatal(err)
			}
			within(t, 20*time.Second, func() {
				before := pool.Stats()
				pool.Run(func() {
					var wg forkjoin.WaitGroup
					var g forkjoin.Group
					for range 100 {
						wg.Go(nop)
						g.Go(func() error { return nil })
					}
					wg.Wait()
					if err := g.Wait(); err != nil {
						t.Error(err)
					}
				})
				// A worker may add what it counted only when it comes to rest.
				soon(t, 5*time.Second, "200 tasks are counted", func() bool {
					return pool.Stats().Tasks-before.Tasks == 200
				})
				if err := pool.Close(); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

// Short tasks make the group hold its ticket back. Tasks that wait for each
// other, given right behind them, start all the same, though nobody is in Wait.
func TestWaitGroupShortTasksThenWaiting(t *testing.T) {
	everywhere(t, func(t *testing.T, p place) {
		within(t, patience, func() {
			p.run(func() {
				for round := range 4 {
					var wg forkjoin.WaitGroup
					var ran atomic.Int64
					n := 1000 + 21*round
					for range n {
						wg.Go(func() { ran.Add(1) })
					}
					const pairs = 3
					var met [pairs]chan struct{}
					all := make(chan struct{}, pairs)
					for i := range pairs {
						met[i] = make(chan struct{})
						wg.Go(func() { <-met[i]; all <- struct{}{} })
					}
					for i := range pairs {
						wg.Go(func() { close(met[i]) })
					}
					forkjoin.Blocking(func() {
						for range pairs {
							<-all
						}
					})
					wg.Wait()
					if ran.Load() != int64(n) {
						t.Errorf("%d of %d tasks ran", ran.Load(), n)
					}
				}
			})
		})
	})
}
