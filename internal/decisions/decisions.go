// Package decisions holds states of a worker, with what the scheduler decides in
// each, so that the tests of the runtime and those of the simulator can show that
// both decide alike.
package decisions

import (
	_ "embed"
	"fmt"
	"math/rand/v2"
)

// A State is what decisions are made from.
type State struct {
	Searchers, Waiting, Spare int
	Private, Public           uint32 // frames; one more has just been pushed, and counts
	Share, Eager              bool
	Long                      bool  // the call has taken many prices of a wake; else next to nothing
	Fruitless                 int   // wakes in a row
	Recent                    bool  // the last one has just been
	Left                      int64 // of a loop, in prices of a wake
	Beat                      int64 // nanoseconds from join to join; 0: unknown
}

// Workers is the size of the pool. Price is what a wake is believed to cost, in
// nanoseconds: so much that it does not matter how fast a test runs.
const (
	Workers = 8
	Price   = 1e9
)

// A Decision is what follows.
type Decision struct {
	Publishes int   // frames, after a fork
	Wakes     bool  // after a fork
	Gives     bool  // a part of a loop
	Inline    int32 // joins that run without a frame
}

// States returns the states, each time the same.
func States() (states []State) {
	r := rand.New(rand.NewPCG(1, 2))
	flip := func() bool { return r.IntN(2) == 0 }
	for range 400 {
		s := State{
			Searchers: r.IntN(8) / 4, Waiting: r.IntN(8) / 6, Spare: r.IntN(3),
			Private: 1 + uint32(r.IntN(6)), Share: flip(), Eager: flip(), Long: flip(),
			Fruitless: r.IntN(3), Recent: flip(), Left: []int64{0, 1, 15, 17, 100}[r.IntN(5)],
			Beat: []int64{0, 1, 5, 20, 60, 400, 1000}[r.IntN(7)],
		}
		if r.IntN(4) == 0 {
			s.Public = 1
		}
		states = append(states, s)
	}
	return states
}

// Table is what is decided in the states.
//
//go:embed testdata/decisions.txt
var Table string

// Line describes a decision in the table.
func Line(s State, d Decision) string {
	return fmt.Sprintf("%+v: %+v\n", s, d)
}
