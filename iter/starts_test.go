package iter_test

import (
	"slices"
	"strings"

	"github.com/forkjoin-go/forkjoin/iter"
)

// A start is a source with its elements.
type start struct {
	name string
	make func(n int) (numbers, []int)
}

var starts = []start{
	{"Slice", func(n int) (numbers, []int) { return iter.Slice(upTo(n)), upTo(n) }},
	{"Range", func(n int) (numbers, []int) { return iter.Range(0, n), upTo(n) }},
	{"Repeat", func(n int) (numbers, []int) { return iter.Repeat(7, n), slices.Repeat([]int{7}, n) }},
	{"ChunkBy", func(n int) (numbers, []int) {
		near := func(a, b int) bool { return a/5 == b/5 }
		return iter.Map(iter.ChunkBy(upTo(n), near), hash), mapped2(chunkBy(upTo(n), near))
	}},
	{"Runes", func(n int) (numbers, []int) {
		var text []rune
		var want []int
		for i := range n {
			text, want = append(text, rune(i%300)), append(want, i%300)
		}
		return iter.Map(iter.Runes(string(text)), func(r rune) int { return int(r) }), want
	}},
	{"FromSeq", func(n int) (numbers, []int) { return iter.FromSeq(slices.Values(upTo(n))), upTo(n) }},
	{"Chunks", func(n int) (numbers, []int) {
		return iter.Map(iter.Chunks(upTo(n), 3), hash), mapped2(slices.Collect(slices.Chunk(upTo(n), 3)))
	}},
	{"ChunksExact", func(n int) (numbers, []int) {
		return iter.Map(iter.ChunksExact(upTo(n), 3), hash), mapped2(slices.Collect(slices.Chunk(upTo(n/3*3), 3)))
	}},
	{"Windows", func(n int) (numbers, []int) {
		var want []int
		for i := range max(0, n-2) {
			want = append(want, hash([]int{i, i + 1, i + 2}))
		}
		return iter.Map(iter.Windows(upTo(n), 3), hash), want
	}},
	{"Split", func(n int) (numbers, []int) {
		want := [][]int{{}}
		for i := range n {
			if i%5 == 2 {
				want = append(want, []int{})
			} else {
				want[len(want)-1] = append(want[len(want)-1], i)
			}
		}
		return iter.Map(iter.Split(upTo(n), func(v int) bool { return v%5 == 2 }), hash), mapped2(want)
	}},
	{"SliceMut", func(n int) (numbers, []int) {
		return iter.Map(iter.SliceMut(upTo(n)), func(p *int) int { return *p }), upTo(n)
	}},
	{"Lines", func(n int) (numbers, []int) { return iter.Map(iter.Lines(lettered(n, "\n")), length), lengths(n, 1) }},
	{"Words", func(n int) (numbers, []int) {
		return iter.Map(iter.Words(lettered(n, " \u2003")), length), lengths(n, 0)
	}},
	{"Walk", func(n int) (numbers, []int) {
		n = max(n, 1)
		below := func(v int) (nodes []int) {
			for w := 3*v + 1; w <= 3*v+3 && w < n; w++ {
				nodes = append(nodes, w)
			}
			return nodes
		}
		var want []int
		var visit func(v int)
		visit = func(v int) {
			want = append(want, v)
			for _, w := range below(v) {
				visit(w)
			}
		}
		visit(0)
		return iter.Walk(0, below), want
	}},
	// Maps have no order, so one pair must do.
	{"Once", func(n int) (numbers, []int) { return iter.Once(n), []int{n} }},
	{"Empty", func(n int) (numbers, []int) { return iter.Empty[int](), nil }},
	{"Keys", func(n int) (numbers, []int) { return iter.Keys(map[int]bool{n: true}), []int{n} }},
	{"Values", func(n int) (numbers, []int) { return iter.Values(map[bool]int{true: n}), []int{n} }},
	{"Pairs", func(n int) (numbers, []int) {
		return iter.Map(iter.Pairs(map[int]int{1: n}), func(p iter.Pair[int, int]) int { return p.First + p.Second }), []int{n + 1}
	}},
}

// lettered returns n words of one to seven letters, each with end behind it.
func lettered(n int, end string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString("abcdefg"[:1+i%7])
		b.WriteString(end)
	}
	return b.String()
}

// lengths returns the lengths of these words, with so many letters more.
func lengths(n, more int) []int {
	v := make([]int, n)
	for i := range v {
		v[i] = 1 + i%7 + more
	}
	return v
}

func length(s string) int { return len(s) }

func mapped2(v [][]int) (out []int) {
	for _, w := range v {
		out = append(out, hash(w))
	}
	return out
}
