package sim

import (
	"fmt"
	"strings"
)

// Presets names the schedulers that [Preset] knows.
func Presets() []string { return []string{"forkjoin", "rayon", "tbb", "cilk", "central"} }

// Preset returns the policies of a scheduler, as far as they differ in what is
// simulated: "forkjoin" (this library), "rayon", "tbb", "cilk", or "central", one
// queue for all.
func Preset(name string, workers int) (Config, error) {
	c := Config{Workers: workers, Seed: 1, Costs: TypicalCosts()}
	switch name {
	case "forkjoin":
	case "rayon":
		c.Victim, c.Deque, c.Waiting, c.Splitter, c.Sleep = VictimRandom, DequeShared, WaitAny, SplitRayon, SleepAtOnce
	case "tbb":
		c.Victim, c.Deque, c.Waiting, c.Splitter, c.Sleep = VictimRandom, DequeShared, WaitAny, SplitTBB, SleepAtOnce
	case "cilk":
		c.Victim, c.Deque, c.Waiting, c.Splitter, c.Sleep = VictimRandom, DequeShared, WaitPark, SplitFixed, SleepNever
	case "central":
		c.Deque, c.Waiting, c.Splitter, c.Sleep = DequeCentral, WaitPark, SplitFixed, SleepNever
	default:
		return Config{}, fmt.Errorf("forkjoin: preset is %q, want one of %s", name, strings.Join(Presets(), ", "))
	}
	return c, nil
}
