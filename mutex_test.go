package forkjoin_test

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/forkjoin-go/forkjoin"
)

// A lock held across a call can deadlock only if the program itself does: a
// waiting join runs nothing that is not below it, and gets to go on though all
// other workers may be blocked. Each test runs in pools of 1 to 8 workers; a
// scheduler that runs foreign work while it waits, on the goroutine that holds
// the lock, hangs in them.

// eachPoolSize runs f as subtests in pools of 1 to 8 workers.
func eachPoolSize(t *testing.T, f func(t *testing.T, p place)) {
	for n := 1; n <= 8 && !t.Failed(); n++ {
		inPool(t, n, f)
	}
	if !t.Failed() { // a deadlock in one is enough
		atProcs(t, 1, func(t *testing.T) { inPool(t, 4, f) })
	}
}

// busy is leaf work that is worth stealing.
func busy(n int) int { return seqFib(6 + n%8) }

func TestMutexAcrossJoin(t *testing.T) {
	eachPoolSize(t, func(t *testing.T, p place) {
		within(t, 20*time.Second, func() {
			p.run(func() {
				var mu sync.Mutex
				count := 0
				n := scale(400)
				forkjoin.ParallelFor(n, func(i int) {
					mu.Lock()
					defer mu.Unlock()
					var a, b int
					forkjoin.Join(func() { busy(i); a = 1 }, func() { busy(i + 1); b = 1 })
					count += a + b
				}, forkjoin.MaxLeaf(1))
				if count != 2*n {
					t.Errorf("count %d, want %d", count, 2*n)
				}
			})
		})
	})
}

func TestMutexAcrossLoop(t *testing.T) {
	eachPoolSize(t, func(t *testing.T, p place) {
		within(t, 20*time.Second, func() {
			p.run(func() {
				var mu sync.Mutex
				count := 0
				n := scale(200)
				var rec func(lo, hi int)
				rec = func(lo, hi int) {
					if hi-lo > 1 {
						mid := (lo + hi) / 2
						forkjoin.Join(func() { rec(lo, mid) }, func() { rec(mid, hi) })
						return
					}
					mu.Lock()
					defer mu.Unlock()
					var inner atomic.Int64
					forkjoin.ParallelFor(20, func(i int) { busy(i); inner.Add(1) }, forkjoin.MaxLeaf(2))
					count += int(inner.Load())
				}
				rec(0, n)
				if count != 20*n {
					t.Errorf("count %d, want %d", count, 20*n)
				}
			})
		})
	})
}

// Tasks hold a lock for leaf work outside the join, while others are inside
// theirs.
func TestMutexLeafWork(t *testing.T) {
	eachPoolSize(t, func(t *testing.T, p place) {
		within(t, 20*time.Second, func() {
			p.run(func() {
				var mu sync.Mutex
				count := 0
				tree := forkjoin.Recursive(func(ta *forkjoin.Task[int, int], depth int) int {
					mu.Lock()
					count++
					busy(depth)
					mu.Unlock()
					if depth == 0 {
						return 1
					}
					a, b := ta.Join(depth-1, depth-1)
					mu.Lock()
					count++
					mu.Unlock()
					return a + b
				})
				depth := 10
				if slow() {
					depth = 7
				}
				if got := tree(depth); got != 1<<depth {
					t.Errorf("got %d, want %d", got, 1<<depth)
				}
				if want := 3<<depth - 2; count != want {
					t.Errorf("count %d, want %d", count, want)
				}
			})
		})
	})
}

// One lock for each level of a tree, held across the join of the level below:
// correct in any order of execution, and a deadlock as soon as a join that
// waits at one level runs a task of the same or a higher one.
func TestMutexPerLevel(t *testing.T) {
	eachPoolSize(t, func(t *testing.T, p place) {
		within(t, 40*time.Second, func() {
			p.run(func() {
				for round := range scale(20) {
					var mu [9]sync.Mutex
					var count [9]int
					tree := forkjoin.Recursive(func(ta *forkjoin.Task[int, int], depth int) int {
						mu[depth].Lock()
						defer mu[depth].Unlock()
						count[depth]++
						if depth == 0 {
							busy(round)
							return 1
						}
						a, b := ta.Join(depth-1, depth-1)
						return a + b
					})
					if got := tree(8); got != 256 {
						t.Fatalf("got %d, want 256", got)
					}
					for d, c := range count {
						if c != 1<<(8-d) {
							t.Fatalf("level %d: count %d, want %d", d, c, 1<<(8-d))
						}
					}
				}
			})
		})
	})
}

