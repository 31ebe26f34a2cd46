package forkjoin_test

import (
	gobuild "go/build"
	"io/fs"
	stditer "iter"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/forkjoin-go/forkjoin"
	"github.com/forkjoin-go/forkjoin/iter"
)

// The figures of package iter. The plain forms are functions of their own, which
// the compiler optimises as it does a user's.

func init() {
	for name, bound := range map[string]benchBound{
		"iter/sum1e4 ns-over-seq":            benchMost(200),
		"iter/mapsum1e7 speed-reduce":        benchLeast(0.9),
		"iter/mapsum1e7 speed-reduceinlined": benchLeast(0.9),
		"iter/mapsum1e7 chunks-speed":        benchLeast(0.9),
		"iter/stages ns/element-and-stage":   benchMost(2.5),
		"iter/collect1e7/func speedup":       benchLeast(1.7),
		"iter/collect1e7/inlined speedup":    benchLeast(1.7),
		"iter/words speedup":                 benchLeast(1.85),
		"iter/search/first us":               benchMost(100),
		"iter/search/last us":                benchMost(100),
		"iter/search/any us":                 benchMost(100),
		"iter/search/any1in1000 us":          benchMost(100),
	} {
		benchBounds[name] = bound
	}
}

var (
	benchSinkFloat float64
	benchSinkInt   int
)

//go:noinline
func benchLoopSum(v []float64) (s float64) {
	for _, x := range v {
		s += x
	}
	return s
}

//go:noinline
func benchLoopMapSum(v []float64) (s float64) {
	for _, x := range v {
		s += x * x
	}
	return s
}

//go:noinline
func benchLoopMapSumOf(v []float64, f func(float64) float64) (s float64) {
	for _, x := range v {
		s += f(x)
	}
	return s
}

//go:noinline
func benchLoopMapFilterSum(v []float64) (s float64) {
	for _, x := range v {
		if y := x * x; y > 1000 {
			s += y
		}
	}
	return s
}

//go:noinline
func benchLoopMap(v []float64) []float64 {
	out := make([]float64, len(v))
	for i, x := range v {
		out[i] = x * x
	}
	return out
}

//go:noinline
func benchLoopMapOf(v []float64, f func(float64) float64) []float64 {
	out := make([]float64, len(v))
	for i, x := range v {
		out[i] = f(x)
	}
	return out
}

func benchSquare(x float64) float64 { return x * x }

// benchUpTo yields the numbers below n, one by one.
func benchUpTo(n int) stditer.Seq[int] {
	return func(yield func(int) bool) {
		for v := range n {
			if !yield(v) {
				return
			}
		}
	}
}

func benchIterFloats(n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = float64(i%1000) + 0.25
	}
	return v
}

