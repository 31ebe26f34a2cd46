package main

import "github.com/forkjoin-go/forkjoin/iter"

// forkjoinIter is package iter of this library, to compare with conc-iter and lo.
var forkjoinIter = &Peer{
	Name: "forkjoin-iter",
	Axpy: func(a float64, x, y []float64) {
		iter.Range(0, len(y)).ForEach(func(i int) { y[i] += a * x[i] })
	},
	Sum:  func(x []float64) float64 { return iter.Sum(iter.Slice(x)) },
	Rows: func(n int, row func(i int)) { iter.Range(0, n).ForEach(row) },
}
