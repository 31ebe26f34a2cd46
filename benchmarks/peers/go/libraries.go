package main

import (
	"slices"
	"sync"

	"github.com/alitto/pond/v2"
	"github.com/exascience/pargo/parallel"
	psort "github.com/exascience/pargo/sort"
	"github.com/jfcg/sorty/v2"
	"github.com/panjf2000/ants/v2"
	lop "github.com/samber/lo/parallel"
	"github.com/sourcegraph/conc"
	"github.com/sourcegraph/conc/iter"
	"github.com/sourcegraph/conc/pool"
	"github.com/twotwotwo/sorts/sortutil"
	"golang.org/x/sync/errgroup"
)

var errgroupPeer = (&Peer{Name: "errgroup"}).
	FromJoin(func(a, b func()) {
		var g errgroup.Group
		g.Go(func() error { b(); return nil })
		a()
		g.Wait()
	}).
	FromSpawn(func(n int, job func(i int)) {
		var g errgroup.Group
		for i := range n {
			g.Go(func() error { job(i); return nil })
		}
		g.Wait()
	})

var errgroupEach = &Peer{Name: "errgroup-each", Rows: errgroupSpawn, Tasks: errgroupSpawn}

func errgroupSpawn(n int, task func(i int)) {
	var g errgroup.Group
	g.SetLimit(workers)
	for i := range n {
		g.Go(func() error { task(i); return nil })
	}
	g.Wait()
}

var concPeer = (&Peer{Name: "conc"}).
	FromJoin(func(a, b func()) {
		var wg conc.WaitGroup
		wg.Go(b)
		a()
		wg.Wait()
	}).
	FromSpawn(func(n int, job func(i int)) {
		var wg conc.WaitGroup
		for i := range n {
			wg.Go(func() { job(i) })
		}
		wg.Wait()
	})

var concPool = &Peer{Name: "conc-pool", Rows: concSpawn, Tasks: concSpawn}

func concSpawn(n int, task func(i int)) {
	p := pool.New().WithMaxGoroutines(workers)
	for i := range n {
		p.Go(func() { task(i) })
	}
	p.Wait()
}

var concIter = &Peer{
	Name: "conc-iter",
	Axpy: func(a float64, x, y []float64) {
		iter.ForEachIdx(y, func(i int, v *float64) { *v += a * x[i] })
	},
	Rows: func(n int, row func(i int)) {
		iter.ForEachIdx(make([]struct{}, n), func(i int, _ *struct{}) { row(i) })
	},
}

var pargoPeer = (&Peer{
	Name: "pargo",
	Axpy: func(a float64, x, y []float64) {
		parallel.Range(0, len(x), 0, func(lo, hi int) { axpyLeaf(a, x[lo:hi], y[lo:hi]) })
	},
	Sum: func(x []float64) float64 {
		return parallel.RangeReduceFloat64Sum(0, len(x), 0, func(lo, hi int) float64 { return sumLeaf(x[lo:hi]) })
	},
	Rows: func(n int, row func(i int)) {
		parallel.Range(0, n, 0, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				row(i)
			}
		})
	},
	Ints:       func(v []int64) { psort.Sort(pargoInts(v)) },
	Strings:    func(v []string) { psort.Sort(psort.StringSlice(v)) },
	Recs:       func(v []Rec) { psort.Sort(pargoRecs(v)) },
	RecsStable: func(v []Rec) { psort.StableSort(pargoRecs(v)) },
	Inject:     func() { parallel.Do(func() {}, func() {}) }, // one thunk would run on the caller
}).FromJoin(func(a, b func()) { parallel.Do(a, b) })

type pargoInts []int64

func (v pargoInts) Len() int                  { return len(v) }
func (v pargoInts) Less(i, j int) bool        { return v[i] < v[j] }
func (v pargoInts) Swap(i, j int)             { v[i], v[j] = v[j], v[i] }
func (v pargoInts) SequentialSort(lo, hi int) { slices.Sort(v[lo:hi]) }

