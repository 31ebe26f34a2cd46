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

// The only worker waits, declared, for a task that needs a worker.
func TestBlockingLendsTheSlot(t *testing.T) {
	p := newPool(t, forkjoin.Config{Workers: 1})
	within(t, patience, func() {
		before := p.Stats().Lent
		const rounds = 50
		for range rounds {
			p.Run(func() {
				done := make(chan struct{})
				if err := p.Submit(func() { close(done) }); err != nil {
					t.Error(err)
					return
				}
				forkjoin.Blocking(func() { <-done })
			})
		}
		// It lends at once, instead of leaving that to the watchdog.
		if lent := p.Stats().Lent - before; lent > rounds/2 {
			t.Errorf("a goroutine was lent %d times in %d rounds although the blocking was declared", lent, rounds)
		}
		// The same from a submitted task.
		ended := make(chan struct{})
		p.Submit(func() {
			done := make(chan struct{})
			p.Submit(func() { close(done) })
			forkjoin.Blocking(func() { <-done })
			close(ended)
		})
		<-ended
	})
}

// Many may block at once, each waiting for the next.
func TestBlockingChain(t *testing.T) {
	for _, w := range []int{1, 2} {
		p := newPool(t, forkjoin.Config{Workers: w})
		within(t, patience, func() {
			const n = 100
			links := make([]chan struct{}, n+1)
			for i := range links {
				links[i] = make(chan struct{})
			}
			for i := range n {
				p.Submit(func() {
					forkjoin.Blocking(func() { <-links[i+1] })
					close(links[i])
				})
			}
			p.Submit(func() { close(links[n]) })
			<-links[0]
		})
	}
}

// Blocking runs its function on the calling goroutine, at once, also outside a
// pool and inside another Blocking.
func TestBlockingRunsHere(t *testing.T) {
	p := newPool(t, forkjoin.Config{Workers: 1})
	check := func() {
		me, n := gnum(), 0
		forkjoin.Blocking(func() {
			if gnum() != me {
				t.Errorf("Blocking moved to goroutine %d from %d", gnum(), me)
			}
			n++
			forkjoin.Blocking(func() { n++ })
		})
		if n != 2 {
			t.Errorf("%d functions ran, want 2", n)
		}
	}
	within(t, patience, func() {
		check()
		p.Run(check)
		forkjoin.ParallelFor(100, func(int) { check() }, forkjoin.MaxLeaf(1))
		p.Run(func() { forkjoin.ParallelFor(100, func(int) { check() }, forkjoin.MaxLeaf(1)) })
	})
}

// Inside Blocking the whole surface may be used.
func TestBlockingMayFork(t *testing.T) {
	p := newPool(t, forkjoin.Config{Workers: 1})
	within(t, patience, func() {
		var n atomic.Int64
		p.Run(func() {
			forkjoin.ParallelFor(10, func(int) {
				forkjoin.Blocking(func() {
					forkjoin.Join(func() { n.Add(1) }, func() { n.Add(1) })
					forkjoin.ParallelFor(10, func(int) { n.Add(1) }, forkjoin.MaxLeaf(1))
					p.Run(func() { n.Add(1) })
				})
			}, forkjoin.MaxLeaf(1))
		})
		if n.Load() != 130 {
			t.Errorf("%d steps, want 130", n.Load())
		}
	})
}

// A panic or Goexit passes through as it is, and the slot comes back.
func TestBlockingPanicsAndGoexit(t *testing.T) {
	p := newPool(t, forkjoin.Config{Workers: 1})
	within(t, patience, func() {
		for range 20 {
			v := caught(func() { p.Run(func() { forkjoin.Blocking(func() { panic(errBody) }) }) })
			if err, ok := v.(error); !ok || !errors.Is(err, errBody) {
				t.Fatalf("panic value %T (%v)", v, v)
			}
			p.Run(func() {
				if v := caught(func() { forkjoin.Blocking(func() { panic("here") }) }); v != "here" {
					if pe, ok := v.(*forkjoin.PanicError); !ok || pe.Value != "here" {
						t.Fatalf("panic value %T (%v)", v, v)
					}
				}
			})
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				p.Run(func() { forkjoin.Blocking(runtime.Goexit) })
				t.Error("Run returned although Blocking's function called Goexit")
			}()
			<-ended
		}
		if v := caught(func() { forkjoin.Blocking(func() { panic("outside") }) }); v == nil {
			t.Error("a panic in Blocking outside a pool was lost")
		}
		var g gauge
		countActive(p, &g, 4)
		if m := g.most.Load(); m > 1 {
			t.Errorf("%d bodies at once in a pool of one worker after panics in Blocking", m)
		}
	})
}

