package forkjoin_test

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/forkjoin-go/forkjoin"
)

// The sizes at which the sorts change what they do, and around them.
var sortSizes = []int{0, 1, 2, 3, 23, 24, 25, 31, 32, 33, 63, 64, 65, 255, 256, 257, 1000, 4097,
	1<<14 - 1, 1 << 14, 1<<14 + 1, 1 << 16, 100_003}

// withWorkers runs f as a subtest with 1, 2 and 8 workers.
func withWorkers(t *testing.T, f func(t *testing.T)) {
	for _, workers := range []int{1, 2, 8} {
		t.Run(fmt.Sprintf("%dworkers", workers), func(t *testing.T) {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(workers))
			f(t)
		})
	}
}

// sortPatterns are ways to arrange numbers: element i of n, as 64 random bits or
// something that is ordered as int64.
var sortPatterns = []struct {
	name string
	at   func(rng *rand.Rand, i, n int) int64
}{
	{"random", func(rng *rand.Rand, i, n int) int64 { return int64(rng.Uint64()) }},
	{"narrow", func(rng *rand.Rand, i, n int) int64 { return int64(rng.IntN(200)) - 100 }},
	{"threekeys", func(rng *rand.Rand, i, n int) int64 { return int64(rng.IntN(3)) }},
	{"threewide", func(rng *rand.Rand, i, n int) int64 { return int64(rng.IntN(3)) * 0x1234567890ABCD }},
	{"hundredwide", func(rng *rand.Rand, i, n int) int64 { return int64(rng.IntN(100)) * 0x1234567890ABCD }},
	{"equal", func(rng *rand.Rand, i, n int) int64 { return -7 }},
	{"sorted", func(rng *rand.Rand, i, n int) int64 { return int64(i) - int64(n)/2 }},
	{"reversed", func(rng *rand.Rand, i, n int) int64 { return int64(n)/2 - int64(i) }},
	{"organpipe", func(rng *rand.Rand, i, n int) int64 { return int64(min(i, n-i)) }},
	{"runs", func(rng *rand.Rand, i, n int) int64 { return int64(i % (n/10 + 1)) }},
	{"sortedbutlast", func(rng *rand.Rand, i, n int) int64 { return int64(i % max(n-1, 1)) }},
	{"outlier", func(rng *rand.Rand, i, n int) int64 {
		if i == n/2 {
			return math.MinInt64
		}
		return int64(rng.IntN(1000))
	}},
	{"exponential", func(rng *rand.Rand, i, n int) int64 { return int64(rng.Uint64() >> rng.IntN(64)) }},
	{"lowbits", func(rng *rand.Rand, i, n int) int64 { return rng.Int64N(1<<14) | int64(i&1)<<62 }},
	{"killer", func(rng *rand.Rand, i, n int) int64 { // of quicksorts with a median of three
		if i < n/2 && i%2 == 0 {
			return int64(i)
		} else if i < n/2 {
			return int64(i + n/2)
		}
		return int64(2 * (i - n/2))
	}},
}

// testSort sorts all patterns and sizes of E, by every function, and compares
// with slices.Sort.
func testSort[E cmp.Ordered](t *testing.T, from func(x int64) E) {
	sizes := sortSizes
	if testing.Short() {
		sizes = sizes[:len(sizes)-1]
	}
	run := oneOf(t, 11)
	for _, p := range sortPatterns {
		for _, n := range sizes {
			if !run() {
				continue
			}
			rng := rand.New(rand.NewPCG(uint64(n), 1))
			in := make([]E, n)
			for i := range in {
				in[i] = from(p.at(rng, i, n))
			}
			want := slices.Clone(in)
			slices.Sort(want)
			for name, sort := range map[string]func([]E){
				"Sort": forkjoin.Sort[[]E], "SortInPlace": forkjoin.SortInPlace[[]E],
			} {
				got := slices.Clone(in)
				sort(got)
				if i := firstDifference(got, want); i >= 0 {
					t.Fatalf("%s of %d %s: element %d is %v, want %v", name, n, p.name, i, got[i], want[i])
				}
			}
		}
	}
}

