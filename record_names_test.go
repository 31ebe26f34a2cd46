package forkjoin_test

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/forkjoin-go/forkjoin"
	"github.com/forkjoin-go/forkjoin/iter"
	"github.com/forkjoin-go/forkjoin/sim"
)

const namedLength = 30_000

// values returns that many values, in no order, many of them more than once.
func values[T any](of func(n int) T) []T {
	s := make([]T, namedLength)
	for i := range s {
		s[i] = of((i*7919 + i/3) % 10_007)
	}
	return s
}

// Whatever the library does inside, a recording names lines of the user's, at any
// number of workers.
func TestRecordNamesLinesOfTheUser(t *testing.T) {
	even := func(x int) bool { return x%2 == 0 }
	id := func(x int) int { return x }
	add := func(a, b int) int { return a + b }
	ints := func() []int { return values(id) }
	sorted := func() []int { s := ints(); slices.Sort(s); return s }
	long := func() []int { return slices.Repeat(ints(), 10) } // for what one goroutine does up to about 260,000
	seq := func() iter.Seq[int] { return iter.Filter(iter.Slice(ints()), even) }
	dst := make([]int, 2*namedLength)
	for name, f := range map[string]func(){
		"Sort":            func() { forkjoin.Sort(ints()) },
		"Sort of floats":  func() { forkjoin.Sort(values(func(n int) float64 { return float64(n) })) },
		"Sort of strings": func() { forkjoin.Sort(values(func(n int) string { return strings.Repeat("x", n%7) })) },
		"SortFunc":        func() { forkjoin.SortFunc(ints(), cmp.Compare[int]) },
		"SortStableFunc":  func() { forkjoin.SortStableFunc(ints(), func(a, b int) int { return b/3 - a/3 }) },
		"SortByKey":       func() { forkjoin.SortByKey(ints(), id) },
		"SortInPlace":     func() { forkjoin.SortInPlace(ints()) },
		"SortInPlaceFunc": func() { forkjoin.SortInPlaceFunc(ints(), cmp.Compare[int]) },
		"IsSorted":        func() { forkjoin.IsSorted(sorted()) },
		"MinMax":          func() { forkjoin.MinMax(ints()) },
		"Select":          func() { forkjoin.Select(ints(), 100) },
		"Partition":       func() { forkjoin.Partition(ints(), even) },
		"Compact":         func() { forkjoin.Compact(long()) },
		"Merge":           func() { s := sorted(); forkjoin.Merge(dst, s, s) },
		"InclusiveSum":    func() { s := long(); forkjoin.InclusiveSum(s, s) },
		"ExclusiveScan":   func() { forkjoin.ExclusiveScan(dst[:namedLength], ints(), 0, add) },
		"ParallelFor2D":   func() { forkjoin.ParallelFor2D(100, 100, func(r0, r1, c0, c1 int) {}) },
		"JoinAll":         func() { forkjoin.JoinAll(func() {}, func() {}, func() {}) },
		"ForEach":         func() { seq().ForEach(func(int) {}) },
		"ForEachErr":      func() { seq().ForEachErr(func(int) error { return nil }) },
		"Collect":         func() { seq().Collect() },
		"CollectInto":     func() { iter.Slice(ints()).CollectInto(dst) },
		"All":             func() { _ = slices.Collect(seq().All()) },
		"Count":           func() { iter.Count(seq()) },
		"CountBy":         func() { iter.CountBy(seq(), id) },
		"GroupBy":         func() { iter.GroupBy(seq(), id) },
		"Sum":             func() { iter.Sum(seq()) },
		"Reduce":          func() { iter.Reduce(seq(), 0, add) },
		"TopK":            func() { iter.TopK(seq(), 10) },
		"iter.Partition":  func() { iter.Partition(seq(), even) },
		"FindFirst":       func() { iter.FindFirst(seq(), func(x int) bool { return x < 0 }) },
		"FindAny":         func() { iter.FindAny(seq(), func(x int) bool { return x < 0 }) },
		"Any":             func() { iter.Any(seq(), func(x int) bool { return x < 0 }) },
		"Equal":           func() { iter.Equal(seq(), seq()) },
		"Walk":            func() { iter.Walk(1, func(n int) []int { return []int{2 * n, 2*n + 1}[:min(2, 500/n)] }).Collect() },
		"Scan":            func() { iter.Scan(seq(), add).Collect() },
		"FromSeq":         func() { iter.FromSeq(slices.Values(ints())).Collect() },
		"ParallelForErr": func() {
			forkjoin.ParallelForErr(context.Background(), 100, func(context.Context, int) error { return nil })
		},
		"ParallelForWith":    func() { forkjoin.ParallelForWith(100, func() int { return 0 }, func(int, int) {}) },
		"a sort in a branch": func() { forkjoin.Join(func() { forkjoin.Sort(ints()) }, func() { forkjoin.Sort(ints()) }) },
	} {
		for which, record := range []func(func()) (*sim.Tree, error){sim.Record, sim.RecordParallel} {
			tree, err := record(f)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			labels := tree.MeasureLabels(0)
			if len(labels) == 0 {
				t.Errorf("%s, %d: nothing has a name", name, which)
			}
			for _, l := range labels {
				if !strings.Contains(l.Name, "TestRecordNamesLinesOfTheUser") || !strings.Contains(l.Name, " record_names_test.go:") {
					t.Errorf("%s, %d: a name is %q", name, which, l.Name)
				}
			}
		}
	}
}
