package forkjoin_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/forkjoin-go/forkjoin"
)

// An item is sorted by key; seq tells equal ones apart, and ref is a pointer that a
// lost or doubled element would show in.
type item struct {
	key, seq int
	ref      *int
}

func byItemKey(a, b item) int { return a.key - b.key }

func items(keys []int) []item {
	v := make([]item, len(keys))
	for i, k := range keys {
		v[i] = item{k, i, new(int)}
		*v[i].ref = i
	}
	return v
}

// checkItems fails unless v has the elements of items(keys) once each.
func checkItems(t *testing.T, v []item, keys []int) {
	t.Helper()
	if len(v) != len(keys) {
		t.Fatalf("%d elements, want %d", len(v), len(keys))
	}
	seen := make([]bool, len(keys))
	for i, x := range v {
		if x.ref == nil || *x.ref != x.seq || seen[x.seq] || x.key != keys[x.seq] {
			t.Fatalf("element %d of %d is %+v: not an element of the input, or twice", i, len(v), x)
		}
		seen[x.seq] = true
	}
}

// itemSorts are the sorts with a comparator.
var itemSorts = []struct {
	name   string
	stable bool
	sort   func(v []item, cmp func(a, b item) int)
}{
	{"SortFunc", false, forkjoin.SortFunc[[]item, item]},
	{"SortInPlaceFunc", false, forkjoin.SortInPlaceFunc[[]item, item]},
	{"SortStableFunc", true, forkjoin.SortStableFunc[[]item, item]},
}

// forItemSorts runs test for every sort on 1, 2 and 8 workers.
func forItemSorts(t *testing.T, test func(t *testing.T, stable bool, sort func(v []item, cmp func(a, b item) int))) {
	for _, s := range itemSorts {
		for _, procs := range []int{1, 2, 8} {
			t.Run(fmt.Sprintf("%s/%d", s.name, procs), func(t *testing.T) {
				defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
				test(t, s.stable, s.sort)
			})
		}
	}
}

func checkSortItems(t *testing.T, keys []int, stable bool, sort func(v []item, cmp func(a, b item) int)) {
	t.Helper()
	v := items(keys)
	sort(v, byItemKey)
	checkItems(t, v, keys)
	for i := 1; i < len(v); i++ {
		a, b := v[i-1], v[i]
		if a.key > b.key || stable && a.key == b.key && a.seq > b.seq {
			t.Fatalf("elements %d and %d of %d are {%d %d} and {%d %d}", i-1, i, len(v), a.key, a.seq, b.key, b.seq)
		}
	}
}

// TestSortFuncFewKeys sorts every slice of up to 7 elements with keys 0, 1 and 2,
// and random ones of all lengths up to 300.
func TestSortFuncFewKeys(t *testing.T) {
	forItemSorts(t, func(t *testing.T, stable bool, sort func(v []item, cmp func(a, b item) int)) {
		for n := range 8 {
			keys := make([]int, n)
			for more := true; more; {
				checkSortItems(t, keys, stable, sort)
				more = false
				for i := range keys {
					if keys[i]++; keys[i] < 3 {
						more = true
						break
					}
					keys[i] = 0
				}
			}
		}
		rng := rand.New(rand.NewPCG(1, 2))
		for n := range 301 {
			for distinct := 1; distinct <= 3; distinct++ {
				for range 3 {
					keys := make([]int, n)
					for i := range keys {
						keys[i] = rng.IntN(distinct)
					}
					checkSortItems(t, keys, stable, sort)
				}
			}
		}
	})
}