type pargoRecs []Rec

func (v pargoRecs) Len() int                    { return len(v) }
func (v pargoRecs) Less(i, j int) bool          { return v[i].Key < v[j].Key }
func (v pargoRecs) Swap(i, j int)               { v[i], v[j] = v[j], v[i] }
func (v pargoRecs) SequentialSort(lo, hi int)   { slices.SortStableFunc(v[lo:hi], byKey) }
func (v pargoRecs) NewTemp() psort.StableSorter { return make(pargoRecs, len(v)) }
func (v pargoRecs) Assign(source psort.StableSorter) func(i, j, n int) {
	from := source.(pargoRecs)
	return func(i, j, n int) { copy(v[i:i+n], from[j:j+n]) }
}

// ants and pond pools have no limit here: with one, a nested join would wait for ever.
var antsPool *ants.Pool

func antsSpawn(n int, job func(i int)) {
	var wg sync.WaitGroup
	wg.Add(n)
	for i := range n {
		antsPool.Submit(func() { job(i); wg.Done() })
	}
	wg.Wait()
}

var antsPeer = (&Peer{
	Name:  "ants",
	Start: func(int) { antsPool, _ = ants.NewPool(-1) },
	Stop:  func() { antsPool.Release() },
}).
	FromJoin(func(a, b func()) {
		var wg sync.WaitGroup
		wg.Add(1)
		antsPool.Submit(func() { b(); wg.Done() })
		a()
		wg.Wait()
	}).
	FromSpawn(antsSpawn)

var antsEach = &Peer{
	Name:  "ants-each",
	Start: func(w int) { antsPool, _ = ants.NewPool(w) },
	Stop:  func() { antsPool.Release() },
	Rows:  antsSpawn,
	Tasks: antsSpawn,
}

var pondPool pond.Pool

func pondSpawn(n int, job func(i int)) {
	g := pondPool.NewGroup()
	for i := range n {
		g.Submit(func() { job(i) })
	}
	g.Wait()
}

var pondPeer = (&Peer{
	Name:  "pond",
	Start: func(int) { pondPool = pond.NewPool(0) },
	Stop:  func() { pondPool.StopAndWait() },
}).
	FromJoin(func(a, b func()) {
		t := pondPool.Submit(b)
		a()
		t.Wait()
	}).
	FromSpawn(pondSpawn)

var pondEach = &Peer{
	Name:  "pond-each",
	Start: func(w int) { pondPool = pond.NewPool(w) },
	Stop:  func() { pondPool.StopAndWait() },
	Rows:  pondSpawn,
	Tasks: pondSpawn,
}

// lo starts one goroutine per element.
var loPeer = &Peer{
	Name:    "lo",
	AxpyMax: 1e5, // a million goroutines per call are of no interest
	Axpy: func(a float64, x, y []float64) {
		lop.ForEach(x, func(v float64, i int) { y[i] += a * v })
	},
	Rows: func(n int, row func(i int)) {
		lop.ForEach(make([]struct{}, n), func(_ struct{}, i int) { row(i) })
	},
}

var sortyPeer = &Peer{
	Name:    "sorty",
	Start:   func(w int) { sorty.MaxGor = uint64(w) },
	Ints:    func(v []int64) { sorty.SortSlice(v) },
	Strings: func(v []string) { sorty.SortSlice(v) },
	Recs: func(v []Rec) {
		sorty.Sort(len(v), func(i, k, r, s int) bool {
			if v[i].Key < v[k].Key {
				if r != s {
					v[r], v[s] = v[s], v[r]
				}
				return true
			}
			return false
		})
	},
}

// radix is a parallel radix sort for keys, not a comparison sort.
var radix = &Peer{
	Name:    "radix",
	Ints:    func(v []int64) { sortutil.Int64s(v) },
	Strings: func(v []string) { sortutil.Strings(v) },
}
