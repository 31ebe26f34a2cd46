package forkjoin_test

import (
	"context"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/forkjoin-go/forkjoin"
)

// One benchmark for every primitive: each against plain sequential code and the
// usual ways to do the same. See benchCompare for the metrics. Nothing here
// fails for being slow.
//
//	go test -run '^$' -bench . -cpu 1,2

func benchFibWays(n int, name string, fib func(int) int) []benchWay {
	return []benchWay{
		{name: name, op: func() { benchSink = fib(n) }},
		{name: "goroutine", op: func() { benchSink = benchFibGo(n) }},
		{name: "errgroup", op: func() { benchSink = benchFibErrgroup(n) }},
	}
}

// BenchmarkJoin is fib(18) with a fork at every call and results through variables.
func BenchmarkJoin(b *testing.B) {
	benchCompare(b, benchFibForks(18), func() { benchSink = benchFib(18) },
		benchFibWays(18, "forkjoin", benchFibJoin)...)
}

// BenchmarkJoin2 is the same with returned results.
func BenchmarkJoin2(b *testing.B) {
	benchCompare(b, benchFibForks(18), func() { benchSink = benchFib(18) },
		benchFibWays(18, "forkjoin", benchFibJoin2)...)
}

// BenchmarkRecursive is the same with a typed function.
func BenchmarkRecursive(b *testing.B) {
	benchCompare(b, benchFibForks(18), func() { benchSink = benchFib(18) },
		benchFibWays(18, "forkjoin", benchFibTyped)...)
}

// BenchmarkTaskJoinAll walks a tree with eight children at every node.
func BenchmarkTaskJoinAll(b *testing.B) {
	const depth = 4
	benchCompare(b, benchParts{8 + 64 + 512 + 4096, "task"}, func() { benchSink = benchWide(depth) },
		benchWay{name: "forkjoin", op: func() { benchSink = benchWideTyped(depth) }},
		benchWay{name: "goroutine", op: func() { benchSink = benchWideSpawn(benchSpawnGo, depth) }},
		benchWay{name: "errgroup", op: func() { benchSink = benchWideSpawn(benchSpawnErrgroup, depth) }})
}

// BenchmarkJoinAll runs eight functions of about 3 us.
func BenchmarkJoinAll(b *testing.B) {
	var fns [8]func()
	for i := range fns {
		out := new([8]int)
		fns[i] = func() { out[0] = benchSteps(i, 2000) }
	}
	benchTasks(b, len(fns), func(i int) { fns[i]() },
		benchWay{name: "forkjoin", op: func() { forkjoin.JoinAll(fns[:]...) }},
		benchWay{name: "errgroup", op: func() { benchSpawnErrgroup(len(fns), func(i int) { fns[i]() }) }})
}

// benchTasks compares n tasks: plain calls, a goroutine each, and the rivals.
func benchTasks(b *testing.B, n int, task func(i int), rivals ...benchWay) {
	rivals = append(rivals, benchWay{name: "goroutine", op: func() { benchSpawnGo(n, task) }})
	benchCompare(b, benchParts{n, "task"}, func() { benchSpawnSeq(n, task) }, rivals...)
}

// benchSpread is a task of one atomic add, spread so that workers do not meet.
func benchSpread() func(i int) {
	var cells [64]struct {
		n atomic.Int64
		_ [56]byte
	}
	return func(i int) { cells[i%len(cells)].n.Add(1) }
}

// BenchmarkWaitGroup is a thousand tasks of one atomic add.
func BenchmarkWaitGroup(b *testing.B) {
	task := benchSpread()
	benchTasks(b, 1000, task,
		benchWay{name: "forkjoin", op: func() { benchSpawnWaitGroup(1000, task) }},
		benchWay{name: "errgroup", op: func() { benchSpawnErrgroup(1000, task) }})
}

// BenchmarkGroup is the same with as many tasks at a time as there are workers.
func BenchmarkGroup(b *testing.B) {
	task := benchSpread()
	benchTasks(b, 1000, task,
		benchWay{name: "forkjoin", op: func() { benchSpawnGroup(1000, task) }},
		benchWay{name: "errgroup", op: func() { benchSpawnErrgroupLimit(1000, task) }})
}

// BenchmarkParallelFor has 10,000 iterations of about 30 ns.
func BenchmarkParallelFor(b *testing.B) {
	out := make([]int, 10000)
	body := func(i int) { out[i] = benchSteps(i, 20) }
	benchLoop(b, len(out), benchEach(body), func() { forkjoin.ParallelFor(len(out), body) })
}

// benchLoop compares a loop over [0, n): plain, forkjoin's and by hand.
func benchLoop(b *testing.B, n int, body func(lo, hi int), forkjoin func()) {
	benchCompare(b, benchWhole, func() { body(0, n) }, benchLoops(forkjoin, n, body)...)
}

func benchEach(body func(i int)) func(lo, hi int) {
	return func(lo, hi int) {
		for i := lo; i < hi; i++ {
			body(i)
		}
	}
}

// BenchmarkParallelForErr is the loop of BenchmarkParallelFor with errors.
func BenchmarkParallelForErr(b *testing.B) {
	out := make([]int, 10000)
	body := func(_ context.Context, i int) error { out[i] = benchSteps(i, 20); return nil }
	ctx := context.Background()
	benchLoop(b, len(out), benchEach(func(i int) { body(ctx, i) }), func() {
		if err := forkjoin.ParallelForErr(ctx, len(out), body); err != nil {
			b.Error(err)
		}
	})
}

