package forkjoin

import "github.com/forkjoin-go/forkjoin/internal/policy"

// random returns the next of a worker's random numbers.
func (w *worker) random() (r uint64) {
	w.rng, r = policy.NextRandom(w.rng)
	return r
}
