package iter_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/forkjoin-go/forkjoin"
	"github.com/forkjoin-go/forkjoin/iter"
)

func Example() {
	text := "the quick brown fox jumps over the lazy dog and the cat"

	counts := iter.CountBy(iter.Words(text), func(word string) int { return len(word) })
	long := iter.Filter(iter.Words(text), func(word string) bool { return len(word) > 4 })

	fmt.Println(counts)
	fmt.Println(long.Collect())
	// Output:
	// map[3:7 4:2 5:3]
	// [quick brown jumps]
}

func ExampleSeq_ForEach() {
	prices := []float64{1, 2, 3}
	iter.SliceMut(prices).ForEach(func(p *float64) { *p *= 1.19 })
	fmt.Printf("%.2f\n", prices)
	// Output: [1.19 2.38 3.57]
}

func ExampleSeq_ForEachErr() {
	errOdd := errors.New("odd")
	err := iter.Slice([]int{2, 4, 5, 8}).ForEachErr(func(v int) error {
		if v%2 == 1 {
			return fmt.Errorf("%d: %w", v, errOdd)
		}
		return nil
	})
	fmt.Println(err)
	// Output: 5: odd
}

func ExampleSeq_Collect() {
	squares := iter.Map(iter.Range(0, 6), func(v int) int { return v * v })
	fmt.Println(squares.Collect())
	// Output: [0 1 4 9 16 25]
}

func ExampleSeq_CollectInto() {
	buffer := make([]int, 4)
	n := iter.Range(7, 10).CollectInto(buffer)
	fmt.Println(buffer[:n])
	// Output: [7 8 9]
}

func ExampleSeq_AppendTo() {
	fmt.Println(iter.Range(2, 5).AppendTo([]int{0, 1}))
	// Output: [0 1 2 3 4]
}

func ExampleSeq_All() {
	// Elements are computed ahead by all workers and come in order.
	for v := range iter.Map(iter.Range(1, 1_000_000_000), func(v int) string { return strconv.Itoa(v * v) }).All() {
		if len(v) > 2 {
			break // ends the work, too
		}
		fmt.Print(v, " ")
	}
	fmt.Println()
	// Output: 1 4 9 16 25 36 49 64 81
}

func ExampleSeq_WithContext() {
	ctx, cancel := context.WithCancelCause(context.Background())
	var n atomic.Int64
	err := iter.Range(0, 1_000_000_000).WithContext(ctx).ForEachErr(func(int) error {
		if n.Add(1) == 1000 {
			cancel(errors.New("enough"))
		}
		return nil
	})
	fmt.Println(err)
	// Output: enough
}

func ExampleCollectMap() {
	names := []string{"ann", "bob", "eve"}
	lengths := iter.Map(iter.Slice(names), func(s string) iter.Pair[string, int] {
		return iter.Pair[string, int]{First: s, Second: len(s)}
	})
	fmt.Println(iter.CollectMap(lengths))
	// Output: map[ann:3 bob:3 eve:3]
}

func ExampleGroupBy() {
	words := iter.Words("one two three four five six")
	fmt.Println(iter.GroupBy(words, func(s string) int { return len(s) }))
	// Output: map[3:[one two six] 4:[four five] 5:[three]]
}

func ExampleCountBy() {
	histogram := iter.CountBy(iter.Range(0, 1000), func(v int) int { return v % 4 })
	fmt.Println(histogram)
	// Output: map[0:250 1:250 2:250 3:250]
}

func ExamplePartition() {
	even, odd := iter.Partition(iter.Range(0, 10), func(v int) bool { return v%2 == 0 })
	fmt.Println(even, odd)
	// Output: [0 2 4 6 8] [1 3 5 7 9]
}

func ExampleUnzip() {
	numbers, words := iter.Unzip(iter.Enumerate(iter.Words("zero one two")))
	fmt.Println(numbers, words)
	// Output: [0 1 2] [zero one two]
}

