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

// Groups in groups on small pools.
func TestNestedGroups(t *testing.T) {
	for _, workers := range []int{1, 2, 16} {
		inPool(t, workers, func(t *testing.T, p place) {
			within(t, 30*time.Second, func() {
				p.run(func() {
					var n atomic.Int64
					var outer forkjoin.WaitGroup
					for range 100 {
						outer.Go(func() {
							var inner forkjoin.Group
							for range 10 {
								inner.Go(func() error { n.Add(1); return nil })
							}
							if err := inner.Wait(); err != nil {
								t.Error(err)
							}
						})
					}
					outer.Wait()
					if n.Load() != 1000 {
						t.Errorf("%d inner tasks ran, want 1000", n.Load())
					}
				})
			})
		})
	}
}

func TestNestedLoops(t *testing.T) {
	for _, workers := range []int{1, 2, 16} {
		inPool(t, workers, func(t *testing.T, p place) {
			within(t, 30*time.Second, func() {
				p.run(func() {
					var n atomic.Int64
					forkjoin.ParallelFor(100, func(int) {
						forkjoin.ParallelFor(10, func(int) { n.Add(1) }, forkjoin.MaxLeaf(1))
					}, forkjoin.MaxLeaf(1))
					if n.Load() != 1000 {
						t.Errorf("%d inner iterations ran, want 1000", n.Load())
					}
				})
			})
		})
	}
}

// Groups twelve deep, each waiting for the next.
func TestNestedGroupsDeep(t *testing.T) {
	everywhere(t, func(t *testing.T, p place) {
		within(t, 30*time.Second, func() {
			var leaves atomic.Int64
			var down func(depth int)
			down = func(depth int) {
				if depth == 0 {
					leaves.Add(1)
					return
				}
				var wg forkjoin.WaitGroup
				wg.Go(func() { down(depth - 1) })
				wg.Go(func() { down(depth - 1) })
				wg.Wait()
			}
			depth := 10
			if slow() {
				depth = 7
			}
			p.run(func() { down(depth) })
			if leaves.Load() != 1<<depth {
				t.Errorf("%d leaves, want %d", leaves.Load(), 1<<depth)
			}
		})
	})
}

// Broadcasts in broadcasts: of the own pool, and of two pools to each other.
func TestNestedBroadcast(t *testing.T) {
	pools := map[int]*forkjoin.Pool{}
	for _, n := range []int{1, 3, 7} {
		pool, err := forkjoin.New(forkjoin.Config{Workers: n})
		if err != nil {
			t.Fatal(err)
		}
		pools[n] = pool
	}
	within(t, 60*time.Second, func() {
		for a, pa := range pools {
			for b, pb := range pools {
				for range scale(10) {
					var outer, inner atomic.Int64
					pa.Broadcast(func(int) {
						outer.Add(1)
						pb.Broadcast(func(int) { inner.Add(1) })
					})
					if outer.Load() != int64(a) || inner.Load() != int64(a*b) {
						t.Errorf("%d in %d workers: %d outer and %d inner calls", b, a, outer.Load(), inner.Load())
					}
					outer.Store(0)
					inner.Store(0)
					pa.Run(func() {
						pb.Broadcast(func(int) {
							outer.Add(1)
							pa.Broadcast(func(int) { inner.Add(1); fib(4) })
						})
					})
					if outer.Load() != int64(b) || inner.Load() != int64(a*b) {
						t.Errorf("from %d workers through %d: %d outer and %d inner calls", a, b, outer.Load(), inner.Load())
					}
				}
			}
		}
		for _, pool := range pools {
			if err := pool.Close(); err != nil {
				t.Error(err)
			}
		}
	})
}

