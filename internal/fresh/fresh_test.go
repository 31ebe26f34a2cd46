package fresh

import (
	"runtime"
	"testing"
)

// TestSlice has large slices of many types filled, some of which hold what is
// nowhere else.
func TestSlice(t *testing.T) {
	for n := range 3 {
		if s := Slice[int](n); len(s) != n {
			t.Errorf("%d elements, want %d", len(s), n)
		}
		if s := Slice[struct{}](n); len(s) != n {
			t.Errorf("%d elements of no size, want %d", len(s), n)
		}
	}
	t.Run("int", func(t *testing.T) { checkSlice(t, func(i int) int { return i }) })
	t.Run("byte", func(t *testing.T) { checkSlice(t, func(i int) byte { return byte(i) }) })
	t.Run("complex", func(t *testing.T) { checkSlice(t, func(i int) complex128 { return complex(float64(i), 1) }) })
	t.Run("struct", func(t *testing.T) {
		type pair struct {
			a int8
			b [3]float64
			_ [0]*int
		}
		checkSlice(t, func(i int) pair { return pair{a: int8(i), b: [3]float64{float64(i)}} })
	})
	t.Run("boxed", func(t *testing.T) {
		type box struct {
			n int
			p [2]*int
		}
		s := filled(func(i int) box { p := new(int); *p = i; return box{i, [2]*int{nil, p}} })
		for i, b := range s {
			if b.n != i || *b.p[1] != i {
				t.Fatalf("element %d is %d, %d", i, b.n, *b.p[1])
			}
		}
	})
	t.Run("string", func(t *testing.T) { checkSlice(t, func(i int) string { return string(rune(i)) + "x" }) })
}

func filled[T any](at func(i int) T) []T {
	s := Slice[T](100_000)
	for i := range s {
		s[i] = at(i)
	}
	runtime.GC()
	Slice[T](100_000) // would take what the collection has freed
	return s
}

func checkSlice[T comparable](t *testing.T, at func(i int) T) {
	for i, x := range filled(at) {
		if x != at(i) {
			t.Fatalf("element %d is %v, want %v", i, x, at(i))
		}
	}
}
