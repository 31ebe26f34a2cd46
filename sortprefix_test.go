package forkjoin_test

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/forkjoin-go/forkjoin"
)

// Slices that are sorted but for a part at one end, of every length about the one
// that is still treated apart.
func TestSortEnds(t *testing.T) {
	withWorkers(t, func(t *testing.T) {
		testSortEnds(t, func(x int) int { return x })
		testSortEnds(t, func(x int) uint8 { return uint8(x / 97) })
		testSortEnds(t, func(x int) string { return "x" + strconv.Itoa(1_000_000+x) })
		testSortEnds(t, func(x int) float64 {
			switch x % 13 {
			case 0:
				return math.NaN()
			case 1:
				return math.Inf(x%2*2 - 1)
			}
			return float64(x) - 500
		})
	})
}

func testSortEnds[E cmp.Ordered](t *testing.T, from func(x int) E) {
	for _, n := range []int{65, 100, 1000, 8193} {
		rng := rand.New(rand.NewPCG(uint64(n), 5))
		sorted := sliceOf(n, func(int) E { return from(rng.IntN(n)) })
		slices.Sort(sorted)
		for _, end := range []int{1, 2, n/16 - 1, n / 16, n/16 + 1} {
			for _, least := range []int{0, n / 2, n - 1} { // of what comes at the end
				rest := sliceOf(end, func(int) E { return from(least + rng.IntN(n-least)) })
				testSortBoth(t, append(slices.Clone(sorted), rest...))
				testSortBoth(t, append(slices.Clone(rest), sorted...))
				rest = append(rest, sorted...)
				testSortBoth(t, append(rest, rest[:end]...))
			}
		}
	}
}

func testSortBoth[E cmp.Ordered](t *testing.T, in []E) {
	t.Helper()
	want := slices.Clone(in)
	slices.Sort(want)
	for k, sort := range []func([]E){forkjoin.Sort[[]E], forkjoin.SortInPlace[[]E]} {
		got := slices.Clone(in)
		sort(got)
		if i := firstDifference(got, want); i >= 0 {
			t.Fatalf("%d %T, sort %d: element %d is %v, want %v", len(in), in[0], k, i, got[i], want[i])
		}
	}
}

// Few values, wherever they lie, and perhaps one more that a sample does not show.
func TestSortFewValues(t *testing.T) {
	withWorkers(t, func(t *testing.T) {
		run := oneOf(t, 11)
		for _, n := range []int{1<<14 + 1, 50_000} {
			for values := 1; values <= 6; values++ {
				rng := rand.New(rand.NewPCG(uint64(n), uint64(values)))
				far := sliceOf(values, func(int) uint64 { return rng.Uint64() })
				for _, other := range []bool{false, true} {
					if !run() {
						continue
					}
					in := sliceOf(n, func(int) uint64 { return far[rng.IntN(values)] })
					if other {
						in[n/2+1] = rng.Uint64()
					}
					testSortBoth(t, in)
					testSortBoth(t, sliceOf(n, func(i int) int64 { return int64(in[i]) }))
					testSortBoth(t, sliceOf(n, func(i int) int32 { return int32(in[i]) }))
					testSortBoth(t, sliceOf(n, func(i int) float64 { return math.Float64frombits(in[i]) }))
				}
			}
		}
		zoo := []float64{math.Copysign(0, -1), 0, math.NaN(), -math.NaN()}
		rng := rand.New(rand.NewPCG(1, 2))
		in := sliceOf(20_000, func(int) float64 { return zoo[rng.IntN(len(zoo))] })
		testFloatBits(t, in, false, math.Float64bits)
		testFloatBits(t, in, true, math.Float64bits)
	})
}

// Strings that are sorted byte by byte in place.
func TestSortStringsInPlace(t *testing.T) {
	withWorkers(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(1, 1))
		run := oneOf(t, 5)
		const n = 40_000
		letters := sliceOf(n, func(int) byte { return 'a' })
		for _, at := range []func(i int) string{
			func(int) string { return string(sliceOf(rng.IntN(20), func(int) byte { return byte(rng.Uint32()) })) },
			func(int) string { return "the same for all of them, " + strconv.Itoa(rng.IntN(n)) },
			func(int) string { return string(letters[:rng.IntN(200)]) + string(byte(rng.IntN(3))) },
			func(int) string { return string(letters[:100+rng.IntN(2)]) },
			func(int) string { return []string{"", "hello", "hello, world", "\xff"}[rng.IntN(4)] },
			func(int) string { return "equal" },
			func(int) string { return "" },
			func(i int) string { return string(letters[:i%1000]) },
		} {
			if run() {
				testSortBoth(t, sliceOf(n, at))
			}
		}
	})
}
