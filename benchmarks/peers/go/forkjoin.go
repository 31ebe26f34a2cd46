package main

import "github.com/forkjoin-go/forkjoin"

// The functions returned by Recursive are made once: making them is set-up, calling them is the work.
var (
	fibTyped = forkjoin.Recursive(func(t *forkjoin.Task[int, int], n int) int {
		if n < 2 {
			return n
		}
		x, y := t.Join(n-1, n-2)
		return x + y
	})

	treeTyped = forkjoin.Recursive(func(t *forkjoin.Task[*Node, int64], n *Node) int64 {
		if n == nil {
			return 0
		}
		l, r := t.Join(n.Left, n.Right)
		return n.Val + l + r
	})

	queenTyped = forkjoin.Recursive(func(t *forkjoin.Task[board, int], b board) int {
		if b.free == 0 {
			return 1
		}
		if b.avail == 0 {
			return 0
		}
		bit := b.avail & -b.avail
		free, l, r := b.free^bit, (b.d1|bit)<<1, (b.d2|bit)>>1
		x, y := t.Join(board{free, l, r, free &^ (l | r)}, board{b.free, b.d1, b.d2, b.avail ^ bit})
		return x + y
	})
)

// board has the free columns, all &^ cols, in one field: the compiler keeps structs of up to four
// fields in registers.
type board struct{ free, d1, d2, avail uint32 }

// forkjoinPeer is this library, called from a goroutine that is not one of its workers.
var forkjoinPeer = &Peer{
	Name:  "forkjoin",
	Fib:   fibTyped,
	Fast:  true,
	Tree:  treeTyped,
	Queen: func(all, cols, d1, d2, avail uint32) int { return queenTyped(board{all &^ cols, d1, d2, avail}) },
	Mul:   mulWith(forkjoin.Join),
	Recs: func(v []Rec) {
		forkjoin.SortFunc(v, byKey)
	},
	RecsStable: func(v []Rec) {
		forkjoin.SortStableFunc(v, byKey)
	},
	Axpy: func(a float64, x, y []float64) {
		forkjoin.ParallelForRange(0, len(x), func(lo, hi int) { axpyLeaf(a, x[lo:hi], y[lo:hi]) })
	},
	Sum: func(x []float64) float64 {
		return forkjoin.ParallelReduce(len(x), 0,
			func(lo, hi int) float64 { return sumLeaf(x[lo:hi]) },
			func(a, b float64) float64 { return a + b })
	},
	Scan: func(y, x []float64) {
		forkjoin.ParallelScan(len(x), 0,
			func(lo, hi int) float64 { return sumLeaf(x[lo:hi]) },
			func(a, b float64) float64 { return a + b },
			func(lo, hi int, before float64) { scanLeaf(y[lo:hi], x[lo:hi], before) })
	},
	Rows:    func(n int, row func(i int)) { forkjoin.ParallelFor(n, row) },
	Ints:    func(v []int64) { forkjoin.Sort(v) },
	Strings: func(v []string) { forkjoin.Sort(v) },
	RecsByKey: func(v []Rec) {
		forkjoin.SortByKey(v, func(r Rec) int64 { return r.Key })
	},
	Inject: func() { forkjoin.Join(func() {}, func() {}) },
}

// forkjoinIn makes the calls from inside the pool.
var forkjoinIn = &Peer{
	Name:  "forkjoin-in",
	Enter: func(measurements func()) { forkjoin.Default().Run(measurements) },
	Fib:   forkjoinPeer.Fib,
	Fast:  true,
	Tree:  forkjoinPeer.Tree,
	Queen: forkjoinPeer.Queen,
	Axpy:  forkjoinPeer.Axpy,
}

// forkjoinInPlace sorts without a buffer.
var forkjoinInPlace = &Peer{
	Name:    "forkjoin-inplace",
	Ints:    func(v []int64) { forkjoin.SortInPlace(v) },
	Strings: func(v []string) { forkjoin.SortInPlace(v) },
}

// forkjoinOp scans with the operation as a function.
var forkjoinOp = &Peer{
	Name: "forkjoin-op",
	Scan: func(y, x []float64) {
		forkjoin.InclusiveScan(y, x, func(a, b float64) float64 { return a + b })
	},
}

// forkjoinJoin is the closure form, with results through variables.
var forkjoinJoin = &Peer{Name: "forkjoin-join", Fib: fibJoin, Tree: treeJoin, Queen: queenJoin}

// forkjoinJoin2 is the closure form that returns both results.
var forkjoinJoin2 = &Peer{Name: "forkjoin-join2", Fib: fibJoin2, Tree: treeJoin2, Queen: queenJoin2}

// forkjoinGroup makes one task of every row.
var forkjoinGroup = &Peer{Name: "forkjoin-group", Rows: groupSpawn, Tasks: groupSpawn}

// forkjoinWaitGroup does the same without a limit and without errors.
var forkjoinWaitGroup = &Peer{Name: "forkjoin-waitgroup", Rows: waitGroupSpawn, Tasks: waitGroupSpawn}

func groupSpawn(n int, task func(i int)) {
	var g forkjoin.Group
	g.SetLimit(workers)
	for i := range n {
		g.Go(func() error { task(i); return nil })
	}
	g.Wait()
}

func waitGroupSpawn(n int, task func(i int)) {
	var g forkjoin.WaitGroup
	for i := range n {
		g.Go(func() { task(i) })
	}
	g.Wait()
}

func fibJoin(n int) int {
	if n < 2 {
		return n
	}
	var x, y int
	forkjoin.Join(func() { x = fibJoin(n - 1) }, func() { y = fibJoin(n - 2) })
	return x + y
}

func treeJoin(n *Node) int64 {
	if n == nil {
		return 0
	}
	var l, r int64
	forkjoin.Join(func() { l = treeJoin(n.Left) }, func() { r = treeJoin(n.Right) })
	return n.Val + l + r
}

func queenJoin(all, cols, d1, d2, avail uint32) int {
	if cols == all {
		return 1
	}
	if avail == 0 {
		return 0
	}
	bit := avail & -avail
	var x, y int
	forkjoin.Join(func() {
		c, l, r := cols|bit, (d1|bit)<<1, (d2|bit)>>1
		x = queenJoin(all, c, l, r, all&^(c|l|r))
	}, func() { y = queenJoin(all, cols, d1, d2, avail^bit) })
	return x + y
}

func fibJoin2(n int) int {
	if n < 2 {
		return n
	}
	x, y := forkjoin.Join2(func() int { return fibJoin2(n - 1) }, func() int { return fibJoin2(n - 2) })
	return x + y
}

func treeJoin2(n *Node) int64 {
	if n == nil {
		return 0
	}
	l, r := forkjoin.Join2(func() int64 { return treeJoin2(n.Left) }, func() int64 { return treeJoin2(n.Right) })
	return n.Val + l + r
}

func queenJoin2(all, cols, d1, d2, avail uint32) int {
	if cols == all {
		return 1
	}
	if avail == 0 {
		return 0
	}
	bit := avail & -avail
	x, y := forkjoin.Join2(func() int {
		c, l, r := cols|bit, (d1|bit)<<1, (d2|bit)>>1
		return queenJoin2(all, c, l, r, all&^(c|l|r))
	}, func() int { return queenJoin2(all, cols, d1, d2, avail^bit) })
	return x + y
}
