package tick

import (
	"fmt"
	"testing"
)

// A tree of 10^6 tasks, 500,000 of which are leaves.
func bigTree(workers int) Config {
	return Config{
		Workers: workers, StealCost: 8, Leaf: 8, Divisible: true,
		Deques: [][]int64{{1 << 22}}, // 2^19 leaves of 8 ticks, and as many splits
	}
}

func BenchmarkTree(b *testing.B) {
	for _, workers := range []int{1, 8, 64, 1024, 4096} {
		for _, end := range []End{Far, Own} {
			b.Run(fmt.Sprintf("workers=%d/end=%d", workers, end), func(b *testing.B) {
				c := bigTree(workers)
				c.StealEnd = end
				b.ReportAllocs()
				var r *Result
				for b.Loop() {
					r, _ = Run(c)
				}
				b.ReportMetric(float64(1<<20-1)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mtasks/s")
				b.ReportMetric(float64(r.Attempts()), "attempts")
			})
		}
	}
}
