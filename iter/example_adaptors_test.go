package iter_test

import (
	"fmt"
	"strings"

	"github.com/forkjoin-go/forkjoin/iter"
)

func ExampleMap() {
	lengths := iter.Map(iter.Slice([]string{"a", "bb", "ccc"}), func(s string) int { return len(s) })
	fmt.Println(lengths.Collect())
	// Output: [1 2 3]
}

func ExampleFilter() {
	odd := iter.Filter(iter.Range(0, 10), func(n int) bool { return n%2 == 1 })
	fmt.Println(odd.Collect())
	// Output: [1 3 5 7 9]
}

func ExampleRange() {
	fmt.Println(iter.Range('a', 'e').Collect())
	fmt.Println(iter.Sum(iter.Range(int64(1), 1_000_001)))
	// Output:
	// [97 98 99 100]
	// 500000500000
}

func ExampleSliceMut() {
	prices := []float64{10, 20, 30}
	iter.SliceMut(prices).ForEach(func(p *float64) { *p *= 1.5 })
	fmt.Println(prices)
	// Output: [15 30 45]
}

func ExampleChunks() {
	sums := iter.Map(iter.Chunks([]int{1, 2, 3, 4, 5}, 2), func(part []int) int {
		sum := 0
		for _, n := range part {
			sum += n
		}
		return sum
	})
	fmt.Println(sums.Collect())
	// Output: [3 7 5]
}

func ExampleWindows() {
	rises := iter.Filter(iter.Windows([]int{1, 5, 4, 8}, 2), func(w []int) bool { return w[0] < w[1] })
	fmt.Println(rises.Collect())
	// Output: [[1 5] [4 8]]
}

func ExampleLines() {
	text := "INFO started\nERROR no disk\nINFO ended\n"
	errors := iter.Filter(iter.Lines(text), func(line string) bool { return strings.HasPrefix(line, "ERROR") })
	fmt.Printf("%q\n", errors.Collect())
	// Output: ["ERROR no disk\n"]
}

func ExampleWords() {
	fmt.Println(iter.CountBy(iter.Words("Row row row your boat"), strings.ToLower))
	// Output: map[boat:1 row:3 your:1]
}

func ExampleEnumerate() {
	for p := range iter.Enumerate(iter.Slice([]string{"zero", "one"})).All() {
		fmt.Println(p.First, p.Second)
	}
	// Output:
	// 0 zero
	// 1 one
}

func ExampleTakeWhile() {
	small := iter.TakeWhile(iter.Slice([]int{2, 3, 5, 7, 2}), func(n int) bool { return n < 6 })
	fmt.Println(small.Collect())
	// Output: [2 3 5]
}

func ExampleChain() {
	fmt.Println(iter.Chain(iter.Range(0, 3), iter.Once(9), iter.Rev(iter.Range(0, 3))).Collect())
	// Output: [0 1 2 9 2 1 0]
}

func ExampleFilterMap() {
	initials := iter.FilterMap(iter.Slice([]string{"Ada", "", "Grace"}), func(name string) (string, bool) {
		if name == "" {
			return "", false
		}
		return name[:1], true
	})
	fmt.Println(initials.Collect())
	// Output: [A G]
}

func ExampleDedup() {
	fmt.Println(iter.Dedup(iter.Slice([]int{1, 1, 2, 2, 2, 1})).Collect())
	// Output: [1 2 1]
}
