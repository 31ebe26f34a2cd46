package forkjoin_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/forkjoin-go/forkjoin"
)

// The figures that the library promises, with what they should be. A benchmark
// never fails for missing one: it reports the value and, as max-UNIT or
// min-UNIT, the bound beside it. benchmarks/figures makes the table.
//
// x-seq is the time over that of plain sequential code, speedup the other way
// round; ns-over-seq is their difference. Workers are set here, whatever -cpu
// says. One worker means GOMAXPROCS=1.

// A benchBound is the least or the most that a figure should be.
type benchBound struct {
	side string // "min" or "max"
	at   float64
}

func benchMost(at float64) benchBound  { return benchBound{"max", at} }
func benchLeast(at float64) benchBound { return benchBound{"min", at} }

var benchBounds = map[string]benchBound{
	"fib/1worker x-seq":              benchMost(2.5),
	"fib/1worker allocs":             benchMost(0),
	"fib/2workers speedup-1worker":   benchLeast(1.9),
	"join/closures ns/fork":          benchMost(70),
	"join/closures allocs/fork":      benchMost(2),
	"join2/closures ns/fork":         benchMost(50),
	"join2/closures allocs/fork":     benchMost(1),
	"tree1023/warm x-seq":            benchMost(1.8),
	"tree1023/cold x-seq":            benchMost(1.8),
	"tree1e7/2workers x-seq":         benchMost(1),
	"queens12/1worker x-seq":         benchMost(2.5),
	"queens12/2workers x-seq":        benchMost(1.25),
	"emptyjoin/warm ns":              benchMost(150),
	"emptyjoin/cold ns":              benchMost(150),
	"axpy/1e3/warm ns-over-seq":      benchMost(100),
	"axpy/1e3/cold ns-over-seq":      benchMost(100),
	"axpy/1e4/warm x-seq":            benchMost(1),
	"axpy/1e5/warm x-seq":            benchMost(0.556),
	"axpy/1e6/warm x-seq":            benchMost(0.526),
	"axpy/1e7/warm x-2threads":       benchMost(1.111),
	"axpy/1e4/cold x-seq":            benchMost(1.1),
	"axpy/1e5/cold x-seq":            benchMost(1.1),
	"axpy/1e6/cold x-seq":            benchMost(0.9),
	"axpy/1e7/cold x-seq":            benchMost(0.65),
	"skew/even speedup":              benchLeast(1.9),
	"skew/front speedup":             benchLeast(1.9),
	"mandelbrot speedup":             benchLeast(1.9),
	"sort/short/64 ns-over-seq":      benchMost(50),
	"sort/short/65 ns-over-seq":      benchMost(50),
	"sum1e8/2workers of-bandwidth":   benchLeast(0.9),
	"scan1e8/2workers of-bandwidth":  benchLeast(0.9),
	"idle CPU-ms":                    benchMost(2),
	"group1e5/2workers speedup-errg": benchLeast(5),
}

// benchFigure reports value in unit, and its bound.
func benchFigure(b *testing.B, value float64, unit string) {
	b.ReportMetric(0, "ns/op") // leave that column out
	b.ReportMetric(value, unit)
	name := strings.TrimPrefix(b.Name(), "BenchmarkFigures/") + " " + unit
	if bound, ok := benchBounds[name]; ok {
		b.ReportMetric(bound.at, bound.side+"-"+unit)
	}
}

// BenchmarkFigures measures them all.
//
//	go test -run '^$' -bench Figures
func BenchmarkFigures(b *testing.B) {
	b.Run("fib", benchFiguresFib)
	b.Run("join", benchClosures(benchFibJoin))
	b.Run("join2", benchClosures(benchFibJoin2))
	b.Run("tree1023", benchFiguresTree)
	b.Run("tree1e7/2workers", benchFigureBigTree)
	b.Run("queens12", benchFiguresQueens)
	b.Run("emptyjoin", benchFiguresEmptyJoin)
	b.Run("axpy", benchFiguresAxpy)
	b.Run("skew", benchFiguresSkew)
	b.Run("mandelbrot", benchFigureMandelbrot)
	b.Run("sort", benchFiguresSort)
	b.Run("sortfunc", benchFiguresSortFunc)
	b.Run("sum1e8/2workers", benchFigureSum)
	b.Run("scan1e8/2workers", benchFigureScan)
	b.Run("idle", benchFigureIdle)
	b.Run("group1e5/2workers", benchFigureGroup)
	b.Run("iter", benchFiguresIter)
}

