package iter_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/forkjoin-go/forkjoin/iter"
)

// Every source with every adaptor, and chains of adaptors, against plain code
// on slices.

type numbers = iter.Seq[int]

// A step is an adaptor with what it means for a slice.
type step struct {
	name  string
	seq   func(s numbers, k int) numbers
	plain func(v []int, k int) []int
}

func mix(v, k int) int { return v*31 + k }

var steps = []step{
	{"Map",
		func(s numbers, k int) numbers { return iter.Map(s, func(v int) int { return mix(v, k) }) },
		func(v []int, k int) []int { return mapped(v, func(v int) int { return mix(v, k) }) }},
	{"MapWith",
		func(s numbers, k int) numbers {
			return iter.MapWith(s, func() *int { return new(int) }, func(state *int, v int) int { *state = v; return *state + k })
		},
		func(v []int, k int) []int { return mapped(v, func(v int) int { return v + k }) }},
	{"Inspect",
		func(s numbers, k int) numbers { return iter.Inspect(s, func(int) {}) },
		func(v []int, k int) []int { return v }},
	{"Filter",
		func(s numbers, k int) numbers {
			return iter.Filter(s, func(v int) bool { return uint(v)%uint(k+2) != 0 })
		},
		func(v []int, k int) (out []int) {
			for _, w := range v {
				if uint(w)%uint(k+2) != 0 {
					out = append(out, w)
				}
			}
			return out
		}},
	{"FilterMap",
		func(s numbers, k int) numbers {
			return iter.FilterMap(s, func(v int) (int, bool) { return v + 1, uint(v)%3 == uint(k)%3 })
		},
		func(v []int, k int) (out []int) {
			for _, w := range v {
				if uint(w)%3 == uint(k)%3 {
					out = append(out, w+1)
				}
			}
			return out
		}},
	{"FlatMap",
		func(s numbers, k int) numbers { return iter.FlatMap(s, func(v int) []int { return several(v, k) }) },
		func(v []int, k int) (out []int) {
			for _, w := range v {
				out = append(out, several(w, k)...)
			}
			return out
		}},
	{"Flatten",
		func(s numbers, k int) numbers {
			return iter.Flatten(iter.Map(s, func(v int) []int { return several(v, 1) }))
		},
		func(v []int, k int) (out []int) {
			for _, w := range v {
				out = append(out, several(w, 1)...)
			}
			return out
		}},
	{"Take",
		func(s numbers, k int) numbers { return iter.Take(s, k) },
		func(v []int, k int) []int { return v[:min(k, len(v))] }},
	{"Skip",
		func(s numbers, k int) numbers { return iter.Skip(s, k) },
		func(v []int, k int) []int { return v[min(k, len(v)):] }},
	{"TakeWhile",
		func(s numbers, k int) numbers {
			return iter.TakeWhile(s, func(v int) bool { return uint(v)%29 != uint(k)%29 })
		},
		func(v []int, k int) []int {
			i := slices.IndexFunc(v, func(v int) bool { return uint(v)%29 == uint(k)%29 })
			if i < 0 {
				return v
			}
			return v[:i]
		}},
	{"SkipWhile",
		func(s numbers, k int) numbers {
			return iter.SkipWhile(s, func(v int) bool { return uint(v)%29 != uint(k)%29 })
		},
		func(v []int, k int) []int {
			i := slices.IndexFunc(v, func(v int) bool { return uint(v)%29 == uint(k)%29 })
			if i < 0 {
				return nil
			}
			return v[i:]
		}},
	{"StepBy",
		func(s numbers, k int) numbers { return iter.StepBy(s, k+1) },
		func(v []int, k int) (out []int) {
			for i := 0; i < len(v); i += k + 1 {
				out = append(out, v[i])
			}
			return out
		}},
	{"Rev",
		func(s numbers, k int) numbers { return iter.Rev(s) },
		func(v []int, k int) []int {
			v = slices.Clone(v)
			slices.Reverse(v)
			return v
		}},
	{"Chain",
		func(s numbers, k int) numbers { return iter.Chain(iter.Range(0, k), s, iter.Empty[int](), s) },
		func(v []int, k int) []int { return slices.Concat(upTo(k), v, v) }},
	{"Interleave",
		func(s numbers, k int) numbers { return iter.Interleave(s, iter.Range(0, k)) },
		func(v []int, k int) []int { return interleaved(v, upTo(k)) }},
	{"Interleave, second",
		func(s numbers, k int) numbers { return iter.Interleave(iter.Range(0, k), s) },
		func(v []int, k int) []int { return interleaved(upTo(k), v) }},
	{"Intersperse",
		func(s numbers, k int) numbers { return iter.Intersperse(s, -k) },
		func(v []int, k int) (out []int) {
			for i, w := range v {
				if i > 0 {
					out = append(out, -k)
				}
				out = append(out, w)
			}
			return out
		}},
	{"Zip",
		func(s numbers, k int) numbers {
			return iter.Map(iter.Zip(s, iter.Range(k, 10*k)), func(p iter.Pair[int, int]) int { return mix(p.First, p.Second) })
		},
		func(v []int, k int) (out []int) {
			for i := range min(len(v), 9*k) {
				out = append(out, mix(v[i], k+i))
			}
			return out
		}},
	{"Zip with itself",
		func(s numbers, k int) numbers {
			return iter.Map(iter.Zip(s, s), func(p iter.Pair[int, int]) int { return mix(p.First, p.Second) })
		},
		func(v []int, k int) []int { return mapped(v, func(v int) int { return mix(v, v) }) }},
	{"ZipLongest",
		func(s numbers, k int) numbers {
			return iter.Map(iter.ZipLongest(s, iter.Range(0, k), -1, -2), func(p iter.Pair[int, int]) int { return mix(p.First, p.Second) })
		},
		func(v []int, k int) (out []int) {
			for i := range max(len(v), k) {
				a, b := -1, -2
				if i < len(v) {
					a = v[i]
				}
				if i < k {
					b = i
				}
				out = append(out, mix(a, b))
			}
			return out
		}},
	{"Enumerate",
		func(s numbers, k int) numbers {
			return iter.Map(iter.Enumerate(s), func(p iter.Pair[int, int]) int { return mix(p.First, p.Second) })
		},
		func(v []int, k int) (out []int) {
			for i, w := range v {
				out = append(out, mix(i, w))
			}
			return out
		}},
	{"Chunked",
		func(s numbers, k int) numbers { return iter.Map(iter.Chunked(s, k+1), hash) },
		func(v []int, k int) (out []int) {
			for c := range slices.Chunk(v, k+1) {
				out = append(out, hash(c))
			}
			return out
		}},
	{"Windowed",
		func(s numbers, k int) numbers { return iter.Map(iter.Windowed(s, k+1), hash) },
		func(v []int, k int) (out []int) {
			for i := 0; i+k+1 <= len(v); i++ {
				out = append(out, hash(v[i:i+k+1]))
			}
			return out
		}},
	{"Dedup",
		func(s numbers, k int) numbers {
			return iter.Dedup(iter.Map(s, func(v int) int { return v / (k + 1) }))
		},
		func(v []int, k int) []int { return slices.Compact(mapped(v, func(v int) int { return v / (k + 1) })) }},
	{"Scan",
		func(s numbers, k int) numbers { return iter.Scan(s, func(a, b int) int { return a + b }) },
		func(v []int, k int) (out []int) {
			sum := 0
			for _, w := range v {
				sum += w
				out = append(out, sum)
			}
			return out
		}},
	{"WithMinLeaf",
		func(s numbers, k int) numbers { return s.WithMinLeaf(k + 1) },
		func(v []int, k int) []int { return v }},
	{"WithMaxLeaf",
		func(s numbers, k int) numbers { return s.WithMaxLeaf(1000 + k).WithLabel("label") },
		func(v []int, k int) []int { return v }},
}

