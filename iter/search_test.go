package iter_test

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"github.com/forkjoin-go/forkjoin/iter"
)

// TestSearchesInAHugeRange would take years if searches looked at everything.
func TestSearchesInAHugeRange(t *testing.T) {
	if math.MaxInt < 1<<60 {
		t.Skip("an int is too small for positions so far apart")
	}
	var huge int64 = 1_000_000_000_000_000_000
	onWorkers(t, func(t *testing.T) {
		for _, adapted := range []struct {
			name string
			s    iter.Seq[int64]
		}{
			{"Range", iter.Range(0, huge)},
			{"Map", iter.Map(iter.Range(0, huge), func(v int64) int64 { return v })},
			{"Filter", iter.Filter(iter.Range(0, huge), func(int64) bool { return true })},
			{"FlatMap", iter.FlatMap(iter.Range(0, huge), func(v int64) []int64 { return []int64{v} })},
			{"Rev, Rev", iter.Rev(iter.Rev(iter.Range(0, huge)))},
			{"Skip, Chain", iter.Chain(iter.Range[int64](0, 10), iter.Skip(iter.Range(0, huge), 10))},
			{"SkipWhile", iter.SkipWhile(iter.Range(-5, huge), func(v int64) bool { return v < 0 })},
		} {
			s, name := adapted.s, adapted.name
			for _, at := range []int64{0, 1, 1023, 1024, 5000} {
				if v, ok := iter.FindFirst(s, func(v int64) bool { return v >= at }); v != at || !ok {
					t.Errorf("%s: FindFirst from %d on: %d, %v", name, at, v, ok)
				}
				if v, ok := iter.FindLast(s, func(v int64) bool { return v < huge-at }); v != huge-at-1 || !ok {
					t.Errorf("%s: FindLast below %d: %d, %v", name, huge-at, v, ok)
				}
				if p := iter.Position(s, func(v int64) bool { return v >= at }); int64(p) != at {
					t.Errorf("%s: Position of %d is %d", name, at, p)
				}
			}
			for what, match := range map[string]func(int64) bool{
				"upper half": func(v int64) bool { return v > huge/2 },
				"lower half": func(v int64) bool { return v < huge/2 },
				"a tenth":    func(v int64) bool { return v > huge/2 && v < huge/10*6 },
				"every 999":  func(v int64) bool { return v%999 == 998 },
			} {
				if v, ok := iter.FindAny(s, match); !ok || !match(v) {
					t.Errorf("%s: FindAny, %s: %d, %v", name, what, v, ok)
				}
				if !iter.Any(s, match) || iter.None(s, match) || iter.All(s, func(v int64) bool { return !match(v) }) {
					t.Errorf("%s: Any, None, All, %s", name, what)
				}
			}
			if got := iter.Take(s, 3).Collect(); !slices.Equal(got, []int64{0, 1, 2}) {
				t.Errorf("%s: Take(3) is %v", name, got)
			}
			if got := iter.TakeWhile(s, func(v int64) bool { return v < 5000 }).Collect(); len(got) != 5000 {
				t.Errorf("%s: TakeWhile has %d", name, len(got))
			}
			if iter.IsSorted(iter.Rev(iter.Take(s, 5000))) {
				t.Errorf("%s: IsSorted backwards", name)
			}
			n := 0
			for v := range s.All() {
				if n++; v == 5000 {
					break
				}
			}
			if n != 5001 {
				t.Errorf("%s: All had %d elements up to 5000", name, n)
			}
		}
	})
}

func TestFirstAndLastAreThat(t *testing.T) {
	onWorkers(t, func(t *testing.T) {
		for _, n := range []int{1, 2, 1000, 1024, 1025, 3071, 3072, 3073, 20_000} {
			for _, want := range []int{0, 1, n / 2, n - 2, n - 1} {
				if want < 0 || want >= n {
					continue
				}
				for kind, s := range kindsOf(n) {
					if v, ok := iter.FindFirst(s, func(v int) bool { return v >= want }); v != want || !ok {
						t.Fatalf("%s of %d: FindFirst from %d on: %d, %v", kind, n, want, v, ok)
					}
					if v, ok := iter.FindLast(s, func(v int) bool { return v <= want }); v != want || !ok {
						t.Fatalf("%s of %d: FindLast up to %d: %d, %v", kind, n, want, v, ok)
					}
					if v, ok := iter.FindAny(s, func(v int) bool { return v == want }); v != want || !ok {
						t.Fatalf("%s of %d: FindAny %d: %d, %v", kind, n, want, v, ok)
					}
					if p := iter.Position(s, func(v int) bool { return v >= want }); p != want {
						t.Fatalf("%s of %d: Position of %d is %d", kind, n, want, p)
					}
				}
			}
			for kind, s := range kindsOf(n) {
				never := func(int) bool { return false }
				_, a := iter.FindFirst(s, never)
				_, b := iter.FindLast(s, never)
				_, c := iter.FindAny(s, never)
				if a || b || c || iter.Position(s, never) != -1 {
					t.Fatalf("%s of %d: something was found", kind, n)
				}
			}
		}
	})
}

