package forkjoin_test

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/forkjoin-go/forkjoin"
)

// A keyed element is as large as elements may be, and knows where it was.
type keyed[K cmp.Ordered] struct {
	key K
	at  int
	_   [5]string
}

// A narrow element is small enough to be moved again and again.
type narrow[K cmp.Ordered] struct {
	key K
	at  int
}

// testSortByKey sorts by keys of type K and compares with the stable sort of
// package slices.
func testSortByKey[K cmp.Ordered](t *testing.T, from func(x int64) K) {
	t.Helper()
	run := oneOf(t, 7)
	for _, p := range sortPatterns {
		for _, n := range []int{0, 1, 2, 3, 24, 25, 300, 5000, 1<<14 + 1} {
			if !run() {
				continue
			}
			rng := rand.New(rand.NewPCG(uint64(n), 9))
			in := sliceOf(n, func(i int) keyed[K] { return keyed[K]{key: from(p.at(rng, i, n)), at: i} })
			want := slices.Clone(in)
			slices.SortStableFunc(want, func(a, b keyed[K]) int { return cmp.Compare(a.key, b.key) })
			small := sliceOf(n, func(i int) narrow[K] { return narrow[K]{in[i].key, i} })
			forkjoin.SortByKey(small, func(e narrow[K]) K { return e.key })
			for i := range small {
				if small[i].at != want[i].at {
					t.Fatalf("%d %s by %T, narrow: element %d was %d, want %d", n, p.name, in[i].key, i, small[i].at, want[i].at)
				}
			}
			var calls atomic.Int64
			forkjoin.SortByKey(in, func(e keyed[K]) K { calls.Add(1); return e.key })
			for i := range in {
				if in[i].at != want[i].at {
					t.Fatalf("%d %s by %T: element %d has key %v and was %d, want %v and %d",
						n, p.name, in[i].key, i, in[i].key, in[i].at, want[i].key, want[i].at)
				}
			}
			if calls.Load() != int64(n) {
				t.Fatalf("%d keys were computed for %d elements", calls.Load(), n)
			}
		}
	}
}

func TestSortByKey(t *testing.T) {
	testSortByKey(t, func(x int64) int { return int(x) })
	testSortByKey(t, func(x int64) int8 { return int8(x) })
	testSortByKey(t, func(x int64) int16 { return int16(x) })
	testSortByKey(t, func(x int64) int32 { return int32(x) })
	testSortByKey(t, func(x int64) uint { return uint(x) })
	testSortByKey(t, func(x int64) uint8 { return uint8(x) })
	testSortByKey(t, func(x int64) uint16 { return uint16(x) })
	testSortByKey(t, func(x int64) uint32 { return uint32(x) })
	testSortByKey(t, func(x int64) uint64 { return uint64(x) })
	testSortByKey(t, func(x int64) uintptr { return uintptr(x) })
	testSortByKey(t, func(x int64) float32 { return math.Float32frombits(uint32(x)) })
	testSortByKey(t, func(x int64) float64 { return floatZoo()[uint64(x)%18] })
	withWorkers(t, func(t *testing.T) {
		testSortByKey(t, func(x int64) int64 { return x })
		testSortByKey(t, func(x int64) namedString {
			return namedString(strings.Repeat("key ", int(uint64(x)%5)) + fmt.Sprint(x%1000))
		})
	})
}

func TestSortByKeyPanics(t *testing.T) {
	withWorkers(t, func(t *testing.T) {
		for _, n := range []int{1, 2, 30, 5000} {
			for at := 1; at <= n; at += max(1, n/100) {
				in := sliceOf(n, func(i int) int { return (i * 7919) % 1009 })
				before := slices.Clone(in)
				boom := errors.New("boom")
				for name, sort := range map[string]func(fail func()){
					"int": func(fail func()) { forkjoin.SortByKey(in, func(x int) int { fail(); return x }) },
					"string": func(fail func()) {
						forkjoin.SortByKey(in, func(x int) string { fail(); return fmt.Sprint(x) })
					},
				} {
					var count atomic.Int64
					failed := panicOf(func() {
						sort(func() {
							if count.Add(1) == int64(at) {
								panic(boom)
							}
						})
					})
					if p, ok := failed.(*forkjoin.PanicError); !ok || !errors.Is(p, boom) {
						t.Fatalf("%d by %s, a panic at call %d: %v", n, name, at, failed)
					}
					if !slices.Equal(in, before) {
						t.Fatalf("%d by %s, a panic at call %d: the slice was changed", n, name, at)
					}
				}
			}
		}
	})
}

func TestSortByKeyGoexit(t *testing.T) {
	done := make(chan bool)
	in := []int{3, 2, 1}
	go func() {
		defer close(done)
		forkjoin.SortByKey(in, func(x int) int { runtime.Goexit(); return x })
		t.Error("SortByKey has returned")
	}()
	<-done
	if !slices.Equal(in, []int{3, 2, 1}) {
		t.Errorf("the slice was changed to %v", in)
	}
}

// Keys may call the package, and elements may be of any size.
func TestSortByKeyNested(t *testing.T) {
	in := sliceOf(300, func(i int) []int { return sliceOf(i*37%301, func(k int) int { return -k }) })
	forkjoin.SortByKey(in, func(s []int) int {
		s = slices.Clone(s)
		forkjoin.Sort(s)
		return forkjoin.ParallelReduce(len(s), 0, func(lo, hi int) int { return hi - lo }, func(a, b int) int { return a + b })
	})
	for i := 1; i < len(in); i++ {
		if len(in[i]) < len(in[i-1]) {
			t.Fatalf("element %d has %d elements, the one before %d", i, len(in[i]), len(in[i-1]))
		}
	}
	forkjoin.SortByKey(make([]struct{}, 1000), func(struct{}) int { return 1 })
	var drop atomic.Int64
	forkjoin.SortByKey(make([]struct{}, 1000), func(struct{}) int64 { return drop.Add(-1) })
	huge := sliceOf(200, func(i int) [1000]int { return [1000]int{(i * 7) % 200} })
	forkjoin.SortByKey(huge, func(e [1000]int) int { return e[0] })
	for i := range huge {
		if huge[i][0] != i {
			t.Fatalf("element %d is %d", i, huge[i][0])
		}
	}
}

func TestSortByKeyBadUse(t *testing.T) {
	var key func(int) int
	if got := panicOf(func() { forkjoin.SortByKey([]int{1}, key) }); got != "forkjoin: SortByKey: key is nil" {
		t.Errorf("the panic is %v", got)
	}
}