// BenchmarkParallelForRange is y += a*x over ever longer slices.
func BenchmarkParallelForRange(b *testing.B) {
	for _, n := range []int{1e3, 1e4, 1e5, 1e6} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			x, y := benchFloats(n), benchFloats(n)
			benchLoop(b, n, func(lo, hi int) { benchAxpy(1e-9, x[lo:hi], y[lo:hi]) },
				func() { benchAxpyParallel(1e-9, x, y) })
		})
	}
}

// BenchmarkParallelFor2D transposes a matrix of 1,024 x 1,024: plain code and
// pieces of rows stride through the columns of the other one.
func BenchmarkParallelFor2D(b *testing.B) {
	const n = 1024
	from, to := benchFloats(n*n), make([]float64, n*n)
	tile := func(r0, r1, c0, c1 int) {
		for r := r0; r < r1; r++ {
			for c := c0; c < c1; c++ {
				to[c*n+r] = from[r*n+c]
			}
		}
	}
	benchLoop(b, n, func(lo, hi int) { tile(lo, hi, 0, n) }, func() { forkjoin.ParallelFor2D(n, n, tile) })
}

// BenchmarkParallelForWith formats numbers into a scratch buffer.
func BenchmarkParallelForWith(b *testing.B) {
	out := make([]int, 10000)
	body := func(buf *[]byte, i int) {
		*buf = strconv.AppendInt((*buf)[:0], int64(i)*0x9e3779b97f4a7c, 10)
		out[i] = len(*buf)
	}
	scratch := func() *[]byte { buf := make([]byte, 0, 32); return &buf }
	benchLoop(b, len(out), func(lo, hi int) {
		buf := scratch()
		for i := lo; i < hi; i++ {
			body(buf, i)
		}
	}, func() { forkjoin.ParallelForWith(len(out), scratch, body) })
}

// benchReduce compares sums of a million numbers.
func benchReduce(b *testing.B, reduce func(x []float64) float64) {
	x := benchFloats(1e6)
	var total float64
	byHand := func(spawn benchSpawn, pieces int) func() {
		return func() {
			part := make([]struct {
				sum float64
				_   [56]byte
			}, pieces)
			spawn(pieces, func(k int) { part[k].sum = benchSum(x[len(x)*k/pieces : len(x)*(k+1)/pieces]) })
			total = 0
			for i := range part {
				total += part[i].sum
			}
		}
	}
	benchCompare(b, benchWhole, func() { total = benchSum(x) },
		benchWay{name: "forkjoin", op: func() { total = reduce(x) }},
		benchWay{name: "chunks", op: byHand(benchSpawnGo, runtime.GOMAXPROCS(0))},
		benchWay{name: "goroutine", op: byHand(benchSpawnGo, 64)},
		benchWay{name: "errgroup", op: byHand(benchSpawnErrgroupLimit, 64)})
	if total != 1e6 {
		b.Errorf("sum is %v, want 1e6", total)
	}
}

func benchPlus(a, b float64) float64 { return a + b }

func BenchmarkParallelReduce(b *testing.B) {
	benchReduce(b, func(x []float64) float64 {
		return forkjoin.ParallelReduce(len(x), 0, func(lo, hi int) float64 { return benchSum(x[lo:hi]) }, benchPlus)
	})
}

func BenchmarkParallelReduceErr(b *testing.B) {
	ctx := context.Background()
	benchReduce(b, func(x []float64) float64 {
		sum, err := forkjoin.ParallelReduceErr(ctx, len(x), 0,
			func(_ context.Context, lo, hi int) (float64, error) { return benchSum(x[lo:hi]), nil }, benchPlus)
		if err != nil {
			b.Error(err)
		}
		return sum
	})
}

// benchPool makes a pool with as many workers as GOMAXPROCS.
func benchPool(b *testing.B) *forkjoin.Pool {
	p, err := forkjoin.New(forkjoin.Config{Workers: runtime.GOMAXPROCS(0)})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := p.Close(); err != nil {
			b.Error(err)
		}
	})
	return p
}

// BenchmarkPoolRun enters a pool for fib(18), and for nothing.
func BenchmarkPoolRun(b *testing.B) {
	p := benchPool(b)
	for _, w := range []struct {
		name     string
		seq, par func()
	}{
		{"fib", func() { benchSink = benchFib(18) }, func() { benchSink = benchFibTyped(18) }},
		{"empty", func() {}, func() {}},
	} {
		b.Run(w.name, func(b *testing.B) {
			benchCompare(b, benchWhole, w.seq,
				benchWay{name: "forkjoin", op: func() { p.Run(w.par) }},
				benchWay{name: "goroutine", op: func() { benchSpawnGo(1, func(int) { w.seq() }) }},
				benchWay{name: "errgroup", op: func() { benchSpawnErrgroup(1, func(int) { w.seq() }) }})
		})
	}
}

// BenchmarkPoolSubmit hands in a thousand tasks from outside and waits for them.
func BenchmarkPoolSubmit(b *testing.B) {
	p := benchPool(b)
	task := benchSpread()
	benchTasks(b, 1000, task,
		benchWay{name: "forkjoin", op: func() {
			var wg sync.WaitGroup
			wg.Add(1000)
			for i := range 1000 {
				if err := p.Submit(func() { task(i); wg.Done() }); err != nil {
					b.Error(err)
				}
			}
			wg.Wait()
		}},
		benchWay{name: "errgroup", op: func() { benchSpawnErrgroupLimit(1000, task) }})
}

// BenchmarkPoolBroadcast runs one small task on every worker.
func BenchmarkPoolBroadcast(b *testing.B) {
	p := benchPool(b)
	task := benchSpread()
	benchTasks(b, p.Workers(), task,
		benchWay{name: "forkjoin", op: func() { p.Broadcast(task) }},
		benchWay{name: "errgroup", op: func() { benchSpawnErrgroup(p.Workers(), task) }})
}
