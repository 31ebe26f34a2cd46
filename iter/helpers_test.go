package iter_test

import (
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/forkjoin-go/forkjoin"
	"github.com/forkjoin-go/forkjoin/iter"
)

// same fails t unless s has exactly the elements want, however it is cut and
// whatever reads it.
func same[T any](t testing.TB, name string, s iter.Seq[T], want []T) {
	t.Helper()
	equal := func(what string, got []T) {
		t.Helper()
		if !equalAll(got, want) {
			t.Fatalf("%s: %s is\n%v, want\n%v", name, what, brief(got), brief(want))
		}
	}
	r := iter.Read(s)
	if r.Exact && !r.Fed && r.N != len(want) {
		t.Fatalf("%s: has %d positions for %d elements, one at each", name, r.N, len(want))
	}
	if !r.Fed {
		every := 1 + r.N/pick(24, 7)
		for cut := 0; cut <= r.N; cut += every {
			parts := append(r.Part(0, cut, r.Batch, nil), r.Part(cut, r.N, r.Batch, make([]T, 0, 3))...)
			equal(fmt.Sprintf("what is read in two parts, cut at %d of %d,", cut, r.N), parts)
		}
		equal("what is read one position at a time", r.Part(0, r.N, 1, make([]T, 0, 1)))
		equal("what is read three positions at a time", r.Part(0, r.N, min(3, r.Batch), make([]T, 0, 8)))
	}
	equal("Collect", s.Collect())
	equal("AppendTo", s.AppendTo(make([]T, 1, 5))[1:])
	equal("All", slices.Collect(s.All()))
	reversed := iter.Rev(s).Collect()
	slices.Reverse(reversed)
	equal("Rev, reversed,", reversed)
	if n := iter.Count(s); n != len(want) {
		t.Fatalf("%s: Count is %d, want %d", name, n, len(want))
	}
	if len(want) <= 100 {
		var mu sync.Mutex
		seen := map[string]int{}
		s.ForEach(func(v T) { mu.Lock(); seen[fmt.Sprint(v)]++; mu.Unlock() })
		for _, v := range want {
			seen[fmt.Sprint(v)]--
		}
		for v, n := range seen {
			if n != 0 {
				t.Fatalf("%s: ForEach got %s %d times too often", name, v, n)
			}
		}
	}
	for _, n := range []int{0, 1, len(want) / 2, len(want), len(want) + 1} {
		k := min(n, len(want))
		if got := iter.Take(s, n).Collect(); !equalAll(got, want[:k]) {
			t.Fatalf("%s: Take(%d) is\n%v, want\n%v", name, n, brief(got), brief(want[:k]))
		}
		if got := iter.Skip(s, n).Collect(); !equalAll(got, want[k:]) {
			t.Fatalf("%s: Skip(%d) is\n%v, want\n%v", name, n, brief(got), brief(want[k:]))
		}
	}
	for i, p := range iter.Enumerate(s).Collect() {
		if p.First != i || !deepEqual(p.Second, want[i]) {
			t.Fatalf("%s: Enumerate has %v at %d, want %v", name, p, i, want[i])
		}
	}
}

// equalAll is reflect.DeepEqual for slices, and fast for common ones.
func equalAll[T any](got, want []T) bool {
	if len(got) != len(want) {
		return false
	}
	switch got := any(got).(type) {
	case []int:
		return slices.Equal(got, any(want).([]int))
	case []string:
		return slices.Equal(got, any(want).([]string))
	case []rune:
		return slices.Equal(got, any(want).([]rune))
	case [][]int:
		return slices.EqualFunc(got, any(want).([][]int), slices.Equal[[]int])
	}
	return len(got) == 0 || reflect.DeepEqual(got, want)
}

func deepEqual[T any](a, b T) bool { return reflect.DeepEqual(a, b) }

func brief[T any](v []T) string {
	s := fmt.Sprintf("%d elements: %v", len(v), v)
	if len(s) > 600 {
		s = s[:600] + "…"
	}
	return s
}

// upTo returns the numbers from 0 to n-1.
func upTo(n int) []int {
	v := make([]int, n)
	for i := range v {
		v[i] = i
	}
	return v
}

// pick is full, or short with -short.
func pick[T any](full, short T) T {
	if testing.Short() {
		return short
	}
	return full
}

// sizes are near what the package cuts at.
var sizes = []int{0, 1, 2, 3, 15, 16, 17, 63, 64, 65, 511, 512, 513, 1023, 1024, 1025, 4097}

// onWorkers runs f on different numbers of workers.
func onWorkers(t *testing.T, f func(t *testing.T)) {
	before := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(before)
	for _, n := range []int{1, 2, 8} {
		runtime.GOMAXPROCS(n)
		t.Run(fmt.Sprintf("workers=%d", n), f)
	}
}

// panics returns what f panics with.
func panics(t testing.TB, f func()) (value any) {
	t.Helper()
	defer func() {
		if value = recover(); value == nil {
			t.Fatal("there was no panic")
		}
	}()
	f()
	return nil
}

// refuses fails t unless f panics with a text that begins as those of the
// package do and contains all words.
func refuses(t testing.TB, f func(), words ...string) {
	t.Helper()
	text, ok := panics(t, f).(string)
	if !ok || !strings.HasPrefix(text, "forkjoin: iter.") {
		t.Fatalf("the panic is %q", text)
	}
	for _, w := range words {
		if !strings.Contains(text, w) {
			t.Errorf("the panic is %q, which does not say %q", text, w)
		}
	}
}

// passedOn fails t unless f panics with a PanicError for value.
func passedOn(t testing.TB, f func(), value any) {
	t.Helper()
	got := panics(t, f)
	e, ok := got.(*forkjoin.PanicError)
	if !ok {
		t.Fatalf("the panic is a %T, want a *forkjoin.PanicError: %v", got, got)
	}
	if e.Value != value {
		t.Fatalf("the panic's value is %v, want %v", e.Value, value)
	}
	if len(e.Stack) == 0 {
		t.Error("the panic has no stack")
	}
}

// floats returns n numbers, of which every thousandth is the same.
func floats(n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = float64(i%1000) + 0.25
	}
	return v
}
