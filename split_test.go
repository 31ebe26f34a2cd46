package forkjoin

import (
	"math"
	"testing"
)

// However many parts a range is cut into, they begin and end with it.
func TestCut(t *testing.T) {
	for _, l := range []limits{newLimits(1, 0), newLimits(1, 1), newLimits(4, 4), newLimits(1, 1000), newLimits(3, 7)} {
		for _, n := range []int{1, 2, 63, 64, 65, 1000, 65535, 1 << 22, math.MaxInt} {
			if count, size := l.Blocks(n); size == 0 && (cut(n, count, 0) != 0 || cut(n, count, count) != n) {
				t.Errorf("%d blocks of %d go from %d to %d", count, n, cut(n, count, 0), cut(n, count, count))
			}
		}
	}
}
