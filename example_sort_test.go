package forkjoin_test

import (
	"fmt"
	"math"

	"github.com/forkjoin-go/forkjoin"
)

func ExampleSort() {
	temperatures := []float64{21.5, -3, 40, math.NaN(), 0}
	forkjoin.Sort(temperatures)
	fmt.Println(temperatures)
	// Output: [NaN -3 0 21.5 40]
}

func ExampleSortInPlace() {
	words := []string{"steal", "publish", "fork", "join"}
	forkjoin.SortInPlace(words)
	fmt.Println(words)
	// Output: [fork join publish steal]
}

// Orders by customer; those of one customer stay in their order.
func ExampleSortByKey() {
	type order struct {
		customer string
		item     string
	}
	orders := []order{{"Mia", "tea"}, {"Ben", "rice"}, {"Mia", "salt"}, {"Ada", "figs"}, {"Ben", "oil"}}
	forkjoin.SortByKey(orders, func(o order) string { return o.customer })
	fmt.Println(orders)
	// Output: [{Ada figs} {Ben rice} {Ben oil} {Mia tea} {Mia salt}]
}

func ExampleIsSorted() {
	fmt.Println(forkjoin.IsSorted([]int{1, 2, 2, 3}), forkjoin.IsSorted([]int{2, 1}))
	// Output: true false
}

func ExampleMinMax() {
	lo, hi := forkjoin.MinMax([]int{3, 1, 4, 1, 5})
	fmt.Println(lo, hi)
	// Output: 1 5
}

// The balance of an account after each booking.
func ExampleInclusiveSum() {
	bookings := []int{100, -30, -20, 50}
	balance := make([]int, len(bookings))
	forkjoin.InclusiveSum(balance, bookings)
	fmt.Println(balance)
	// Output: [100 70 50 100]
}

// Where each of several strings begins in a buffer that has them all.
func ExampleExclusiveSum() {
	names := []string{"fork", "join", "steal"}
	at := make([]int, len(names))
	for i, s := range names {
		at[i] = len(s)
	}
	total := forkjoin.ExclusiveSum(at, at)
	fmt.Println(at, total)
	// Output: [0 4 8] 13
}

// The highest price up to each day.
func ExampleInclusiveScan() {
	prices := []float64{7, 5, 8, 6, 9}
	highest := make([]float64, len(prices))
	forkjoin.InclusiveScan(highest, prices, func(a, b float64) float64 { return max(a, b) })
	fmt.Println(highest)
	// Output: [7 7 8 8 9]
}

// Running totals, with loops that the compiler sees.
func ExampleParallelScan() {
	x := []float64{0.5, 1.5, 2, 4}
	sums := make([]float64, len(x))
	total := forkjoin.ParallelScan(len(x), 0,
		func(lo, hi int) (sum float64) {
			for _, v := range x[lo:hi] {
				sum += v
			}
			return sum
		},
		func(a, b float64) float64 { return a + b },
		func(lo, hi int, sum float64) {
			for i := lo; i < hi; i++ {
				sum += x[i]
				sums[i] = sum
			}
		})
	fmt.Println(sums, total)
	// Output: [0.5 2 4 8] 8
}

// What all that comes before has in common.
func ExampleExclusiveScan() {
	flags := []uint8{0b1110, 0b0111, 0b1111}
	common := make([]uint8, len(flags))
	of := forkjoin.ExclusiveScan(common, flags, 0xff, func(a, b uint8) uint8 { return a & b })
	fmt.Printf("%b %b\n", common, of)
	// Output: [11111111 1110 110] 110
}
