package forkjoin_test

import (
	"runtime"
	"sync"

	"github.com/forkjoin-go/forkjoin"
	"golang.org/x/sync/errgroup"
)

// The work that the benchmarks do, in plain code and in forks.

// benchSink keeps results alive.
var benchSink int

// ---- fib ------------------------------------------------------------------------

func benchFib(n int) int {
	if n < 2 {
		return n
	}
	return benchFib(n-1) + benchFib(n-2)
}

// benchFibForks are the forks in fib(n): one for every call with n >= 2.
func benchFibForks(n int) benchParts {
	forks, next := 0, 0 // in fib(0) and fib(1)
	for range n {
		forks, next = next, forks+next+1
	}
	return benchParts{forks, "fork"}
}

var benchFibTyped = forkjoin.Recursive(func(t *forkjoin.Task[int, int], n int) int {
	if n < 2 {
		return n
	}
	x, y := t.Join(n-1, n-2)
	return x + y
})

func benchFibJoin(n int) int {
	if n < 2 {
		return n
	}
	var x, y int
	forkjoin.Join(func() { x = benchFibJoin(n - 1) }, func() { y = benchFibJoin(n - 2) })
	return x + y
}

func benchFibJoin2(n int) int {
	if n < 2 {
		return n
	}
	x, y := forkjoin.Join2(
		func() int { return benchFibJoin2(n - 1) },
		func() int { return benchFibJoin2(n - 2) })
	return x + y
}

func benchFibGo(n int) int {
	if n < 2 {
		return n
	}
	var wg sync.WaitGroup
	var y int
	wg.Add(1)
	go func() { y = benchFibGo(n - 2); wg.Done() }()
	x := benchFibGo(n - 1)
	wg.Wait()
	return x + y
}

func benchFibErrgroup(n int) int {
	if n < 2 {
		return n
	}
	var g errgroup.Group
	var y int
	g.Go(func() error { y = benchFibErrgroup(n - 2); return nil })
	x := benchFibErrgroup(n - 1)
	g.Wait()
	return x + y
}

// ---- trees ------------------------------------------------------------------------

type benchNode struct {
	val         int64
	left, right *benchNode
}

const benchNodeBytes = 24

// benchTree returns a balanced tree of n nodes with the values 0 to n-1 in
// order, and the nodes as they lie in memory: in preorder.
func benchTree(n int) (root *benchNode, nodes []benchNode) {
	nodes = make([]benchNode, 0, n)
	var build func(lo, hi int) *benchNode
	build = func(lo, hi int) *benchNode {
		if lo >= hi {
			return nil
		}
		mid := lo + (hi-lo)/2
		nodes = append(nodes, benchNode{val: int64(mid)})
		node := &nodes[len(nodes)-1]
		node.left, node.right = build(lo, mid), build(mid+1, hi)
		return node
	}
	return build(0, n), nodes
}

func benchTreeSum(n *benchNode) int64 {
	if n == nil {
		return 0
	}
	if n.left == nil && n.right == nil {
		return n.val
	}
	return n.val + benchTreeSum(n.left) + benchTreeSum(n.right)
}

// benchTreeTyped has a join at every inner node.
var benchTreeTyped = forkjoin.Recursive(func(t *forkjoin.Task[*benchNode, int64], n *benchNode) int64 {
	if n == nil {
		return 0
	}
	if n.left == nil && n.right == nil {
		return n.val
	}
	l, r := t.Join(n.left, n.right)
	return n.val + l + r
})

// ---- eight children a node -----------------------------------------------------------

func benchWide(depth int) int {
	if depth == 0 {
		return 1
	}
	sum := 0
	for range 8 {
		sum += benchWide(depth - 1)
	}
	return sum
}

var benchWideTyped = forkjoin.Recursive(func(t *forkjoin.Task[int, int], depth int) int {
	if depth == 0 {
		return 1
	}
	d := depth - 1
	args := [8]int{d, d, d, d, d, d, d, d}
	var results [8]int
	t.JoinAll(args[:], results[:])
	sum := 0
	for _, r := range results {
		sum += r
	}
	return sum
})

func benchWideSpawn(spawn benchSpawn, depth int) int {
	if depth == 0 {
		return 1
	}
	var results [8]int
	spawn(8, func(i int) { results[i] = benchWideSpawn(spawn, depth-1) })
	sum := 0
	for _, r := range results {
		sum += r
	}
	return sum
}

// ---- queens ------------------------------------------------------------------------

// A benchBoard has bits for the columns that are free, the diagonals that are
// taken, and the places of this row still to try. It has four fields because
// the compiler keeps no longer struct in registers.
type benchBoard struct{ free, d1, d2, try uint32 }

func benchEmptyBoard(n int) benchBoard {
	all := uint32(1)<<n - 1
	return benchBoard{free: all, try: all}
}

