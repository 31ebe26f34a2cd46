package lcg

import "testing"

func TestNext(t *testing.T) {
	// Worked out by hand from the definition: 1103515245 + 12345 = 1103527590,
	// whose upper bits are 16838.
	r := Rand(1)
	if got := r.Next(); got != 16838 || r != 1103527590 {
		t.Errorf("first number of seed 1: %d, state %d", got, r)
	}
	for range 100_000 {
		if n := r.Next(); n < 0 || n > 32767 {
			t.Fatalf("number %d", n)
		}
	}
}

func TestSkip(t *testing.T) {
	for _, seed := range []Rand{0, 1, 500, mask} {
		stepped := seed
		for n := range uint64(300) {
			skipped := seed
			skipped.Skip(n)
			if skipped != stepped {
				t.Fatalf("seed %d: skipping %d gives %d, want %d", seed, n, skipped, stepped)
			}
			stepped.Next()
		}
		// The generator's period is 2^31.
		round := seed
		round.Skip(1 << 40)
		if round != seed {
			t.Errorf("seed %d: a multiple of the period ends at %d", seed, round)
		}
	}
}