// A task of one pool runs something in another, which comes back to the first.
func TestNestedPools(t *testing.T) {
	eachProcs(t, func(t *testing.T) {
		one, err1 := forkjoin.New(forkjoin.Config{Workers: 1})
		two, err2 := forkjoin.New(forkjoin.Config{Workers: 2})
		if err1 != nil || err2 != nil {
			t.Fatal(err1, err2)
		}
		within(t, 30*time.Second, func() {
			var down func(depth int) int
			down = func(depth int) int {
				if depth == 0 {
					return 1
				}
				here, there := one, two
				if depth%2 == 0 {
					here, there = two, one
				}
				var a, b int
				here.Run(func() {
					forkjoin.Join(func() { a = down(depth - 1) }, func() {
						there.Run(func() { b = down(depth - 1) })
					})
				})
				return a + b
			}
			if got := down(6); got != 64 {
				t.Errorf("got %d, want 64", got)
			}
			if err := one.Close(); err != nil {
				t.Error(err)
			}
			if err := two.Close(); err != nil {
				t.Error(err)
			}
		})
	})
}

// Random recursions: every node of one tree of calls joins its children through
// the same task, some of them as a row, some through closures or a call anew,
// some with a recover around them.
func TestRandomRecursions(t *testing.T) {
	var again func(p *program) uint64
	var node func(ta *forkjoin.Task[*program, uint64], p *program) uint64
	join := func(ta *forkjoin.Task[*program, uint64], p *program) uint64 {
		n := len(p.children)
		vs := make([]uint64, n)
		switch kind := p.value % 8; {
		case n == 0:
		case kind < 2:
			ta.JoinAll(p.children, vs)
		case kind == 2:
			fns := make([]func(), n)
			for i, c := range p.children {
				fns[i] = func() { vs[i] = again(c) }
			}
			forkjoin.JoinAll(fns...)
		case kind == 3:
			for i, c := range p.children {
				vs[i] = node(ta, c)
			}
		default:
			i := 0
			for ; i+1 < n; i += 2 {
				vs[i], vs[i+1] = ta.Join(p.children[i], p.children[i+1])
			}
			if i < n {
				vs[i] = node(ta, p.children[i])
			}
		}
		return fold(p.value, vs)
	}
	recovering := func(ta *forkjoin.Task[*program, uint64], p *program) (h uint64) {
		defer func() {
			if v := recover(); v != nil {
				h = p.value + 1
			}
		}()
		return join(ta, p)
	}
	node = func(ta *forkjoin.Task[*program, uint64], p *program) uint64 {
		switch p.kind {
		case progPanic:
			panic(thrown{p.value})
		case progRecover:
			return recovering(ta, p)
		}
		return join(ta, p)
	}
	again = forkjoin.Recursive(node)
	var meaning func(p *program) (h uint64, ok bool)
	meaning = func(p *program) (h uint64, ok bool) {
		h, ok = p.value, p.kind != progPanic
		for _, c := range p.children {
			v, returned := meaning(c)
			h, ok = mixIn(h, v), ok && returned
		}
		if !ok && p.kind == progRecover {
			return p.value + 1, true
		}
		return h, ok
	}
	everywhere(t, func(t *testing.T, p place) {
		for seed := range uint64(scale(150)) {
			src := rand.New(rand.NewPCG(seed, 13))
			prog := randomProgram(src, 1+src.IntN(1500), failures{panics: seed%2 == 0})
			want, ok := meaning(prog)
			within(t, 20*time.Second, func() {
				for range 3 {
					var got uint64
					o := outcomeOf(func() { p.run(func() { got = again(prog) }) })
					if o.returned != ok || ok && got != want {
						t.Fatalf("seed %d: %v with %x, want returned = %v with %x: %v", seed, o, got, ok, want, prog)
					}
					if !ok {
						pe, is := o.panicked.(*forkjoin.PanicError)
						if !is {
							t.Fatalf("seed %d: %v", seed, o)
						}
						if _, is := pe.Value.(thrown); !is {
							t.Fatalf("seed %d: %v", seed, o)
						}
					}
				}
			})
		}
	})
}

