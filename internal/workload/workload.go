// Package workload holds small programs that use the library, for comparisons of
// real runs with simulated ones: eight that compute, and two that are about memory.
package workload

import (
	"math"

	"github.com/forkjoin-go/forkjoin"
)

// A Workload is a program of known size.
type Workload struct {
	Name string
	What string
	// Make prepares the input, and returns a function that does the work on the
	// calling worker's pool and one that undoes what the work did to the input.
	// The work returns a number that is the same each time.
	Make func(size int) (work func() uint64, reset func())
	Size int // takes some tens of milliseconds
	Most int // is as large as numbers and a few gigabytes allow, and may take hours
}

// All returns the workloads.
func All() []Workload {
	return []Workload{
		{"fib", "a recursion that forks down to 15", plain(func(n int) uint64 { return uint64(fib(n)) }), 33, 60},
		{"mergesort", "of random integers", mergesorting, 400_000, 200_000_000},
		{"quicksort", "of random integers", quicksorting, 500_000, 300_000_000},
		{"nqueens", "all ways to place queens", plain(func(n int) uint64 { return uint64(queens(board{n: n})) }), 11, 18},
		{"matmul", "of square matrices", multiplying, 320, 5_000},
		{"tree", "an unbalanced one, made by hashing", plain(func(n int) uint64 { return grow(node{uint64(n), 0}) }), 42, math.MaxInt},
		{"mapreduce", "of a hash over a table", reducing, 6_000_000, 300_000_000},
		{"mandelbrot", "rows of a picture", plain(mandelbrot), 300, 50_000},
	}
}

// Memory returns workloads whose time is spent with memory: one that streams through
// more of it than caches hold, and one whose workers write into the same cache lines.
func Memory() []Workload {
	return []Workload{
		{"triad", "a = b + 3c over arrays that no cache holds", streaming, 1 << 24, 1 << 27},
		{"counters", "a histogram in counters that all workers share", counting, 4_000_000, 200_000_000},
	}
}

// Named returns the workload with a name.
func Named(name string) (w Workload, known bool) {
	for _, w := range append(All(), Memory()...) {
		if w.Name == name {
			return w, true
		}
	}
	return Workload{}, false
}

func plain(f func(n int) uint64) func(n int) (func() uint64, func()) {
	return func(n int) (func() uint64, func()) { return func() uint64 { return f(n) }, func() {} }
}

var fib = forkjoin.Recursive(func(t *forkjoin.Task[int, int], n int) int {
	if n < 15 {
		return plainFib(n)
	}
	a, b := t.Join(n-1, n-2)
	return a + b
})

func plainFib(n int) int {
	if n < 2 {
		return n
	}
	return plainFib(n-1) + plainFib(n-2)
}

// A board is one with queens in the first rows.
type board struct{ n, row, columns, up, down int }

var queens = forkjoin.Recursive(func(t *forkjoin.Task[board, int], b board) int {
	if b.row >= 3 {
		return plainQueens(b)
	}
	var next []board
	for c := range b.n {
		if q, ok := b.place(c); ok {
			next = append(next, q)
		}
	}
	results := make([]int, len(next))
	t.JoinAll(next, results)
	sum := 0
	for _, r := range results {
		sum += r
	}
	return sum
})

func (b board) place(c int) (board, bool) {
	column, up, down := 1<<c, 1<<(b.row+c), 1<<(b.row-c+b.n)
	if b.columns&column|b.up&up|b.down&down != 0 {
		return b, false
	}
	return board{b.n, b.row + 1, b.columns | column, b.up | up, b.down | down}, true
}

func plainQueens(b board) int {
	if b.row == b.n {
		return 1
	}
	sum := 0
	for c := range b.n {
		if q, ok := b.place(c); ok {
			sum += plainQueens(q)
		}
	}
	return sum
}

// A node is one of a tree whose shape depends on hashes.
type node struct {
	hash  uint64
	depth int
}

var grow = forkjoin.Recursive(func(t *forkjoin.Task[node, uint64], n node) uint64 {
	h := n.hash
	for range 400 {
		h = mix(h)
	}
	if n.depth > 8 && (h%1000 >= 480 || n.depth > 200) {
		return h & 0xff
	}
	a, b := t.Join(node{h + 1, n.depth + 1}, node{h + 2, n.depth + 1})
	return a + b
})

func mix(h uint64) uint64 {
	h ^= h >> 33
	h *= 0xff51afd7ed558ccd
	return h ^ h>>29
}

// mandelbrot counts the steps of a picture with n rows.
func mandelbrot(n int) uint64 {
	rows := make([]uint64, n)
	forkjoin.ParallelFor(n, func(r int) { rows[r] = mandelbrotRow(r, n) })
	sum := uint64(0)
	for _, s := range rows {
		sum += s
	}
	return sum
}

func mandelbrotRow(r, n int) (steps uint64) {
	y := 2.4*float64(r)/float64(n) - 1.2
	for c := range n {
		x := 3*float64(c)/float64(n) - 2.2
		a, b := 0.0, 0.0
		for range 400 {
			if a*a+b*b > 4 {
				break
			}
			a, b = a*a-b*b+x, 2*a*b+y
			steps++
		}
	}
	return steps
}