func TestMinAndMax(t *testing.T) {
	if _, ok := iter.Min(iter.Empty[int]()); ok {
		t.Error("Min of nothing")
	}
	if _, ok := iter.MaxFunc(iter.Empty[int](), cmp.Compare[int]); ok {
		t.Error("MaxFunc of nothing")
	}
	v := floats(50_000)
	v[777] = math.NaN()
	a, _ := iter.Min(iter.Slice(v))
	b, _ := iter.Max(iter.Map(iter.Slice(v), func(x float64) float64 { return x }))
	c, d, _ := iter.MinMax(iter.Slice(v))
	for _, x := range []float64{a, b, c, d} {
		if !math.IsNaN(x) {
			t.Errorf("with a NaN the least or greatest is %v", x)
		}
	}
	// Of equal elements the first counts, as in package slices.
	type item struct{ key, at int }
	items := make([]item, 20_000)
	for i := range items {
		items[i] = item{i * 7 % 5, i}
	}
	byKey := func(a, b item) int { return cmp.Compare(a.key, b.key) }
	if v, _ := iter.MinFunc(iter.Slice(items), byKey); v != slices.MinFunc(items, byKey) {
		t.Errorf("MinFunc is %v", v)
	}
	if v, _ := iter.MaxFunc(iter.Slice(items), byKey); v != slices.MaxFunc(items, byKey) {
		t.Errorf("MaxFunc is %v", v)
	}
	sorted := slices.Clone(items)
	slices.SortStableFunc(sorted, func(a, b item) int { return byKey(b, a) })
	for _, k := range []int{0, 1, 2, 63, 64, 65, 5000, 20_000, 30_000} {
		if got, want := iter.TopKFunc(iter.Slice(items), k, byKey), sorted[:min(k, len(sorted))]; !slices.Equal(got, want) {
			t.Errorf("TopKFunc of %d is %v, want %v", k, brief(got), brief(want))
		}
	}
}

func TestCompareAndEqual(t *testing.T) {
	for _, c := range [][2][]float64{
		{{}, {}}, {{1}, {}}, {{1, 2}, {1, 3}}, {{1, 2}, {1, 2, 0}}, {{2}, {1, 5}},
		{{math.NaN()}, {math.NaN()}}, {{math.NaN()}, {0}}, {{1, math.NaN(), 3}, {1, math.NaN(), 2}},
	} {
		for _, seq := range []func([]float64) iter.Seq[float64]{iter.Slice[[]float64], func(v []float64) iter.Seq[float64] { return iter.FromSeq(slices.Values(v)) }} {
			a, b := seq(c[0]), seq(c[1])
			if got, want := iter.Compare(a, b), slices.Compare(c[0], c[1]); got != want {
				t.Errorf("Compare of %v and %v is %d, want %d", c[0], c[1], got, want)
			}
			if got, want := iter.Equal(a, b), slices.Equal(c[0], c[1]); got != want {
				t.Errorf("Equal of %v and %v is %v, want %v", c[0], c[1], got, want)
			}
		}
	}
}

func TestIsSorted(t *testing.T) {
	for _, v := range [][]float64{{}, {1}, {1, 1}, {2, 1}, {math.NaN(), 1}, {1, math.NaN()}, {math.NaN(), math.NaN()}} {
		if got, want := iter.IsSorted(iter.Slice(v)), slices.IsSorted(v); got != want {
			t.Errorf("IsSorted of %v is %v, want %v", v, got, want)
		}
	}
	v := upTo(100_000)
	for _, at := range []int{1, 1024, 40_000, 40_960, 99_999} {
		v[at] = -1
		if iter.IsSorted(iter.Map(iter.Slice(v), func(x int) int { return x })) || iter.IsSorted(iter.Slice(v)) {
			t.Errorf("disorder at %d is not found", at)
		}
		v[at] = at
	}
	if !iter.IsSorted(iter.Filter(iter.Slice(v), func(x int) bool { return x%1000 == 0 })) {
		t.Error("IsSorted is false for what is sorted")
	}
}

func TestUnzip(t *testing.T) {
	for _, n := range append(sizes, 40_000) {
		a, b := iter.Unzip(iter.Zip(iter.Range(0, n), iter.Rev(iter.Range(0, n))))
		want := upTo(n)
		slices.Reverse(want)
		if !slices.Equal(a, upTo(n)) || !slices.Equal(b, want) {
			t.Errorf("Unzip of %d is wrong", n)
		}
	}
}