// A loop body over a sequence that forks: break, return, continue and a panic
// in the body do what they do for any sequence.
func TestRangeOverFunc(t *testing.T) {
	// left and right yield from the one or the other branch of a join.
	left := func(yield func(int) bool) {
		for i := 0; ; i++ {
			more := false
			forkjoin.Join(func() { more = yield(i) }, func() { fib(3) })
			if !more {
				return
			}
		}
	}
	right := func(yield func(int) bool) {
		for i := 0; ; i++ {
			more := false
			forkjoin.Join(func() { fib(3) }, func() { more = yield(i) })
			if !more {
				return
			}
		}
	}
	rec := forkjoin.Recursive(func(t *forkjoin.Task[func() bool, bool], f func() bool) bool {
		if f == nil {
			return true
		}
		return f()
	})
	typed := func(yield func(int) bool) {
		for i := 0; rec(func() bool { return yield(i) }); i++ {
		}
	}
	everywhere(t, func(t *testing.T, p place) {
		within(t, 20*time.Second, func() {
			p.run(func() {
				for name, seq := range map[string]func(func(int) bool){"left": left, "right": right, "typed": typed} {
					sum := 0
					for i := range seq {
						if i%2 == 1 {
							continue
						}
						if i > 20 {
							break
						}
						var a, b int
						forkjoin.Join(func() { a = i }, func() { b = 1 })
						sum += a + b
					}
					if sum != 121 {
						t.Errorf("%s: sum %d, want 121", name, sum)
					}
					find := func() int {
						for i := range seq {
							for j := range seq {
								if i*j == 42 {
									return 100*i + j
								}
								if j > i {
									break
								}
							}
						}
						return -1
					}
					if got := find(); got != 607 && got != 706 {
						t.Errorf("%s: returned %d", name, got)
					}
					got := outcomeOf(func() {
						for i := range seq {
							if i == 5 {
								throwStruct()
							}
						}
					})
					pe, ok := got.panicked.(*forkjoin.PanicError)
					if !ok || pe.Value != (customPanic{7, "seven"}) {
						t.Errorf("%s: %v", name, got)
					}
				}
				sane(t)
			})
		})
	})
}

// Goroutines that tasks start are callers of their own.
func TestGoroutinesInsideTasks(t *testing.T) {
	everywhere(t, func(t *testing.T, p place) {
		within(t, 30*time.Second, func() {
			p.run(func() {
				var n atomic.Int64
				forkjoin.ParallelFor(20, func(i int) {
					var wait sync.WaitGroup
					for range 3 {
						wait.Go(func() {
							if fib(8) == 21 && joinFib(5) == 5 {
								n.Add(1)
							}
							forkjoin.ParallelFor(10, func(int) { n.Add(1) })
						})
					}
					if i%2 == 0 {
						forkjoin.Blocking(wait.Wait)
					} else {
						wait.Wait()
					}
				}, forkjoin.MaxLeaf(1))
				if n.Load() != 20*3*11 {
					t.Errorf("%d, want %d", n.Load(), 20*3*11)
				}
			})
		})
	})
}

// Goroutines that a task started go on after its call has returned.
func TestGoroutinesOutliveTasks(t *testing.T) {
	everywhere(t, func(t *testing.T, p place) {
		within(t, 30*time.Second, func() {
			var wait sync.WaitGroup
			var n atomic.Int64
			p.run(func() {
				forkjoin.JoinAll(
					func() { wait.Go(func() { runtime.Gosched(); n.Add(int64(fib(10))) }) },
					func() { wait.Go(func() { runtime.Gosched(); n.Add(int64(joinFib(6))) }) },
					func() {
						wait.Go(func() {
							var wg forkjoin.WaitGroup
							wg.Go(func() { n.Add(1) })
							wg.Wait()
						})
					},
				)
			})
			wait.Wait()
			if n.Load() != 64 {
				t.Errorf("%d, want 64", n.Load())
			}
		})
	})
}
