// Montecarlo estimates π from random points, with the same result on any number
// of cores. Two things make it so: the random numbers of a point depend on its
// index alone (a counter-based generator, not one with a hidden state), and
// forkjoin.ParallelReduce adds up in an order that depends on n alone, so even
// the floating-point sum never changes.
//
//	go run ./examples/montecarlo
package main

import (
	"fmt"
	"log"
	"math"
	"runtime"
	"time"

	"github.com/forkjoin-go/forkjoin"
)

const (
	blocks   = 4096
	perBlock = 8192
	seed     = 42
)

// random returns the number with index i of a stream: the mixing function of
// SplitMix64 applied to a counter.
func random(i uint64) float64 {
	z := (i + seed) * 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return float64((z^z>>31)>>11) / (1 << 53)
}

// sums is what a run of blocks found: how many points fell into the quarter
// circle, and the area below its arc as a mean of heights.
type sums struct {
	hits    int
	heights float64
}

// sample draws the points of the blocks lo to hi.
func sample(lo, hi int) (s sums) {
	for i := uint64(lo) * perBlock; i < uint64(hi)*perBlock; i++ {
		x, y := random(2*i), random(2*i+1)
		if x*x+y*y < 1 {
			s.hits++
		}
		s.heights += math.Sqrt(1 - x*x)
	}
	return s
}

func plus(a, b sums) sums { return sums{a.hits + b.hits, a.heights + b.heights} }

func estimate() sums { return forkjoin.ParallelReduce(blocks, sums{}, sample, plus) }

func main() {
	const points = blocks * perBlock
	var want, got sums
	sequential := timed(func() { want = sample(0, blocks) })
	parallel := timed(func() { got = estimate() })

	// The sequential loop adds the heights in another order, so those agree
	// only to rounding; the hits are whole numbers and must be equal.
	if got.hits != want.hits || math.Abs(got.heights/want.heights-1) > 1e-9 {
		log.Fatalf("montecarlo: %v in parallel, %v sequentially", got, want)
	}
	cores := runtime.GOMAXPROCS(0)
	for p := 1; p <= 2*cores; p++ {
		runtime.GOMAXPROCS(p)
		if again := estimate(); again != got {
			log.Fatalf("montecarlo: %v on %d cores, %v on %d", again, p, got, cores)
		}
	}
	pi := 4 * float64(got.hits) / points
	if math.Abs(pi-math.Pi) > 0.002 {
		log.Fatalf("montecarlo: π came out as %v", pi)
	}
	fmt.Printf("%d points: π ≈ %.6f by hits, %.6f by heights, to the bit the same on 1 to %d cores\n",
		points, pi, 4*got.heights/points, 2*cores)
	fmt.Printf("sequential %v, parallel %v on %d cores\n", sequential, parallel, cores)
}

func timed(f func()) time.Duration {
	start := time.Now()
	f()
	return time.Since(start).Round(10 * time.Microsecond)
}