func ExampleReduce() {
	longest := iter.Reduce(iter.Words("a list of words"), "", func(a, b string) string {
		if len(b) > len(a) {
			return b
		}
		return a
	})
	fmt.Println(longest)
	// Output: words
}

func ExampleFold() {
	letters := iter.Fold(iter.Words("to be or not to be"),
		func() map[rune]bool { return make(map[rune]bool) },
		func(seen map[rune]bool, word string) map[rune]bool {
			for _, r := range word {
				seen[r] = true
			}
			return seen
		},
		func(a, b map[rune]bool) map[rune]bool { maps.Copy(a, b); return a })
	fmt.Println(string(slices.Sorted(maps.Keys(letters))))
	// Output: benort
}

func ExampleTryReduce() {
	_, err := iter.TryReduce(iter.Slice([]int8{100, 20, 30}), 0, func(a, b int8) (int8, error) {
		if sum := int(a) + int(b); sum > 127 {
			return 0, errors.New("too much")
		}
		return a + b, nil
	})
	fmt.Println(err)
	// Output: too much
}

func ExampleSum() {
	v := []float64{3, 4}
	fmt.Println(iter.Sum(iter.Map(iter.Slice(v), func(x float64) float64 { return x * x })))
	// Output: 25
}

func ExampleProduct() {
	fmt.Println(iter.Product(iter.Range[int64](1, 21)))
	// Output: 2432902008176640000
}

func ExampleCount() {
	vowels := iter.Filter(iter.Runes("how many vowels"), func(r rune) bool { return strings.ContainsRune("aeiou", r) })
	fmt.Println(iter.Count(vowels))
	// Output: 4
}

func ExampleMin() {
	fmt.Println(iter.Min(iter.Slice([]int{3, 1, 2})))
	fmt.Println(iter.Min(iter.Empty[int]()))
	// Output:
	// 1 true
	// 0 false
}

func ExampleMax() {
	fmt.Println(iter.Max(iter.Words("some of these words")))
	// Output: words true
}

func ExampleMinFunc() {
	byLength := func(a, b string) int { return cmp.Compare(len(a), len(b)) }
	fmt.Println(iter.MinFunc(iter.Words("three of us go"), byLength))
	// Output: of true
}

func ExampleMaxFunc() {
	byLength := func(a, b string) int { return cmp.Compare(len(a), len(b)) }
	fmt.Println(iter.MaxFunc(iter.Words("the first of those words"), byLength))
	// Output: first true
}

func ExampleMinMax() {
	fmt.Println(iter.MinMax(iter.Slice([]float64{2.5, -1, 8})))
	// Output: -1 8 true
}

func ExampleAny() {
	fmt.Println(iter.Any(iter.Range(0, 1_000_000_000), func(v int) bool { return v > 500_000_000 }))
	// Output: true
}

func ExampleAll() {
	fmt.Println(iter.All(iter.Words("All words begin like This"), func(s string) bool { return s[0] < 'a' }))
	// Output: false
}

func ExampleNone() {
	fmt.Println(iter.None(iter.Range(0, 1000), func(v int) bool { return v < 0 }))
	// Output: true
}

func ExampleFindFirst() {
	fmt.Println(iter.FindFirst(iter.Range(2, 1000), func(v int) bool { return 91%v == 0 }))
	// Output: 7 true
}

func ExampleFindLast() {
	fmt.Println(iter.FindLast(iter.Range(1, 91), func(v int) bool { return 91%v == 0 }))
	// Output: 13 true
}

func ExampleFindAny() {
	v, ok := iter.FindAny(iter.Range(0, 1000), func(v int) bool { return v%7 == 3 })
	fmt.Println(v%7, ok)
	// Output: 3 true
}

func ExamplePosition() {
	fmt.Println(iter.Position(iter.Words("a needle in a haystack"), func(s string) bool { return s == "needle" }))
	// Output: 1
}

func ExampleContains() {
	fmt.Println(iter.Contains(iter.Lines("a\nb\n"), "b\n"))
	// Output: true
}

