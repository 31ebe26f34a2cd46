package forkjoin

import (
	"github.com/forkjoin-go/forkjoin/internal/clock"
	"github.com/forkjoin-go/forkjoin/internal/joint"
)

// A spinner bounds busy waiting: about as long as waking a goroutine takes, and
// never in the way of other goroutines for long.
type spinner struct {
	until int64 // ticks; 0 for no spinning at all
	turns uint32
}

const (
	spinWaitLoop = 24 // steps of a turn: some tens of nanoseconds
)

// newSpinner starts a bounded wait. On a single processor it waits for nothing:
// whoever is waited for cannot run meanwhile.
func (p *Pool) newSpinner() spinner {
	if p.procs.Load() == 1 {
		return spinner{}
	}
	return spinner{until: clock.Now() + times.Spin}
}

// again spends one turn. It returns false when the time is over.
func (s *spinner) again() bool {
	if s.until == 0 {
		return false
	}
	for range spinWaitLoop {
	}
	s.turns++
	if s.turns%spinTurns == 0 {
		if clock.Now() > s.until || s.turns >= spinMost {
			return false
		}
		if s.turns%spinYield == 0 {
			joint.Gosched()
		}
	}
	return true
}