// The same with closures and with each kind of call for a level.
func TestMutexPerLevelMixed(t *testing.T) {
	eachPoolSize(t, func(t *testing.T, p place) {
		within(t, 40*time.Second, func() {
			p.run(func() {
				for round := range scale(20) {
					var mu [6]sync.Mutex
					var leaves atomic.Int64
					var rec func(depth int)
					rec = func(depth int) {
						mu[depth].Lock()
						defer mu[depth].Unlock()
						if depth == 0 {
							busy(round)
							leaves.Add(1)
							return
						}
						below := func() { rec(depth - 1) }
						switch (depth + round) % 6 {
						case 0:
							forkjoin.Join(below, below)
						case 1:
							forkjoin.JoinAll(below, below, below)
						case 2:
							forkjoin.ParallelFor(3, func(int) { below() }, forkjoin.MaxLeaf(1))
						case 3:
							forkjoin.ParallelReduce(3, 0, func(lo, hi int) int {
								for range hi - lo {
									below()
								}
								return 0
							}, func(a, b int) int { return 0 }, forkjoin.MaxLeaf(1))
						case 4:
							var wg forkjoin.WaitGroup
							wg.Go(below)
							wg.Go(below)
							wg.Wait()
						case 5:
							var g forkjoin.Group
							for range 3 {
								g.Go(func() error { below(); return nil })
							}
							if err := g.Wait(); err != nil {
								t.Error(err)
							}
						}
					}
					rec(5)
					want := int64(1)
					for depth := 1; depth <= 5; depth++ {
						want *= []int64{2, 3, 3, 3, 2, 3}[(depth+round)%6]
					}
					if got := leaves.Load(); got != want {
						t.Fatalf("%d leaves, want %d", got, want)
					}
				}
			})
		})
	})
}

// Many callers from outside, all of whom hold the same lock across their call.
func TestMutexManyCallers(t *testing.T) {
	eachPoolSize(t, func(t *testing.T, p place) {
		within(t, 30*time.Second, func() {
			var mu sync.Mutex
			total := 0
			var callers sync.WaitGroup
			const n = 20
			rounds := scale(20)
			for c := range n {
				callers.Go(func() {
					for r := range rounds {
						p.run(func() {
							fib(5)
							mu.Lock()
							var a, b int
							forkjoin.Join(func() { a = busy(c); a = 1 }, func() { b = busy(r); b = 1 })
							total += a + b
							mu.Unlock()
							fib(5)
						})
					}
				})
			}
			callers.Wait()
			if total != 2*n*rounds {
				t.Errorf("total %d, want %d", total, 2*n*rounds)
			}
		})
	})
}

// Random trees of calls in which a node may lock one of a hierarchy of locks,
// in order, across the calls below it.
func TestMutexRandom(t *testing.T) {
	const locks = 5
	eachPoolSize(t, func(t *testing.T, p place) {
		for seed := range uint64(scale(20)) {
			within(t, 30*time.Second, func() {
				var mu [locks]sync.Mutex
				var nodes atomic.Int64
				var run func(seed uint64, depth, from int) int64
				run = func(seed uint64, depth, from int) (count int64) {
					nodes.Add(1)
					r := rand.New(rand.NewPCG(seed, 99))
					if l := from + r.IntN(3); l < locks && r.IntN(2) == 0 {
						mu[l].Lock()
						defer mu[l].Unlock()
						from = l + 1
					}
					busy(int(seed % 7))
					if depth == 0 {
						return 1
					}
					n := 1 + r.IntN(3)
					counts := make([]int64, n)
					call := func(i int) { counts[i] = run(seed*31+uint64(i)+1, depth-1, from) }
					switch r.IntN(3) {
					case 0:
						fns := make([]func(), n)
						for i := range fns {
							fns[i] = func() { call(i) }
						}
						forkjoin.JoinAll(fns...)
					case 1:
						forkjoin.ParallelFor(n, call, forkjoin.MaxLeaf(1))
					case 2:
						if n == 1 {
							call(0)
						} else {
							forkjoin.Join(func() { call(0) }, func() {
								for i := 1; i < n; i++ {
									call(i)
								}
							})
						}
					}
					count = 1
					for _, c := range counts {
						count += c
					}
					return count
				}
				p.run(func() {
					if got := run(seed, 6, 0); got != nodes.Load() {
						t.Errorf("seed %d: %s", seed, fmt.Sprintf("%d nodes counted, %d ran", got, nodes.Load()))
					}
				})
			})
		}
	})
}

