package main

import (
	"sync/atomic"
)

// A Peer is one way to run the workloads.  A nil field means that the peer does not offer it.
type Peer struct {
	Name  string
	Start func(workers int)                         // before everything
	Stop  func()                                    // after everything
	Enter func(measurements func())                 // runs the measuring loop inside the pool, if set
	Fib   func(n int) int                           // one join per call with n >= 2
	Fast  bool                                      // joins are cheap enough for fib(38)
	Tree  func(n *Node) int64                       // one join per node
	Queen func(all, cols, d1, d2, avail uint32) int // one join per placement
	Mul   func(c, a, b *float64Matrix, n int)       // adds a*b to c: quadrants down to leafSize

	Axpy    func(a float64, x, y []float64) // y += a*x
	AxpyMax int                             // the longest slice to try, 0 for no limit
	Sum     func(x []float64) float64       // adds up sumLeaf over pieces
	Scan    func(y, x []float64)            // y[i] = x[0] + … + x[i]
	Rows    func(n int, row func(i int))    // a loop of uneven rows
	Tasks   func(n int, task func(i int))   // n tasks of their own, at most one per worker at a time if the peer has a limit

	Ints       func(v []int64) // ascending
	Recs       func(v []Rec)   // by key
	RecsStable func(v []Rec)   // by key, equal keys in their order
	RecsByKey  func(v []Rec)   // the same, given a function that returns the key
	Strings    func(v []string)

	Inject func() // an empty job from outside: submit and wait
}

type Node struct {
	Val         int64
	Left, Right *Node
}

func buildTree(arena *[]Node, lo, hi int64) *Node {
	if lo >= hi {
		return nil
	}
	mid := lo + (hi-lo)/2
	*arena = append(*arena, Node{Val: mid})
	n := &(*arena)[len(*arena)-1]
	n.Left = buildTree(arena, lo, mid)
	n.Right = buildTree(arena, mid+1, hi)
	return n
}

// ---- matrices -----------------------------------------------------------------

const (
	matSize  = 1024
	leafSize = 64
)

// float64Matrix is a square view into a matSize x matSize array.
type float64Matrix struct{ at []float64 }

func (m *float64Matrix) quad(i, j, h int) *float64Matrix {
	return &float64Matrix{m.at[i*h*matSize+j*h:]}
}

func leafMul(c, a, b *float64Matrix) {
	for i := range leafSize {
		cr, ar := c.at[i*matSize:][:leafSize], a.at[i*matSize:][:leafSize]
		for k, x := range ar {
			br := b.at[k*matSize:][:leafSize]
			for j := range cr {
				cr[j] += x * br[j]
			}
		}
	}
}

// mulWith is the recursive multiplication over any join.
func mulWith(join func(a, b func())) func(c, a, b *float64Matrix, n int) {
	var mul func(c, a, b *float64Matrix, n int)
	mul = func(c, a, b *float64Matrix, n int) {
		if n == leafSize {
			leafMul(c, a, b)
			return
		}
		h := n / 2
		for k := range 2 {
			part := func(i, j int) { mul(c.quad(i, j, h), a.quad(i, k, h), b.quad(k, j, h), h) }
			join(
				func() { join(func() { part(0, 0) }, func() { part(0, 1) }) },
				func() { join(func() { part(1, 0) }, func() { part(1, 1) }) })
		}
	}
	return mul
}

// ---- loop bodies ----------------------------------------------------------------

func axpyLeaf(a float64, x, y []float64) {
	x = x[:len(y)]
	for i := range y {
		y[i] += a * x[i]
	}
}

func sumLeaf(x []float64) float64 {
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

func scanLeaf(y, x []float64, sum float64) {
	y = y[:len(x)]
	for i, v := range x {
		sum += v
		y[i] = sum
	}
}

const side = 2000

func mandelRow(row int, out []uint16) {
	ci := -0.25 + 1.5*float64(row)/side
	for col := range out {
		cr := -2.0 + 2.5*float64(col)/side
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

const (
	skewN = 100000 // iterations; one in 1000 costs 1000 times the others
	skewC = 10     // steps of an ordinary iteration: about 15 ns
)

// skewRandom tells the dear iterations: one at a random place in every thousand.
func skewRandom(n int) []bool {
	rng := splitmix(42)
	dear := make([]bool, n)
	for i := 0; i < n; i += 1000 {
		dear[i+int(rng.next()%1000)] = true
	}
	return dear
}

// skewFront has all of them in the first tenth.
func skewFront(n int) []bool {
	dear := make([]bool, n)
	for i := 0; i < n/10; i += 100 {
		dear[i] = true
	}
	return dear
}

// skewBody does skewC steps of xorshift, each waiting for the one before, or 1000 times as many.
func skewBody(i int, dear bool) uint64 {
	steps := skewC
	if dear {
		steps *= 1000
	}
	x := uint64(i) + 1
	for range steps {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
	}
	return x
}

// counters take the tasks of groups_1e5, which do no more than one atomic add each.
var counters [64]struct {
	n atomic.Int64
	_ [56]byte
}

func countTask(i int) { counters[i%len(counters)].n.Add(1) }

func countTotal() (total int64) {
	for i := range counters {
		total += counters[i].n.Swap(0)
	}
	return total
}

// ---- data to sort ---------------------------------------------------------------

type Rec struct {
	Key, Seq int64
	Pad      [6]int64
}

func byKey(a, b Rec) int {
	switch {
	case a.Key < b.Key:
		return -1
	case a.Key > b.Key:
		return 1
	}
	return 0
}

type splitmix uint64

func (s *splitmix) next() uint64 {
	*s += 0x9e3779b97f4a7c15
	z := uint64(*s)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

func makeInts(pattern string, n int) []int64 {
	rng := splitmix(42)
	v := make([]int64, n)
	for i := range v {
		switch pattern {
		case "random":
			v[i] = int64(rng.next())
		case "sorted":
			v[i] = int64(i)
		case "reversed":
			v[i] = int64(n - i)
		case "fewuniq":
			v[i] = int64(rng.next() % 100)
		}
	}
	return v
}

func makeRecs(keys uint64) []Rec {
	rng := splitmix(42)
	v := make([]Rec, 1000000)
	for i := range v {
		v[i].Key, v[i].Seq = int64(rng.next()%keys), int64(i)
	}
	return v
}

func makeStrings() []string {
	rng := splitmix(42)
	letters := make([]byte, 16*1000000)
	for i := range letters {
		letters[i] = 'a' + byte(rng.next()%26)
	}
	all := string(letters)
	v := make([]string, 1000000)
	for i := range v {
		v[i] = all[16*i:][:16]
	}
	return v
}
