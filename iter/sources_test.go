package iter_test

import (
	"bytes"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/forkjoin-go/forkjoin/iter"
)

func TestSlice(t *testing.T) {
	for _, n := range sizes {
		same(t, "Slice", iter.Slice(upTo(n)), upTo(n))
	}
	same(t, "zero Seq", iter.Seq[int]{}, nil)
	same(t, "Empty", iter.Empty[int](), nil)
	same(t, "Once", iter.Once("a"), []string{"a"})
	same(t, "Slice of nothing", iter.Slice(make([]struct{}, 100)), make([]struct{}, 100))
}

func TestSliceMut(t *testing.T) {
	v := upTo(5000)
	iter.SliceMut(v).ForEach(func(p *int) { *p *= 2 })
	for i := range v {
		if v[i] != 2*i {
			t.Fatalf("element %d is %d, want %d", i, v[i], 2*i)
		}
	}
}

func TestRange(t *testing.T) {
	for _, n := range sizes {
		same(t, "Range", iter.Range(0, n), upTo(n))
	}
	same(t, "Range of int8", iter.Range[int8](-128, 127), func() (want []int8) {
		for i := -128; i < 127; i++ {
			want = append(want, int8(i))
		}
		return want
	}())
	same(t, "Range of uint64", iter.Range[uint64](math.MaxUint64-3, math.MaxUint64), []uint64{math.MaxUint64 - 3, math.MaxUint64 - 2, math.MaxUint64 - 1})
	same(t, "Range backwards", iter.Range(5, 3), nil)
	refuses(t, func() { iter.Range[int64](math.MinInt64, math.MaxInt64) }, "Range", "-9223372036854775808")
	refuses(t, func() { iter.Range[uint64](0, math.MaxUint64) }, "18446744073709551615")
	if n := iter.Count(iter.Range(0, math.MaxInt)); n != math.MaxInt {
		t.Errorf("Count of all ints is %d", n)
	}
}

func TestRepeat(t *testing.T) {
	same(t, "Repeat", iter.Repeat("x", 3), []string{"x", "x", "x"})
	same(t, "Repeat 0", iter.Repeat("x", 0), nil)
	refuses(t, func() { iter.Repeat(1, -1) }, "Repeat", "-1")
}

func TestChunks(t *testing.T) {
	for _, n := range []int{0, 1, 2, 10, 1025} {
		for _, size := range []int{1, 2, 3, 10, 1024, math.MaxInt} {
			want := slices.Collect(slices.Chunk(upTo(n), size))
			same(t, "Chunks", iter.Chunks(upTo(n), size), want)
			same(t, "Chunked", iter.Chunked(iter.Slice(upTo(n)), size), want)
			same(t, "Chunked after Filter", iter.Chunked(iter.Filter(iter.Slice(upTo(n)), func(int) bool { return true }), size), want)
			if n%size > 0 {
				want = want[:len(want)-1]
			}
			same(t, "ChunksExact", iter.ChunksExact(upTo(n), size), want)
		}
	}
	v := upTo(4)
	_ = append(iter.Chunks(v, 2).Collect()[0], 9)
	if v[2] != 2 {
		t.Error("appending to a chunk changes the next one")
	}
	refuses(t, func() { iter.Chunks(upTo(3), 0) }, "Chunks", "n is 0")
	refuses(t, func() { iter.ChunksExact(upTo(3), -1) }, "ChunksExact", "n is -1")
	refuses(t, func() { iter.Chunked(iter.Range(0, 3), 0) }, "Chunked", "n is 0")
}

func TestWindows(t *testing.T) {
	for _, n := range []int{0, 1, 2, 10, 1025} {
		for _, size := range []int{1, 2, 3, 10, 1024, 1025, 1026, math.MaxInt} {
			var want [][]int
			for i := 0; i <= n-size; i++ {
				want = append(want, upTo(n)[i:i+size])
			}
			same(t, "Windows", iter.Windows(upTo(n), size), want)
			same(t, "Windowed", iter.Windowed(iter.Range(0, n), size), want)
		}
	}
	refuses(t, func() { iter.Windows(upTo(3), 0) }, "Windows", "n is 0")
	refuses(t, func() { iter.Windowed(iter.Range(0, 3), 0) }, "Windowed", "n is 0")
}

// chunkBy is ChunkBy in plain code.
func chunkBy(v []int, same func(a, b int) bool) (all [][]int) {
	for i := range v {
		if i == 0 || !same(v[i-1], v[i]) {
			all = append(all, nil)
		}
		all[len(all)-1] = append(all[len(all)-1], v[i])
	}
	return all
}

// split is Split in plain code.
func split(v []int, sep func(int) bool) [][]int {
	all := [][]int{{}}
	for _, w := range v {
		if sep(w) {
			all = append(all, []int{})
		} else {
			all[len(all)-1] = append(all[len(all)-1], w)
		}
	}
	return all
}

func TestChunkByAndSplit(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range sizes {
		for _, values := range []int{1, 2, 3, 50} {
			v := make([]int, n)
			for i := range v {
				v[i] = r.IntN(values)
			}
			eq := func(a, b int) bool { return a == b }
			same(t, "ChunkBy", iter.ChunkBy(v, eq), chunkBy(v, eq))
			for _, sep := range []int{0, -1} {
				is := func(a int) bool { return a == sep }
				got, want := iter.Split(v, is), split(v, is)
				same(t, "Split", iter.Map(got, func(p []int) []int { return append([]int{}, p...) }), want)
			}
		}
	}
	refuses(t, func() { iter.ChunkBy(upTo(3), nil) }, "ChunkBy", "same is nil")
	refuses(t, func() { iter.Split(upTo(3), nil) }, "Split", "sep is nil")
}

