package forkjoin_test

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/forkjoin-go/forkjoin"
)

// mergeInputs returns two sorted slices of items whose seq tells a from b.
func mergeInputs(a, b int, key func(i, n int) int) (x, y []item) {
	v := items(orderKeys(a+b, key))
	x, y = slices.Clone(v[:a]), slices.Clone(v[a:])
	slices.SortStableFunc(x, byItemKey)
	slices.SortStableFunc(y, byItemKey)
	return x, y
}

func TestMergeFunc(t *testing.T) {
	sizes := [][2]int{{0, 5000}, {5000, 0}, {1, 5000}, {5000, 1}, {3000, 3000}, {2047, 1}, {2048, 1}, {1, 2048}, {10000, 77}, {500, 20000}}
	for a := range 9 {
		for b := range 9 {
			sizes = append(sizes, [2]int{a, b})
		}
	}
	for _, procs := range []int{1, 2, 8} {
		before := runtime.GOMAXPROCS(procs)
		for _, p := range orderPatterns {
			for _, size := range sizes {
				x, y := mergeInputs(size[0], size[1], p.key)
				want := slices.Concat(x, y)
				slices.SortStableFunc(want, byItemKey)
				beyond := item{key: -1}
				dst := make([]item, len(want)+2)
				dst[len(want)], dst[len(want)+1] = beyond, beyond
				forkjoin.MergeFunc(dst, x, y, byItemKey)
				if !slices.Equal(dst[:len(want)], want) {
					t.Errorf("%s, %v: not merged, or not with a's elements first", p.name, size)
				}
				if dst[len(want)] != beyond || dst[len(want)+1] != beyond {
					t.Errorf("%s, %v: wrote beyond the result", p.name, size)
				}
			}
		}
		runtime.GOMAXPROCS(before)
	}
}

// TestMergeUnsorted merges what is not sorted: each element must come out once.
func TestMergeUnsorted(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for range 50 {
		a, b := rng.IntN(6000), rng.IntN(6000)
		keys := orderKeys(a+b, orderPatterns[0].key)
		v, dst := items(keys), make([]item, a+b)
		forkjoin.MergeFunc(dst, v[:a], v[a:], byItemKey)
		checkItems(t, dst, keys)
	}
}

func TestMergeFloats(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	a, b := []float64{nan, -inf, 0, 2}, []float64{nan, math.Copysign(0, -1), 1, inf}
	dst := make([]float64, 8)
	forkjoin.Merge(dst, a, b)
	if got := fmt.Sprint(dst); got != "[NaN NaN -Inf 0 -0 1 2 +Inf]" {
		t.Error(got)
	}
}

func TestMergePanics(t *testing.T) {
	for _, n := range []int{2, 100, 3000, 20000} {
		x, y := mergeInputs(n/2, n-n/2, orderPatterns[0].key)
		by, _ := failAt(int64(n / 2))
		checkPanic(t, func() { forkjoin.MergeFunc(make([]item, n), x, y, by) })
	}
}

func FuzzMergeFunc(f *testing.F) {
	f.Add([]byte("aabbccdd"), uint16(3), uint16(900))
	f.Fuzz(func(t *testing.T, keys []byte, cut, repeat uint16) {
		if len(keys) == 0 {
			return
		}
		n := min(len(keys)*int(repeat), 20000)
		a := int(cut) % (n + 1)
		x, y := mergeInputs(a, n-a, func(i, n int) int { return int(keys[i%len(keys)]) ^ i&3 })
		dst, want := make([]item, n), slices.Concat(x, y)
		slices.SortStableFunc(want, byItemKey)
		forkjoin.MergeFunc(dst, x, y, byItemKey)
		if !slices.Equal(dst, want) {
			t.Errorf("%d and %d elements: not merged", len(x), len(y))
		}
	})
}

// A dst that shares memory with what is merged would be read after it was written.
// What shares none may lie side by side.
func TestMergeOverlap(t *testing.T) {
	s := make([]int, 12)
	for _, c := range []struct {
		dst, a, b []int
		words     []string // none: it is well
	}{
		{s, s[:3], nil, []string{"dst and a", "0 bytes"}},
		{s[:6], s[9:], s[3:6], []string{"dst and b", "bytes apart"}},
		{s[2:8], s[:3], s[9:], []string{"dst and a", "bytes apart"}},
		{s[:6], s[6:9], s[9:], nil},
		{s[3:9], s[:3], s[9:], nil},
		{s[:6], s[3:3], s[6:], nil},
	} {
		if c.words == nil {
			if v := caught(func() { forkjoin.Merge(c.dst, c.a, c.b) }); v != nil {
				t.Errorf("%v", v)
			}
			continue
		}
		refuses(t, func() { forkjoin.Merge(c.dst, c.a, c.b) }, append(c.words, "Merge")...)
		refuses(t, func() { forkjoin.MergeFunc(c.dst, c.a, c.b, cmp.Compare[int]) }, append(c.words, "MergeFunc")...)
	}
	empty := make([]struct{}, 4)
	forkjoin.MergeFunc(empty, empty[:2], empty[2:], func(a, b struct{}) int { return 0 })
}