// countActive runs loops of short bodies from several callers through g.
func countActive(p *forkjoin.Pool, g *gauge, callers int) {
	var wg sync.WaitGroup
	for range callers {
		wg.Go(func() {
			for range 20 {
				p.Run(func() {
					forkjoin.ParallelFor(20, func(int) {
						g.enter()
						spin(3 * time.Microsecond)
						g.leave()
					}, forkjoin.MaxLeaf(1))
				})
			}
		})
	}
	wg.Wait()
}

// Coming back from Blocking takes a slot again: outside it no more run at once
// than there are workers.
func TestBlockingTakesASlotAgain(t *testing.T) {
	const w = 2
	p := newPool(t, forkjoin.Config{Workers: w})
	within(t, patience, func() {
		var g gauge
		work := func() {
			g.enter()
			spin(3 * time.Microsecond)
			g.leave()
		}
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				for range scale(40) {
					p.Run(func() {
						forkjoin.ParallelFor(8, func(int) {
							work()
							forkjoin.Blocking(func() { time.Sleep(50 * time.Microsecond) })
							work()
						}, forkjoin.MaxLeaf(1))
					})
				}
			})
		}
		wg.Wait()
		if m := g.most.Load(); m > w {
			t.Errorf("%d bodies ran at once outside Blocking in a pool of %d workers", m, w)
		}
	})
}

// While tasks block, declared, others run: more can wait than there are workers.
func TestBlockingBodiesMeet(t *testing.T) {
	p := newPool(t, forkjoin.Config{Workers: 2})
	within(t, patience, func() {
		const n = 20
		b := newBarrier(n)
		var failed atomic.Int64
		var done sync.WaitGroup
		done.Add(n)
		for range n {
			p.Submit(func() {
				defer done.Done()
				forkjoin.Blocking(func() {
					if !b.arrive(patience / 2) {
						failed.Add(1)
					}
				})
			})
		}
		done.Wait()
		if failed.Load() > 0 {
			t.Errorf("%d of %d blocking tasks never met the others", failed.Load(), n)
		}
	})
}

// Tasks of a WaitGroup may wait for each other undeclared, as goroutines may:
// the pool lends what it takes after a while.
func TestBlockingUndeclared(t *testing.T) {
	for _, w := range []int{1, 2} {
		p := newPool(t, forkjoin.Config{Workers: w})
		within(t, patience, func() {
			const n = 6
			before := p.Stats().Lent
			b := newBarrier(n)
			var failed atomic.Int64
			p.Run(func() {
				var wg forkjoin.WaitGroup
				for range n {
					wg.Go(func() {
						if !b.arrive(patience / 2) {
							failed.Add(1)
						}
					})
				}
				wg.Wait()
			})
			if failed.Load() > 0 {
				t.Errorf("%d workers: %d of %d tasks never met the others", w, failed.Load(), n)
			}
			if w == 1 && p.Stats().Lent == before {
				t.Error("Stats.Lent did not move although tasks blocked")
			}
		})
	}
}

// A task that waits, undeclared, for a submitted one.
func TestBlockingUndeclaredSubmit(t *testing.T) {
	p := newPool(t, forkjoin.Config{Workers: 1})
	within(t, patience, func() {
		first, second := make(chan struct{}), make(chan struct{})
		p.Submit(func() { <-second; close(first) })
		p.Submit(func() { close(second) })
		<-first
		p.Run(func() {
			done := make(chan struct{})
			p.Submit(func() { close(done) })
			<-done
		})
	})
}
