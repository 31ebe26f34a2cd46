package main

import (
	"fmt"
	"slices"
	"time"
)

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
