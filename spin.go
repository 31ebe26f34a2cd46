package forkjoin

import (
	"github.com/forkjoin-go/forkjoin/internal/clock"
	"github.com/forkjoin-go/forkjoin/internal/joint"
	"github.com/forkjoin-go/forkjoin/internal/policy"
)

// A spinner bounds busy waiting: about as long as waking a goroutine takes, and
// never in the way of other goroutines for long.
type spinner struct {
	until    int64 // ticks; 0 for no spinning at all
	patience int64 // between two looks at victims that are not near
	far      int64 // when to look at them
	due      bool  // that time has come, and nobody has looked yet
	turns    uint32
}

const spinWaitLoop = 24 // steps of a turn: some tens of nanoseconds

// newSpinner starts a bounded wait. On a single processor it waits for nothing:
// whoever is waited for cannot run meanwhile.
func (p *Pool) newSpinner(patience int64) spinner {
	if p.procs.Load() == 1 {
		return spinner{}
	}
	now := clock.Now()
	return spinner{until: now + times.Spin, patience: patience, far: now + patience}
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
		now := clock.Now()
		if now > s.until || s.turns >= spinMost {
			return false
		}
		if now > s.far {
			s.due, s.far = true, now+s.patience
		}
		if s.turns%spinYield == 0 {
			joint.Gosched()
		}
	}
	return true
}

// reach returns how far to look for work in this turn.
func (s *spinner) reach() policy.Reach {
	if !s.due {
		return policy.Near
	}
	s.due = false
	return policy.Far
}