// benchPick is full, or short with -short.
func benchPick(full, short int) int {
	if testing.Short() {
		return short
	}
	return full
}

func benchFiguresFib(b *testing.B) {
	n := benchPick(38, 32)
	seq := benchWay{op: func() { benchSink = benchFib(n) }, workers: 1}
	one := benchWay{op: func() { benchSink = benchFibTyped(n) }, workers: 1}
	two := benchWay{op: one.op, workers: 2}
	b.Run("1worker", func(b *testing.B) {
		t := benchAlternate(b, seq, one)
		benchFigure(b, t[1].ns/t[0].ns, "x-seq")
		benchFigure(b, t[1].allocs, "allocs")
		benchFigure(b, (t[1].ns-t[0].ns)/float64(benchFibForks(n).n), "ns/fork")
	})
	b.Run("2workers", func(b *testing.B) {
		// How much two plain goroutines gain tells how much of a second processor
		// there was: the kernel may keep both threads on one for long.
		var sums [2]int
		both, stop := benchHalves(func(k int) { sums[k] = benchFib(n) })
		defer stop()
		t := benchAlternate(b, one, two, seq, benchWay{op: both, workers: 2, times: 2})
		benchFigure(b, t[0].ns/t[1].ns, "speedup-1worker")
		benchFigure(b, t[2].ns/t[3].ns, "speedup-goroutines")
		benchFigure(b, t[1].allocs, "allocs")
		if sums[0] != benchSink || sums[1] != benchSink {
			b.Errorf("sums are %d, want %d", sums, benchSink)
		}
	})
}

// benchClosures measures a join with closures on one worker, and a goroutine
// with a WaitGroup in its place.
func benchClosures(fib func(int) int) func(b *testing.B) {
	return func(b *testing.B) {
		const n = 20
		seq := benchWay{op: func() { benchSink = benchFib(n) }, workers: 1}
		forks := float64(benchFibForks(n).n)
		for _, w := range []struct {
			name string
			fib  func(int) int
		}{{"closures", fib}, {"goroutine", benchFibGo}} {
			b.Run(w.name, func(b *testing.B) {
				t := benchAlternate(b, seq, benchWay{op: func() { benchSink = w.fib(n) }, workers: 1})
				benchFigure(b, (t[1].ns-t[0].ns)/forks, "ns/fork")
				benchFigure(b, t[1].allocs/forks, "allocs/fork")
			})
		}
	}
}

func benchFiguresTree(b *testing.B) {
	root, _ := benchTree(1023)
	var sum int64
	seq := benchWay{op: func() { sum = benchTreeSum(root) }, workers: 2}
	par := benchWay{op: func() { sum = benchTreeTyped(root) }, workers: 2}
	benchWarmAndCold(b, seq, par, func(b *testing.B, t []benchTook) {
		benchFigure(b, t[1].ns/t[0].ns, "x-seq")
		benchFigure(b, t[1].ns, "ns")
		benchFigure(b, t[1].allocs, "allocs")
	})
	if sum != 1023*1022/2 {
		b.Errorf("sum is %d", sum)
	}
}

// benchWarmAndCold measures two ways back to back, and after sleep.
func benchWarmAndCold(b *testing.B, seq, par benchWay, figures func(b *testing.B, t []benchTook)) {
	b.Run("warm", func(b *testing.B) { figures(b, benchAlternate(b, seq, par)) })
	seq.cold, par.cold = true, true
	b.Run("cold", func(b *testing.B) { figures(b, benchAlternate(b, seq, par)) })
}

