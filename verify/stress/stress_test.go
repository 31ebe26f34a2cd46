// Package stress counts tasks: of very many, of every kind, each must run exactly
// once, whatever else goes on.
package stress

import (
	"context"
	"flag"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/forkjoin-go/forkjoin"
)

var (
	tasks = flag.Int("tasks", 1_000_000, "how many")
	seed  = flag.Uint64("seed", 1, "of their order")
)

// roundTasks is how many tasks there are between two counts, at most.
const roundTasks = 1 << 20

// A ledger has a bit for each task of a round.
type ledger struct {
	ran   [roundTasks / 64]atomic.Uint64
	twice atomic.Int64
}

func (l *ledger) run(i int) {
	bit := uint64(1) << (i % 64)
	if l.ran[i/64].Or(bit)&bit != 0 {
		l.twice.Add(1)
	}
}

// close checks that tasks 0 to n-1 have run, each once, and no others.
func (l *ledger) close(n int) error {
	count, beyond := 0, 0
	for i := range l.ran {
		w := l.ran[i].Swap(0)
		count += bits.OnesCount64(w)
		if over := (i+1)*64 - n; over >= 64 {
			beyond += bits.OnesCount64(w)
		} else if over > 0 {
			beyond += bits.OnesCount64(w >> (64 - over))
		}
	}
	if twice := l.twice.Swap(0); count != n || beyond != 0 || twice != 0 {
		return fmt.Errorf("of %d tasks %d ran, %d times again, and %d that do not exist", n, count, twice, beyond)
	}
	return nil
}

// A shape runs tasks lo to hi-1, as one kind of call does.
type shape struct {
	name string
	run  func(l *ledger, lo, hi int)
}

var shapes = []shape{
	{"Join", joinTasks},
	{"Task.Join", func(l *ledger, lo, hi int) {
		forkjoin.Recursive(func(t *forkjoin.Task[[2]int, int], s [2]int) int {
			if s[1]-s[0] == 1 {
				l.run(s[0])
				return 1
			}
			mid := (s[0] + s[1]) / 2
			a, b := t.Join([2]int{s[0], mid}, [2]int{mid, s[1]})
			return a + b
		})([2]int{lo, hi})
	}},
	{"Task.JoinAll", func(l *ledger, lo, hi int) {
		forkjoin.Recursive(func(t *forkjoin.Task[[2]int, int], s [2]int) int {
			if n := s[1] - s[0]; n <= 1 {
				if n == 1 {
					l.run(s[0])
				}
				return n
			}
			var args [5][2]int
			var counts [5]int
			for k := range args {
				args[k] = [2]int{s[0] + k*(s[1]-s[0])/5, s[0] + (k+1)*(s[1]-s[0])/5}
			}
			t.JoinAll(args[:], counts[:])
			return counts[0] + counts[1] + counts[2] + counts[3] + counts[4]
		})([2]int{lo, hi})
	}},
	{"ParallelFor", func(l *ledger, lo, hi int) {
		forkjoin.ParallelFor(hi-lo, func(i int) { l.run(lo + i) })
	}},
	{"ParallelFor, leaves of 1", func(l *ledger, lo, hi int) {
		forkjoin.ParallelFor(hi-lo, func(i int) { l.run(lo + i) }, forkjoin.MaxLeaf(1))
	}},
	{"ParallelReduce", func(l *ledger, lo, hi int) {
		n := forkjoin.ParallelReduce(hi-lo, 0, func(a, b int) int {
			for i := a; i < b; i++ {
				l.run(lo + i)
			}
			return b - a
		}, func(a, b int) int { return a + b }, forkjoin.MaxLeaf(3))
		if n != hi-lo {
			l.twice.Add(1)
		}
	}},
	{"WaitGroup", func(l *ledger, lo, hi int) {
		var g forkjoin.WaitGroup
		for i := lo; i < hi; i++ {
			g.Go(func() { l.run(i) })
		}
		g.Wait()
	}},
	{"Group with a limit", func(l *ledger, lo, hi int) {
		g, _ := forkjoin.WithContext(context.Background())
		g.SetLimit(3)
		for i := lo; i < hi; i++ {
			g.Go(func() error { l.run(i); return nil })
		}
		if g.Wait() != nil {
			l.twice.Add(1)
		}
	}},
	{"Submit", func(l *ledger, lo, hi int) {
		var left sync.WaitGroup
		left.Add(hi - lo)
		for i := lo; i < hi; i++ {
			if forkjoin.Default().Submit(func() { l.run(i); left.Done() }) != nil {
				l.twice.Add(1)
			}
		}
		forkjoin.Blocking(left.Wait)
	}},
	{"Blocking in Join", func(l *ledger, lo, hi int) {
		forkjoin.ParallelFor((hi-lo+99)/100, func(k int) {
			forkjoin.Blocking(func() {
				if k%64 == 0 {
					time.Sleep(10 * time.Microsecond)
				}
				joinTasks(l, lo+100*k, min(lo+100*k+100, hi))
			})
		}, forkjoin.MaxLeaf(1))
	}},
}

