package forkjoin

import (
	"sync"

	"github.com/forkjoin-go/forkjoin/internal/record"
)

// overhead is what recording costs, with what the recorded calls cost anyway, in
// ticks. It is subtracted from measured costs: what is left is the program's own
// code. A simulator adds its own prices of forks.
var overhead overheads

type overheads struct {
	once                   sync.Once
	join, join2, recursive record.Overheads
	part                   int64 // of a loop
}

// measure finds the overheads out by recording forks of functions that do
// nothing. It takes a fraction of a millisecond, once.
func (o *overheads) measure() {
	o.once.Do(func() {
		nop := func() {}
		zero := func() int { return 0 }
		r := &recursion[int, int]{known: new(site)}
		r.f = func(t *Task[int, int], n int) int {
			for range n {
				t.Join(0, 0)
			}
			return 0
		}
		const times = 1000
		o.join = taped(func(w *worker) {
			for range times {
				w.recordJoin(nop, nop)
			}
		})
		o.join2 = taped(func(w *worker) {
			for range times {
				recordJoin2(w, zero, zero)
			}
		})
		o.recursive = taped(func(w *worker) { r.start(w, times) })
		o.part = taped(func(w *worker) {
			l := recordedLoop{body: rangeBody(func(lo, hi int) {}), least: 1}
			for range times {
				l.chunk(w, 0, 1)
			}
		}).Part
	})
}

// taped returns what the events cost that run notes.
func taped(run func(w *worker)) record.Overheads {
	w := newPool(Config{Workers: 1}, true).admit()
	w.tape = &tape{Track: record.New(1, "").NewTrack()}
	w.tape.Resume()
	run(w)
	return w.tape.Overheads()
}
