// Nqueens shows forkjoin.Recursive on a search tree: in how many ways can n
// queens stand on an n × n board without attacking each other? The tree is
// irregular and its tasks take nanoseconds, and still nothing has to be tuned:
// a fork of a typed recursion allocates nothing and costs a few nanoseconds.
//
//	go run ./examples/nqueens
package main

import (
	"fmt"
	"log"
	"math/bits"
	"runtime"
	"time"

	"github.com/forkjoin-go/forkjoin"
)

const (
	n         = 13
	solutions = 73_712 // known
	board     = uint32(1)<<n - 1
)

// node is a position: the columns and diagonals under attack in the next row,
// and the squares of that row still to be tried.
type node struct {
	columns, left, right, squares uint32
}

// place puts a queen on a square of the next row.
func (p node) place(square uint32) node {
	c := p.columns | square
	l := (p.left | square) << 1
	r := (p.right | square) >> 1
	return node{c, l, r, board &^ (c | l | r)}
}

// count is the plain recursion.
func count(p node) int {
	if p.columns == board {
		return 1
	}
	total := 0
	for s := p.squares; s != 0; s &= s - 1 {
		total += count(p.place(s & -s))
	}
	return total
}

// countParallel divides the squares of a row in two until one is left, which
// makes every fork a two-way one.
var countParallel = forkjoin.Recursive(func(t *forkjoin.Task[node, int], p node) int {
	for bits.OnesCount32(p.squares) == 1 {
		p = p.place(p.squares)
		if p.columns == board {
			return 1
		}
	}
	if p.squares == 0 {
		return 0
	}
	low := lowerHalf(p.squares)
	a, b := p, p
	a.squares, b.squares = low, p.squares&^low
	na, nb := t.Join(a, b)
	return na + nb
})

// lowerHalf returns the lower half of the bits set in s.
func lowerHalf(s uint32) uint32 {
	rest := s
	for range bits.OnesCount32(s) / 2 {
		rest &= rest - 1
	}
	return s &^ rest
}

func main() {
	start := node{squares: board}
	var want, got int
	sequential := timed(func() { want = count(start) })
	parallel := timed(func() { got = countParallel(start) })

	if want != solutions || got != want {
		log.Fatalf("nqueens: %d sequentially and %d in parallel, want %d", want, got, solutions)
	}
	fmt.Printf("%d queens, %d solutions: sequential %v, parallel %v on %d cores\n",
		n, got, sequential, parallel, runtime.GOMAXPROCS(0))
}

func timed(f func()) time.Duration {
	start := time.Now()
	f()
	return time.Since(start).Round(10 * time.Microsecond)
}