// firstDifference returns the first index at which a and b differ, -1 if there
// is none. NaNs are equal.
func firstDifference[E cmp.Ordered](a, b []E) int {
	for i := range a {
		if cmp.Compare(a[i], b[i]) != 0 {
			return i
		}
	}
	return -1
}

type namedInt int16
type namedFloat float32
type namedString string

func TestSort(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	t.Run("int", func(t *testing.T) { testSort(t, func(x int64) int { return int(x) }) })
	t.Run("int8", func(t *testing.T) { testSort(t, func(x int64) int8 { return int8(x) }) })
	t.Run("int16", func(t *testing.T) { testSort(t, func(x int64) namedInt { return namedInt(x) }) })
	t.Run("int32", func(t *testing.T) { testSort(t, func(x int64) int32 { return int32(x) }) })
	t.Run("uint", func(t *testing.T) { testSort(t, func(x int64) uint { return uint(x) }) })
	t.Run("uint8", func(t *testing.T) { testSort(t, func(x int64) uint8 { return uint8(x) }) })
	t.Run("uint16", func(t *testing.T) { testSort(t, func(x int64) uint16 { return uint16(x) }) })
	t.Run("uint32", func(t *testing.T) { testSort(t, func(x int64) uint32 { return uint32(x) }) })
	t.Run("uint64", func(t *testing.T) { testSort(t, func(x int64) uint64 { return uint64(x) }) })
	t.Run("uintptr", func(t *testing.T) { testSort(t, func(x int64) uintptr { return uintptr(x) }) })
	t.Run("float32", func(t *testing.T) { testSort(t, func(x int64) namedFloat { return namedFloat(x) / 3 }) })
	t.Run("float64", func(t *testing.T) { testSort(t, func(x int64) float64 { return float64(x) / 3 }) })
	t.Run("float32 of all kinds", func(t *testing.T) {
		testSort(t, func(x int64) float32 { return math.Float32frombits(uint32(x)) })
	})
	t.Run("float64 of all kinds", func(t *testing.T) {
		testSort(t, func(x int64) float64 { return math.Float64frombits(uint64(x)) })
	})
}

func TestSortWorkers(t *testing.T) {
	withWorkers(t, func(t *testing.T) {
		t.Run("int64", func(t *testing.T) { testSort(t, func(x int64) int64 { return x }) })
		t.Run("string", func(t *testing.T) {
			testSort(t, func(x int64) namedString { return namedString(fmt.Sprint(x)) })
		})
	})
}

// What lies around a slice stays as it was.
func TestSortStaysInside(t *testing.T) {
	for _, n := range []int{100, 5000, 1 << 16} {
		for _, keys := range []uint64{1, 100, 1 << 40} {
			all := sliceOf(n+20, func(i int) int64 { return int64((uint64(i) * 0x9E3779B97F4A7C15) % keys) })
			before := slices.Clone(all)
			for _, sort := range []func([]int64){forkjoin.Sort[[]int64], forkjoin.SortInPlace[[]int64],
				func(s []int64) { forkjoin.SortByKey(s, func(x int64) int64 { return -x }) }} {
				copy(all, before)
				sort(all[10 : n+10])
				if !slices.Equal(all[:10], before[:10]) || !slices.Equal(all[n+10:], before[n+10:]) {
					t.Fatalf("sorting %d with %d keys has written outside", n, keys)
				}
			}
		}
	}
}

// Pools of a worker's own size sort with that.
func TestSortInPool(t *testing.T) {
	p, err := forkjoin.New(forkjoin.Config{Workers: 3})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	s := sliceOf(100_000, func(i int) int { return (i * 7919) % 100_003 })
	p.Run(func() { forkjoin.Sort(s) })
	if !slices.IsSorted(s) {
		t.Error("the slice is not sorted")
	}
}

