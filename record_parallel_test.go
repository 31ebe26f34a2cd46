package forkjoin_test

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"testing"
	"time"

	"github.com/forkjoin-go/forkjoin"
	"github.com/forkjoin-go/forkjoin/internal/record"
	"github.com/forkjoin-go/forkjoin/sim"
)

// recordWork is a program of all kinds of calls that charges 1 for each of its
// pieces, and how many there are.
func recordWork(pool *forkjoin.Pool) (charged int64) {
	one := func() { forkjoin.Charge(1) }
	spin := func() { forkjoin.Charge(1); time.Sleep(10 * time.Microsecond) }
	var tree func(depth int)
	tree = func(depth int) {
		if depth == 0 {
			spin()
			return
		}
		forkjoin.Join(func() { tree(depth - 1) }, func() { tree(depth - 1) })
	}
	tree(6)
	typed := forkjoin.Recursive(func(t *forkjoin.Task[int, int], n int) int {
		if n == 0 {
			spin()
			return 1
		}
		if n == 3 {
			results := make([]int, 2)
			t.JoinAll([]int{2, 2}, results)
			return results[0] + results[1]
		}
		a, b := t.Join(n-1, n-1)
		return a + b
	})
	typed(6)
	forkjoin.ParallelFor(200, func(int) { spin() })
	forkjoin.ParallelFor(20, func(i int) { forkjoin.Join(one, spin) })
	forkjoin.ParallelReduce(300, 0, func(lo, hi int) int {
		for range hi - lo {
			one()
		}
		return 0
	}, func(a, b int) int { return a + b })
	forkjoin.JoinAll(one, spin, one)
	var g forkjoin.WaitGroup
	for range 50 {
		g.Go(func() { forkjoin.Join(one, spin) })
	}
	g.Go(func() { runtime.Goexit() })
	func() {
		done := make(chan struct{})
		go func() { defer close(done); g.Wait() }() // ends by Goexit
		<-done
	}()
	var e forkjoin.Group
	e.SetLimit(2)
	for i := range 20 {
		e.Go(func() error { one(); return fmt.Errorf("%d", i) })
	}
	if e.Wait() == nil {
		panic("no error")
	}
	func() {
		defer func() { recover() }()
		forkjoin.ParallelFor(10, func(i int) {
			if i == 0 {
				panic(errors.New("expected"))
			}
		})
	}()
	forkjoin.Blocking(func() { one() })
	pool.Run(func() { tree(4) })
	return 64 + 64 + 200 + 40 + 300 + 3 + 100 + 20 + 16 // and what is charged while blocked is no work
}

