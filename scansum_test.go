package forkjoin_test

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/forkjoin-go/forkjoin"
)

// Sums are scans: the same bits, also where rounding, signed zeros, infinities
// and overflow show.
func TestSumsAreScans(t *testing.T) {
	withWorkers(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(3, 4))
		run := oneOf(t, 3)
		for _, n := range scanSizes {
			for k, opts := range scanOptions {
				if n > 10_000 && k > 0 || !run() {
					continue
				}
				sumsAreScans(t, sliceOf(n, func(int) float64 { return rng.NormFloat64() * math.Exp(20*rng.NormFloat64()) }), math.Float64bits, opts)
				sumsAreScans(t, sliceOf(n, func(int) uint8 { return uint8(rng.Uint32()) }), func(x uint8) uint64 { return uint64(x) }, opts)
				sumsAreScans(t, sliceOf(n, func(int) complex64 { return complex(rng.Float32(), -rng.Float32()) }), func(x complex64) uint64 {
					return uint64(math.Float32bits(real(x)))<<32 | uint64(math.Float32bits(imag(x)))
				}, opts)
				minusZeros := sliceOf(n, func(i int) float64 { return math.Copysign(0, -1) })
				sumsAreScans(t, minusZeros, math.Float64bits, opts)
				if n > 50 {
					minusZeros[n-20], minusZeros[n-10] = math.Inf(1), math.Inf(-1)
					sumsAreScans(t, minusZeros, math.Float64bits, opts)
				}
			}
		}
	})
}

func sumsAreScans[T uint8 | float64 | complex64](t *testing.T, src []T, bits func(T) uint64, opts []forkjoin.Option) {
	t.Helper()
	n := len(src)
	add := func(a, b T) T { return a + b }
	same := func(what string, got, want []T) {
		for i := range want {
			if bits(got[i]) != bits(want[i]) {
				t.Fatalf("%s of %d %T: element %d is %v, want %v", what, n, got[i], i, got[i], want[i])
			}
		}
	}
	got, want := make([]T, n+1), make([]T, n+1)
	got[n], want[n] = 3, 3
	forkjoin.InclusiveScan(want, src, add, opts...)
	forkjoin.InclusiveSum(got, src, opts...)
	same("InclusiveSum", got, want)
	total := forkjoin.ExclusiveScan(want, src, 0, add, opts...)
	sum := forkjoin.ExclusiveSum(got, src, opts...)
	same("ExclusiveSum", append(got, sum), append(want, total))
	inPlace := slices.Clone(src)
	forkjoin.ExclusiveSum(inPlace, inPlace, opts...)
	same("ExclusiveSum in place", inPlace, want[:n])
	inPlace = slices.Clone(src)
	forkjoin.InclusiveScan(want, src, add, opts...)
	forkjoin.InclusiveSum(inPlace, inPlace, opts...)
	same("InclusiveSum in place", inPlace, want[:n])
}

func TestSumSameBits(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	rng := rand.New(rand.NewPCG(7, 8))
	src := sliceOf(300_000, func(int) float64 { return rng.NormFloat64() * math.Exp(20*rng.NormFloat64()) })
	var first []float64
	for _, workers := range []int{1, 2, 3, 8, 64} {
		runtime.GOMAXPROCS(workers)
		for range 3 {
			dst := make([]float64, len(src))
			forkjoin.InclusiveSum(dst, src)
			if first == nil {
				first = dst
			}
			if !slices.Equal(dst, first) {
				t.Fatalf("with %d workers the sums have other bits", workers)
			}
		}
	}
}

func TestSumBadUse(t *testing.T) {
	s := make([]int, 10)
	for _, c := range []struct {
		want string
		call func()
	}{
		{"forkjoin: InclusiveSum: dst has 9 elements, want >= 10", func() { forkjoin.InclusiveSum(s[:9], s) }},
		{"forkjoin: ExclusiveSum: dst has 0 elements, want >= 1", func() { forkjoin.ExclusiveSum(nil, s[:1]) }},
		{"forkjoin: InclusiveSum: dst and src overlap", func() { forkjoin.InclusiveSum(s[1:], s[:9]) }},
		{"forkjoin: ExclusiveSum: MinLeaf is 3, want <= MaxLeaf, which is 2", func() {
			forkjoin.ExclusiveSum(s, s, forkjoin.MinLeaf(3), forkjoin.MaxLeaf(2))
		}},
	} {
		if got, _ := panicOf(c.call).(string); !strings.HasPrefix(got, c.want) {
			t.Errorf("the panic is %q, want %q", got, c.want)
		}
	}
	if total := forkjoin.ExclusiveSum(s, nil); total != 0 {
		t.Errorf("the sum of nothing is %d", total)
	}
}

// Sums of integers are the same on both sides of the length from which on they are
// made in parallel, in whatever way they overflow.
func TestSumsOfLongIntegers(t *testing.T) {
	withWorkers(t, func(t *testing.T) {
		for _, n := range []int{1, 2, 2048, 2049, 1<<18 - 1, 1 << 18, 1<<18 + 1} {
			src := make([]int8, n)
			for i := range src {
				src[i] = int8(i * 7)
			}
			dst, sum := make([]int8, n), int8(0)
			forkjoin.InclusiveSum(dst, src)
			for i, x := range src {
				if sum += x; dst[i] != sum {
					t.Fatalf("InclusiveSum of %d: element %d is %d, want %d", n, i, dst[i], sum)
				}
			}
			if total := forkjoin.ExclusiveSum(dst, src); total != sum || dst[0] != 0 || dst[n-1] != sum-src[n-1] {
				t.Fatalf("ExclusiveSum of %d: total %d, %d … %d", n, total, dst[0], dst[n-1])
			}
		}
	})
}
