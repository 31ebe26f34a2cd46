package forkjoin

import "github.com/forkjoin-go/forkjoin/internal/record"

// A branch is the second branch of a recorded join, as it lies on the stack of
// frames: the job, and what a thief has to do beyond running it.
type branch struct {
	job     job
	rec     *record.Recording
	segment uint64 // where a thief notes it; 0: nobody has taken it
}

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

// A fork in progress on a tape. Its guard closes on the tape what has been
// opened, so that a recording is well-formed whatever a task does.
type forking struct {
	t      *tape
	branch *branch
	o      *record.Overheads
	mark   record.Mark
	stage  int8
}

// Stages of a forking.
const (
	inFirst  = iota
	between  // the first branch has ended
	inSecond // on this goroutine
	over
)

// letGo drops the last jobs of branches, which are the user's closures.
func (t *tape) letGo() {
	for _, b := range t.branches {
		b.job = nil
	}
}

// fork notes a fork and prepares its second branch.
func (t *tape) fork(j job, code uintptr, o *record.Overheads) forking {
	if t.top == len(t.branches) {
		t.branches = append(t.branches, &branch{rec: t.Recording()})
	}
	b := t.branches[t.top]
	t.top++
	b.job, b.segment = j, 0
	k := forking{t: t, branch: b, o: o, mark: t.Mark()}
	t.Fork(code, o)
	return k
}

func (k *forking) endFirst() {
	k.t.End(k.o.First)
	k.stage = between
}

// endSecond notes the end of the second branch, which was run here or not.
func (k *forking) endSecond(mine bool) {
	if mine {
		k.t.End(k.o.Second)
		if k.mark != (record.Mark{}) {
			k.t.Collapse(k.mark)
		}
	} else {
		k.t.Ref(k.branch.segment)
	}
	k.close()
}

func (k *forking) close() {
	k.stage = over
	k.t.top--
}

// unwound ends the fork whose guard calls it, after the worker has waited for
// the second branch or dropped it.
func (k *forking) unwound() {
	if k.stage == inFirst {
		k.endFirst()
	}
	switch {
	case k.stage == over:
		return
	case k.stage == inSecond:
		k.t.End(k.o.Second)
	case k.branch.segment != 0:
		k.t.Ref(k.branch.segment)
	default:
		k.t.Empty()
	}
	k.close()
}

// recordJoin is join on a tape.
func (w *worker) recordJoin(a, b func()) (failure *PanicError) {
	base, returned := w.head, false
	k := w.tape.fork(thunk(b), codeOf(b), &overhead.join)
	defer func() {
		if !returned {
			failure = w.unwind(base, recover())
			k.unwound()
		}
	}()
	f, mine := w.push(k.branch), true
	a()
	k.endFirst()
	if f != nil {
		mine, failure = w.take(f)
	}
	switch {
	case mine:
		k.stage = inSecond
		b()
	case failure == nil:
		f.reset()
	}
	k.endSecond(mine)
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
	k := w.tape.fork(call[B](b), codeOf(b), &overhead.join2)
	defer func() {
		if !returned {
			failure = w.unwind(base, recover())
			k.unwound()
		}
	}()
	f, mine := w.push(k.branch), true
	ra = a()
	k.endFirst()
	if f != nil {
		mine, failure = w.take(f)
	}
	switch {
	case mine:
		k.stage = inSecond
		rb = b()
	case failure == nil:
		rb, _ = f.result.(B)
		f.reset()
	}
	k.endSecond(mine)
	returned = true
	return ra, rb, failure
}

// recordFork is fork on a tape. Each join is noted, so none is run inline.
func (t *Task[A, R]) recordFork(a, b A) (ra, rb R) {
	ra, rb, failure := t.recordedFork(a, b)
	if failure != nil {
		panic(failure)
	}
	return ra, rb
}

func (t *Task[A, R]) recordedFork(a, b A) (ra, rb R, failure *PanicError) {
	w := t.w
	base, top, returned := w.head, t.top, false
	t.spend()
	c := t.newCell()
	c.arg = b
	k := w.tape.fork(c, t.r.code, &overhead.recursive)
	defer func() {
		if !returned {
			failure = w.unwind(base, recover())
			t.drop(c, top)
			k.unwound()
		}
	}()
	f, mine := w.push(k.branch), true
	ra = t.f(t, a)
	k.endFirst()
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
	}
	k.endSecond(mine)
	returned = true
	return ra, rb, failure
}
