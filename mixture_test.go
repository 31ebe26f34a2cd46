package forkjoin_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/forkjoin-go/forkjoin"
)

// A mixture is a random program of calls in calls. Each of its leaves is
// counted, and how many there should be follows from the same random numbers.
type mixture struct {
	pools []*forkjoin.Pool
	ran   atomic.Int64
}

// a step is one call of a program: it runs, and says how many leaves it had.
type step struct {
	leaves int64
	run    func()
}

func (m *mixture) leaf(r *rand.Rand) step {
	us := r.IntN(4)
	return step{1, func() {
		spin(time.Duration(us) * time.Microsecond)
		m.ran.Add(1)
	}}
}

// grow returns a program at most so deep.
func (m *mixture) grow(r *rand.Rand, depth int) step {
	if depth == 0 {
		return m.leaf(r)
	}
	parts := make([]step, 1+r.IntN(4))
	var leaves int64
	for i := range parts {
		parts[i] = m.grow(r, depth-1-r.IntN(min(depth, 2)))
		leaves += parts[i].leaves
	}
	part := func(i int) func() { return parts[i%len(parts)].run }
	each := func() {
		for _, p := range parts {
			p.run()
		}
	}
	p := m.pools[r.IntN(len(m.pools))]
	one := forkjoin.MaxLeaf(1)
	run := each
	switch r.IntN(14) {
	case 0, 1:
		a, b := parts[0], parts[len(parts)-1]
		return step{a.leaves + b.leaves, func() { forkjoin.Join(a.run, b.run) }}
	case 2:
		run = func() {
			fns := make([]func(), len(parts))
			for i := range fns {
				fns[i] = part(i)
			}
			forkjoin.JoinAll(fns...)
		}
	case 3:
		run = func() { forkjoin.ParallelFor(len(parts), func(i int) { part(i)() }, one) }
	case 4:
		run = func() {
			forkjoin.ParallelReduce(len(parts), 0, func(lo, hi int) int {
				for i := lo; i < hi; i++ {
					part(i)()
				}
				return 0
			}, add, one)
		}
	case 5:
		run = func() {
			var g forkjoin.WaitGroup
			for i := range parts {
				g.Go(part(i))
			}
			g.Wait()
		}
	case 6:
		limit := 1 + r.IntN(3)
		run = func() {
			g, _ := forkjoin.WithContext(context.Background())
			g.SetLimit(limit)
			for i := range parts {
				g.Go(func() error { part(i)(); return nil })
			}
			g.Wait()
		}
	case 7:
		run = func() {
			forkjoin.Recursive(func(t *forkjoin.Task[[2]int, int], s [2]int) int {
				if s[1]-s[0] == 1 {
					part(s[0])()
					return 1
				}
				mid := (s[0] + s[1]) / 2
				a, b := t.Join([2]int{s[0], mid}, [2]int{mid, s[1]})
				return a + b
			})([2]int{0, len(parts)})
		}
	case 8:
		run = func() { forkjoin.Blocking(each) }
	case 9:
		run = func() { p.Run(each) }
	case 10: // waits, undeclared, for another task
		declare := r.IntN(2) == 0
		run = func() {
			done := make(chan struct{})
			if err := p.Submit(func() { defer close(done); each() }); err != nil {
				panic(err)
			}
			if declare {
				forkjoin.Blocking(func() { <-done })
			} else {
				<-done
			}
		}
	case 11: // a panic that is recovered on its way
		run = func() {
			each()
			v := caught(func() {
				forkjoin.Join(func() { forkjoin.ParallelFor(3, func(int) {}, one) }, func() { panic(errBody) })
			})
			if err, ok := v.(error); !ok || !errors.Is(err, errBody) {
				panic("a panic was lost")
			}
		}
	case 12: // a goroutine of the program's own, which is a new caller
		run = func() {
			var wg sync.WaitGroup
			wg.Go(each)
			forkjoin.Yield()
			forkjoin.Blocking(wg.Wait)
		}
	case 13:
		run = func() {
			err := forkjoin.ParallelForErr(context.Background(), len(parts), func(_ context.Context, i int) error {
				part(i)()
				return nil
			}, one)
			if err != nil {
				panic(err)
			}
			runtime.Gosched()
		}
	}
	return step{leaves, run}
}

// Calls of every kind in calls of every kind, on pools of one to three workers
// and the default one, from several callers: nothing hangs, and each leaf runs
// once.
func TestMixtureOfEverything(t *testing.T) {
	seed := rand.Uint64()
	var m mixture
	for w := 1; w <= 3; w++ {
		m.pools = append(m.pools, newPool(t, forkjoin.Config{Workers: w}))
	}
	m.pools = append(m.pools, newPool(t, forkjoin.Config{Workers: 2, MaxTasks: 3}), forkjoin.Default())
	t.Cleanup(func() { t.Logf("seed %d, %d leaves", seed, m.ran.Load()) })
	within(t, 2*patience, func() {
		end := time.Now().Add(mixtureTime)
		var want atomic.Int64
		var callers sync.WaitGroup
		for c := range 4 {
			callers.Go(func() {
				r := rand.New(rand.NewPCG(seed, uint64(c)))
				for time.Now().Before(end) {
					s := m.grow(r, 1+r.IntN(5))
					want.Add(s.leaves)
					if p := m.pools[r.IntN(len(m.pools))]; r.IntN(2) == 0 {
						p.Run(s.run)
					} else {
						s.run()
					}
				}
			})
		}
		callers.Wait()
		if m.ran.Load() != want.Load() {
			t.Errorf("seed %d: %d leaves ran, want %d", seed, m.ran.Load(), want.Load())
		}
	})
}

// mixtureTime is how long new programs are begun.
const mixtureTime = 700 * time.Millisecond
