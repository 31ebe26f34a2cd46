package forkjoin_test

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// What tests have tasks do.

// spin computes for about d. Where nothing preempts it, it lets others run.
func spin(d time.Duration) {
	for end := time.Now().Add(d); time.Now().Before(end); {
	}
	if build.wasm {
		runtime.Gosched()
	}
}

// toil computes for roughly so many microseconds without looking at a clock,
// which does not move while a goroutine of a synctest bubble runs.
func toil(us int) {
	x := uint64(us)
	for range 400 * us {
		x = x*6364136223846793005 + 1442695040888963407
	}
	toiled.Store(x)
}

var toiled atomic.Uint64

// gauge counts how many are inside at once, and the most there ever were.
type gauge struct{ now, most atomic.Int64 }

func (g *gauge) enter() {
	n := g.now.Add(1)
	for {
		m := g.most.Load()
		if n <= m || g.most.CompareAndSwap(m, n) {
			return
		}
	}
}

func (g *gauge) leave() { g.now.Add(-1) }

// ids is a set of goroutine numbers.
type ids struct {
	mu  sync.Mutex
	set map[int64]int
}

// add notes the calling goroutine and returns how often it has been noted.
func (s *ids) add() int {
	id := gnum()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.set == nil {
		s.set = make(map[int64]int)
	}
	s.set[id]++
	return s.set[id]
}

func (s *ids) has(id int64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.set[id] > 0
}

func (s *ids) len() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.set)
}

// barrier lets n goroutines wait for each other; arrive reports whether all
// came within the time given.
type barrier struct {
	n       int64
	arrived atomic.Int64
	open    chan struct{}
}

func newBarrier(n int) *barrier { return &barrier{n: int64(n), open: make(chan struct{})} }

func (b *barrier) arrive(d time.Duration) bool {
	if b.arrived.Add(1) == b.n {
		close(b.open)
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-b.open:
		return true
	case <-timer.C:
		return false
	}
}
