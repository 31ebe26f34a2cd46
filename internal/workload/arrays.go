package workload

import (
	"math/rand/v2"

	"github.com/forkjoin-go/forkjoin"
)

func randoms(n int) []int32 {
	r := rand.New(rand.NewPCG(1, uint64(n)))
	v := make([]int32, n)
	for i := range v {
		v[i] = r.Int32()
	}
	return v
}

// checksum depends on the order.
func checksum(v []int32) (sum uint64) {
	for i := 0; i < len(v); i += 1 + len(v)/100 {
		sum = sum*31 + uint64(v[i])
	}
	return sum
}

func mergesorting(n int) (func() uint64, func()) {
	input := randoms(n)
	v, buffer := make([]int32, n), make([]int32, n)
	reset := func() { copy(v, input) }
	reset()
	return func() uint64 {
		mergesort(merging{v, buffer})
		return checksum(v)
	}, reset
}

type merging struct{ v, buffer []int32 }

var mergesort = forkjoin.Recursive(func(t *forkjoin.Task[merging, struct{}], m merging) (none struct{}) {
	if len(m.v) <= 512 {
		insertion(m.v)
		return none
	}
	mid := len(m.v) / 2
	t.Join(merging{m.v[:mid], m.buffer[:mid]}, merging{m.v[mid:], m.buffer[mid:]})
	copy(m.buffer, m.v)
	a, b := m.buffer[:mid], m.buffer[mid:]
	for i := range m.v {
		if len(b) == 0 || len(a) > 0 && a[0] <= b[0] {
			m.v[i], a = a[0], a[1:]
		} else {
			m.v[i], b = b[0], b[1:]
		}
	}
	return none
})

func insertion(v []int32) {
	for i := 1; i < len(v); i++ {
		x, k := v[i], i
		for ; k > 0 && v[k-1] > x; k-- {
			v[k] = v[k-1]
		}
		v[k] = x
	}
}

func quicksorting(n int) (func() uint64, func()) {
	input, v := randoms(n), make([]int32, n)
	reset := func() { copy(v, input) }
	reset()
	return func() uint64 {
		quicksort(v)
		return checksum(v)
	}, reset
}

var quicksort = forkjoin.Recursive(func(t *forkjoin.Task[[]int32, struct{}], v []int32) (none struct{}) {
	if len(v) <= 256 {
		insertion(v)
		return none
	}
	p := median3(v[0], v[len(v)/2], v[len(v)-1])
	lo, hi := 0, len(v)-1
	for lo <= hi {
		for v[lo] < p {
			lo++
		}
		for v[hi] > p {
			hi--
		}
		if lo <= hi {
			v[lo], v[hi] = v[hi], v[lo]
			lo++
			hi--
		}
	}
	t.Join(v[:hi+1], v[lo:])
	return none
})

func median3(a, b, c int32) int32 { return max(min(a, b), min(max(a, b), c)) }

func multiplying(n int) (func() uint64, func()) {
	a, b, c := make([]float64, n*n), make([]float64, n*n), make([]float64, n*n)
	for i := range a {
		a[i], b[i] = float64(i%7), float64(i%5)
	}
	return func() uint64 {
		forkjoin.ParallelFor(n, func(i int) {
			row := c[i*n : i*n+n]
			clear(row)
			for k, x := range a[i*n : i*n+n] {
				for j, y := range b[k*n : k*n+n] {
					row[j] += x * y
				}
			}
		})
		return uint64(c[0] + c[n*n-1] + c[n*n/2])
	}, func() {}
}

func reducing(n int) (func() uint64, func()) {
	table := make([]uint64, n)
	for i := range table {
		table[i] = uint64(i)
	}
	return func() uint64 {
		return forkjoin.ParallelReduce(n, 0, func(lo, hi int) (sum uint64) {
			for _, x := range table[lo:hi] {
				sum += mix(mix(x))
			}
			return sum
		}, func(a, b uint64) uint64 { return a + b })
	}, func() {}
}
