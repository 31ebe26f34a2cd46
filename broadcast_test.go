package forkjoin_test

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/forkjoin-go/forkjoin"
)

// broadcastOnce broadcasts with a barrier inside, so that all have to run at
// the same time, and checks that each index came once.
func broadcastOnce(t testing.TB, p *forkjoin.Pool) {
	t.Helper()
	w := p.Workers()
	seen := make(tally, w)
	var stray, missed atomic.Int64
	b := newBarrier(w)
	p.Broadcast(func(worker int) {
		if worker < 0 || worker >= w {
			stray.Add(1)
			return
		}
		seen[worker].Add(1)
		if !b.arrive(patience / 3) {
			missed.Add(1)
		}
	})
	seen.check(t, "worker")
	if stray.Load() > 0 {
		t.Errorf("%d indices outside [0, %d)", stray.Load(), w)
	}
	if missed.Load() > 0 {
		t.Errorf("%d of %d workers waited in vain for the others", missed.Load(), w)
	}
}

func TestBroadcastRunsOnEveryWorkerAtOnce(t *testing.T) {
	for _, w := range []int{0, 1, 2, 3, 16, 100} {
		p := newPool(t, forkjoin.Config{Workers: w})
		within(t, 2*patience, func() {
			for range 10 {
				broadcastOnce(t, p)
			}
		})
	}
	within(t, patience, func() { broadcastOnce(t, forkjoin.Default()) })
}

// A cap on tasks is not for broadcasts: they need every worker.
func TestBroadcastBesideMaxTasks(t *testing.T) {
	p := newPool(t, forkjoin.Config{Workers: 4, MaxTasks: 1})
	within(t, 2*patience, func() {
		for range 5 {
			broadcastOnce(t, p)
			p.Run(func() { broadcastOnce(t, p) })
		}
	})
}

func TestBroadcastFromInsideThePool(t *testing.T) {
	for _, w := range []int{1, 2, 5} {
		p := newPool(t, forkjoin.Config{Workers: w})
		within(t, 2*patience, func() {
			for range 5 {
				p.Run(func() { broadcastOnce(t, p) })
				p.Run(func() { forkjoin.ParallelFor(1, func(int) { broadcastOnce(t, p) }) })
				done := make(chan struct{})
				p.Submit(func() { defer close(done); broadcastOnce(t, p) })
				<-done
			}
		})
	}
}

// From a task of another pool.
func TestBroadcastFromAnotherPool(t *testing.T) {
	a := newPool(t, forkjoin.Config{Workers: 1})
	b := newPool(t, forkjoin.Config{Workers: 3})
	within(t, patience, func() {
		a.Run(func() { broadcastOnce(t, b) })
		b.Run(func() { broadcastOnce(t, a) })
		forkjoin.ParallelFor(3, func(int) { broadcastOnce(t, a) }, forkjoin.MaxLeaf(1))
	})
}

// Several at once must not take each other's workers.
func TestBroadcastsAtOnce(t *testing.T) {
	for _, w := range []int{1, 2, 4} {
		p := newPool(t, forkjoin.Config{Workers: w})
		within(t, 3*patience, func() {
			var wg sync.WaitGroup
			for range 4 {
				wg.Go(func() {
					for range 5 {
						broadcastOnce(t, p)
					}
				})
			}
			wg.Wait()
		})
	}
}

// While the workers are busy Broadcast waits its turn.
func TestBroadcastWhileBusy(t *testing.T) {
	p := newPool(t, forkjoin.Config{Workers: 2})
	within(t, 2*patience, func() {
		var stop atomic.Bool
		var wg sync.WaitGroup
		for range 3 {
			wg.Go(func() {
				for !stop.Load() {
					p.Run(func() { forkjoin.ParallelFor(50, func(int) { spin(5 * time.Microsecond) }, forkjoin.MaxLeaf(1)) })
				}
			})
		}
		for range 10 {
			broadcastOnce(t, p)
		}
		stop.Store(true)
		wg.Wait()
	})
}

// Inside a broadcast everything may be called.
func TestBroadcastMayFork(t *testing.T) {
	p := newPool(t, forkjoin.Config{Workers: 3})
	within(t, patience, func() {
		var n atomic.Int64
		p.Broadcast(func(int) {
			forkjoin.ParallelFor(20, func(int) { n.Add(1) }, forkjoin.MaxLeaf(1))
			forkjoin.Join(func() { n.Add(1) }, func() { n.Add(1) })
			p.Run(func() { n.Add(1) })
		})
		if n.Load() != 3*23 {
			t.Errorf("%d steps, want %d", n.Load(), 3*23)
		}
	})
}

// Every worker ends before the panic of one reaches the caller.
func TestBroadcastPanics(t *testing.T) {
	for _, w := range []int{1, 2, 4} {
		p := newPool(t, forkjoin.Config{Workers: w})
		within(t, patience, func() {
			for at := range w {
				var ended atomic.Int64
				b := newBarrier(w)
				panicsWith(t, errBody, func() {
					p.Broadcast(func(worker int) {
						defer ended.Add(1)
						b.arrive(patience / 3)
						if worker == at {
							panickingBody(worker)
						}
						time.Sleep(time.Millisecond)
					})
				})
				if ended.Load() != int64(w) {
					t.Errorf("%d of %d workers had ended when Broadcast panicked", ended.Load(), w)
				}
			}
			broadcastOnce(t, p)
		})
	}
}

func TestBroadcastGoexit(t *testing.T) {
	p := newPool(t, forkjoin.Config{Workers: 2})
	within(t, patience, func() {
		returned := make(chan bool, 1)
		go func() {
			ok := false
			defer func() { returned <- ok }()
			p.Broadcast(func(worker int) {
				if worker == 1 {
					runtime.Goexit()
				}
			})
			ok = true
		}()
		if <-returned {
			t.Error("Broadcast returned although a worker called Goexit")
		}
		broadcastOnce(t, p)
	})
}
