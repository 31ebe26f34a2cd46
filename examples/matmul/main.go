// Matmul multiplies matrices by halving them: the two halves of the result's
// longer side are independent and go to forkjoin.Join, the two halves of the
// inner dimension add to the same result and stay in order. Blocks end up small
// enough for the cache, and the sums are added in the same order on any number
// of cores, so the result is the same to the last bit.
//
//	go run ./examples/matmul
package main

import (
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"time"

	"github.com/forkjoin-go/forkjoin"
)

const (
	n    = 768
	leaf = 64
)

// matrix is a block of a larger one whose rows are stride apart.
type matrix struct {
	rows, cols, stride int
	data               []float64
}

func newMatrix(rows, cols int) matrix {
	return matrix{rows, cols, cols, make([]float64, rows*cols)}
}

// block returns the part of m with rows [r0, r1) and columns [c0, c1).
func (m matrix) block(r0, r1, c0, c1 int) matrix {
	return matrix{r1 - r0, c1 - c0, m.stride, m.data[r0*m.stride+c0:]}
}

// add adds a·b to c. What may run at once it hands to join.
func add(c, a, b matrix, join func(f, g func())) {
	switch m, k, n := c.rows, a.cols, c.cols; {
	case max(m, k, n) <= leaf:
		addSmall(c, a, b)
	case m >= max(k, n):
		join(
			func() { add(c.block(0, m/2, 0, n), a.block(0, m/2, 0, k), b, join) },
			func() { add(c.block(m/2, m, 0, n), a.block(m/2, m, 0, k), b, join) },
		)
	case n >= k:
		join(
			func() { add(c.block(0, m, 0, n/2), a, b.block(0, k, 0, n/2), join) },
			func() { add(c.block(0, m, n/2, n), a, b.block(0, k, n/2, n), join) },
		)
	default:
		add(c, a.block(0, m, 0, k/2), b.block(0, k/2, 0, n), join)
		add(c, a.block(0, m, k/2, k), b.block(k/2, k, 0, n), join)
	}
}

func addSmall(c, a, b matrix) {
	for i := range c.rows {
		row := c.data[i*c.stride:][:c.cols]
		for k := range a.cols {
			x := a.data[i*a.stride+k]
			for j, y := range b.data[k*b.stride:][:len(row)] {
				row[j] += x * y
			}
		}
	}
}

func inOrder(f, g func()) { f(); g() }

func main() {
	rng := rand.New(rand.NewPCG(1, 2))
	a, b := newMatrix(n, n), newMatrix(n, n)
	for i := range a.data {
		a.data[i], b.data[i] = rng.Float64(), rng.Float64()
	}
	want, got := newMatrix(n, n), newMatrix(n, n)

	sequential := timed(func() { add(want, a, b, inOrder) })
	parallel := timed(func() { add(got, a, b, forkjoin.Join) })

	if !slices.Equal(want.data, got.data) {
		log.Fatal("matmul: the parallel result differs from the sequential one")
	}
	// Freivalds' check: (a·b)·x = a·(b·x) for a random vector x.
	x, bx, abx, cx := newMatrix(n, 1), newMatrix(n, 1), newMatrix(n, 1), newMatrix(n, 1)
	for i := range x.data {
		x.data[i] = rng.Float64()
	}
	addSmall(bx, b, x)
	addSmall(abx, a, bx)
	addSmall(cx, got, x)
	for i, v := range cx.data {
		if math.Abs(v-abx.data[i]) > 1e-9*v {
			log.Fatalf("matmul: row %d of the product is wrong", i)
		}
	}
	fmt.Printf("%d × %d matrices: sequential %v, parallel %v on %d cores\n",
		n, n, sequential, parallel, runtime.GOMAXPROCS(0))
}

func timed(f func()) time.Duration {
	start := time.Now()
	f()
	return time.Since(start).Round(10 * time.Microsecond)
}
