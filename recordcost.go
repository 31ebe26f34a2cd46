package forkjoin

import (
	"math"
	"sync"

	"github.com/forkjoin-go/forkjoin/internal/atomic"
	"github.com/forkjoin-go/forkjoin/internal/clock"
	"github.com/forkjoin-go/forkjoin/internal/record"
)

// overhead is what recording costs, with what the recorded calls cost anyway, in
// ticks. It is subtracted from measured costs: what is left is the program's own
// code. A simulator adds its own prices of forks.
var overhead overheads

type overheads struct {
	once                   sync.Once
	join, join2, recursive record.Overheads
	inline                 record.Overheads // of a recursive join that is not offered
	part                   int64            // of a loop
}

// measure finds the overheads out by recording forks of functions that do
// nothing. It takes a fraction of a millisecond, once.
func (o *overheads) measure() {
	o.once.Do(func() {
		nop := func() {}
		zero := func() int { return 0 }
		ahead := int32(0) // how many joins may run inline, at each join
		r := &recursion[int, int]{known: new(site)}
		r.f = func(t *Task[int, int], n int) int {
			for range n {
				t.unlooked = ahead
				t.Join(0, 0)
			}
			return 0
		}
		const times = 1000
		o.join = taped(func(w *worker) {
			for range times {
				w.recordJoin(nop, nop)
			}
		}).Overheads()
		o.join2 = taped(func(w *worker) {
			for range times {
				recordJoin2(w, zero, zero)
			}
		}).Overheads()
		o.recursive = taped(func(w *worker) { r.start(w, times) }).Overheads()
		ahead = 1
		o.inline = taped(func(w *worker) { r.start(w, times) }).Overheads()
		o.part = taped(func(w *worker) {
			l := recordedLoop{body: rangeBody(func(lo, hi int) {}), least: 1}
			for range times {
				l.chunk(w, 0, 1)
			}
		}).Overheads().Part
		o.stretch()
	})
}

// stretch makes the overheads of forks larger, so that they account for the time
// of a recursion that does next to nothing between its forks: one after the
// other, forks cost less than nested in each other.
func (o *overheads) stretch() {
	const n, forks = 15, 986
	r := &recursion[int, int]{known: new(site)}
	r.f = func(t *Task[int, int], n int) int {
		if n < 2 {
			return n
		}
		a, b := t.Join(n-1, n-2)
		return a + b
	}
	plain, recorded := int64(math.MaxInt64), int64(math.MaxInt64)
	for range 5 {
		start := clock.Now()
		fibSink.Store(int64(plainFib(n)))
		plain = min(plain, clock.Now()-start)
		taped(func(w *worker) {
			start := clock.Now()
			r.start(w, n)
			recorded = min(recorded, clock.Now()-start)
		})
	}
	found := (recorded - plain) / forks
	known := o.inline.Fork + o.inline.First + o.inline.Second
	if known <= 0 || found <= known || found > 4*known {
		return
	}
	for _, k := range []*record.Overheads{&o.join, &o.join2, &o.recursive, &o.inline} {
		k.Fork = k.Fork * found / known
		k.First = k.First * found / known
		k.Second = k.Second * found / known
	}
}

// fibSink keeps the compiler from dropping the call.
var fibSink atomic.Int64

func plainFib(n int) int {
	if n < 2 {
		return n
	}
	return plainFib(n-1) + plainFib(n-2)
}

// taped runs something on a tape of its own.
func taped(run func(w *worker)) *tape {
	w := newPool(Config{Workers: 1}, true).admit()
	r := record.New(1, "")
	r.Anonymous = true
	w.tape = &tape{Track: r.NewTrack()}
	w.tape.Resume()
	run(w)
	return w.tape
}
