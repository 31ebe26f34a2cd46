package forkjoin_test

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/forkjoin-go/forkjoin"
)

func ExampleSortFunc() {
	type city struct {
		name   string
		people int
	}
	cities := []city{{"Bern", 134000}, {"Graz", 292000}, {"Linz", 207000}}
	forkjoin.SortFunc(cities, func(a, b city) int { return cmp.Compare(b.people, a.people) })
	fmt.Println(cities)
	// Output: [{Graz 292000} {Linz 207000} {Bern 134000}]
}

// Words in order of their length; those of one length stay in their order.
func ExampleSortStableFunc() {
	words := strings.Fields("the quick brown fox jumps over the lazy dog")
	forkjoin.SortStableFunc(words, func(a, b string) int { return len(a) - len(b) })
	fmt.Println(words)
	// Output: [the fox the dog over lazy quick brown jumps]
}

func ExampleMerge() {
	evens, odds := []int{0, 2, 4, 6}, []int{1, 3, 5}
	all := make([]int, 7)
	forkjoin.Merge(all, evens, odds)
	fmt.Println(all)
	// Output: [0 1 2 3 4 5 6]
}

// Of equal keys, those of the first slice come first.
func ExampleMergeFunc() {
	day, night := []string{"06 bread", "12 soup"}, []string{"06 coffee", "23 toast"}
	all := make([]string, 4)
	forkjoin.MergeFunc(all, day, night, func(a, b string) int { return strings.Compare(a[:2], b[:2]) })
	fmt.Printf("%q\n", all)
	// Output: ["06 bread" "06 coffee" "12 soup" "23 toast"]
}

func ExampleSelect() {
	times := []float64{4.1, 3.9, 17.2, 4.0, 4.3}
	fmt.Println("median:", forkjoin.Select(times, len(times)/2))
	// Output: median: 4.1
}

func ExampleSelectFunc() {
	words := strings.Fields("publish steal fork join")
	shortest := forkjoin.SelectFunc(words, 0, func(a, b string) int {
		return cmp.Or(len(a)-len(b), strings.Compare(a, b))
	})
	fmt.Println(shortest)
	// Output: fork
}

func ExamplePartition() {
	v := []int{1, 2, 3, 4, 5, 6, 7}
	n := forkjoin.Partition(v, func(x int) bool { return x%2 == 0 })
	fmt.Println(v[:n], v[n:])
	// Output: [2 4 6] [1 3 5 7]
}

// The different values of a sorted slice.
func ExampleCompact() {
	v := []int{1, 1, 2, 3, 3, 3}
	v = forkjoin.Compact(v)
	fmt.Println(v)
	// Output: [1 2 3]
}

func ExampleCompactFunc() {
	names := []string{"bob", "Bob", "alice", "Vera", "VERA"}
	names = forkjoin.CompactFunc(names, strings.EqualFold)
	fmt.Println(names)
	// Output: [bob alice Vera]
}

func ExampleIsSortedFunc() {
	names := []string{"alice", "Bob", "VERA"}
	fmt.Println(forkjoin.IsSortedFunc(names, func(a, b string) int {
		return strings.Compare(strings.ToLower(a), strings.ToLower(b))
	}))
	// Output: true
}

func ExampleMinMaxFunc() {
	words := strings.Fields("publish steal fork join")
	shortest, longest := forkjoin.MinMaxFunc(words, func(a, b string) int { return len(a) - len(b) })
	fmt.Println(shortest, longest)
	// Output: fork publish
}
