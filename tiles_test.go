package forkjoin

import (
	"math/rand/v2"
	"testing"
)

// However a loop cuts what a tiling has, each cell is in one rectangle, and these are
// as few as can be: a chunk has whole tiles, and of others at most a part of a row,
// rows, and a part of a row.
func TestTilingInFewRectangles(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, d := range [][2]int{{1, 1}, {1, 300}, {300, 1}, {16, 16}, {17, 23}, {32, 32}, {64, 64}, {65, 64}, {3, 2000}, {213, 97}, {512, 512}} {
		for _, l := range []limits{newLimits(1, 0), newLimits(1, 1), newLimits(10, 10), newLimits(37, 0), newLimits(3000, 0), newLimits(1, 100)} {
			til := newTiling(d[0], d[1], l)
			tiles := til.down * til.across
			n := tiles * til.parts()
			if l.Max == 0 && l.Min == 1 && n < min(d[0]*d[1], tileParts)/4 {
				t.Errorf("%v: only %d parts", d, n)
			}
			for _, chunk := range []int{n, til.parts(), 1, 0} { // 0: of any size
				seen := make([]int, d[0]*d[1])
				calls := 0
				til.body = func(r0, r1, c0, c1 int) {
					calls++
					cells := (r1 - r0) * (c1 - c0)
					if cells < 1 || l.Max > 0 && cells > l.Max || cells > max(tileMost, l.Min) {
						t.Fatalf("%v %v: [%d, %d) × [%d, %d) has %d cells", d, l.Limits, r0, r1, c0, c1, cells)
					}
					for r := r0; r < r1; r++ {
						for c := c0; c < c1; c++ {
							seen[r*d[1]+c]++
						}
					}
				}
				for lo := 0; lo < n; {
					size := chunk
					if size == 0 {
						size = 1 + rng.IntN(n)
					}
					hi := min(n, lo+size)
					before := calls
					til.chunk(nil, lo, hi)
					if most := (hi-1)/til.parts() - lo/til.parts() + 1 + 2*2; calls-before > most {
						t.Fatalf("%v %v: %d calls for [%d, %d) of %d tiles with %d parts each", d, l.Limits, calls-before, lo, hi, tiles, til.parts())
					}
					lo = hi
				}
				for i, times := range seen {
					if times != 1 {
						t.Fatalf("%v %v: cell %d was in %d rectangles", d, l.Limits, i, times)
					}
				}
				if chunk >= til.parts() && calls != tiles {
					t.Errorf("%v %v: %d calls for %d tiles in chunks of %d", d, l.Limits, calls, tiles, chunk)
				}
			}
		}
	}
}
