package forkjoin

import (
	"github.com/forkjoin-go/forkjoin/internal/gkey"
	"github.com/forkjoin-go/forkjoin/internal/policy"
	"github.com/forkjoin-go/forkjoin/internal/reorder"
)

// Reordered schedules, for package sim: everything runs on one goroutine, in an
// order in which several workers could have run it. At each fork and join, and
// between the chunks of loops, a thief may come by: the goroutine acts as another
// worker of the pool, which steals a frame (the oldest of a worker, as always) or
// takes an injected job, runs it to its end, and is gone. Whether it comes, and to
// whom, depends on a seed alone; nothing here depends on time.

func init() { reorder.Run = runReordered }

// A reorderer decides when thieves come. Only one goroutine uses it.
type reorderer struct {
	rng   uint64
	often uint64 // of 256 chances, how many are taken
}

// runReordered runs f in the order of a seed; 0 is that of one worker.
func runReordered(seed uint64, f func()) {
	p := newPool(Config{Workers: 1, Name: "reordered"}, true)
	// What follows from a look at the clock must not be looked at: owners believe
	// that somebody searches, and go to the reorderer.
	p.idle.add(oneSearcher)
	x := &reorderer{rng: seed*0x9E3779B97F4A7C15 | 1}
	if seed != 0 {
		x.often = []uint64{128, 24, 232, 64}[seed%4]
	}
	p.reorderer = x
	p.Run(func() {
		f()
		for w := current(); w.runInjected(); {
		}
	})
	p.Close()
}

// chance decides whether something happens.
func (x *reorderer) chance() bool { return x.random()%256 < x.often }

func (x *reorderer) random() (r uint64) {
	x.rng, r = policy.NextRandom(x.rng)
	return r >> 16
}

// passBy lets thieves come by while w has frames to give.
func (x *reorderer) passBy(w *worker) {
	for x.chance() && x.visit(w) {
	}
}

// visit has the goroutine of w act as a thief, and reports whether that found
// anything.
func (x *reorderer) visit(w *worker) bool {
	p := w.pool
	if x.chance() && p.injected.length() > 0 {
		return p.actAs(func(thief *worker) { thief.runInjected() })
	}
	all := p.all()
	start := int(x.random() % uint64(len(all)))
	for k := range all {
		owner := all[(start+k)%len(all)]
		if !owner.offering() {
			if owner.private() == 0 {
				continue
			}
			owner.publish(owner.private())
		}
		if i, ok := owner.steal(); ok {
			return p.actAs(func(thief *worker) { thief.execute(owner.frames.at(i), owner, false, true) })
		}
	}
	return false
}

// actAs calls f with a worker that the calling goroutine then acts as.
func (p *Pool) actAs(f func(w *worker)) bool {
	thief := p.visitor(false)
	thief.attach(gkey.Get())
	defer p.dismissGuest(thief)
	f(thief)
	return true
}

// runReorderedLoop is runLoop without a clock.
func (w *worker) runReorderedLoop(lo, hi int, b body, l limits, s *site, shared *loop) (failure *PanicError) {
	x := w.pool.reorderer
	base, returned := w.head, false
	defer func() {
		if !returned {
			if shared != nil {
				shared.stopped.Store(true)
			}
			failure = w.unwind(base, recover())
		}
	}()
	if shared == nil {
		shared = &loop{body: b, limits: l, known: s}
	}
	for {
		for lo < hi && !shared.stopped.Load() {
			if mid := l.SplitPoint(lo, hi); mid < hi && x.chance() && w.give(&piece{shared, mid, hi, 0}) {
				hi = mid
				x.passBy(w)
				continue
			}
			n := l.Chunk(1+int(x.random()%uint64(hi-lo)), hi-lo)
			if !b.chunk(w, lo, lo+n) {
				break
			}
			lo += n
			x.passBy(w)
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
		case failed != nil:
			panic(failed)
		default:
			lo = hi
			f.reset()
		}
	}
	returned = true
	return nil
}
