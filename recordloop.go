package forkjoin

import (
	"sync/atomic"

	"github.com/forkjoin-go/forkjoin/internal/record"
)

// A recordedLoop is a loop or reduction on tape. What is kept of a loop is what
// its iterations cost, part by part, and not how it happened to be split.
//
// A part is what the loop runs in one go, a few microseconds. Iterations that
// fork are each a part of their own, and where costs are declared, parts end at
// places that depend on the length alone.
type recordedLoop struct {
	body
	rec    *record.Recording
	number uint64
	lo, hi int
	cell   int         // where costs are declared, parts end at multiples of it
	least  int         // iterations of a part
	begun  atomic.Bool // a part has been run
	forks  atomic.Bool // an iteration has forked
}

// recordLoop is runLoop on a tape, for a whole loop. code is where the user's
// function is; each says that iterations differ and are to be kept apart.
func (w *worker) recordLoop(lo, hi int, b body, code uintptr, each bool, l limits, s *site, known int64) *PanicError {
	t := w.tape
	r := &recordedLoop{body: b, rec: t.Recording(), lo: lo, hi: hi, cell: record.Cell(hi-lo, l.Min), least: l.Min}
	_, all := b.(functions)
	r.forks.Store(each || all)
	r.number = t.LoopBegin(l.label, code, hi-lo, l.Min, l.Max, r.cell)
	defer t.LoopEnd()
	return w.runLoop(lo, hi, r, l, s, nil, known)
}

func (r *recordedLoop) chunk(w *worker, lo, hi int) bool {
	t := w.tape
	t.Resume()
	for lo < hi {
		n := r.part(t, lo, hi)
		if !r.runPart(w, t, lo, lo+n) {
			return false
		}
		lo += n
	}
	return true
}

// part returns how many iterations of [lo, hi) the next part has.
func (r *recordedLoop) part(t *tape, lo, hi int) int {
	n := hi - lo
	switch {
	case r.forks.Load() || !r.begun.Load():
		n = r.least
	case t.Declared():
		n = r.cell - (lo-r.lo)%r.cell
	}
	if n > hi-lo || hi-lo-n < r.least && r.least > 1 {
		return hi - lo
	}
	return n
}

func (r *recordedLoop) runPart(w *worker, t *tape, lo, hi int) bool {
	p := t.BeginPart(hi - lo)
	defer func() {
		if !t.EndPart(p, hi-lo, overhead.part) && !r.forks.Load() {
			r.forks.Store(true)
		}
	}()
	if !r.begun.Load() {
		r.begun.Store(true)
	}
	return r.body.chunk(w, lo, hi)
}

// piece begins parts of the loop that have moved to w, and returns what ends them.
// first is the iteration they begin with, counted from the loop's first, which may
// be negative itself, or -1 for parts of a reduction.
func (r *recordedLoop) piece(w *worker, first int) (end func()) {
	before := w.tape
	t := w.tapeFor(r.rec)
	w.tape = t
	t.Piece(r.number, w.index, first)
	return func() {
		t.LoopEnd()
		t.Commit()
		w.tape = before
	}
}

// record begins a recorded reduction, and returns what ends it.
func (r *reducer[T]) record(w *worker, code uintptr, label string) (end func()) {
	t := w.tape
	r.part = &recordedLoop{rec: t.Recording()}
	r.part.number = t.ReduceBegin(label, code, r.n, r.blocks)
	return t.LoopEnd
}

func (r *reducer[T]) recordLeaf(w *worker, block int) T {
	defer w.tape.part(2 * block)()
	return r.leaf(r.bound(block), r.bound(block+1))
}

func (r *reducer[T]) recordCombine(w *worker, mid int, x, y T) T {
	defer w.tape.part(2*mid - 1)()
	return r.combine(x, y)
}

// part begins the part at a place of a reduction, and returns what ends it.
func (t *tape) part(place int) (end func()) {
	t.Resume()
	p := t.BeginPart(place)
	return func() { t.EndPart(p, place, overhead.part) }
}