// Every sequence of up to seven elements out of three, and for every length up to
// 300 some that are random.
func TestSortFewKeys(t *testing.T) {
	check := func(in []int) {
		zeros, ones := 0, 0
		for _, x := range in {
			switch x {
			case 0:
				zeros++
			case 1:
				ones++
			}
		}
		for _, sort := range []func([]int){forkjoin.Sort[[]int], forkjoin.SortInPlace[[]int], func(s []int) {
			forkjoin.SortByKey(s, func(x int) int { return x })
		}} {
			got := slices.Clone(in)
			sort(got)
			for i, x := range got {
				want := 2
				if i < zeros {
					want = 0
				} else if i < zeros+ones {
					want = 1
				}
				if x != want {
					t.Fatalf("%v is sorted as %v", in, got)
				}
			}
		}
	}
	for n, all := 0, 1; n <= 7; n, all = n+1, all*3 {
		in := make([]int, n)
		for code := range all {
			for i := range in {
				in[i] = code % 3
				code /= 3
			}
			check(in)
		}
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for n := range 301 {
		in := make([]int, n)
		for keys := 1; keys <= 3; keys++ {
			for i := range in {
				in[i] = rng.IntN(keys)
			}
			check(in)
		}
	}
}

// floatZoo has all that is special about floating-point numbers.
func floatZoo() []float64 {
	nan := math.Float64bits(math.NaN())
	return []float64{0, math.Copysign(0, -1), 1, -1, math.Inf(1), math.Inf(-1), math.MaxFloat64, -math.MaxFloat64,
		math.SmallestNonzeroFloat64, -math.SmallestNonzeroFloat64, 0x1p-1022, -0x1p-1022,
		math.Float64frombits(nan), math.Float64frombits(nan | 1<<63), math.Float64frombits(0x7FF0000000000001),
		math.Float64frombits(0xFFF0000000000001), math.Float64frombits(math.MaxUint64), math.Float64frombits(math.MaxInt64)}
}

func TestSortFloatsKeepsBits(t *testing.T) {
	zoo := floatZoo()
	rng := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{len(zoo), 97, 5000, 100_000} {
		wide, narrow := make([]float64, n), make([]float32, n)
		for i := range wide {
			if i < len(zoo) || rng.IntN(2) == 0 {
				wide[i] = zoo[rng.IntN(len(zoo))]
			} else {
				wide[i] = rng.NormFloat64()
			}
			narrow[i] = math.Float32frombits(uint32(math.Float64bits(wide[i]) >> 29))
			switch rng.IntN(8) {
			case 0:
				narrow[i] = float32(wide[i])
			case 1:
				narrow[i] = math.Float32frombits(0x7F800001 + rng.Uint32()&0x807FFFFF&^0x400000)
			}
		}
		for _, inPlace := range []bool{false, true} {
			testFloatBits(t, wide, inPlace, math.Float64bits)
			testFloatBits(t, narrow, inPlace, math.Float32bits)
		}
	}
}

func testFloatBits[F float32 | float64, B uint32 | uint64](t *testing.T, in []F, inPlace bool, bits func(F) B) {
	got := slices.Clone(in)
	if inPlace {
		forkjoin.SortInPlace(got)
	} else {
		forkjoin.Sort(got)
	}
	if !slices.IsSortedFunc(got, cmp.Compare[F]) {
		t.Fatalf("%d of %T (in place: %v) are not sorted", len(in), in, inPlace)
	}
	pattern := func(s []F) []B {
		b := make([]B, len(s))
		for i := range s {
			b[i] = bits(s[i])
		}
		slices.Sort(b)
		return b
	}
	if !slices.Equal(pattern(got), pattern(in)) {
		t.Fatalf("%d of %T (in place: %v): the bit patterns are not the same", len(in), in, inPlace)
	}
}

func TestSortStrings(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	letters := func(n, of int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = 'a' + byte(rng.IntN(of))
		}
		return string(b)
	}
	long := strings.Repeat("x", 1000)
	huge := strings.Repeat("y", 30_000)
	for name, make := range map[string]func(i int) string{
		"letters":       func(i int) string { return letters(16, 26) },
		"two letters":   func(i int) string { return letters(rng.IntN(20), 2) },
		"with zeros":    func(i int) string { return strings.Repeat("\x00", rng.IntN(30)) + letters(rng.IntN(2), 1) },
		"all bytes":     func(i int) string { return string([]byte{byte(rng.Uint32()), byte(rng.Uint32()), byte(rng.Uint32())}) },
		"same":          func(i int) string { return long },
		"prefix":        func(i int) string { return long + letters(3, 3) },
		"prefixes":      func(i int) string { return long[:rng.IntN(len(long))] },
		"prefix chains": func(i int) string { return huge[:len(huge)-i%200] + letters(1, 2) },
		"empty":         func(i int) string { return letters(rng.IntN(2), 1) },
		"urls":          func(i int) string { return "https://example.com/" + letters(1, 3) + "/" + letters(rng.IntN(12), 4) },
		"reversed":      func(i int) string { return fmt.Sprintf("%08d", 1<<20-i) },
	} {
		for _, n := range []int{97, 3000, 70_000} {
			if name == "prefix chains" && n > 3000 {
				continue
			}
			in := sliceOf(n, make)
			want := slices.Clone(in)
			slices.Sort(want)
			got := slices.Clone(in)
			forkjoin.Sort(got)
			if !slices.Equal(got, want) {
				t.Errorf("Sort of %d strings, %s, is wrong", n, name)
			}
			got = slices.Clone(in)
			forkjoin.SortInPlace(got)
			if !slices.Equal(got, want) {
				t.Errorf("SortInPlace of %d strings, %s, is wrong", n, name)
			}
		}
	}
}

