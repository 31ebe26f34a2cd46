//go:build explore

package joint

import (
	"context"
	"sync"
	"time"
	"unsafe"

	"github.com/forkjoin-go/forkjoin/internal/explore"
)

// Exploring reports that this is the explorer's build.
const Exploring = true

// A Step is a step that was taken.
type Step struct{}

// Read is the step before a load of the atomic at p.
func Read(p unsafe.Pointer) Step { explore.Step(explore.Load, p, nil); return Step{} }

// Write is the step before a change of the atomic at p.
func Write(p unsafe.Pointer) Step { explore.Step(explore.Change, p, nil); return Step{} }

// Done notes what an atomic operation returned.
func (Step) Done(result uint64) { explore.Result(result) }

// A Mutex is a sync.Mutex that is never waited for: a goroutine that is to have it
// has its turn only when it is free.
type Mutex struct {
	mu   sync.Mutex
	held bool
}

// Lock is a step.
func (m *Mutex) Lock() {
	explore.Step(explore.Lock, unsafe.Pointer(m), m)
	m.mu.Lock()
	m.set(true)
}

// Unlock is none, as nobody can tell it from one right after the step before.
func (m *Mutex) Unlock() {
	m.set(false)
	m.mu.Unlock()
	explore.Release(unsafe.Pointer(m))
}

// Ready reports whether m is free.
//
//go:norace
func (m *Mutex) Ready() bool { return !m.held }

//go:norace
func (m *Mutex) set(held bool) { m.held = held }

// A Signal is a channel that carries nothing but the fact.
type Signal = chan struct{}

// address names a channel as an object.
func address(c Signal) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&c)) }

// Send sends on c, which must have room in its buffer some time.
func Send(c Signal) {
	explore.Step(explore.Chan, address(c), sending(c))
	c <- struct{}{}
}

// Receive receives from c.
func Receive(c Signal) {
	explore.Step(explore.Chan, address(c), receiving(c))
	<-c
}

// Offer sends on c if there is room in its buffer, and else does nothing.
func Offer(c Signal) {
	explore.Step(explore.Chan, address(c), nil)
	select {
	case c <- struct{}{}:
	default:
	}
}

// ReceiveWithin receives from c, at most for d, and reports whether it has.
func ReceiveWithin(c Signal, d time.Duration) bool {
	if !explore.StepWithin(explore.Chan, address(c), receiving(c), d) {
		return false
	}
	<-c
	return true
}

// Close closes c.
func Close(c Signal) {
	explore.Step(explore.Chan, address(c), nil)
	close(c)
}

type sending Signal

func (c sending) Ready() bool { return len(c) < cap(c) }

type receiving Signal

func (c receiving) Ready() bool { return len(c) > 0 || isClosed(Signal(c)) }

// isClosed reports whether an empty channel is closed.
func isClosed(c Signal) bool {
	select {
	case _, ok := <-c:
		if ok {
			panic("joint: a channel without a buffer was sent to")
		}
		return true
	default:
		return false
	}
}

// Go starts f on a goroutine of its own.
func Go(f func()) { explore.Go(f, false) }

// Gosched lets other goroutines run.
func Gosched() { explore.Step(explore.Yield, nil, nil) }

// contexts stands for all contexts, since to cancel one is to cancel others.
var contexts byte

// Err returns ctx.Err().
func Err(ctx context.Context) error {
	explore.Step(explore.Load, unsafe.Pointer(&contexts), nil)
	return ctx.Err()
}

// Cancel calls cancel.
func Cancel(cancel context.CancelCauseFunc, cause error) {
	explore.Step(explore.Change, unsafe.Pointer(&contexts), nil)
	cancel(cause)
}

// AfterFunc calls f on a goroutine of its own some time.
func AfterFunc(_ time.Duration, f func()) { explore.Go(f, true) }
