package iter_test

import (
	"runtime"
	"slices"
	"testing"

	"github.com/forkjoin-go/forkjoin/iter"
)

// TestCollectLarge collects so much that the memory is not cleared before it is
// written to, and around that.
func TestCollectLarge(t *testing.T) {
	for _, n := range pick([]int{1<<13 - 1, 1 << 13, 1<<16 - 1, 1 << 16}, []int{1<<13 - 1, 1 << 16}) {
		collectLarge(t, n, func(i int) float64 { return float64(i) })
		collectLarge(t, n, func(i int) uint8 { return uint8(i) })
		collectLarge(t, n, func(i int) complex128 { return complex(float64(i), 1) })
		collectLarge(t, n, func(i int) struct{} { return struct{}{} })
		collectLarge(t, n, func(i int) *int { return &i })
		collectLarge(t, n, func(i int) string { return string(rune('a' + i%26)) })
	}
}

func collectLarge[T comparable](t *testing.T, n int, of func(i int) T) {
	t.Helper()
	want := make([]T, n)
	for i := range want {
		want[i] = of(i)
	}
	runtime.KeepAlive(slices.Clone(want))
	runtime.GC() // memory that is used again shows what is left out
	v := iter.Map(iter.Range(0, n), func(i int) T { return want[i] })
	if got := v.Collect(); !slices.Equal(got, want) {
		t.Errorf("Collect of %d elements of type %T is wrong", n, want[0])
	}
	even := iter.FilterMap(iter.Range(0, n), func(i int) (T, bool) { return want[i], i%2 == 0 })
	got := even.AppendTo(want[:1:1])
	if len(got) != 1+(n+1)/2 {
		t.Fatalf("AppendTo returns %d elements of type %T, want %d", len(got), want[0], 1+(n+1)/2)
	}
	for i, w := range got[1:] {
		if w != want[2*i] {
			t.Fatalf("element %d of type %T is %v, want %v", i, w, w, want[2*i])
		}
	}
	as, bs := iter.Unzip(iter.Zip(v, v))
	if !slices.Equal(as, want) || !slices.Equal(bs, want) {
		t.Errorf("Unzip of %d elements of type %T is wrong", n, want[0])
	}
}

// TestAppendToGrows appends little by little: the memory must not be copied each
// time.
func TestAppendToGrows(t *testing.T) {
	for _, s := range []iter.Seq[int]{
		iter.Once(7),
		iter.Filter(iter.Range(0, 8), func(v int) bool { return v == 7 }),
	} {
		var dst []int
		moves := 0
		for range 10_000 {
			before := cap(dst)
			if dst = s.AppendTo(dst); cap(dst) != before {
				moves++
			}
		}
		if len(dst) != 10_000 || moves > 40 {
			t.Errorf("%d elements were appended, and moved %d times", len(dst), moves)
		}
		if i := slices.IndexFunc(dst, func(v int) bool { return v != 7 }); i >= 0 {
			t.Errorf("element %d is %d", i, dst[i])
		}
	}
}
