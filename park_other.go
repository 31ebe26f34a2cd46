//go:build !linux || channels

package forkjoin

import (
	"time"

	"github.com/forkjoin-go/forkjoin/internal/atomic"
	"github.com/forkjoin-go/forkjoin/internal/joint"
)

// A parker is where an idle background worker sleeps. One goroutine parks; any
// may unpark it, which ends the current park or, if there is none, the next.
//
// With the build tag channels it is used where futexes are, too, for tests.
type parker struct {
	channel atomic.Pointer[joint.Signal] // holds one permit
}

func (p *parker) permits() joint.Signal {
	if c := p.channel.Load(); c != nil {
		return *c
	}
	c := make(joint.Signal, 1)
	if p.channel.CompareAndSwap(nil, &c) {
		return c
	}
	return *p.channel.Load()
}

// park waits for unpark, at most for d if that is not negative, and reports
// whether unpark came.
func (p *parker) park(d time.Duration) bool {
	c := p.permits()
	if d >= 0 {
		return joint.ReceiveWithin(c, d)
	}
	joint.Receive(c)
	return true
}

// unpark ends a park.
func (p *parker) unpark() { joint.Offer(p.permits()) }
