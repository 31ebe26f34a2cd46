package iter_test

import (
	"testing"

	"github.com/forkjoin-go/forkjoin/iter"
)

// TestSites checks that what the scheduler learns of one pipeline is not taken for
// knowledge of another one with other functions.
func TestSites(t *testing.T) {
	s := iter.Range(0, 10)
	double := func(v int) int { return 2 * v }
	next := func(v int) int { return v + 1 }
	odd := func(v int) bool { return v%2 == 1 }
	few := func(v int) []int { return []int{v} }
	some := func(v int) (int, bool) { return v, v > 3 }
	same := func(a, b int) bool { return a == b }
	pipelines := map[string]func() uintptr{
		"none":      func() uintptr { return iter.Read(s).Site },
		"double":    func() uintptr { return iter.Read(iter.Map(s, double)).Site },
		"next":      func() uintptr { return iter.Read(iter.Map(s, next)).Site },
		"both":      func() uintptr { return iter.Read(iter.Map(iter.Map(s, next), double)).Site },
		"both back": func() uintptr { return iter.Read(iter.Map(iter.Map(s, double), next)).Site },
		"with state": func() uintptr {
			return iter.Read(iter.MapWith(s, func() int { return 0 }, func(_, v int) int { return v })).Site
		},
		"filter":     func() uintptr { return iter.Read(iter.Filter(s, odd)).Site },
		"filter map": func() uintptr { return iter.Read(iter.FilterMap(s, some)).Site },
		"flat map":   func() uintptr { return iter.Read(iter.FlatMap(s, few)).Site },
		"dedup":      func() uintptr { return iter.Read(iter.DedupFunc(s, same)).Site },
		"zip":        func() uintptr { return iter.Read(iter.Zip(iter.Map(s, double), iter.Map(s, next))).Site },
		"zip back":   func() uintptr { return iter.Read(iter.Zip(iter.Map(s, next), iter.Map(s, double))).Site },
		"chain":      func() uintptr { return iter.Read(iter.Chain(iter.Filter(s, odd), iter.Map(s, next))).Site },
	}
	seen := map[uintptr]string{}
	for name, site := range pipelines {
		first, second := site(), site()
		if first != second {
			t.Errorf("%s: two consumptions have different sites", name)
		}
		if other, ok := seen[first]; ok {
			t.Errorf("%s and %s have the same site", name, other)
		}
		seen[first] = name
	}
}
