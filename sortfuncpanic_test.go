package forkjoin_test

import (
	"errors"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/forkjoin-go/forkjoin"
)

var errComparison = errors.New("a comparison failed")

// failAt returns a comparator that panics at the k-th call and any after it, and
// how often it was called.
func failAt(k int64) (by func(a, b item) int, calls *atomic.Int64) {
	calls = new(atomic.Int64)
	return func(a, b item) int {
		if calls.Add(1) >= k {
			panic(errComparison)
		}
		return byItemKey(a, b)
	}, calls
}

// checkPanic calls f, which must panic with errComparison in a PanicError.
func checkPanic(t *testing.T, f func()) {
	t.Helper()
	defer func() {
		t.Helper()
		err, ok := recover().(*forkjoin.PanicError)
		if !ok || !errors.Is(err, errComparison) || len(err.Stack) == 0 {
			t.Fatalf("panicked with %v, want a *PanicError with the comparison's", err)
		}
	}()
	f()
}

// rearrangers are all functions that rearrange items with a comparator.
var rearrangers = []struct {
	name string
	run  func(v []item, cmp func(a, b item) int)
}{
	{"SortFunc", forkjoin.SortFunc[[]item, item]},
	{"SortInPlaceFunc", forkjoin.SortInPlaceFunc[[]item, item]},
	{"SortStableFunc", forkjoin.SortStableFunc[[]item, item]},
	{"SelectFunc", func(v []item, cmp func(a, b item) int) { forkjoin.SelectFunc(v, len(v)/3, cmp) }},
	{"Partition", func(v []item, cmp func(a, b item) int) {
		pivot := v[len(v)/2]
		forkjoin.Partition(v, func(x item) bool { return cmp(x, pivot) < 0 })
	}},
}

// TestComparisonPanicsAtEach has each comparison of a short sort panic.
func TestComparisonPanicsAtEach(t *testing.T) {
	for _, r := range rearrangers {
		for _, p := range orderPatterns {
			for _, n := range []int{5, 40, 150} {
				keys := orderKeys(n, p.key)
				for k, failed := int64(1), true; failed; k++ {
					v := items(keys)
					by, calls := failAt(k)
					func() {
						defer func() { failed = recover() != nil }()
						r.run(v, by)
					}()
					checkItems(t, v, keys)
					if !failed && calls.Load() >= k {
						t.Fatalf("%s of %d, %s: returned although comparison %d panicked", r.name, n, p.name, k)
					}
				}
			}
		}
	}
}

// TestComparisonPanicsSomewhere has a random comparison of a long sort panic.
func TestComparisonPanicsSomewhere(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, procs := range []int{1, 2, 8} {
		before := runtime.GOMAXPROCS(procs)
		for _, r := range rearrangers {
			for _, p := range orderPatterns {
				keys := orderKeys(scale(24000), p.key)
				by, calls := failAt(1 << 62)
				r.run(items(keys), by)
				total := calls.Load()
				for range 6 {
					v := items(keys)
					by, _ := failAt(1 + rng.Int64N(total*9/10))
					checkPanic(t, func() { r.run(v, by) })
					checkItems(t, v, keys)
				}
			}
		}
		runtime.GOMAXPROCS(before)
	}
}

// TestShortSortPanics checks that the panic is the same where nothing is forked.
func TestShortSortPanics(t *testing.T) {
	for _, r := range rearrangers {
		for _, n := range []int{2, 3, 16, 17, 50, 128, 129} {
			v := items(orderKeys(n, orderPatterns[0].key))
			by, _ := failAt(1)
			checkPanic(t, func() { r.run(v, by) })
			checkItems(t, v, orderKeys(n, orderPatterns[0].key))
		}
	}
}

// TestSortWithoutOrder uses comparators that are no order.
func TestSortWithoutOrder(t *testing.T) {
	var mu sync.Mutex
	rng := rand.New(rand.NewPCG(5, 6))
	random := func(n int) int {
		mu.Lock()
		defer mu.Unlock()
		return rng.IntN(n)
	}
	orders := map[string]func(a, b item) int{
		"random":         func(a, b item) int { return random(3) - 1 },
		"random or less": func(a, b item) int { return random(50) - 49 },
		"random or more": func(a, b item) int { return 49 - random(50) },
		"less":           func(a, b item) int { return -1 },
		"greater":        func(a, b item) int { return 1 },
		"cyclic":         func(a, b item) int { return (a.seq-b.seq+4)%3 - 1 },
		"overflow":       func(a, b item) int { return int(int8(a.seq - b.seq)) },
		"mostly right": func(a, b item) int {
			if random(100) == 0 {
				return random(3) - 1
			}
			return byItemKey(a, b)
		},
	}
	for _, procs := range []int{1, 2, 8} {
		before := runtime.GOMAXPROCS(procs)
		for _, r := range rearrangers {
			for name, by := range orders {
				for _, n := range []int{1, 2, 5, 17, 100, 129, 200, 1000, 3000, scale(20000)} {
					keys := orderKeys(n, orderPatterns[0].key)
					v := items(keys)
					r.run(v, by)
					t.Log(r.name, name, n)
					checkItems(t, v, keys)
				}
			}
		}
		runtime.GOMAXPROCS(before)
	}
}

