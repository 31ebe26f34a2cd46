package sim

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/forkjoin-go/forkjoin/internal/reorder"
)

// An OrderError is a result that depends on the order in which things ran.
type OrderError struct {
	Seed uint64 // of the order; see [ExploreSeed]
	Want any    // the result in the order of one worker
	Got  any
}

func (e *OrderError) Error() string {
	return fmt.Sprintf("forkjoin: sim.Explore: in the order of seed %d the result is %.200v, on one worker %.200v", e.Seed, e.Got, e.Want)
}

// Explore looks for results that depend on the order of things. It calls f once
// in the order of one worker, and then for each seed from 1 to seeds in an order
// in which several workers could have run it, all on the calling goroutine: what f
// does through package forkjoin is started early or late, and one inside the
// other, at each fork and join and between the pieces of loops. If a result is not
// equal to that of the first call, as [reflect.DeepEqual] has it (so a NaN equals
// nothing: return its bits), Explore returns an [*OrderError] with the seed, by which
// [ExploreSeed] repeats just that order.
//
// What lies between two such points is never interrupted, so data races are for
// the race detector. Functions that wait for each other would wait for ever. f must
// start anew at each call, and depend on nothing but what it is given.
//
// Explore returns another error if seeds is negative or package forkjoin is not
// linked into the program. A panic of f passes through, and so does
// [runtime.Goexit].
func Explore[T any](seeds int, f func() T) error {
	if f == nil {
		return errors.New("forkjoin: sim.Explore: f is nil")
	}
	if seeds < 0 {
		return fmt.Errorf("forkjoin: sim.Explore: seeds is %d, want >= 0", seeds)
	}
	if reorder.Run == nil {
		return errors.New("forkjoin: sim.Explore: package forkjoin is not linked into this program, so there is nothing to explore")
	}
	want := ExploreSeed(0, f)
	for seed := uint64(1); seed <= uint64(seeds); seed++ {
		if got := ExploreSeed(seed, f); !reflect.DeepEqual(got, want) {
			return &OrderError{Seed: seed, Want: want, Got: got}
		}
	}
	return nil
}

// ExploreSeed calls f in the order of one seed, as [Explore] does; 0 is the order
// of one worker.
func ExploreSeed[T any](seed uint64, f func() T) (result T) {
	if f == nil {
		panic("forkjoin: sim.ExploreSeed: f is nil")
	}
	if reorder.Run == nil {
		panic("forkjoin: sim.ExploreSeed: package forkjoin is not linked into this program, so there is nothing to explore")
	}
	reorder.Run(seed, func() { result = f() })
	return result
}
