package sim

import "github.com/forkjoin-go/forkjoin/internal/policy"

// An activity is something a worker has begun and not ended; the last one on its
// stack is what it is in.
type activity struct {
	kind   aKind
	part   bool // aLeft: the right half is a frame
	pos    Pos  // aInline: the second branch; aReduce: what follows
	ref    int32
	lo     int32 // aLeft, aRight: the leaves
	hi     int32
	owner  int32 // aStolen: whose frame it is
	frame  int32
	saved  int32 // the label before
	moved  int64 // what the worker had done for what it was doing before
	refill int64 // and what that was still to lose
	haste  policy.Haste
	place  int32 // the haste's site
}

type aKind uint8

const (
	aRoot    aKind = iota
	aFirst         // the first branch of a fork whose second is the frame on top
	aInline        // the same without a frame
	aSecond        // the second branch
	aLoop          // a loop, or an item of one
	aReduce        // a whole reduction
	aLeft          // the left half of a part of one
	aRight         // the right half
	aLeaf          // a leaf
	aCombine       // a combination
	aStolen        // a frame taken from a worker
	aJob           // a function given to a group
	aWait          // waits for a group
	aPause
	aLabel
)

const chunkEnd = kinds // the kind of an Op that ends a chunk of a loop

func nanoseconds[D ~int64](d D) int64 { return int64(d) }

// perform does w's operation. It returns false if w does not go on at once; then
// its event, if it has one, is scheduled.
func (e *engine) perform(w *worker) bool {
	switch w.op.Kind {
	case Fork:
		e.fork(w)
		return true
	case End:
		return e.end(w)
	case chunkEnd:
		return e.chunkDone(w)
	case Loop, Items, Summary:
		return e.beginLoop(w)
	case Reduce:
		e.beginReduce(w)
		return true
	case Spawn:
		e.spawn(w)
		return true
	case Wait:
		return e.wait(w)
	case Pause:
		return e.pause(w)
	}
	w.at = w.op.Next
	return true
}

// end ends what w is in.
func (e *engine) end(w *worker) bool {
	switch top := &w.stack[len(w.stack)-1]; top.kind {
	case aFirst, aLeft:
		return e.join(w)
	case aLeaf, aCombine:
		w.stack = w.stack[:len(w.stack)-1]
		return e.returned(w)
	case aRight:
		return e.returned(w)
	case aLoop:
		return e.chunkDone(w)
	case aStolen:
		return e.complete(w)
	case aJob:
		return e.jobDone(w)
	case aRoot:
		w.stack = w.stack[:0]
		e.ended()
		e.findWork(w)
		return false
	}
	panic("forkjoin: sim: an End that ends nothing")
}

// join ends a first branch: w takes the second back, or waits for its thief.
func (e *engine) join(w *worker) bool {
	top := &w.stack[len(w.stack)-1]
	if top.kind == aLeft && !top.part {
		e.secondHalf(w)
		return true
	}
	f := w.top()
	switch {
	case f.state == done:
		e.joined(w)
		return true
	case f.state == taken || e.cfg.Owner == FIFO && e.takesOwn(w):
		return e.await(w)
	}
	e.popped(w)
	w.debt += e.prices.pop
	if top.kind == aLeft {
		e.secondHalf(w)
	} else {
		w.at = f.pos
		top.kind = aSecond
	}
	return true
}

// popped removes w's newest frame, which nobody has taken.
func (e *engine) popped(w *worker) {
	i := w.head - 1
	if e.cfg.Deque == DequeSplit && i <= w.shown && !e.hungry() && e.spare() == 0 {
		// As in the runtime: with nobody idle, what is left becomes private.
		e.unlink(w, i)
		if w.public > 0 {
			e.offering--
		}
		w.hide()
	} else {
		e.unlink(w, i)
	}
	w.head = i
}

// joined goes on after a frame that was stolen and is done.
func (e *engine) joined(w *worker) {
	f := w.top()
	w.head--
	w.haste.Split = true
	e.spend(w)
	w.beat.Restart()
	switch top := &w.stack[len(w.stack)-1]; top.kind {
	case aFirst:
		w.at = f.pos
		w.stack = w.stack[:len(w.stack)-1]
		w.op.Kind = End
	case aLeft:
		e.combine(w)
	case aLoop:
		// loopStep goes on.
	}
}

// complete ends a frame that w has taken from another worker.
func (e *engine) complete(w *worker) bool {
	top := w.stack[len(w.stack)-1]
	w.stack = w.stack[:len(w.stack)-1]
	owner := e.workers[top.owner]
	f := &owner.frames[top.frame]
	f.state, f.pos = done, w.op.Next
	e.noteMoved(&top, w)
	e.spend(w)
	w.haste, w.hasteOf, w.label = top.haste, top.place, top.saved
	handed := e.wakeOwner(w, owner, top.frame)
	switch {
	case handed:
		e.sleepWithoutSlot(w)
		return false
	case len(w.stack) > 0:
		return e.await(w)
	}
	e.findWork(w)
	return false
}