func benchFiguresIter(b *testing.B) {
	b.Run("sum1e4", func(b *testing.B) {
		v := benchIterFloats(1e4)
		t := benchAlternate(b,
			benchWay{op: func() { benchSinkFloat = benchLoopSum(v) }, workers: 2},
			benchWay{op: func() { benchSinkFloat = iter.Sum(iter.Slice(v)) }, workers: 2})
		benchFigure(b, t[1].ns-t[0].ns, "ns-over-seq")
		benchFigure(b, t[1].ns, "ns")
	})
	v := benchIterFloats(benchPick(1e7, 1e6))
	b.Run("mapsum1e7", func(b *testing.B) {
		add := func(a, b float64) float64 { return a + b }
		reduce := func(leaf func(v []float64) float64) func() {
			return func() {
				benchSinkFloat = forkjoin.ParallelReduce(len(v), 0, func(lo, hi int) float64 { return leaf(v[lo:hi]) }, add)
			}
		}
		t := benchAlternate(b,
			benchWay{op: func() { benchSinkFloat = benchLoopMapSum(v) }, workers: 2},
			benchWay{op: reduce(func(v []float64) float64 { return benchLoopMapSumOf(v, benchSquare) }), workers: 2},
			benchWay{op: reduce(benchLoopMapSum), workers: 2},
			benchWay{op: func() { benchSinkFloat = iter.Sum(iter.Map(iter.Slice(v), benchSquare)) }, workers: 2},
			benchWay{op: func() { benchSinkFloat = iter.Sum(iter.Map(iter.Chunks(v, 1024), benchLoopMapSum)) }, workers: 2})
		benchFigure(b, t[1].ns/t[3].ns, "speed-reduce")
		benchFigure(b, t[2].ns/t[3].ns, "speed-reduceinlined")
		benchFigure(b, t[2].ns/t[4].ns, "chunks-speed")
		benchFigure(b, t[0].ns/t[3].ns, "speedup")
	})
	b.Run("stages", func(b *testing.B) {
		v := v[:1e6]
		t := benchAlternate(b,
			benchWay{op: func() { benchSinkFloat = benchLoopMapFilterSum(v) }, workers: 1},
			benchWay{op: func() {
				squares := iter.Map(iter.Slice(v), benchSquare)
				benchSinkFloat = iter.Sum(iter.Filter(squares, func(y float64) bool { return y > 1000 }))
			}, workers: 1})
		benchFigure(b, (t[1].ns-t[0].ns)/float64(2*len(v)), "ns/element-and-stage")
	})
	collect := benchWay{op: func() { benchSinkFloat = iter.Map(iter.Slice(v), benchSquare).Collect()[0] }, workers: 2}
	for _, plain := range []struct {
		name string
		op   func()
	}{
		{"func", func() { benchSinkFloat = benchLoopMapOf(v, benchSquare)[0] }},
		{"inlined", func() { benchSinkFloat = benchLoopMap(v)[0] }},
	} {
		b.Run("collect1e7/"+plain.name, func(b *testing.B) {
			t := benchAlternate(b, benchWay{op: plain.op, workers: 2}, collect)
			benchFigure(b, t[0].ns/t[1].ns, "speedup")
			benchFigure(b, t[1].ns/1e6, "ms")
		})
	}
	b.Run("fromseq", func(b *testing.B) {
		const n = 1e5
		sum := func(n int) func() {
			return func() { benchSinkInt = iter.Sum(iter.FromSeq(benchUpTo(n))) }
		}
		t := benchAlternate(b, benchWay{op: sum(n), workers: 2}, benchWay{op: sum(10), workers: 2})
		benchFigure(b, t[0].ns/n, "ns/element")
		benchFigure(b, t[1].ns/1000, "us-for-ten")
	})
	b.Run("words", benchFigureWords)
	b.Run("search", benchFiguresSearch)
}

// benchFigureWords counts the words of Go's own sources, which are in memory.
func benchFigureWords(b *testing.B) {
	var text strings.Builder
	err := filepath.WalkDir(filepath.Join(gobuild.Default.GOROOT, "src"), func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || filepath.Ext(name) != ".go" || testing.Short() && text.Len() > 1e7 {
			return err
		}
		data, err := os.ReadFile(name)
		text.Write(data)
		return err
	})
	if err != nil || text.Len() == 0 {
		b.Skipf("Go's sources cannot be read: %v", err)
	}
	var seq, par map[string]int
	t := benchAlternate(b,
		benchWay{op: func() {
			seq = make(map[string]int)
			for word := range strings.FieldsSeq(text.String()) {
				seq[word]++
			}
		}, workers: 2},
		benchWay{op: func() {
			par = iter.CountBy(iter.Words(text.String()), func(word string) string { return word })
		}, workers: 2})
	if len(seq) != len(par) {
		b.Errorf("%d different words, in sequence %d", len(par), len(seq))
	}
	benchFigure(b, t[0].ns/t[1].ns, "speedup")
	benchFigure(b, t[1].ns/1e6, "ms")
}

// benchFiguresSearch finds numbers among 10^18.
func benchFiguresSearch(b *testing.B) {
	if math.MaxInt < 1<<60 {
		b.Skip("an int is too small for so many positions")
	}
	var end int64 = 1e18
	huge := iter.Range(0, end)
	for _, s := range []struct {
		name string
		find func() (int64, bool)
	}{
		{"first", func() (int64, bool) { return iter.FindFirst(huge, func(v int64) bool { return v >= 1000 }) }},
		{"last", func() (int64, bool) { return iter.FindLast(huge, func(v int64) bool { return v < end-1000 }) }},
		{"any", func() (int64, bool) { return iter.FindAny(huge, func(v int64) bool { return v > end/2 }) }},
		{"any1in1000", func() (int64, bool) { return iter.FindAny(huge, func(v int64) bool { return v%1000 == 999 }) }},
	} {
		b.Run(s.name, func(b *testing.B) {
			t := benchAlternate(b, benchWay{op: func() {
				if _, ok := s.find(); !ok {
					b.Fatal("nothing is found")
				}
			}, workers: 2})
			benchFigure(b, t[0].ns/1000, "us")
		})
	}
}
