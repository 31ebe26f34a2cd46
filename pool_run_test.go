package forkjoin_test

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/forkjoin-go/forkjoin"
)

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
