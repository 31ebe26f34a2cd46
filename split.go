package forkjoin

import (
	"github.com/forkjoin-go/forkjoin/internal/clock"
	"github.com/forkjoin-go/forkjoin/internal/policy"
)

// How finely to split is decided in package policy, as are all choices that a
// simulator makes, too: whom to rob, what to publish, whether a wake pays.

// times are the durations of these decisions, in ticks.
var times = policy.In(clock.Ticks)

// limits are what the caller of a loop demands.
type limits struct {
	policy.Limits
	label string
	site  uintptr // what tells one loop from another; 0: its function
}

func newLimits(least, most int) limits { return limits{Limits: policy.Limits{Min: least, Max: most}} }
