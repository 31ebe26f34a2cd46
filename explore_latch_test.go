//go:build explore

package forkjoin

import (
	"runtime"

	"github.com/forkjoin-go/forkjoin/internal/explore"
	"github.com/forkjoin-go/forkjoin/internal/joint"
)

// publishing returns a branch that shows all that w has and then runs f.
func publishing(w *worker, f func()) func() {
	return func() {
		if n := w.private(); n > 0 {
			w.publish(n)
		}
		f()
	}
}

// rob has t steal one frame of w and run it, if there is one.
func (t *worker) rob(w *worker) bool {
	i, ok := w.steal()
	if ok {
		t.execute(w.frames.at(i), w, false, false)
	}
	return ok
}

// A bench is where joins are played by hand: on a pool that starts no workers.
type bench struct {
	*tally
	p *Pool
}

func newBench(x *explore.X, n int) *bench {
	anew(n)
	return &bench{&tally{x: x}, bare(n)}
}

// task is tally's, for goroutines that are bound to no worker.
func (b *bench) task(i int) {
	b.begin(i, nil)
	joint.Gosched()
	b.end(i)
}

// A side is a job that is told who runs it.
type side func(w *worker)

func (s side) run(w *worker, _ *frame) { s(w) }
func (s side) site() *site             { return &noSite }

// fork is a join of w's that shows its second branch at once.
func (b *bench) fork(w *worker, first, second side) {
	ended := false
	f := w.push(side(func(t *worker) {
		second(t)
		ended = true
	}))
	if n := w.private(); n > 0 {
		w.publish(n)
	}
	first(w)
	if mine, _ := w.take(f); mine {
		second(w)
		return
	}
	if !ended {
		b.x.Fatalf("a join is left before its second branch has ended")
	}
	f.reset()
}

// play runs f on a goroutine of its own.
func (b *bench) play(f func(w *worker)) (join func()) {
	w := player(b.p)
	return b.x.Go(func() { f(w) })
}

// dealt checks that n tasks have run and that the pool is as it was.
func (b *bench) dealt(n int, joins ...func()) {
	for _, join := range joins {
		join()
	}
	b.ran(n)
	idle := b.p.idle.load()
	if idle.hungry() {
		b.x.Fatalf("somebody is counted as idle at the end: %#x", idle)
	}
	for _, w := range b.p.all() {
		if w.gave || w.granted || w.away != 0 {
			b.x.Fatalf("worker %d is left in the middle: gave %v, granted %v, away %d", w.index, w.gave, w.granted, w.away)
		}
		if w.head != 0 || w.offering() || len(w.wakeup) != 0 {
			b.x.Fatalf("worker %d has frames or a wake left", w.index)
		}
		for _, s := range w.frames.segment {
			for i := range s {
				if f := &s[i]; f.job != nil || f.state.Load() != framePending || f.thief.Load() != nil || f.failure != nil {
					b.x.Fatalf("frame %d of worker %d is not clean", i, w.index)
				}
			}
		}
	}
}

