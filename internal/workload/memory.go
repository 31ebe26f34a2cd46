package workload

import (
	"sync/atomic"

	"github.com/forkjoin-go/forkjoin"
)

// streaming is the triad of the STREAM benchmark: 24 bytes of memory for two
// operations.
func streaming(n int) (func() uint64, func()) {
	a, b, c := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range a {
		b[i], c[i] = float64(i), 1
	}
	work := func() uint64 {
		forkjoin.ParallelForRange(0, n, func(lo, hi int) {
			to, x, y := a[lo:hi], b[lo:hi], c[lo:hi]
			for i := range to {
				to[i] = x[i] + 3*y[i]
			}
		})
		return uint64(a[0] + a[n/2] + a[n-1])
	}
	return work, func() {}
}

// counting counts hashes by their last digits. A counter that two workers add to
// travels between their caches.
func counting(n int) (func() uint64, func()) {
	var counters [64]atomic.Uint64
	work := func() (sum uint64) {
		forkjoin.ParallelForRange(0, n, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				counters[mix(uint64(i)*0x9E3779B97F4A7C15)%64].Add(1)
			}
		})
		for i := range counters {
			sum = sum*31 + counters[i].Load()
		}
		return sum
	}
	reset := func() {
		for i := range counters {
			counters[i].Store(0)
		}
	}
	return work, reset
}
