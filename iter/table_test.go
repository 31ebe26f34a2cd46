package iter_test

import (
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/forkjoin-go/forkjoin/iter"
)

// TestManyKeys counts and groups by so many keys that the tables of all hands
// grow and are merged, and by numbers of keys around the sizes of small tables.
func TestManyKeys(t *testing.T) {
	for _, keys := range []int{1, 2, 7, 64, 4 * 64, 257 * 64, pick(200_000, 50_000)} {
		n := 3*keys + 1
		key := func(v int) int { return v * 7919 % keys }
		counts, groups := map[int]int{}, map[int][]int{}
		for v := range n {
			counts[key(v)]++
			groups[key(v)] = append(groups[key(v)], v)
		}
		s := iter.Range(0, n).WithMaxLeaf(max(1, n/50))
		if got := iter.CountBy(s, key); !maps.Equal(got, counts) {
			t.Errorf("CountBy with %d keys is wrong: %d keys", keys, len(got))
		}
		if got := iter.GroupBy(s, key); !maps.EqualFunc(got, groups, slices.Equal) {
			t.Errorf("GroupBy with %d keys is wrong: %d keys", keys, len(got))
		}
	}
}

// TestKeysUnequal has keys that are not equal to themselves, and 0 and -0, which
// are equal, as keys.
func TestKeysUnequal(t *testing.T) {
	v := []float64{0, math.NaN(), math.Copysign(0, -1), math.NaN(), 1}
	itself := func(v float64) float64 { return v }
	counts := iter.CountBy(iter.Slice(v), itself)
	if len(counts) != 4 || counts[0] != 2 || counts[1] != 1 {
		t.Errorf("CountBy is %v", counts)
	}
	groups := iter.GroupBy(iter.Slice(v), itself)
	if len(groups) != 4 || len(groups[0]) != 2 || len(groups[1]) != 1 {
		t.Errorf("GroupBy is %v", groups)
	}
}
