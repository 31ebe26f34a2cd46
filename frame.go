package forkjoin

import (
	"context"
	"math/bits"

	"github.com/forkjoin-go/forkjoin/internal/atomic"
)

// A job is work that any worker can run. It is what a frame or the injection
// queue holds: the second branch of a join, half of a loop, a group with tasks.
// Every job is a pointer or a func, so that putting one into a frame allocates
// nothing.
type job interface {
	// run does the work on w. f is the frame that held the job, where a result
	// may be left; it is nil for an injected job.
	run(w *worker, f *frame)
	// site tells where in the program the job comes from.
	site() *site
}

// States of a frame that was stolen. A frame that the owner takes back stays
// pending, so the common case writes nothing.
const (
	framePending uint32 = iota // not finished
	frameWaited                // not finished, and the owner has parked until it is
	frameDone                  // finished by the thief: result and failure may be read
)

// A frame is one forked piece of work on its owner's stack.
//
// The owner writes job and labels before the frame becomes public and nothing
// after; the thief that claimed it reads them and writes result and failure.
// Both directions are ordered by atomics: the first by deque.public (publish →
// steal), the second by state (complete → await).
type frame struct {
	job     job
	labels  *labels // profile labels of the code that forked it, nil if unknown
	result  any     // of a Join2 branch
	failure *PanicError

	state atomic.Uint32          // thief: → done; owner: pending → waited, done → pending
	thief atomic.Pointer[worker] // set by the thief, read by the owner to leapfrog
}

// isPiece reports whether f is a piece of a loop. Owner only.
func (f *frame) isPiece() bool {
	_, is := f.job.(*piece)
	return is
}

// reset makes a finished frame ready for its next use. Owner only.
func (f *frame) reset() {
	f.job, f.labels, f.result, f.failure = nil, nil, nil, nil
	f.thief.Store(nil)
	f.state.Store(framePending)
}

// drop lets go of what a frame that was taken back held.
func (f *frame) drop() {
	f.job = nil
	if f.labels != nil {
		f.labels = nil
	}
}

// labels holds a context for its profile labels.
type labels struct{ ctx context.Context }

// Frames live in segments that double in size and never move, so that a thief
// can read the frame it claimed while the owner grows the stack.
const (
	firstFrame = 1 << segmentBits // bias that makes segment k hold firstFrame<<k frames
	segments   = 28 - segmentBits
	maxFrames  = 1 << 27 // beyond this, forks run inline
	keptFrames = 1 << 12 // what an idle worker keeps
)

type frames struct {
	// segment[k] is written once by the owner, before any of its frames is
	// published, and read by a thief after its claim.
	segment [segments][]frame
	grown   bool
}

func locate(i uint32) (segment, offset uint32) {
	i += firstFrame
	segment = uint32(bits.Len32(i)) - segmentBits - 1
	return segment, i - firstFrame<<segment
}

// at returns frame i, which must exist.
func (s *frames) at(i uint32) *frame {
	k, o := locate(i)
	return &s.segment[k][o]
}

// next returns frame i, growing the stack if need be. Owner only.
func (s *frames) next(i uint32) *frame {
	k, o := locate(i)
	if s.segment[k] == nil {
		s.segment[k] = make([]frame, firstFrame<<k)
		s.grown = i >= keptFrames
	}
	return &s.segment[k][o]
}

// trim lets go of what a deep recursion needed. Owner only, with no frame in
// use: nobody can hold a claim then, because the owner has waited for them all.
func (s *frames) trim() {
	k, _ := locate(keptFrames)
	clear(s.segment[k:])
	s.grown = false
}
