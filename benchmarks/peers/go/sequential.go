package main

import (
	"cmp"
	"slices"
)

func fibSeq(n int) int {
	if n < 2 {
		return n
	}
	return fibSeq(n-1) + fibSeq(n-2)
}

func treeSeq(n *Node) int64 {
	if n == nil {
		return 0
	}
	return n.Val + treeSeq(n.Left) + treeSeq(n.Right)
}

func queenSeq(all, cols, d1, d2, avail uint32) int {
	if cols == all {
		return 1
	}
	if avail == 0 {
		return 0
	}
	bit := avail & -avail
	c, l, r := cols|bit, (d1|bit)<<1, (d2|bit)>>1
	return queenSeq(all, c, l, r, all&^(c|l|r)) + queenSeq(all, cols, d1, d2, avail^bit)
}

func each(n int, body func(i int)) {
	for i := range n {
		body(i)
	}
}

// sequential is plain Go, measured with one worker only.
var sequential = &Peer{
	Name:       "go-seq",
	Fib:        fibSeq,
	Fast:       true,
	Tree:       treeSeq,
	Queen:      queenSeq,
	Mul:        mulWith(func(a, b func()) { a(); b() }),
	Axpy:       axpyLeaf,
	Sum:        sumLeaf,
	Rows:       each,
	Tasks:      each,
	Ints:       func(v []int64) { slices.Sort(v) },
	Strings:    func(v []string) { slices.Sort(v) },
	Recs:       func(v []Rec) { slices.SortFunc(v, byKey) },
	RecsStable: func(v []Rec) { slices.SortStableFunc(v, byKey) },
	RecsByKey:  func(v []Rec) { slices.SortStableFunc(v, byKey) },
	Scan:       func(y, x []float64) { scanLeaf(y, x, 0) },
}

// sequentialStable sorts integers with the stable sort of the standard library.
var sequentialStable = &Peer{
	Name: "go-seq-stable",
	Ints: func(v []int64) { slices.SortStableFunc(v, cmp.Compare[int64]) },
}