func ExampleEqual() {
	fmt.Println(iter.Equal(iter.Range(0, 3), iter.Slice([]int{0, 1, 2})))
	// Output: true
}

func ExampleCompare() {
	fmt.Println(iter.Compare(iter.Range(0, 3), iter.Slice([]int{0, 1, 3})))
	// Output: -1
}

func ExampleIsSortedFunc() {
	names := []string{"Ann", "bob", "Cleo"}
	fold := func(a, b string) int { return strings.Compare(strings.ToLower(a), strings.ToLower(b)) }
	fmt.Println(iter.IsSortedFunc(iter.Slice(names), fold))
	// Output: true
}

func ExampleIsSorted() {
	fmt.Println(iter.IsSorted(iter.Words("in alphabetical order")))
	// Output: false
}

func ExampleTopK() {
	fmt.Println(iter.TopK(iter.Slice([]int{3, 9, 1, 7, 5}), 2))
	// Output: [9 7]
}

func ExampleTopKFunc() {
	byLength := func(a, b string) int { return cmp.Compare(len(a), len(b)) }
	fmt.Println(iter.TopKFunc(iter.Words("of these words take the longest two"), 2, byLength))
	// Output: [longest these]
}

func ExampleFromSeq() {
	// Lines come one after the other; they are parsed by all workers.
	lines := iter.FromSeq(strings.Lines("1\n2\n3\n"))
	numbers := iter.Map(lines, func(s string) int {
		v, _ := strconv.Atoi(strings.TrimSpace(s))
		return v
	})
	fmt.Println(iter.Sum(numbers))
	// Output: 6
}

func ExampleChannel() {
	jobs := make(chan int)
	go func() {
		for v := range 4 {
			jobs <- v
		}
		close(jobs)
	}()
	squares := iter.Map(iter.Channel(jobs), func(v int) int { return v * v })
	fmt.Println(squares.Collect())
	// Output: [0 1 4 9]
}

func ExampleMapWith() {
	lines := iter.Lines("some\ntext\n")
	upper := iter.MapWith(lines, func() *strings.Builder { return new(strings.Builder) },
		func(b *strings.Builder, line string) string {
			b.Reset()
			for word := range strings.FieldsSeq(line) {
				b.WriteString(strings.ToUpper(word))
			}
			return b.String()
		})
	fmt.Println(upper.Collect())
	// Output: [SOME TEXT]
}

func ExampleZip() {
	a, b := []float64{1, 2, 3}, []float64{4, 5, 6}
	products := iter.Map(iter.Zip(iter.Slice(a), iter.Slice(b)), func(p iter.Pair[float64, float64]) float64 {
		return p.First * p.Second
	})
	fmt.Println(iter.Sum(products))
	// Output: 32
}

func ExampleFlatMap() {
	dominoes := iter.FlatMap(iter.Range(0, 3), func(a int) [][2]int {
		var all [][2]int
		for b := range a + 1 {
			all = append(all, [2]int{a, b})
		}
		return all
	})
	fmt.Println(dominoes.Collect())
	// Output: [[0 0] [1 0] [1 1] [2 0] [2 1] [2 2]]
}

func ExampleScan() {
	fmt.Println(iter.Scan(iter.Range(1, 6), func(a, b int) int { return a + b }).Collect())
	// Output: [1 3 6 10 15]
}

func ExampleWalk() {
	below := map[string][]string{"/": {"bin", "home"}, "home": {"ann", "bob"}}
	fmt.Println(iter.Walk("/", func(dir string) []string { return below[dir] }).Collect())
	// Output: [/ bin home ann bob]
}

func Example_panic() {
	defer func() {
		e := recover().(*forkjoin.PanicError)
		fmt.Println(e.Value)
	}()
	iter.Range(0, 100).ForEach(func(v int) {
		if v == 42 {
			panic("42 came")
		}
	})
	// Output: 42 came
}