// benchFigureBigTree compares the bandwidth with that of two goroutines which
// read the nodes in order, each half of them.
func benchFigureBigTree(b *testing.B) {
	n := benchPick(1e7, 1e6)
	root, nodes := benchTree(n)
	var sum int64
	var part [2]struct {
		sum int64
		_   [56]byte
	}
	scan, stop := benchHalves(func(k int) {
		s := int64(0)
		for i := range nodes[len(nodes)*k/2 : len(nodes)*(k+1)/2] {
			s += nodes[len(nodes)*k/2+i].val
		}
		part[k].sum = s
	})
	defer stop()
	t := benchAlternate(b,
		benchWay{op: func() { sum = benchTreeSum(root) }, workers: 2},
		benchWay{op: func() { sum = benchTreeTyped(root) }, workers: 2},
		benchWay{op: scan, workers: 2})
	bytes := float64(n) * benchNodeBytes
	benchFigure(b, t[1].ns/t[0].ns, "x-seq")
	benchFigure(b, t[1].ns/1e6, "ms")
	benchFigure(b, bytes/t[1].ns, "GB/s")
	benchFigure(b, bytes/t[2].ns, "scan-GB/s")
	if want := int64(n) * int64(n-1) / 2; sum != want || part[0].sum+part[1].sum != want {
		b.Errorf("sums are %d and %d, want %d", sum, part[0].sum+part[1].sum, want)
	}
}

// benchHalves starts two goroutines; run has both do their half, and waits.
func benchHalves(half func(k int)) (run, stop func()) {
	var start [2]chan bool
	done := make(chan bool, 2)
	for k := range start {
		start[k] = make(chan bool, 1)
		go func() {
			for range start[k] {
				half(k)
				done <- true
			}
		}()
	}
	run = func() {
		start[0] <- true
		start[1] <- true
		<-done
		<-done
	}
	return run, func() { close(start[0]); close(start[1]) }
}

func benchFiguresQueens(b *testing.B) {
	board := benchEmptyBoard(12)
	for _, workers := range []int{1, 2} {
		b.Run(benchWorkers(workers), func(b *testing.B) {
			t := benchAlternate(b,
				benchWay{op: func() { benchSink = benchQueens(board) }, workers: workers},
				benchWay{op: func() { benchSink = benchQueensTyped(board) }, workers: workers})
			benchFigure(b, t[1].ns/t[0].ns, "x-seq")
			benchFigure(b, t[1].ns/1e6, "ms")
			benchFigure(b, t[1].allocs, "allocs")
		})
	}
	if benchSink != 14200 {
		b.Errorf("%d solutions, want 14200", benchSink)
	}
}

func benchWorkers(n int) string {
	if n == 1 {
		return "1worker"
	}
	return fmt.Sprintf("%dworkers", n)
}

// benchFiguresEmptyJoin calls from a goroutine that is not in a pool. The plain
// way makes the two calls: what it takes, clock and all, is subtracted.
func benchFiguresEmptyJoin(b *testing.B) {
	nop := func() {}
	calls := [2]func(){nop, nop}
	seq := benchWay{op: func() { calls[0](); calls[1]() }, workers: 2}
	par := benchWay{op: func() { forkjoin.Join(calls[0], calls[1]) }, workers: 2}
	benchWarmAndCold(b, seq, par, func(b *testing.B, t []benchTook) {
		benchFigure(b, t[1].ns-t[0].ns, "ns")
		benchFigure(b, t[1].allocs, "allocs")
	})
}

func benchFiguresAxpy(b *testing.B) {
	for _, n := range []int{1e3, 1e4, 1e5, 1e6, 1e7} {
		b.Run(strings.Replace(fmt.Sprintf("%.0e", float64(n)), "e+0", "e", 1), func(b *testing.B) {
			x, y := benchFloats(n), benchFloats(n)
			seq := benchWay{op: func() { benchAxpy(1e-9, x, y) }, workers: 2}
			par := benchWay{op: func() { benchAxpyParallel(1e-9, x, y) }, workers: 2}
			benchWarmAndCold(b, seq, par, func(b *testing.B, t []benchTook) {
				benchFigure(b, t[1].ns/t[0].ns, "x-seq")
				benchFigure(b, t[1].ns-t[0].ns, "ns-over-seq")
				benchFigure(b, t[1].allocs, "allocs")
			})
			if n == 1e7 {
				b.Run("2threads", func(b *testing.B) { benchFigureBandwidth(b, par, x, y) })
			}
		})
	}
}