// TestNestedComparator has comparators use the library themselves.
func TestNestedComparator(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	for _, r := range rearrangers {
		keys := orderKeys(scale(4000), orderPatterns[0].key)
		v, want := items(keys), items(keys)
		r.run(want, byItemKey)
		r.run(v, func(a, b item) int {
			x, y := forkjoin.Join2(func() int { return a.key }, func() int { return b.key })
			return x - y
		})
		if !slices.Equal(keysOf(v), keysOf(want)) {
			t.Errorf("%s: a comparator that joins leads to another result", r.name)
		}
	}
	words := make([][]int, 300) // compared by their sorted letters
	for i := range words {
		words[i] = orderKeys(200, orderPatterns[0].key)
		words[i][0] = i * 7 % 300
	}
	sorted := func(w []int) []int {
		w = slices.Clone(w)
		forkjoin.SortFunc(w, func(a, b int) int { return a - b })
		return w
	}
	by := func(a, b []int) int { return slices.Compare(sorted(a), sorted(b)) }
	forkjoin.SortStableFunc(words, by)
	if !slices.IsSortedFunc(words, by) {
		t.Error("a comparator that sorts: not sorted")
	}
}

func keysOf(v []item) []int {
	keys := make([]int, len(v))
	for i := range v {
		keys[i] = v[i].key
	}
	return keys
}

// TestComparatorExits has a comparator end its goroutine.
func TestComparatorExits(t *testing.T) {
	for _, r := range rearrangers {
		for _, n := range []int{2, 100, 5000, 20000} {
			keys := orderKeys(n, orderPatterns[0].key)
			v := items(keys)
			returned, done := false, make(chan bool)
			go func() {
				defer close(done)
				var calls atomic.Int64
				r.run(v, func(a, b item) int {
					if calls.Add(1) >= int64(n/2) {
						runtime.Goexit()
					}
					return byItemKey(a, b)
				})
				returned = true
			}()
			<-done
			if returned {
				t.Errorf("%s of %d: a comparator that calls Goexit does not end the caller", r.name, n)
			}
			checkItems(t, v, keys)
		}
	}
}

// TestSortMisuse checks what bad arguments are answered with.
func TestSortMisuse(t *testing.T) {
	v := make([]int, 3)
	by := func(a, b int) int { return a - b }
	for want, f := range map[string]func(){
		"forkjoin: SortFunc: cmp is nil":                                        func() { forkjoin.SortFunc(v, nil) },
		"forkjoin: SortStableFunc: cmp is nil":                                  func() { forkjoin.SortStableFunc(v, nil) },
		"forkjoin: SortInPlaceFunc: cmp is nil":                                 func() { forkjoin.SortInPlaceFunc(v, nil) },
		"forkjoin: IsSortedFunc: cmp is nil":                                    func() { forkjoin.IsSortedFunc(v, nil) },
		"forkjoin: MinMaxFunc: cmp is nil":                                      func() { forkjoin.MinMaxFunc(v, nil) },
		"forkjoin: MinMaxFunc: len(s) is 0, want > 0":                           func() { forkjoin.MinMaxFunc(v[:0], by) },
		"forkjoin: MergeFunc: cmp is nil":                                       func() { forkjoin.MergeFunc(v, v[:0], v[:0], nil) },
		"forkjoin: MergeFunc: len(dst) is 1, want >= len(a)+len(b), which is 3": func() { forkjoin.MergeFunc(v[:1], v[:2], v[:1], by) },
		"forkjoin: Merge: len(dst) is 0, want >= len(a)+len(b), which is 1":     func() { forkjoin.Merge(v[:0], v[:1], v[:0]) },
		"forkjoin: Select: k is 3, want >= 0 and < len(s), which is 3":          func() { forkjoin.Select(v, 3) },
		"forkjoin: SelectFunc: k is -1, want >= 0 and < len(s), which is 3":     func() { forkjoin.SelectFunc(v, -1, by) },
		"forkjoin: SelectFunc: cmp is nil":                                      func() { forkjoin.SelectFunc(v, 0, nil) },
		"forkjoin: Partition: first is nil":                                     func() { forkjoin.Partition(v, nil) },
		"forkjoin: CompactFunc: eq is nil":                                      func() { forkjoin.CompactFunc(v, nil) },
	} {
		func() {
			defer func() {
				if got := recover(); got != want {
					t.Errorf("panicked with %v, want %q", got, want)
				}
			}()
			f()
		}()
	}
}