// orderPatterns are inputs with an order of their own.
var orderPatterns = []struct {
	name string
	key  func(i, n int) int
}{
	{"random", func(i, n int) int { return int(uint32(i) * 0x9E3779B1 >> 3) }},
	{"sorted", func(i, n int) int { return i }},
	{"reversed", func(i, n int) int { return n - i }},
	{"equal", func(i, n int) int { return 7 }},
	{"organ pipe", func(i, n int) int { return min(i, n-i) }},
	{"valley", func(i, n int) int { return max(i, n-i) }},
	{"runs of 1000", func(i, n int) int { return i % 1000 }},
	{"falling runs of 777", func(i, n int) int { return -(i % 777) }},
	{"runs of 3", func(i, n int) int { return i%3*n - i }},
	{"two values", func(i, n int) int { return i * 7 / 3 & 1 }},
	{"ten values", func(i, n int) int { return int(uint32(i)*0x9E3779B1>>3) % 10 }},
	{"mostly equal", func(i, n int) int { return i % 100 / 99 * i }},
	{"sorted but for the last", func(i, n int) int {
		if i == n-1 {
			return n / 2
		}
		return i
	}},
	{"sorted but for some", func(i, n int) int {
		if i%500 == 3 {
			return n - i
		}
		return i
	}},
	{"steps down", func(i, n int) int { return -(i / 4) }},
	{"steps up", func(i, n int) int { return i / 4 }},
	{"rotated", func(i, n int) int { return (i + n/3) % n }},
	{"interleaved", func(i, n int) int { return i%2*n + i }},
	{"killer of medians of three", func(i, n int) int {
		half := n / 2
		switch {
		case i >= half:
			return (i - half + 1) * 2
		case i%2 == 0:
			return i + 1
		}
		return half + i + half%2
	}},
}

func orderKeys(n int, key func(i, n int) int) []int {
	keys := make([]int, n)
	for i := range keys {
		keys[i] = key(i, n)
	}
	return keys
}

func TestSortFuncPatterns(t *testing.T) {
	forItemSorts(t, func(t *testing.T, stable bool, sort func(v []item, cmp func(a, b item) int)) {
		run := oneOf(t, 11)
		for _, p := range orderPatterns {
			for _, n := range []int{0, 1, 2, 16, 17, 128, 129, 130, 512, 513, 1024, 1025, 2049, 4097, 8192, 8193, 20000, scale(100003)} {
				if !run() {
					continue
				}
				t.Run(fmt.Sprint(p.name, " ", n), func(t *testing.T) { checkSortItems(t, orderKeys(n, p.key), stable, sort) })
			}
		}
	})
}

// TestSortFuncComparisons bounds the comparisons: near-linear where the input has
// an order or a field decides, n·log₂(n) and a fraction else.
func TestSortFuncComparisons(t *testing.T) {
	const n = 50000                  // log₂ is 15.6
	bounds := map[string][2]float64{ // for each element, SortFunc and SortStableFunc
		"sorted": {1.1, 1.1}, "reversed": {1.1, 1.1}, "equal": {1.1, 1.1},
		"organ pipe": {2.2, 2.2}, "valley": {2.2, 2.2}, "rotated": {2.2, 2.2},
		"runs of 1000": {8, 8}, "falling runs of 777": {9, 9},
		"steps up": {1.1, 1.1}, "two values": {5, 17}, "ten values": {10, 17},
		"sorted but for the last": {2.2, 2.2}, "sorted but for some": {10, 10}, "mostly equal": {8, 8},
	}
	run := oneOf(t, 7)
	for _, p := range orderPatterns {
		keys := orderKeys(n, p.key)
		bound, listed := bounds[p.name]
		if !listed {
			bound = [2]float64{20, 17}
		}
		for _, procs := range []int{1, 2, 8} {
			before := runtime.GOMAXPROCS(procs)
			for _, s := range itemSorts {
				if !run() {
					continue
				}
				most := bound[0]
				switch {
				case s.stable:
					most = bound[1]
				case s.name == "SortInPlaceFunc":
					most = 20
				}
				each := func(in []item, by func(a, b item) int) float64 {
					var calls atomic.Int64
					s.sort(in, func(a, b item) int { calls.Add(1); return by(a, b) })
					return float64(calls.Load()) / n
				}
				// The keys are not in the elements.
				if each := each(items(make([]int, n)), func(a, b item) int { return keys[a.seq] - keys[b.seq] }); each > most {
					t.Errorf("%s: %s: %.2f comparisons an element, want <= %v", s.name, p.name, each, most)
				}
				if s.name != "SortInPlaceFunc" && (!listed || most > 10) {
					most = 1.2
				}
				if each := each(items(keys), byItemKey); each > most {
					t.Errorf("%s: %s by a field: %.2f comparisons an element, want <= %v", s.name, p.name, each, most)
				}
			}
			runtime.GOMAXPROCS(before)
		}
	}
}