func sliceOf[E any](n int, at func(i int) E) []E {
	s := make([]E, n)
	for i := range s {
		s[i] = at(i)
	}
	return s
}

func TestSortNested(t *testing.T) {
	in := sliceOf(100, func(i int) []int {
		return sliceOf(2000*(i%5), func(k int) int { return (k * 7919) % 1009 })
	})
	forkjoin.ParallelFor(len(in), func(i int) { forkjoin.Sort(in[i]) })
	for i, s := range in {
		if !slices.IsSorted(s) {
			t.Fatalf("slice %d is not sorted", i)
		}
	}
}

func FuzzSort(f *testing.F) {
	f.Add([]byte("the quick brown fox jumps over the lazy dog"), uint8(1))
	f.Add([]byte(strings.Repeat("abcdefgh", 300)), uint8(3))
	f.Fuzz(func(t *testing.T, data []byte, width uint8) {
		w := int(width)%9 + 1
		var words []string
		for s := string(data); len(s) > 0; s = s[min(w, len(s)):] {
			words = append(words, s[:min(w, len(s))])
		}
		nums, floats := make([]int64, len(words)), make([]float64, len(words))
		for i, s := range words {
			for _, c := range []byte(s) {
				nums[i] = nums[i]<<8 | int64(c)
			}
			floats[i] = math.Float64frombits(uint64(nums[i]))
		}
		fuzzSort(t, words)
		fuzzSort(t, nums)
		fuzzSort(t, floats)
		fuzzSort(t, data)
	})
}

func fuzzSort[E cmp.Ordered](t *testing.T, in []E) {
	want := slices.Clone(in)
	slices.Sort(want)
	for _, sort := range []func([]E){forkjoin.Sort[[]E], forkjoin.SortInPlace[[]E]} {
		got := slices.Clone(in)
		sort(got)
		if i := firstDifference(got, want); i >= 0 {
			t.Fatalf("%v is sorted as %v", in, got)
		}
	}
}
