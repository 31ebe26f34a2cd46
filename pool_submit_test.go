package forkjoin_test

import (
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
