package main

import (
	"cmp"
	"slices"
	"sync"
)

// goroutine is the plain idiom: `go` one half, run the other, wait.
var goroutine = (&Peer{
	Name:  "goroutine",
	Fib:   fibGo,
	Tree:  treeGo,
	Queen: queenGo,
	Mul:   mulWith(joinGo),
	Ints: func(v []int64) {
		quicksortGo(v, cmp.Compare[int64], slices.Sort[[]int64])
	},
	Strings: func(v []string) { quicksortGo(v, cmp.Compare[string], slices.Sort[[]string]) },
	Recs: func(v []Rec) {
		quicksortGo(v, byKey, func(v []Rec) { slices.SortFunc(v, byKey) })
	},
	RecsStable: func(v []Rec) {
		mergesortGo(v, make([]Rec, len(v)), byKey)
	},
}).FromSpawn(spawnGo)

func init() { // an empty job for spawnGo would run on the caller
	goroutine.Inject = func() {
		var wg sync.WaitGroup
		wg.Add(1)
		go wg.Done()
		wg.Wait()
	}
}

// goroutineDynamic takes rows from a shared counter.
var goroutineDynamic = &Peer{Name: "goroutine-dynamic", Rows: dynamicRows}

// goroutinePerRow starts one goroutine per row or task.
var goroutinePerRow = &Peer{Name: "goroutine-each", Rows: spawnGo, Tasks: spawnGo}

func joinGo(a, b func()) {
	var wg sync.WaitGroup
	wg.Add(1)
	go func() { b(); wg.Done() }()
	a()
	wg.Wait()
}

func fibGo(n int) int {
	if n < 2 {
		return n
	}
	var wg sync.WaitGroup
	var y int
	wg.Add(1)
	go func() { y = fibGo(n - 2); wg.Done() }()
	x := fibGo(n - 1)
	wg.Wait()
	return x + y
}

func treeGo(n *Node) int64 {
	if n == nil {
		return 0
	}
	var wg sync.WaitGroup
	var r int64
	wg.Add(1)
	go func() { r = treeGo(n.Right); wg.Done() }()
	l := treeGo(n.Left)
	wg.Wait()
	return n.Val + l + r
}

func queenGo(all, cols, d1, d2, avail uint32) int {
	if cols == all {
		return 1
	}
	if avail == 0 {
		return 0
	}
	bit := avail & -avail
	var wg sync.WaitGroup
	var y int
	wg.Add(1)
	go func() { y = queenGo(all, cols, d1, d2, avail^bit); wg.Done() }()
	c, l, r := cols|bit, (d1|bit)<<1, (d2|bit)>>1
	x := queenGo(all, c, l, r, all&^(c|l|r))
	wg.Wait()
	return x + y
}

const sortGrain = 4096

// quicksortGo partitions in three around a median of nine samples, then sorts both sides at once.
func quicksortGo[T any](v []T, compare func(a, b T) int, leaf func([]T)) {
	if len(v) <= sortGrain {
		leaf(v)
		return
	}
	var s [9]T
	for i := range s {
		s[i] = v[(len(v)-1)*i/8]
	}
	slices.SortFunc(s[:], compare)
	pivot := s[4]
	lt, i, gt := 0, 0, len(v)
	for i < gt {
		switch c := compare(v[i], pivot); {
		case c < 0:
			v[lt], v[i] = v[i], v[lt]
			lt++
			i++
		case c > 0:
			gt--
			v[i], v[gt] = v[gt], v[i]
		default:
			i++
		}
	}
	if lt < len(v)/64 && len(v)-gt > len(v)/64*62 || len(v)-gt < len(v)/64 && lt > len(v)/64*62 {
		leaf(v) // a bad pivot: leave it to the standard library
		return
	}
	joinGo(func() { quicksortGo(v[:lt], compare, leaf) }, func() { quicksortGo(v[gt:], compare, leaf) })
}

// mergesortGo is stable: halves sorted at once, then merged through tmp.
func mergesortGo[T any](v, tmp []T, compare func(a, b T) int) {
	if len(v) <= sortGrain {
		slices.SortStableFunc(v, compare)
		return
	}
	h := len(v) / 2
	joinGo(func() { mergesortGo(v[:h], tmp[:h], compare) }, func() { mergesortGo(v[h:], tmp[h:], compare) })
	copy(tmp[:h], v[:h])
	i, j, k := 0, h, 0
	for i < h && j < len(v) {
		if compare(v[j], tmp[i]) < 0 {
			v[k] = v[j]
			j++
		} else {
			v[k] = tmp[i]
			i++
		}
		k++
	}
	copy(v[k:], tmp[i:h])
}