// TestSortFuncAdversary has the comparator decide what the order is while it is
// asked, so as to make pivots bad (McIlroy, A Killer Adversary for Quicksort, 1999).
func TestSortFuncAdversary(t *testing.T) {
	const n = 20000
	for _, s := range itemSorts {
		t.Run(s.name, func(t *testing.T) {
			alone, err := forkjoin.New(forkjoin.Config{Workers: 1})
			if err != nil {
				t.Fatal(err)
			}
			defer alone.Close()
			const gas = n
			value := make([]int, n)
			for i := range value {
				value[i] = gas
			}
			solid, candidate, calls := 0, 0, 0
			freeze := func(i int) { value[i] = solid; solid++ }
			v := items(make([]int, n))
			by := func(a, b item) int {
				calls++
				if value[a.seq] == gas && value[b.seq] == gas {
					if a.seq == candidate {
						freeze(a.seq)
					} else {
						freeze(b.seq)
					}
				}
				if value[a.seq] == gas {
					candidate = a.seq
				} else if value[b.seq] == gas {
					candidate = b.seq
				}
				return value[a.seq] - value[b.seq]
			}
			alone.Run(func() { s.sort(v, by) })
			checkItems(t, v, make([]int, n))
			if !slices.IsSortedFunc(v, func(a, b item) int { return value[a.seq] - value[b.seq] }) {
				t.Error("not sorted")
			}
			if most := 60 * n; calls > most { // n·log₂(n) is 14.3·n
				t.Errorf("%d comparisons, want <= %d", calls, most)
			}
		})
	}
}

// TestSortFuncRepeats sorts equal elements and checks that where they end up does
// not depend on the number of workers.
func TestSortFuncRepeats(t *testing.T) {
	for _, p := range orderPatterns {
		keys := orderKeys(scale(30000), p.key)
		for i := range keys {
			keys[i] /= 16
		}
		var want []item
		for _, procs := range []int{1, 2, 3, 8} {
			before := runtime.GOMAXPROCS(procs)
			for range 3 {
				v := items(keys)
				forkjoin.SortFunc(v, byItemKey)
				if want == nil {
					want = v
				}
				for i := range v {
					if v[i].seq != want[i].seq {
						t.Fatalf("%s, %d workers: element %d is number %d, was number %d", p.name, procs, i, v[i].seq, want[i].seq)
					}
				}
			}
			runtime.GOMAXPROCS(before)
		}
	}
}

// TestSortFuncElements sorts elements of unusual sizes.
func TestSortFuncElements(t *testing.T) {
	n := 20000
	t.Run("huge", func(t *testing.T) {
		type huge [40]int
		v := make([]huge, n)
		for i := range v {
			v[i][39] = i * 7919 % n
		}
		want := slices.Clone(v)
		by := func(a, b huge) int { return a[39] - b[39] }
		slices.SortFunc(want, by)
		w := slices.Clone(v)
		forkjoin.SortFunc(v, by)
		forkjoin.SortStableFunc(w, by)
		if !slices.Equal(v, want) || !slices.Equal(w, want) {
			t.Error("not sorted")
		}
	})
	t.Run("none", func(t *testing.T) {
		v := make([]struct{}, n)
		for _, by := range []func(a, b struct{}) int{
			func(a, b struct{}) int { return 0 },
			func(a, b struct{}) int { return -1 },
		} {
			forkjoin.SortFunc(v, by)
			forkjoin.SortStableFunc(v, by)
		}
	})
	t.Run("strings", func(t *testing.T) {
		v := make([]string, n)
		for i := range v {
			v[i] = fmt.Sprint(i * 7919 % n)
		}
		want := slices.Sorted(slices.Values(v))
		w := slices.Clone(v)
		forkjoin.SortFunc(v, cmp.Compare[string])
		forkjoin.SortStableFunc(w, cmp.Compare[string])
		if !slices.Equal(v, want) || !slices.Equal(w, want) {
			t.Error("not sorted")
		}
	})
}

func FuzzSortFunc(f *testing.F) {
	f.Add([]byte("the quick brown fox jumps over the lazy dog"), uint16(700))
	f.Add([]byte{0, 1, 2, 3, 4, 3, 2, 1}, uint16(1))
	f.Fuzz(func(t *testing.T, keys []byte, repeat uint16) {
		var all []int
		for i := 0; len(all) < min(len(keys)*int(repeat), 20000); i++ {
			for _, k := range keys {
				all = append(all, int(k)^i&3)
			}
		}
		for _, s := range itemSorts {
			checkSortItems(t, all, s.stable, s.sort)
		}
	})
}
