package forkjoin_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/forkjoin-go/forkjoin"
)

// scratch is what a test's init returns: it belongs to the goroutine that made
// it, and to one iteration at a time.
type scratch struct {
	owner int64
	busy  atomic.Bool
	uses  int // plain: the race detector sees any sharing
}

// use runs one iteration with s and reports sharing.
func (s *scratch) use(t testing.TB, work func()) {
	if id := gnum(); id != s.owner {
		t.Errorf("goroutine %d runs with the scratch of goroutine %d", id, s.owner)
	}
	if !s.busy.CompareAndSwap(false, true) {
		t.Error("two iterations use one scratch at once")
	}
	defer s.busy.Store(false)
	s.uses++
	work()
}

// scratches makes scratch values and keeps them for the final count.
type scratches struct {
	mu   sync.Mutex
	all  []*scratch
	made ids
}

func (m *scratches) init(t testing.TB) func() *scratch {
	return func() *scratch {
		if k := m.made.add(); k > 1 {
			t.Errorf("init ran %d times on goroutine %d in one call", k, gnum())
		}
		s := &scratch{owner: gnum()}
		m.mu.Lock()
		defer m.mu.Unlock()
		m.all = append(m.all, s)
		return s
	}
}

func (m *scratches) total() (n int) {
	for _, s := range m.all {
		n += s.uses
	}
	return n
}

func TestLoopWithScratchPerGoroutine(t *testing.T) {
	eachPool(t, []int{1, 2, 3, 16}, func(t *testing.T, w int) {
		for _, n := range loopSizes(w) {
			for _, b := range []leafBound{{}, {1, 1}, {7, 0}, {0, 3}, {n + 1, 0}} {
				var m scratches
				seen := make(tally, n)
				forkjoin.ParallelForWith(n, m.init(t), func(s *scratch, i int) {
					s.uses++
					seen[i].Add(1)
				}, b.options()...)
				seen.check(t, b)
				if m.total() != n {
					t.Fatalf("n=%d %+v: %d iterations counted, want %d", n, b, m.total(), n)
				}
				if n == 0 && len(m.all) > 0 {
					t.Fatal("init ran although there was nothing to do")
				}
				if len(m.all) > max(n, 0) {
					t.Fatalf("%d scratch values for %d iterations", len(m.all), n)
				}
			}
		}
	})
}

// With work in the bodies others take part, leave and come back: still one
// init for each goroutine, and nobody runs with another's scratch.
func TestLoopWithScratchIsNeverShared(t *testing.T) {
	threads(t, 4)
	within(t, patience, func() {
		for range 30 {
			var m scratches
			n := 600
			forkjoin.ParallelForWith(n, m.init(t), func(s *scratch, i int) {
				s.use(t, func() {
					if i%100 == 0 {
						spin(200 * time.Microsecond)
					}
					spin(2 * time.Microsecond)
				})
			}, forkjoin.MaxLeaf(1+n/100))
			if m.total() != n {
				t.Errorf("%d iterations counted, want %d", m.total(), n)
			}
		}
	})
}

// An iteration that waits in a nested call keeps its scratch to itself: while
// it waits its goroutine must not begin another iteration of the same loop.
func TestLoopWithScratchAcrossNestedCalls(t *testing.T) {
	eachPool(t, []int{1, 2, 16}, func(t *testing.T, _ int) {
		for range 5 {
			var m scratches
			n := 60
			forkjoin.ParallelForWith(n, m.init(t), func(s *scratch, i int) {
				s.use(t, func() {
					forkjoin.ParallelFor(20, func(int) { spin(3 * time.Microsecond) }, forkjoin.MaxLeaf(1))
					var wg forkjoin.WaitGroup
					for range 4 {
						wg.Go(func() { spin(3 * time.Microsecond) })
					}
					wg.Wait()
				})
			}, forkjoin.MaxLeaf(1))
			if m.total() != n {
				t.Errorf("%d iterations counted, want %d", m.total(), n)
			}
		}
	})
}

// init runs before the goroutine's first iteration, not ahead of need: a loop
// of one leaf makes one scratch.
func TestLoopWithOneLeafMakesOneScratch(t *testing.T) {
	within(t, patience, func() {
		for range 50 {
			var m scratches
			forkjoin.ParallelForWith(100, m.init(t), func(s *scratch, i int) { s.uses++ }, forkjoin.MinLeaf(100))
			if len(m.all) != 1 || m.all[0].owner != gnum() {
				t.Fatalf("%d scratch values, want one, made on the caller", len(m.all))
			}
		}
	})
}

func TestLoopWithPanicInInit(t *testing.T) {
	eachPool(t, []int{1, 4}, func(t *testing.T, _ int) {
		panicsWith(t, "no scratch", func() {
			forkjoin.ParallelForWith(100, func() int { panic("no scratch") }, func(int, int) {
				t.Error("an iteration ran without a scratch")
			})
		})
	})
	// Only the second goroutine's init fails.
	threads(t, 2)
	within(t, patience, func() {
		var calls atomic.Int64
		panicsWith(t, "second", func() {
			forkjoin.ParallelForWith(1<<30, func() int {
				if calls.Add(1) == 2 {
					panic("second")
				}
				return 0
			}, func(int, int) { spin(time.Microsecond) })
		})
	})
}

func TestLoopWithRefusesBadInput(t *testing.T) {
	ran := func() { t.Error("a task has run") }
	init := func() int { ran(); return 0 }
	body := func(int, int) { ran() }
	refuses(t, func() { forkjoin.ParallelForWith(-1, init, body) }, "ParallelForWith", "-1")
	refuses(t, func() { forkjoin.ParallelForWith(5, nil, body) }, "ParallelForWith", "init", "nil")
	refuses(t, func() { forkjoin.ParallelForWith(5, init, nil) }, "ParallelForWith", "body", "nil")
	refuses(t, func() { forkjoin.ParallelForWith(0, init, nil) }, "ParallelForWith", "body", "nil")
	refuses(t, func() { forkjoin.ParallelForWith[int](0, nil, body) }, "ParallelForWith", "init", "nil")
}
