package sim_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/forkjoin-go/forkjoin/sim"
)

// reportsHash is what the reports of all configurations hash to, on every
// machine. A change of the engine changes it: then see that the new one is the
// same on all platforms (.ci/run does), and put it here.
const reportsHash = "70d623f27f30ff42b11a2f66d0161448962771d780d4f7d341f8bfbf10a03cea"

// Reports are byte-identical whatever the platform.
func TestReportsHash(t *testing.T) {
	h := sha256.New()
	enc := json.NewEncoder(h)
	for seed := range uint64(4) {
		tree := sim.Random(seed, 50+100*int(seed), 1000)
		for c := range configs {
			c.Steals, c.Timeline = 20, 20
			if err := enc.Encode(replay(t, tree, c)); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, name := range sim.Presets() {
		c, err := sim.Preset(name, 128)
		if err != nil {
			t.Fatal(err)
		}
		if err := enc.Encode(replay(t, sim.Fib(15, 300), c)); err != nil {
			t.Fatal(err)
		}
	}
	if got := fmt.Sprintf("%x", h.Sum(nil)); got != reportsHash {
		t.Errorf("reports hash to %s, want %s", got, reportsHash)
	}
}
