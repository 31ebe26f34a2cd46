package forkjoin_test

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/forkjoin-go/forkjoin"
)

// Slots whose goroutines are blocked without saying so are made up for, also when
// other goroutines of the program keep all processors busy, so that how many can
// run tells nothing. In each case the only slot is held by somebody who waits for a
// submitted task.
func TestWatchdogSeesBlockedSlots(t *testing.T) {
	if build.wasm {
		t.Skip("nothing can run beside a busy goroutine")
	}
	submitAndWait := func(p *forkjoin.Pool) {
		done := make(chan struct{})
		p.Submit(func() { close(done) })
		<-done
	}
	for _, c := range []struct {
		name string
		run  func(p *forkjoin.Pool) // p has one worker, as has the default pool
	}{
		{"in Run", func(p *forkjoin.Pool) { p.Run(func() { submitAndWait(p) }) }},
		{"in a fork in Run", func(p *forkjoin.Pool) {
			p.Run(func() { forkjoin.Join(func() { submitAndWait(p) }, func() {}) })
		}},
		{"in a submitted task", func(p *forkjoin.Pool) {
			done := make(chan struct{})
			p.Submit(func() { defer close(done); submitAndWait(p) })
			<-done
		}},
		{"in a stolen branch", func(p *forkjoin.Pool) {
			begun, done := make(chan struct{}), make(chan struct{})
			p.Submit(func() {
				forkjoin.Join(
					func() { forkjoin.Blocking(func() { <-begun }) }, // lends the slot
					func() { close(begun); submitAndWait(p) })
				close(done)
			})
			<-done
		}},
		{"beside a lent one in Blocking", func(p *forkjoin.Pool) {
			begun, done := make(chan struct{}), make(chan struct{})
			p.Submit(func() { <-done })
			p.Submit(func() { forkjoin.Blocking(func() { close(begun); <-done }) })
			p.Submit(func() { <-begun; close(done) })
			<-done
		}},
		{"in Join", func(*forkjoin.Pool) {
			forkjoin.Join(func() { submitAndWait(forkjoin.Default()) }, func() {})
		}},
		{"in Join2", func(*forkjoin.Pool) {
			forkjoin.Join2(func() int { submitAndWait(forkjoin.Default()); return 0 }, func() int { return 0 })
		}},
		{"in a loop", func(*forkjoin.Pool) {
			forkjoin.ParallelFor(3, func(int) { submitAndWait(forkjoin.Default()) })
		}},
		{"in a recursion", func(*forkjoin.Pool) {
			forkjoin.Recursive(func(t *forkjoin.Task[int, int], n int) int {
				submitAndWait(forkjoin.Default())
				if n > 0 {
					t.Join(n-1, n-1)
				}
				return n
			})(1)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			setProcs(t, 1)
			p := newPool(t, forkjoin.Config{Workers: 1})
			var over atomic.Bool
			defer over.Store(true)
			for range 2 {
				go func() {
					for !over.Load() {
						spin(time.Microsecond)
					}
				}()
			}
			within(t, patience, func() { c.run(p) })
		})
	}
}

// A task that is blocked is made up for by one goroutine, and not by ever more of
// them while the others take long.
func TestWatchdogLendsNoMoreThanNeeded(t *testing.T) {
	if build.wasm {
		t.Skip("nothing can run beside a busy goroutine")
	}
	for _, busy := range []int{0, 2} {
		t.Run(fmt.Sprint(busy, " busy"), func(t *testing.T) {
			setProcs(t, 2)
			var over atomic.Bool
			defer over.Store(true)
			for range busy {
				go func() {
					for !over.Load() {
						spin(time.Microsecond)
					}
				}()
			}
			within(t, patience, func() {
				p := newPool(t, forkjoin.Config{Workers: 2})
				release := make(chan struct{})
				p.Submit(func() { <-release })
				var others sync.WaitGroup
				for range 60 {
					others.Add(1)
					p.Submit(func() { defer others.Done(); spin(25 * time.Millisecond) })
				}
				others.Wait()
				close(release)
				// Some more, as one that is just being woken counts as blocked.
				if lent := p.Stats().Lent; lent > 10 {
					t.Errorf("%d goroutines were lent, want about 1", lent)
				}
			})
		})
	}
}
