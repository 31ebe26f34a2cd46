package forkjoin

import (
	"runtime/trace"

	"github.com/forkjoin-go/forkjoin/internal/atomic"
	"github.com/forkjoin-go/forkjoin/internal/clock"
	"github.com/forkjoin-go/forkjoin/internal/policy"
)

// A body is what a loop does with a part of its range. Bodies that hold no
// more than a func are that func, so that making one allocates nothing.
type body interface {
	// chunk runs [lo, hi), and returns false if the loop is to end early.
	chunk(w *worker, lo, hi int) bool
}

// Loops are not cut in advance. A worker runs its range chunk by chunk; before
// the first and between two it looks whether somebody is idle, and if so gives
// away the upper half of what is left, as a frame. When it has come to the end of its own part
// it takes the newest frame back and goes on with that, or waits for its thief.

// A loop is what the pieces of one loop share. It is made when the first piece
// is given away.
type loop struct {
	body    body
	limits  limits
	known   *site
	stopped atomic.Bool // a piece failed: chunks that have not begun are skipped
}

// A piece is a part of a loop that was given away.
type piece struct {
	*loop
	lo, hi int
	pace   int64 // as found by the giver
}

func (p *piece) run(w *worker, f *frame) {
	if r, recorded := p.body.(*recordedLoop); recorded {
		defer r.piece(w, p.lo-r.lo)()
	}
	f.failure = w.runLoop(p.lo, p.hi, p.body, p.limits, p.known, p.loop, p.pace)
}

func (p *piece) site() *site { return p.known }

// parallelLoop runs a loop for a caller who may be a guest. f is the user's
// function, which tells one loop from another.
func parallelLoop(lo, hi int, b body, f any, l limits) {
	if lo >= hi {
		return
	}
	if l.label != "" && trace.IsEnabled() {
		b = &labeled{b, l.label}
	}
	w, entered := enter()
	if entered {
		defer w.leave()
	}
	s := l.siteOf(codeOf(f))
	var failure *PanicError
	if w.tape != nil {
		failure = w.recordLoop(lo, hi, b, codeOf(f), false, l, s, s.pace.Load())
	} else {
		failure = w.runLoop(lo, hi, b, l, s, nil, s.pace.Load())
	}
	if failure != nil {
		panic(failure)
	}
}

// runLoop runs the iterations of [lo, hi). shared is nil for a whole loop,
// until a piece of it is given away.
func (w *worker) runLoop(lo, hi int, b body, l limits, s *site, shared *loop, known int64) (failure *PanicError) {
	if w.pool.reorderer != nil {
		return w.runReorderedLoop(lo, hi, b, l, s, shared)
	}
	base, returned := w.head, false
	defer func() {
		if !returned {
			if shared != nil {
				shared.stopped.Store(true)
			}
			failure = w.unwind(base, recover())
		}
	}()
	pace := times.NewPacer(l.Limits, hi-lo, known, clock.Now())
	whole := shared == nil
	left := policy.Ahead(hi-lo, known)
	for {
		for lo < hi && (shared == nil || !shared.stopped.Load()) {
			if left >= times.MinSplit && w.wanted(s, left) {
				if mid := l.SplitPoint(lo, hi); mid < hi {
					if shared == nil {
						shared = &loop{body: b, limits: l, known: s}
					}
					if w.give(&piece{shared, mid, hi, pace.Pace()}) {
						hi = mid
						pace.Resume(clock.Now()) // what giving costs says nothing of the loop
					}
				}
			}
			n := pace.Next(hi - lo)
			if !b.chunk(w, lo, lo+n) {
				lo = hi
				break
			}
			if lo += n; lo == hi && (!whole || pace.Timed()) {
				break
			}
			pace.Done(&times, n, clock.Now())
			if lo == hi {
				break
			}
			left = pace.Left(&times, hi-lo)
		}
		if w.head == base {
			break
		}
		f := w.frames.at(w.head - 1)
		p := f.job.(*piece)
		mine, failed := w.take(f)
		switch {
		case mine:
			lo, hi = p.lo, p.hi
			pace.Resume(clock.Now())
			left = pace.Left(&times, hi-lo)
		case failed != nil:
			panic(failed) // the guard sees to the pieces that are left
		default:
			f.reset()
		}
	}
	if whole {
		s.notePace(pace.Pace())
	}
	returned = true
	return nil
}

// wanted reports whether a part of a loop that has so many ticks left should be
// given away now.
func (w *worker) wanted(s *site, left int64) bool {
	p := w.pool
	idle := p.idle.load()
	if idle == 0 {
		if w.head > 0 || !p.resize() {
			return false
		}
		idle = p.idle.load()
	}
	h, offering := &w.haste, w.offering()
	if !offering && !idle.hungry() && h.Began == 0 {
		h.start(s, p.wakePrice())
		h.Eager = policy.WorthStretch(h.Stretch(), p.wakePrice())
	}
	give, wake := policy.PartWanted(idle.hungry(), offering, h.Eager, left, p.wakePrice())
	return give && (!wake || p.mayWake())
}

// give puts a piece on the stack and shows it, with all that is older.
func (w *worker) give(p *piece) bool {
	if w.head >= maxFrames || w.inBubble() {
		return false
	}
	f := w.frames.next(w.head)
	f.job, f.labels = p, w.labels
	w.head++
	w.counts.forks++
	w.note()
	w.publish(w.private())
	w.counts.publishes++
	if !w.pool.idle.load().hungry() {
		w.pool.wake()
	}
	return true
}