func mapped(v []int, f func(int) int) []int {
	out := make([]int, len(v))
	for i, w := range v {
		out[i] = f(w)
	}
	return out
}

func several(v, k int) (out []int) {
	for i := range (v&0xff + k) % 4 {
		out = append(out, v+i)
	}
	return out
}

func interleaved(a, b []int) (out []int) {
	for i := range max(len(a), len(b)) {
		if i < len(a) {
			out = append(out, a[i])
		}
		if i < len(b) {
			out = append(out, b[i])
		}
	}
	return out
}

func hash(v []int) int {
	h := len(v)
	for _, w := range v {
		h = mix(h, w)
	}
	return h
}

func TestEveryAdaptorOnEverySource(t *testing.T) {
	for _, from := range starts {
		for _, step := range steps {
			for _, n := range pick([]int{0, 1, 2, 30, 600}, []int{0, 1, 30, 150}) {
				for _, k := range pick([]int{0, 1, 3}, []int{1}) {
					s, v := from.make(n)
					same(t, fmt.Sprintf("%s(%d).%s(%d)", from.name, n, step.name, k), step.seq(s, k), step.plain(v, k))
				}
			}
		}
	}
}

func TestChainsOfAdaptors(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range pick(600, 60) {
		code := make([]byte, 8)
		for i := range code {
			code[i] = byte(r.Uint32())
		}
		runChain(t, code)
	}
}

