package forkjoin

import (
	"github.com/forkjoin-go/forkjoin/internal/record"
)

// A branch is a recorded join in progress. As a job it is the second branch, as it
// lies on the stack of frames: the user's, and what a thief has to do beyond running
// it.
type branch struct {
	job     job
	tape    *tape // of the join
	rec     *record.Recording
	mark    record.Mark
	stage   stage
	segment uint64 // where the thief notes it; 0: nobody has taken it
}

// A stage of a recorded join says what its guard has to close on the tape, so that
// a recording is well-formed whatever a task does.
type stage int8

const (
	inFirst  stage = iota
	between        // the first branch has ended
	inSecond       // on this goroutine
)

func (b *branch) site() *site { return b.job.site() }

// run is a thief's.
func (b *branch) run(w *worker, f *frame) {
	b.segment = b.rec.NewID()
	defer w.segment(b.rec, b.segment)()
	b.job.run(w, f)
}

// segment begins a sequence that has moved to w, and returns what ends it.
func (w *worker) segment(r *record.Recording, number uint64) (end func()) {
	before := w.tape
	t := w.tapeFor(r)
	w.tape = t
	t.Segment(number, w.index)
	return func() {
		t.End(0)
		t.Commit()
		w.tape = before
	}
}

// letGo drops the last jobs of branches, which are the user's closures.
func (t *tape) letGo() {
	for _, b := range t.branches {
		b.job = nil
	}
}

// branch prepares the second branch of a join.
func (t *tape) branch(j job) *branch {
	if t.top == len(t.branches) {
		t.grow()
	}
	b := t.branches[t.top]
	t.top++
	b.job, b.stage = j, inFirst
	b.mark = t.Mark()
	return b
}

func (t *tape) grow() {
	t.branches = append(t.branches, &branch{tape: t, rec: t.Recording()})
}

// moved returns where a thief has noted the branch.
func (b *branch) moved() (segment uint64) {
	segment, b.segment = b.segment, 0
	return segment
}

// unwound ends the fork whose guard calls it, after the worker has waited for
// the second branch or dropped it.
func (b *branch) unwound(o *record.Overheads) {
	t := b.tape
	t.top--
	if b.stage == inFirst {
		t.End(o.First)
	}
	switch {
	case b.stage == inSecond:
		t.End(o.Second)
	case b.segment != 0:
		t.Ref(b.moved())
	default:
		t.Empty()
	}
}

// recordJoin is join on a tape.
func (w *worker) recordJoin(a, b func()) (failure *PanicError) {
	base, returned := w.head, false
	t := w.tape
	k := t.branch(thunk(b))
	t.Fork(codeOf(b), &overhead.join)
	defer func() {
		if !returned {
			failure = w.unwind(base, recover())
			k.unwound(&overhead.join)
		}
	}()
	f, mine := w.push(k), true
	a()
	k.stage = between
	t.End(overhead.join.First)
	if f != nil {
		mine, failure = w.take(f)
	}
	if mine {
		k.stage = inSecond
		b()
		t.End(overhead.join.Second)
		t.Collapse(k.mark)
	} else {
		if failure == nil {
			f.reset()
		}
		t.Ref(k.moved())
	}
	t.top--
	returned = true
	return failure
}

// recordJoin2 is Join2 on a tape.
func recordJoin2[A, B any](w *worker, a func() A, b func() B) (A, B) {
	ra, rb, failure := recordedJoin2(w, a, b)
	if failure != nil {
		panic(failure)
	}
	return ra, rb
}

func recordedJoin2[A, B any](w *worker, a func() A, b func() B) (ra A, rb B, failure *PanicError) {
	base, returned := w.head, false
	t := w.tape
	k := t.branch(call[B](b))
	t.Fork(codeOf(b), &overhead.join2)
	defer func() {
		if !returned {
			failure = w.unwind(base, recover())
			k.unwound(&overhead.join2)
		}
	}()
	f, mine := w.push(k), true
	ra = a()
	k.stage = between
	t.End(overhead.join2.First)
	if f != nil {
		mine, failure = w.take(f)
	}
	if mine {
		k.stage = inSecond
		rb = b()
		t.End(overhead.join2.Second)
		t.Collapse(k.mark)
	} else {
		if failure == nil {
			rb, _ = f.result.(B)
			f.reset()
		}
		t.Ref(k.moved())
	}
	t.top--
	returned = true
	return ra, rb, failure
}

// recordFork is fork on a tape.
func (t *Task[A, R]) recordFork(a, b A) (ra, rb R) {
	ra, rb, failure := t.recordedFork(a, b)
	if failure != nil {
		panic(failure)
	}
	return ra, rb
}

func (t *Task[A, R]) recordedFork(a, b A) (ra, rb R, failure *PanicError) {
	t.check("Join")
	t.spend()
	offered := t.look()
	w := t.w
	base, top, returned := w.head, t.top, false
	c := t.newCell()
	c.arg = b
	tape, o := w.tape, &overhead.recursive
	k := tape.branch(c)
	tape.Fork(t.r.code, o)
	defer func() {
		if !returned {
			t.spend()
			failure = w.unwind(base, recover())
			t.drop(c, top)
			k.unwound(o)
		}
	}()
	f, mine := (*frame)(nil), true
	if offered {
		f = w.push(k)
		t.refuel()
	}
	ra = t.f(t, a)
	if offered {
		t.spend()
	}
	k.stage = between
	tape.End(o.First)
	if f != nil {
		mine, failure = w.take(f)
	}
	if !mine && failure == nil {
		rb = c.result
		f.reset()
	}
	t.drop(c, top)
	if mine {
		k.stage = inSecond
		rb = t.f(t, b)
		tape.End(o.Second)
		tape.Collapse(k.mark)
	} else {
		tape.Ref(k.moved())
	}
	tape.top--
	returned = true
	return ra, rb, failure
}

// recordInline is an inline join on a tape: those are noted, too.
func (t *Task[A, R]) recordInline(a, b A) (ra, rb R) {
	if t.idle.load().hungry() && t.w.holdsBack() {
		return t.recordFork(a, b)
	}
	t.unlooked--
	tape, at := t.w.tape, inFirst
	mark := tape.Mark()
	tape.Fork(t.r.code, &overhead.inline)
	returned := false
	defer func() {
		if !returned {
			recovered := recover()
			tape.cutShort(at)
			rethrow(recovered)
		}
	}()
	ra = t.f(t, a)
	at = inSecond
	tape.End(overhead.inline.First)
	rb = t.f(t, b)
	tape.End(overhead.inline.Second)
	tape.Collapse(mark)
	returned = true
	return ra, rb
}

// cutShort ends a fork that nobody else can have a part of.
func (t *tape) cutShort(at stage) {
	if at == inFirst {
		t.End(overhead.inline.First)
		t.Empty()
		return
	}
	t.End(overhead.inline.Second)
}