func joinTasks(l *ledger, lo, hi int) {
	if hi-lo == 1 {
		l.run(lo)
		return
	}
	mid := (lo + hi) / 2
	forkjoin.Join(func() { joinTasks(l, lo, mid) }, func() { joinTasks(l, mid, hi) })
}

// Tasks of all shapes at once, from several goroutines and on several pools, while
// GOMAXPROCS changes and garbage is collected.
func TestConservation(t *testing.T) {
	var places []func(func())
	for w := range 4 {
		if w == 0 {
			places = append(places, func(f func()) { f() })
			continue
		}
		p, err := forkjoin.New(forkjoin.Config{Workers: w})
		if err != nil {
			t.Fatal(err)
		}
		defer func() {
			if err := p.Close(); err != nil {
				t.Error(err)
			}
		}()
		places = append(places, p.Run)
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	began, before := time.Now(), forkjoin.Default().Stats()
	l := new(ledger)
	done, rounds := 0, 0
	for done < *tasks {
		n := min(*tasks-done, roundTasks)
		if err := round(l, rand.New(rand.NewPCG(*seed, uint64(rounds))), n, places); err != nil {
			t.Fatalf("seed %d, round %d: %v", *seed, rounds, err)
		}
		done += n
		rounds++
	}
	after := forkjoin.Default().Stats()
	fmt.Printf("conservation: %d tasks in %d rounds, each once; %d stolen on the default pool; %v\n",
		done, rounds, after.Steals-before.Steals, time.Since(began).Round(time.Second))
}

// round runs n tasks, in pieces of random sizes and shapes, and counts them.
func round(l *ledger, r *rand.Rand, n int, places []func(func())) error {
	type piece struct {
		shape  shape
		lo, hi int
		where  func(func())
	}
	work := make(chan piece, n)
	for lo := 0; lo < n; {
		hi := min(n, lo+1+r.IntN(1<<r.IntN(17)))
		work <- piece{shapes[r.IntN(len(shapes))], lo, hi, places[r.IntN(len(places))]}
		lo = hi
	}
	close(work)
	stop := make(chan struct{})
	var trouble, callers sync.WaitGroup
	trouble.Go(func() {
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			case <-time.After(5 * time.Millisecond):
			}
			runtime.GOMAXPROCS(1 + i%5)
			if i%8 == 0 {
				runtime.GC()
			}
		}
	})
	for range 3 {
		callers.Go(func() {
			for p := range work {
				p.where(func() { p.shape.run(l, p.lo, p.hi) })
			}
		})
	}
	callers.Wait()
	close(stop)
	trouble.Wait()
	return l.close(n)
}

// The ledger notices what it is for.
func TestLedger(t *testing.T) {
	const n = 1000
	all := func(l *ledger) {
		for i := range n {
			l.run(i)
		}
	}
	l := new(ledger)
	if all(l); l.close(n) != nil {
		t.Error("wrong though right")
	}
	for what, spoil := range map[string]func(l *ledger){
		"a task twice":       func(l *ledger) { all(l); l.run(7) },
		"a task too many":    func(l *ledger) { all(l); l.run(n) },
		"far too many":       func(l *ledger) { all(l); l.run(n + 200) },
		"a task not":         func(l *ledger) { l.run(1) },
		"one for another":    func(l *ledger) { all(l); l.ran[0].And(^uint64(1)); l.run(n + 1) },
		"nothing at all":     func(l *ledger) {},
		"another, and twice": func(l *ledger) { all(l); l.ran[0].And(^uint64(1)); l.run(1) },
	} {
		l := new(ledger)
		if spoil(l); l.close(n) == nil {
			t.Errorf("%s: not noticed", what)
		}
	}
}