// TestRecordingsAreComplete records with any number of workers, and wants the
// work that was charged.
func TestRecordingsAreComplete(t *testing.T) {
	pool, err := forkjoin.New(forkjoin.Config{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	rounds := 3
	if testing.Short() {
		rounds = 1
	}
	for round := range rounds {
		for name, run := range map[string]func(func()) (*sim.Tree, error){
			"Record": sim.Record, "RecordParallel": sim.RecordParallel,
		} {
			var want int64
			tree, err := run(func() { want = recordWork(pool) })
			if err != nil {
				t.Fatalf("%s, round %d: %v", name, round, err)
			}
			m := tree.Measure(0)
			if m.Work != want || m.Span <= 0 || m.Span > m.Work {
				t.Errorf("%s, round %d: %+v, want work %d", name, round, m, want)
			}
			if meta := tree.Meta(); !meta.Declared || meta.Missing != 0 || meta.Cut {
				t.Errorf("%s, round %d: %+v", name, round, meta)
			}
		}
	}
}

// TestRecordedTreeIsTheSame records the same program several times and wants the
// same tree, to the last bit.
func TestRecordedTreeIsTheSame(t *testing.T) {
	pool, err := forkjoin.New(forkjoin.Config{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	var first *sim.Tree
	for range 3 {
		tree, err := sim.Record(func() {
			forkjoin.Charge(0)
			recordWork(pool)
		})
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = tree
		} else if tree.Size() != first.Size() || tree.Measure(7) != first.Measure(7) || tree.Counts() != first.Counts() {
			t.Errorf("%+v %+v, and before %+v %+v", tree.Counts(), tree.Measure(7), first.Counts(), first.Measure(7))
		}
	}
}

// TestRecordedPanicPassesThrough also wants the worker to be as before.
func TestRecordedPanicPassesThrough(t *testing.T) {
	func() {
		defer func() {
			if e, ok := recover().(*forkjoin.PanicError); !ok || e.Value != "expected" {
				t.Errorf("recovered %v, want a PanicError", e)
			}
		}()
		sim.Record(func() { forkjoin.Join(func() { panic("expected") }, func() {}) })
	}()
	forkjoin.Charge(1) // not recorded by anybody
	tree, err := sim.Record(func() { forkjoin.Charge(2) })
	if err != nil {
		t.Fatal(err)
	}
	if w := tree.Measure(0).Work; w != 2 {
		t.Errorf("work is %d, want 2", w)
	}
}

func TestChargeAndLabeledMisuse(t *testing.T) {
	for want, f := range map[string]func(){
		"forkjoin: Charge: units are -1, want >= 0": func() { forkjoin.Charge(-1) },
		"forkjoin: Labeled: f is nil":               func() { forkjoin.Labeled("x", nil) },
		"forkjoin: sim.Record: f is nil":            func() { sim.Record(nil) },
		"forkjoin: sim.RecordParallel: f is nil":    func() { sim.RecordParallel(nil) },
	} {
		func() {
			defer func() {
				if got := recover(); got != want {
					t.Errorf("panic %v, want %v", got, want)
				}
			}()
			f()
		}()
	}
}

// TestLongRecordingsCollapse wants the same bounds of a tree of which only the
// upper part is kept.
func TestLongRecordingsCollapse(t *testing.T) {
	program := func() {
		var grow func(depth int)
		grow = func(depth int) {
			forkjoin.Charge(int64(depth % 5))
			if depth == 0 {
				forkjoin.ParallelFor(3, func(i int) { forkjoin.Charge(int64(i)) })
				return
			}
			forkjoin.Join(func() { grow(depth - 1) }, func() { grow(depth - 1) })
		}
		grow(15)
	}
	whole, err := sim.Record(program)
	if err != nil {
		t.Fatal(err)
	}
	defer func(before int64) { record.Limit = before }(record.Limit)
	record.Limit = 1 << 16
	part, err := sim.Record(program)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := part.Measure(0), whole.Measure(0); got != want {
		t.Errorf("%+v, but of the whole tree %+v", got, want)
	}
	if got, want := part.Size(), whole.Size(); got > want/2 || part.Counts().Tasks < 1000 {
		t.Errorf("%d bytes and %+v, of %d bytes and %+v", got, part.Counts(), want, whole.Counts())
	}
}

// TestLoopsBegunAnywhere records loops whose iterations have any numbers, parts of
// which move to other workers, and wants all of them in the recording.
func TestLoopsBegunAnywhere(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	const rounds = 5
	const n = 300
	for _, lo := range []int{math.MinInt, -2000, -n, -n / 2, -1, 0, 1, 2000, math.MaxInt - n} {
		moved := int64(0)
		for range rounds {
			tree, err := sim.RecordParallel(func() {
				forkjoin.ParallelForRange(lo, lo+n, func(lo, hi int) {
					forkjoin.Charge(int64(hi - lo))
					time.Sleep(10 * time.Microsecond)
				}, forkjoin.MaxLeaf(4))
			})
			if err != nil {
				t.Fatalf("from %d on: %v", lo, err)
			}
			if m := tree.Measure(0); m.Work != n {
				t.Fatalf("from %d on: work is %d, want %d", lo, m.Work, n)
			}
			moved += tree.Meta().Moved
		}
		t.Logf("from %d on: %d pieces moved", lo, moved)
	}
}
