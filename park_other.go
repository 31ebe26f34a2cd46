//go:build !linux

package forkjoin

import (
	"time"

	"github.com/forkjoin-go/forkjoin/internal/atomic"
)

// A parker is where an idle background worker sleeps. One goroutine parks; any
// may unpark it, which ends the current park or, if there is none, the next.
type parker struct {
	channel atomic.Pointer[chan struct{}] // holds one permit
}

func (p *parker) permits() chan struct{} {
	if c := p.channel.Load(); c != nil {
		return *c
	}
	c := make(chan struct{}, 1)
	if p.channel.CompareAndSwap(nil, &c) {
		return c
	}
	return *p.channel.Load()
}

// park waits for unpark, at most for d if that is not negative, and reports
// whether unpark came.
func (p *parker) park(d time.Duration) bool {
	if d < 0 {
		<-p.permits()
		return true
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-p.permits():
		return true
	case <-t.C:
		return false
	}
}

// unpark ends a park.
func (p *parker) unpark() {
	select {
	case p.permits() <- struct{}{}:
	default:
	}
}
