package sim

import (
	"math/rand/v2"
	"testing"
)

// A cursor tells what the profile does, however it is moved.
func TestCursor(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, blocks := range []int{0, 1, 2, 3, 7, 200} {
		var p Profile
		at := block{}
		for range blocks {
			at.end += 1 + r.Int64N(4)
			at.total += r.Int64N(1000)
			p.blocks = append(p.blocks, at)
		}
		var c cursor
		for k := range 2000 {
			i := r.Int64N(at.end + 1)
			if k%4 != 0 { // goes on a little
				i = min(c.iteration+r.Int64N(9), at.end)
			}
			if got, want := c.moveTo(p, i), p.upTo(i); got != want {
				t.Fatalf("%d blocks, iteration %d: %d, want %d", blocks, i, got, want)
			}
		}
	}
}