// benchFigureBandwidth compares a loop that memory limits with two goroutines
// that keep going through their halves.
func benchFigureBandwidth(b *testing.B, par benchWay, x, y []float64) {
	const passes = 4
	h := len(x) / 2
	halves, stop := benchHalves(func(k int) {
		for range passes {
			benchAxpy(1e-9, x[k*h:(k+1)*h], y[k*h:(k+1)*h])
		}
	})
	defer stop()
	t := benchAlternate(b, par, benchWay{op: halves, workers: 2, times: passes})
	bytes := float64(len(x)) * 24 // two reads and a write
	benchFigure(b, t[0].ns/t[1].ns, "x-2threads")
	benchFigure(b, bytes/t[0].ns, "GB/s")
	benchFigure(b, bytes/t[1].ns, "2threads-GB/s")
}

// benchFiguresSkew has one iteration in a thousand that costs a thousand times
// the others: one in every thousand, or all in the first tenth of the loop.
func benchFiguresSkew(b *testing.B) {
	const n, steps = 100000, 10
	out := make([]int, n)
	loop := func(dear func(i int) bool) func(b *testing.B) {
		body := func(i int) {
			if dear(i) {
				out[i] = benchSteps(i, 1000*steps)
			} else {
				out[i] = benchSteps(i, steps)
			}
		}
		return func(b *testing.B) { benchSpeedup(b, n, body) }
	}
	b.Run("even", loop(func(i int) bool { return i%1000 == 500 }))
	b.Run("front", loop(func(i int) bool { return i < n/10 && i%100 == 50 }))
}

// benchSpeedup compares a loop on two workers with the plain one.
func benchSpeedup(b *testing.B, n int, body func(i int)) {
	t := benchAlternate(b,
		benchWay{op: func() { benchSpawnSeq(n, body) }, workers: 2},
		benchWay{op: func() { forkjoin.ParallelFor(n, body) }, workers: 2})
	benchFigure(b, t[0].ns/t[1].ns, "speedup")
	benchFigure(b, t[1].ns/1e6, "ms")
}

func benchFigureMandelbrot(b *testing.B) {
	side := benchPick(1000, 200)
	pixels := make([]uint16, side*side)
	benchSpeedup(b, side, func(i int) { benchMandelRow(i, side, pixels[i*side:][:side]) })
}

// benchFigureIdle tells what the process takes while nothing is asked of it, and
// what it takes after plain goroutines: Go's runtime and the reading of
// /proc take some, too.
func benchFigureIdle(b *testing.B) {
	procs := runtime.GOMAXPROCS(2)
	defer runtime.GOMAXPROCS(procs)
	idle := 5 * time.Second
	if testing.Short() {
		idle /= 10
	}
	after := func(work func()) (ms float64) {
		for range 100 {
			work()
		}
		from, ok := benchCPU()
		time.Sleep(idle)
		to, ok2 := benchCPU()
		if !ok || !ok2 {
			b.Skip("no /proc/self/task/*/schedstat")
		}
		return float64(to-from) / 1e6
	}
	x, y := benchFloats(1e5), benchFloats(1e5)
	for b.Loop() {
		plain := after(func() { benchSink = benchFibGo(10) })
		benchFigure(b, after(func() {
			benchAxpyParallel(1e-9, x, y)
			benchSink = benchFibTyped(20)
		}), "CPU-ms")
		benchFigure(b, plain, "goroutines-CPU-ms")
	}
}

// benchCPU is the time in ns that the threads of this process have run. Go's
// threads do not end on their own, so nothing falls out of the sum.
func benchCPU() (total int64, ok bool) {
	files, _ := filepath.Glob("/proc/self/task/*/schedstat")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		var ran int64
		if _, err := fmt.Sscan(string(text), &ran); err != nil {
			return 0, false
		}
		total += ran
	}
	return total, len(files) > 0
}

func benchFigureGroup(b *testing.B) {
	n := benchPick(1e5, 1e4)
	var cells [64]struct {
		n atomic.Int64
		_ [56]byte
	}
	task := func(i int) { cells[i%len(cells)].n.Add(1) }
	t := benchAlternate(b,
		benchWay{op: func() { benchSpawnErrgroupLimit(n, task) }, workers: 2},
		benchWay{op: func() { benchSpawnGroup(n, task) }, workers: 2})
	benchFigure(b, t[0].ns/t[1].ns, "speedup-errg")
	benchFigure(b, t[1].ns/float64(n), "ns/task")
	for i, who := range []string{"errg-", ""} {
		benchFigure(b, t[i].allocs/float64(n), who+"allocs/task")
		benchFigure(b, t[i].bytes/float64(n), who+"B/task")
	}
}