func texts() []string {
	r := rand.New(rand.NewPCG(3, 4))
	all := []string{"", "\n", "\n\n", "a", "a\n", "a\nb", " a", "a ", "  ", "äöü ß", "\u2003x\u2003", "\xff\xfe a\xc3", "\xe2\x82", "a\xe2\x82\xac\xe2\x82b", "\xf0\x9f\x98\x80\x80\x80"}
	for _, n := range []int{10, 100, 5000, 9000} {
		var b bytes.Buffer
		for b.Len() < n {
			b.WriteString([]string{"word", " ", "\n", "\t", "é", "日本", "\x80", "\xf0\x9f", "\u2028", "\r\n", "x"}[r.IntN(11)])
		}
		all = append(all, b.String())
	}
	return append(all, strings.Repeat("a", 5000)+" "+strings.Repeat("b", 4000)+"\n")
}

func TestStrings(t *testing.T) {
	for _, s := range texts() {
		same(t, "Lines", iter.Lines(s), slices.Collect(strings.Lines(s)))
		same(t, "Words", iter.Words(s), strings.Fields(s))
		same(t, "Runes", iter.Runes(s), []rune(s))
	}
}

// TestWordsBlocks has white space, and characters of several bytes, at every place
// of the blocks that Words looks at.
func TestWordsBlocks(t *testing.T) {
	const n = 3 * 64
	for _, with := range []string{" ", "\t", "\r", "\x0e", "\b", "\x1f", "!", "\x7f", "\x80", "\u0085", "\u00a0", "\u2003", "é", "\xf0\x9f"} {
		for _, fill := range []string{"a", " "} {
			for at := range n {
				s := strings.Repeat(fill, at) + with + strings.Repeat(fill, n-at)
				for _, cut := range []int{0, at / 2, at, at + 1, (at + n) / 2} {
					twoParts(t, "Words", iter.Words(s), cut, strings.Fields(s))
				}
			}
		}
	}
}

// TestWordsLong reads a word as long as the rest of a text: a program that reads
// on to its end at each position asked for is not done in a day.
func TestWordsLong(t *testing.T) {
	s := "a " + strings.Repeat("b", pick(1<<24, 1<<20))
	same(t, "Words", iter.Words(s), strings.Fields(s))
	twoParts(t, "Words", iter.Words(s), len(s)/2, strings.Fields(s))
}

func FuzzStrings(f *testing.F) {
	for _, s := range texts() {
		f.Add(s[:min(len(s), 100)], 3)
	}
	f.Fuzz(func(t *testing.T, s string, cut int) {
		cut = max(0, min(cut, len(s)))
		twoParts(t, "Lines", iter.Lines(s), cut, slices.Collect(strings.Lines(s)))
		twoParts(t, "Words", iter.Words(s), cut, strings.Fields(s))
		twoParts(t, "Runes", iter.Runes(s), cut, []rune(s))
		at := iter.RuneStart(s, cut)
		start := 0
		for start < cut {
			_, n := utf8.DecodeRuneInString(s[start:])
			start += n
		}
		if at != start {
			t.Fatalf("RuneStart(%q, %d) = %d, want %d", s, cut, at, start)
		}
	})
}

func twoParts[T comparable](t *testing.T, name string, s iter.Seq[T], cut int, want []T) {
	t.Helper()
	r := iter.Read(s)
	if got := append(r.Part(0, cut, 4096, nil), r.Part(cut, r.N, 4096, nil)...); !slices.Equal(got, want) {
		t.Fatalf("%s, cut at %d: %v, want %v", name, cut, got, want)
	}
}

func TestMaps(t *testing.T) {
	m := map[int]string{}
	for i := range 1000 {
		m[i] = strings.Repeat("x", i%7)
	}
	if got := iter.CollectMap(iter.Pairs(m)); !maps.Equal(got, m) {
		t.Errorf("Pairs of a map are %v", got)
	}
	keys := iter.Keys(m).Collect()
	slices.Sort(keys)
	if !slices.Equal(keys, upTo(1000)) {
		t.Errorf("Keys are %v", brief(keys))
	}
	values, want := iter.Values(m).Collect(), slices.Collect(maps.Values(m))
	slices.Sort(values)
	slices.Sort(want)
	if !slices.Equal(values, want) {
		t.Errorf("Values are %v", brief(values))
	}
	same(t, "Keys of nil", iter.Keys(map[string]int(nil)), nil)
}

func TestWalk(t *testing.T) {
	// Nodes are ranges of numbers, in the order of a search tree's preorder.
	type node struct{ lo, hi int }
	for _, arity := range []int{1, 2, 3, 5} {
		for _, n := range []int{1, 2, 3, 100, 30000} {
			children := func(v node) (below []node) {
				lo := v.lo + 1
				for i := range arity {
					hi := v.lo + 1 + (v.hi-v.lo-1)*(i+1)/arity
					if lo < hi {
						below = append(below, node{lo, hi})
					}
					lo = hi
				}
				return below
			}
			got := iter.Map(iter.Walk(node{0, n}, children), func(v node) int { return v.lo })
			if n <= 100 {
				same(t, "Walk", got, upTo(n))
			} else if !slices.Equal(got.Collect(), upTo(n)) {
				t.Errorf("Walk of %d nodes with %d below each is wrong", n, arity)
			}
		}
	}
	refuses(t, func() { iter.Walk[int](1, nil) }, "Walk", "children is nil")
}

func TestWalkAlongALongList(t *testing.T) {
	n := 1_000_000
	got := iter.Count(iter.Walk(0, func(v int) []int {
		if v == n-1 {
			return nil
		}
		return []int{v + 1}
	}))
	if got != n {
		t.Errorf("Walk has %d nodes, want %d", got, n)
	}
}