func FuzzChains(f *testing.F) {
	f.Add([]byte{0, 10, 3, 1, 5, 2, 8, 3})
	f.Add([]byte{5, 200, 7, 1, 14, 2})
	f.Fuzz(func(t *testing.T, code []byte) { runChain(t, code) })
}

// runChain builds what code says: a source, its length, then adaptors with their
// numbers.
func runChain(t *testing.T, code []byte) {
	if len(code) < 2 {
		return
	}
	from := starts[int(code[0])%len(starts)]
	n := int(code[1]) * (1 + int(code[0])/len(starts)%8)
	s, v := from.make(n)
	name := fmt.Sprintf("%s(%d)", from.name, n)
	for code = code[2:]; len(code) >= 2 && len(v) < 20_000; code = code[2:] {
		step, k := steps[int(code[0])%len(steps)], int(code[1])%16
		s, v = step.seq(s, k), step.plain(v, k)
		name += fmt.Sprintf(".%s(%d)", step.name, k)
	}
	same(t, name, s, v)
	consumers(t, name, s, v)
}

// consumers compares what consumers say about s with what plain code says.
func consumers(t *testing.T, name string, s numbers, v []int) {
	t.Helper()
	check := func(what string, got, want any) {
		t.Helper()
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("%s: %s is %v, want %v, of %v", name, what, got, want, brief(v))
		}
	}
	sum, product := 0, 1
	for _, w := range v {
		sum += w
		product *= w
	}
	check("Sum", iter.Sum(s), sum)
	check("Product", iter.Product(s), product)
	check("Reduce", iter.Reduce(s, 0, func(a, b int) int { return a + b }), sum)
	check("Fold", iter.Fold(s, func() []int { return nil }, func(a []int, w int) []int { return append(a, w) },
		func(a, b []int) []int { return append(a, b...) }), v)
	if len(v) > 0 {
		least, _ := iter.Min(s)
		greatest, _ := iter.Max(s)
		check("Min", least, slices.Min(v))
		check("Max", greatest, slices.Max(v))
	}
	is := func(w int) bool { return uint(w)%7 == 3 }
	at := slices.IndexFunc(v, is)
	check("Position", iter.Position(s, is), at)
	first, ok := iter.FindFirst(s, is)
	check("FindFirst", ok, at >= 0)
	if ok {
		check("FindFirst", first, v[at])
		last, _ := iter.FindLast(s, is)
		i := len(v) - 1
		for !is(v[i]) {
			i--
		}
		check("FindLast", last, v[i])
		found, ok := iter.FindAny(s, is)
		check("FindAny", ok && is(found), true)
	}
	check("Any", iter.Any(s, is), at >= 0)
	check("None", iter.None(s, is), at < 0)
	check("All", iter.All(s, is), !slices.ContainsFunc(v, func(w int) bool { return !is(w) }))
	check("IsSorted", iter.IsSorted(s), slices.IsSorted(v))
	holds, not := iter.Partition(s, is)
	want := slices.DeleteFunc(slices.Clone(v), func(w int) bool { return !is(w) })
	check("Partition", holds, want)
	check("Partition", not, slices.DeleteFunc(slices.Clone(v), is))
	sorted := slices.Clone(v)
	slices.Sort(sorted)
	slices.Reverse(sorted)
	check("TopK", iter.TopK(s, 5), sorted[:min(5, len(v))])
	key := func(w int) int { return w % 5 }
	groups, counts := map[int][]int{}, map[int]int{}
	for _, w := range v {
		groups[key(w)] = append(groups[key(w)], w)
		counts[key(w)]++
	}
	check("GroupBy", iter.GroupBy(s, key), groups)
	check("CountBy", iter.CountBy(s, key), counts)
	check("Equal", iter.Equal(s, iter.Slice(v)), true)
	check("Compare", iter.Compare(s, iter.Slice(v)), 0)
	check("Compare with more", iter.Compare(s, iter.Slice(append(slices.Clip(v), 0))), -1)
	into := make([]int, len(v))
	check("CollectInto", s.CollectInto(into), len(v))
	check("CollectInto", into, v)
}
