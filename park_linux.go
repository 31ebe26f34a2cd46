//go:build linux && !channels

package forkjoin

import (
	"time"
	"unsafe"

	"github.com/forkjoin-go/forkjoin/internal/atomic"
	"github.com/forkjoin-go/forkjoin/internal/joint"
)

// A parker is where an idle background worker sleeps. One goroutine parks; any
// may unpark it, which ends the current park or, if there is none, the next.
//
// This one sleeps in a futex call of its own. A goroutine that a channel makes
// ready goes to the waker's processor first, where it may wait until the waker
// lets go: seen here, 75 microseconds as a rule and now and then milliseconds,
// against 10 for a futex.
type parker struct {
	state atomic.Uint32
}

const (
	awake  uint32 = iota
	parked        // and to be woken by a system call
	permit        // unparked before it parked
)

// park waits for unpark, at most for d if that is not negative, and reports
// whether unpark came.
func (p *parker) park(d time.Duration) bool {
	if p.state.CompareAndSwap(permit, awake) {
		return true
	}
	// A system call keeps the processor for a moment: let those go first that
	// this goroutine has just made ready.
	joint.Gosched()
	if !p.state.CompareAndSwap(awake, parked) {
		p.state.Store(awake)
		return true
	}
	deadline := joint.Now().Add(d)
	for {
		left := d
		if d >= 0 {
			left = max(0, deadline.Sub(joint.Now()))
		}
		joint.FutexWait(unsafe.Pointer(&p.state), parked, left)
		if p.state.CompareAndSwap(permit, awake) {
			return true
		}
		if d >= 0 && joint.Now().After(deadline) {
			if p.state.CompareAndSwap(parked, awake) {
				return false
			}
			p.state.Store(awake) // unparked at the last moment
			return true
		}
	}
}

// unpark ends a park. It costs a system call if the goroutine is parked.
func (p *parker) unpark() {
	if p.state.Swap(permit) == parked {
		joint.FutexWake(unsafe.Pointer(&p.state))
	}
}
