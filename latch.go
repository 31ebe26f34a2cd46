package forkjoin

import (
	"github.com/forkjoin-go/forkjoin/internal/joint"
	"github.com/forkjoin-go/forkjoin/internal/policy"
)

// Waiting for a stolen frame. The protocol (numbers are those of
// docs/DESIGN.md):
//
//	L1  The thief writes the result or the failure, then swaps state to done.
//	    It does not touch the frame again: the owner may reuse it at once.
//	L2  If the swap found waited, the thief sends to the owner's wakeup, once.
//	    If the thief is between two tasks then, it hands its own slot over.
//	L3  The owner looks at state; done means that all of L1 is visible.
//	L4  Meanwhile it helps its own subtree and nothing else: the thief was idle
//	    or, itself waiting, out of frames when it took the frame, so while the
//	    frame is not done all frames of the thief descend from it. The owner
//	    claims one of those and then looks at state again: not done means that
//	    the claim was made while the thief was at it. Done means that the claim
//	    may be of something else, which goes to the injection queue.
//	L5  With nothing to help with, the owner spins about as long as a wake
//	    takes, then changes pending to waited by compare-and-swap. If that
//	    fails the frame is done. If not, the owner gives its slot up (slots.go)
//	    and receives from wakeup; L2 makes sure that this ends.
//
// Rejected: running whatever there is while waiting, which is what lets a lock
// held across a join deadlock and stacks grow without bound; following the
// chain of thieves further than one step, which cannot be checked after the
// claim.

// complete is the thief's side (L1, L2). last says that w has nothing else to go
// on with.
func (w *worker) complete(f *frame, owner *worker, last bool) {
	if f.state.Swap(frameDone) == frameWaited {
		if last && w.slot && owner.slot {
			w.gave, owner.granted = true, true
		}
		joint.Send(owner.wakeup)
	}
}

// await returns when f, stolen from w, is done. With help, w meanwhile runs
// tasks that f forked.
func (w *worker) await(f *frame, help bool) {
	p := w.pool
	if f.state.Load() == frameDone {
		return
	}
	p.idle.add(oneWaiting)
	spin := p.newSpinner(times.Waiting)
	for {
		if f.state.Load() == frameDone {
			p.idle.add(-oneWaiting)
			return
		}
		if help && w.leapfrog(f, spin.reach()) {
			if p.resumers.Load() != 0 {
				break // somebody is due the slot that this worker waits on
			}
			spin = p.newSpinner(times.Waiting)
		} else if !spin.again() {
			break
		}
	}
	p.idle.add(-oneWaiting)
	w.readyToPark()
	if f.state.CompareAndSwap(framePending, frameWaited) {
		w.counts.parks++
		w.yieldSlot()
		joint.Receive(w.wakeup)
		w.resumeSlot()
	}
}

// readyToPark makes the channel that ends a wait. It must not be made earlier: a
// guest's first call may come from a synctest bubble, to which the channel would
// then belong.
func (w *worker) readyToPark() {
	if w.wakeup == nil {
		w.wakeup = make(chan struct{}, 1)
	}
}

// leapfrog runs one task that descends from f, which is stolen (L4), if its thief is
// within reach, and has enough of them if it is far. It reports whether it ran one.
func (w *worker) leapfrog(f *frame, reach policy.Reach) bool {
	thief := f.thief.Load()
	if thief == nil || !w.near(thief) && (reach == policy.Near || !policy.HelpsFar(f.isPiece(), thief.shown())) {
		return false
	}
	i, ok := thief.steal()
	if !ok {
		return false
	}
	g := thief.frames.at(i)
	if f.state.Load() == frameDone {
		w.pool.inject(&orphan{g, thief})
		return true
	}
	w.pool.idle.add(-oneWaiting)
	w.execute(g, thief, false, true)
	w.pool.idle.add(oneWaiting)
	return true
}

// An orphan is a claimed frame that its thief must not run.
type orphan struct {
	frame *frame
	owner *worker
}

func (o *orphan) run(w *worker, _ *frame) { w.execute(o.frame, o.owner, false, false) }
func (o *orphan) site() *site             { return o.frame.job.site() }
