package iter_test

import (
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/forkjoin-go/forkjoin/iter"
)

// accumulators returns how many of them a Fold of s makes.
func accumulators[T any](s iter.Seq[T]) int {
	var made atomic.Int64
	iter.Fold(s, func() int { made.Add(1); return 0 },
		func(n int, _ T) int { return n + 1 },
		func(a, b int) int { return a + b })
	return int(made.Load())
}

// However text, whose positions are bytes, is put together and adapted, a Fold has
// the same number of accumulators.
func TestFoldHasAbout64Accumulators(t *testing.T) {
	text := strings.Repeat("a line of text, of which there are many\n", 40_000) // 1.6 MB
	half, rest := text[:len(text)/2], text[len(text)/2:]
	lines := slices.Collect(strings.Lines(text))
	yes := func(string) bool { return true }
	double := func(s string) []string { return []string{s, s} }
	newline := func(a, _ byte) bool { return a != '\n' }
	var many []iter.Seq[string]
	for c := range slices.Chunk(lines, 100) {
		many = append(many, iter.Lines(strings.Join(c, "")))
	}
	two := iter.Chain(iter.Lines(half), iter.Lines(rest))
	few := iter.Slice(lines[:1000])
	for _, c := range []struct {
		name string
		s    iter.Seq[string]
	}{
		{"Lines", iter.Lines(text)},
		{"Words", iter.Words(text)},
		{"Map of Runes", iter.Map(iter.Runes(text), func(r rune) string { return string(r) })},
		{"Map of Split", iter.Map(iter.Split([]byte(text), func(b byte) bool { return b == '\n' }), func(b []byte) string { return string(b) })},
		{"Map of ChunkBy", iter.Map(iter.ChunkBy([]byte(text), newline), func(b []byte) string { return string(b) })},
		{"Chain of two Lines", two},
		{"Chain of Lines and Words", iter.Chain(iter.Lines(half), iter.Words(rest))},
		{"Chain of many Lines", iter.Chain(many...)},
		{"Chain of Chains", iter.Chain(two, iter.Empty[string](), iter.Chain(two, two))},
		{"Chain of Lines and a few elements", iter.Chain(iter.Lines(text), few)},
		{"Chain of a few elements and Lines", iter.Chain(few, iter.Lines(text))},
		{"Filter of a Chain", iter.Filter(two, yes)},
		{"Chain of Filters", iter.Chain(iter.Filter(iter.Lines(half), yes), iter.Filter(iter.Lines(rest), yes))},
		{"FlatMap of a Chain", iter.FlatMap(two, double)},
		{"Chain of FlatMaps", iter.Chain(iter.FlatMap(iter.Lines(half), double), iter.FlatMap(iter.Words(rest), double))},
		{"Map of a Chain", iter.Map(two, strings.ToUpper)},
		{"Skip of a Chain", iter.Skip(two, 10)},
		{"Skip of Lines", iter.Skip(iter.Lines(text), 10)},
		{"SkipWhile of Lines", iter.SkipWhile(iter.Lines(text), func(string) bool { return false })},
		{"Take of a Chain", iter.Take(two, 39_000)},
		{"Rev of a Chain", iter.Rev(two)},
		{"Interleave of two Lines", iter.Interleave(iter.Lines(half), iter.Lines(rest))},
		{"Intersperse of Lines", iter.Intersperse(iter.Lines(half), "")},
		{"Map of Zip", iter.Map(iter.Zip(iter.Lines(half), iter.Lines(rest)), func(p iter.Pair[string, string]) string { return p.First })},
		{"Map of Enumerate", iter.Map(iter.Enumerate(two), func(p iter.Pair[int, string]) string { return p.Second })},
		{"Map of Chunked", iter.Map(iter.Chunked(two, 7), func(v []string) string { return v[0] })},
		{"Map of Chunks", iter.Map(iter.Chunks(lines, 7), func(v []string) string { return v[0] })},
		{"FlatMap to lines", iter.FlatMap(iter.Chunks(lines, 100), func(v []string) []string { return v })},
	} {
		if n := accumulators(c.s); n < 50 || n > 80 {
			t.Errorf("%s: %d accumulators, want about 64", c.name, n)
		}
	}
	// Where text is a small part of what is folded, the other elements count.
	n := accumulators(iter.Chain(iter.Slice(slices.Repeat(lines, 8)), iter.Lines(text[:4000])))
	if want := accumulators(iter.Slice(slices.Repeat(lines, 8))); n < want*9/10 || n > want*11/10 {
		t.Errorf("Chain of a long slice and a short text: %d accumulators, want about %d", n, want)
	}
}

// What a sequential source has is folded as it comes: what depends on how much there
// is in all would have to wait for its end.
func TestFoldOfASequentialSourceKeepsMinLeaf(t *testing.T) {
	s := iter.FromSeq(slices.Values(make([]int, 50_000)))
	all, few := accumulators(s), accumulators(s.WithMinLeaf(1024))
	// Segments have half of what came before, and about 20 have come when that is 1,024.
	if most := 64 * (50_000/1024 + 20); all > most {
		t.Errorf("%d accumulators for 50,000 elements, want no more than %d", all, most)
	}
	if few > 100 {
		t.Errorf("WithMinLeaf(1024): %d accumulators for 50,000 elements, want about 50", few)
	}
}