// place puts a queen on the lowest place and goes to the next row; skip leaves
// that place out.
func (b benchBoard) place() benchBoard {
	bit := b.try & -b.try
	free, d1, d2 := b.free^bit, (b.d1|bit)<<1, (b.d2|bit)>>1
	return benchBoard{free, d1, d2, free &^ (d1 | d2)}
}

func (b benchBoard) skip() benchBoard {
	b.try &= b.try - 1
	return b
}

func benchQueens(b benchBoard) int {
	if b.free == 0 {
		return 1
	}
	if b.try == 0 {
		return 0
	}
	return benchQueens(b.place()) + benchQueens(b.skip())
}

var benchQueensTyped = forkjoin.Recursive(func(t *forkjoin.Task[benchBoard, int], b benchBoard) int {
	if b.free == 0 {
		return 1
	}
	if b.try == 0 {
		return 0
	}
	x, y := t.Join(b.place(), b.skip())
	return x + y
})

// ---- loops ------------------------------------------------------------------------

func benchAxpy(a float64, x, y []float64) {
	x = x[:len(y)]
	for i := range y {
		y[i] += a * x[i]
	}
}

func benchAxpyParallel(a float64, x, y []float64) {
	forkjoin.ParallelForRange(0, len(y), func(lo, hi int) { benchAxpy(a, x[lo:hi], y[lo:hi]) })
}

func benchFloats(n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = 1
	}
	return v
}

func benchSum(x []float64) float64 {
	var s0, s1, s2, s3 float64
	for ; len(x) >= 4; x = x[4:] {
		s0 += x[0]
		s1 += x[1]
		s2 += x[2]
		s3 += x[3]
	}
	for _, v := range x {
		s0 += v
	}
	return s0 + s1 + s2 + s3
}

// benchSteps is a piece of work: about 1.5 ns a step, each waiting for the last.
func benchSteps(seed, steps int) int {
	x := uint64(seed) + 1
	for range steps {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
	}
	return int(x)
}

// benchMandelRow computes a row of a picture of side x side points, of which
// the upper rows are much dearer than the lower ones.
func benchMandelRow(row, side int, out []uint16) {
	ci := -0.25 + 1.5*float64(row)/float64(side)
	for col := range out {
		cr := -2.0 + 2.5*float64(col)/float64(side)
		var r, i float64
		k := uint16(0)
		for ; k < 1000; k++ {
			r2, i2 := r*r, i*i
			if r2+i2 > 4 {
				break
			}
			i = 2*r*i + ci
			r = r2 - i2 + cr
		}
		out[col] = k
	}
}

// ---- the usual ways to share work out ---------------------------------------------------

// A benchSpawn runs n tasks and waits for all of them.
type benchSpawn func(n int, task func(i int))

func benchSpawnSeq(n int, task func(i int)) {
	for i := range n {
		task(i)
	}
}

func benchSpawnGo(n int, task func(i int)) {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { task(i) })
	}
	wg.Wait()
}

func benchSpawnErrgroup(n int, task func(i int)) {
	var g errgroup.Group
	for i := range n {
		g.Go(func() error { task(i); return nil })
	}
	g.Wait()
}

func benchSpawnErrgroupLimit(n int, task func(i int)) {
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i := range n {
		g.Go(func() error { task(i); return nil })
	}
	g.Wait()
}

func benchSpawnGroup(n int, task func(i int)) {
	var g forkjoin.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i := range n {
		g.Go(func() error { task(i); return nil })
	}
	g.Wait()
}

func benchSpawnWaitGroup(n int, task func(i int)) {
	var g forkjoin.WaitGroup
	for i := range n {
		g.Go(func() { task(i) })
	}
	g.Wait()
}

// benchChunks cuts [0, n) into one piece a worker, or 64 for a spawn that hands
// them out as workers become free.
func benchChunks(spawn benchSpawn, pieces, n int, body func(lo, hi int)) {
	spawn(pieces, func(k int) { body(n*k/pieces, n*(k+1)/pieces) })
}

// benchLoops are forkjoin's way with a loop and the usual ones.
func benchLoops(forkjoin func(), n int, body func(lo, hi int)) []benchWay {
	hand := func(name string, spawn benchSpawn, pieces func() int) benchWay {
		return benchWay{name: name, op: func() { benchChunks(spawn, pieces(), n, body) }}
	}
	perWorker := func() int { return runtime.GOMAXPROCS(0) }
	return []benchWay{
		{name: "forkjoin", op: forkjoin},
		hand("chunks", benchSpawnGo, perWorker),
		hand("goroutine", benchSpawnGo, func() int { return 64 }),
		hand("errgroup", benchSpawnErrgroupLimit, func() int { return 64 }),
	}
}