func init() {
	add := func(name string, short, long int, body func(x *explore.X)) {
		programs = append(programs, program{protocol: "latch", name: name, short: short, long: long, body: body})
	}

	add("join beside done", unbounded, unbounded, func(x *explore.X) {
		b := newBench(x, 2)
		w := player(b.p)
		thief := b.play(func(t *worker) { t.rob(w) })
		w.join(publishing(w, func() { b.task(0) }), func() { b.task(1) })
		b.dealt(2, thief)
	})

	add("two joins beside done", unbounded, unbounded, func(x *explore.X) {
		b := newBench(x, 2)
		w := player(b.p)
		thief := b.play(func(t *worker) { t.rob(w); t.rob(w) })
		w.join(publishing(w, func() { b.task(0) }), func() { b.task(1) })
		w.join(publishing(w, func() { b.task(2) }), func() { b.task(3) })
		b.dealt(4, thief)
	})

	add("result of a stolen branch", unbounded, unbounded, func(x *explore.X) {
		b := newBench(x, 2)
		w := player(b.p)
		thief := b.play(func(t *worker) { t.rob(w) })
		for i := range 2 {
			r0, r1, failure := join2(w, func() int { publishing(w, func() {})(); return 1 + i }, func() int { return 10 + i })
			if r0 != 1+i || r1 != 10+i || failure != nil {
				x.Fatalf("join %d: %d, %d, %v", i, r0, r1, failure)
			}
		}
		b.dealt(0, thief)
	})

	add("nested joins, two thieves", 2, 4, func(x *explore.X) {
		b := newBench(x, 3)
		w := player(b.p)
		one := b.play(func(t *worker) { t.rob(w) })
		two := b.play(func(t *worker) { t.rob(w) })
		w.join(func() {
			w.join(publishing(w, func() { b.task(0) }), func() { b.task(1) })
		}, func() { b.task(2) })
		b.dealt(3, one, two)
	})

	// The owner waits for its branch and helps with what that has forked.
	add("leapfrog", 3, unbounded, func(x *explore.X) {
		b := newBench(x, 2)
		w := player(b.p)
		thief := b.play(func(t *worker) { t.rob(w) })
		b.fork(w, func(*worker) { b.task(0) }, func(t *worker) {
			b.fork(t, func(*worker) { b.task(1) }, func(*worker) { b.task(2) })
		})
		b.dealt(3, thief)
	})

	// What it helps with forks in turn, on a stack whose newest frame is the one
	// that it waits for.
	add("leapfrog and fork", 1, 3, func(x *explore.X) {
		b := newBench(x, 3)
		b.p.procs.Store(1) // nobody spins
		w := player(b.p)
		thief := b.play(func(t *worker) { t.rob(w) })
		other := b.play(func(t *worker) { t.rob(w) })
		b.fork(w, func(*worker) { b.task(0) }, func(t *worker) {
			b.fork(t, func(*worker) { b.task(1) }, func(u *worker) {
				b.fork(u, func(*worker) { b.task(2) }, func(*worker) { b.task(3) })
			})
		})
		b.dealt(4, thief, other)
	})

	// The thief is done with the owner's branch and goes on with somebody else's:
	// the owner must not run what that forks, and must not lose it either.
	add("leapfrog too late", 1, 3, func(x *explore.X) {
		b := newBench(x, 3)
		b.p.procs.Store(1) // nobody spins
		w, other := player(b.p), player(b.p)
		waiting := false // w's
		thief := b.play(func(t *worker) {
			t.rob(w)
			t.rob(other)
		})
		third := b.x.Go(func() {
			b.fork(other, func(*worker) { joint.Gosched() }, func(t *worker) {
				b.fork(t, func(*worker) { b.task(2) }, func(t *worker) {
					if t == w && waiting {
						x.Fatalf("a join that waits runs what is none of its own")
					}
					b.task(3)
				})
			})
		})
		waiting = true
		b.fork(w, func(*worker) { b.task(0) }, func(*worker) { b.task(1) })
		waiting = false
		for w.runInjected() {
		}
		b.dealt(4, thief, third)
	})

	add("the first branch panics", unbounded, unbounded, func(x *explore.X) {
		b := newBench(x, 2)
		w := player(b.p)
		thief := b.play(func(t *worker) { t.rob(w) })
		running := false
		failure := w.join(publishing(w, func() { panic("a") }), func() {
			running = true
			joint.Gosched()
			running = false
		})
		if failure == nil || failure.Value != "a" {
			x.Fatalf("the join failed with %v", failure)
		}
		if running {
			x.Fatalf("the second branch runs when the join is left")
		}
		b.dealt(0, thief)
	})

	add("the second branch panics", unbounded, unbounded, func(x *explore.X) {
		b := newBench(x, 2)
		w := player(b.p)
		thief := b.play(func(t *worker) { t.rob(w) })
		var failure *PanicError
		func() {
			defer func() {
				if r := recover(); r != nil {
					failure = asPanicError(r)
				}
			}()
			failure = w.join(publishing(w, func() { b.task(0) }), func() { panic("b") })
		}()
		if failure == nil || failure.Value != "b" {
			x.Fatalf("the join failed with %v", failure)
		}
		w.join(func() { b.task(1) }, func() { b.task(2) })
		b.dealt(3, thief)
	})

	add("the second branch ends its goroutine", 4, unbounded, func(x *explore.X) {
		b := newBench(x, 2)
		w := player(b.p)
		thief := b.play(func(t *worker) { t.rob(w) })
		owner := b.x.Go(func() {
			defer b.task(1)
			w.join(publishing(w, func() { b.task(0) }), func() { runtime.Goexit() })
			x.Fatalf("the owner goes on after Goexit")
		})
		b.dealt(2, owner, thief)
	})

	add("both branches panic, nested", 3, unbounded, func(x *explore.X) {
		b := newBench(x, 2)
		w := player(b.p)
		thief := b.play(func(t *worker) { t.rob(w); t.rob(w) })
		failure := w.join(func() {
			w.join(publishing(w, func() { panic("a") }), func() { panic("b") })
			panic("not reached")
		}, func() { panic("c") })
		if failure == nil {
			x.Fatalf("no failure")
		}
		b.dealt(0, thief)
	})
}