// A read lock held by every task, with writers between them.
func TestRWMutexAcrossJoin(t *testing.T) {
	eachPoolSize(t, func(t *testing.T, p place) {
		within(t, 30*time.Second, func() {
			var mu sync.RWMutex
			value := 0
			n := scale(200)
			p.run(func() {
				forkjoin.ParallelFor(n, func(i int) {
					if i%8 == 7 {
						mu.Lock()
						value++
						mu.Unlock()
						return
					}
					mu.RLock()
					defer mu.RUnlock()
					before := value
					forkjoin.Join(func() { busy(i) }, func() { busy(i + 1) })
					if value != before {
						t.Error("a writer came in between")
					}
				}, forkjoin.MaxLeaf(1))
			})
			if value != n/8 {
				t.Errorf("value %d, want %d", value, n/8)
			}
		})
	})
}

// A task holds a lock and gives its slot up for a while; whoever gets the slot
// blocks on that lock. The holder must come back to run all the same.
func TestMutexAcrossBlocking(t *testing.T) {
	eachPoolSize(t, func(t *testing.T, p place) {
		within(t, 20*time.Second, func() {
			p.run(func() {
				var mu sync.Mutex
				var wg forkjoin.WaitGroup
				count := 0
				mu.Lock()
				for range p.workers + 2 {
					wg.Go(func() { mu.Lock(); count++; mu.Unlock() })
				}
				forkjoin.Blocking(func() { time.Sleep(5 * time.Millisecond) })
				mu.Unlock()
				wg.Wait()
				if count != p.workers+2 {
					t.Errorf("count %d, want %d", count, p.workers+2)
				}
			})
		})
	})
}

// The same for a holder that waits in a join, whose other branch takes long.
func TestMutexAcrossParkedJoin(t *testing.T) {
	needsThreads(t)
	eachPoolSize(t, func(t *testing.T, p place) {
		within(t, 30*time.Second, func() {
			for range scale(10) {
				var mu sync.Mutex
				var wg forkjoin.WaitGroup
				count := 0
				p.run(func() {
					mu.Lock()
					var started atomic.Bool
					forkjoin.Join(func() { waitFor(started.Load, 2*time.Millisecond) }, func() {
						started.Store(true)
						for range p.workers + 1 {
							wg.Go(func() { mu.Lock(); count++; mu.Unlock() })
						}
						time.Sleep(2 * time.Millisecond)
					})
					mu.Unlock()
					wg.Wait()
				})
				if count != p.workers+1 {
					t.Errorf("count %d, want %d", count, p.workers+1)
				}
			}
		})
	})
}

// A caller holds a lock while it asks for a slot of a pool all of whose slots
// are held by tasks that wait for the lock.
func TestMutexAroundRun(t *testing.T) {
	eachPoolSize(t, func(t *testing.T, p place) {
		within(t, 20*time.Second, func() {
			var mu sync.Mutex
			var inside atomic.Int64
			var callers sync.WaitGroup
			count := 0
			mu.Lock()
			for range p.workers {
				callers.Go(func() {
					p.run(func() {
						inside.Add(1)
						mu.Lock()
						count++
						mu.Unlock()
					})
				})
			}
			soon(t, 10*time.Second, "all slots are taken", func() bool { return inside.Load() == int64(p.workers) })
			p.run(func() { forkjoin.Join(func() { count++ }, nop) })
			mu.Unlock()
			callers.Wait()
			if count != p.workers+1 {
				t.Errorf("count %d, want %d", count, p.workers+1)
			}
		})
	})
}
