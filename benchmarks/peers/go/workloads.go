package main

import (
	"fmt"
	"slices"
	"sync/atomic"
	"time"
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

// ---- running a peer ----------------------------------------------------------------

func check(ok bool, what string) {
	if !ok {
		panic("wrong result: " + what)
	}
}

type size struct {
	name string
	n    int
}

var sizes = []size{{"1e3", 1e3}, {"1e4", 1e4}, {"1e5", 1e5}, {"1e6", 1e6}, {"1e7", 1e7}}

func run(p *Peer) {
	if !peerFilter.MatchString(p.Name) {
		return
	}
	if p.Start != nil {
		p.Start(workers)
	}
	if p.Stop != nil {
		defer p.Stop()
	}
	enter := p.Enter
	if enter == nil {
		enter = func(f func()) { f() }
	}
	enter(func() {
		runJoins(p)
		runLoops(p)
		runSorts(p)
	})
	if p.Inject != nil {
		quick("inject", p.Name, p.Inject)
		cold("injectcold", p.Name, p.Inject)
	}
	if p.Axpy != nil && wants("idle_5s", p.Name) {
		x, y := make([]float64, 1e5), make([]float64, 1e5)
		for range 100 {
			p.Axpy(1, x, y)
		}
		c := cpuMillis()
		time.Sleep(5 * time.Second)
		report("idle_5s", p.Name, "cpu", cpuMillis()-c, "ms")
	}
}

func runJoins(p *Peer) {
	if p.Fib != nil {
		slow("fib30", p.Name, nil, func() { check(p.Fib(30) == 832040, "fib") })
		if p.Fast {
			slow("fib38", p.Name, nil, func() { check(p.Fib(38) == 39088169, "fib") })
		}
	}
	if p.Tree != nil {
		for _, s := range []size{{"1e3", 1e3}, {"1e5", 1e5}, {"1e7", 1e7}} {
			wl := "tree_" + s.name
			if !wants(wl, p.Name) {
				continue
			}
			arena := make([]Node, 0, s.n)
			root := buildTree(&arena, 0, int64(s.n))
			op := func() { check(p.Tree(root) == int64(s.n)*int64(s.n-1)/2, "tree") }
			if s.n > 1e5 {
				slow(wl, p.Name, nil, op)
			} else {
				quick(wl, p.Name, op)
			}
		}
		arena := make([]Node, 0, 1000)
		root := buildTree(&arena, 0, 1000)
		cold("treecold_1e3", p.Name, func() { check(p.Tree(root) == 499500, "tree") })
	}
	if p.Queen != nil {
		slow("queens12", p.Name, nil, func() { check(p.Queen(1<<12-1, 0, 0, 0, 1<<12-1) == 14200, "queens") })
	}
	if p.Mul != nil && wants("matmul1024", p.Name) {
		a, b, c := make([]float64, matSize*matSize), make([]float64, matSize*matSize), make([]float64, matSize*matSize)
		for i := range a {
			a[i], b[i] = float64(i%7), float64(i%5)
		}
		slow("matmul1024", p.Name, func() { clear(c) }, func() {
			p.Mul(&float64Matrix{c}, &float64Matrix{a}, &float64Matrix{b}, matSize)
		})
	}
}

func runLoops(p *Peer) {
	if p.Axpy != nil {
		for _, s := range sizes {
			if p.AxpyMax > 0 && s.n > p.AxpyMax {
				break
			}
			x, y := make([]float64, s.n), make([]float64, s.n)
			for i := range x {
				x[i] = 1
			}
			op := func() { p.Axpy(1e-9, x, y) }
			quick("axpy_"+s.name, p.Name, op)
			cold("axpycold_"+s.name, p.Name, op)
		}
	}
	if p.Sum != nil {
		for _, s := range []size{{"1e4", 1e4}, {"1e6", 1e6}, {"1e8", 1e8}} {
			wl := "sum_" + s.name
			if !wants(wl, p.Name) {
				continue
			}
			x := make([]float64, s.n)
			for i := range x {
				x[i] = 1
			}
			op := func() { check(p.Sum(x) == float64(s.n), "sum") }
			if s.n > 1e6 {
				slow(wl, p.Name, nil, op)
			} else {
				quick(wl, p.Name, op)
			}
		}
	}
	if p.Scan != nil {
		for _, s := range []size{{"1e6", 1e6}, {"1e8", 1e8}} {
			wl := "scan_" + s.name
			if !wants(wl, p.Name) {
				continue
			}
			x, y := make([]float64, s.n), make([]float64, s.n)
			for i := range x {
				x[i] = 1
			}
			op := func() { p.Scan(y, x); check(y[s.n-1] == float64(s.n), "scan") }
			if s.n > 1e6 {
				slow(wl, p.Name, nil, op)
			} else {
				quick(wl, p.Name, op)
			}
		}
	}
	if p.Rows != nil {
		pix := make([]uint16, side*side)
		slow("mandel", p.Name, nil, func() {
			p.Rows(side, func(i int) { mandelRow(i, pix[i*side:][:side]) })
		})
		out := make([]uint64, skewN)
		for _, s := range []struct {
			wl   string
			dear []bool
		}{{"skew", skewRandom(skewN)}, {"skewfront", skewFront(skewN)}} {
			slow(s.wl, p.Name, nil, func() {
				p.Rows(skewN, func(i int) { out[i] = skewBody(i, s.dear[i]) })
			})
		}
	}
	if p.Tasks != nil {
		slow("groups_1e5", p.Name, nil, func() {
			p.Tasks(1e5, countTask)
			check(countTotal() == 1e5, "groups")
		})
	}
}

func runSorts(p *Peer) {
	if p.Ints != nil {
		for _, pattern := range []string{"random", "sorted", "reversed", "fewuniq"} {
			for _, s := range sizes[2:] {
				wl := fmt.Sprintf("sort_%s_%s", pattern, s.name)
				if wants(wl, p.Name) {
					sortOne(wl, p.Name, makeInts(pattern, s.n), p.Ints)
				}
			}
		}
	}
	if p.Recs != nil && wants("sortrec_1e6", p.Name) {
		sortOne("sortrec_1e6", p.Name, makeRecs(1<<62), p.Recs)
	}
	if p.RecsStable != nil && wants("sortrecstable_1e6", p.Name) {
		sortOne("sortrecstable_1e6", p.Name, makeRecs(1000), p.RecsStable)
	}
	if p.RecsByKey != nil && wants("sortbykey_1e6", p.Name) {
		sortOne("sortbykey_1e6", p.Name, makeRecs(1000), p.RecsByKey)
	}
	if p.Strings != nil && wants("sortstr_1e6", p.Name) {
		sortOne("sortstr_1e6", p.Name, makeStrings(), p.Strings)
	}
}

func sortOne[T any](wl, peer string, data []T, sort func([]T)) {
	work := slices.Clone(data)
	slow(wl, peer, func() { copy(work, data) }, func() { sort(work) })
	switch v := any(work).(type) {
	case []int64:
		check(slices.IsSorted(v), wl)
	case []string:
		check(slices.IsSorted(v), wl)
	case []Rec:
		check(slices.IsSortedFunc(v, byKey), wl)
	}
}
