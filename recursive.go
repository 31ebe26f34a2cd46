package forkjoin

import (
	"slices"

	"github.com/forkjoin-go/forkjoin/internal/atomic"
	"github.com/forkjoin-go/forkjoin/internal/clock"
	"github.com/forkjoin-go/forkjoin/internal/gkey"
	"github.com/forkjoin-go/forkjoin/internal/policy"
)

// A Task is how a function made by [Recursive] forks. It is valid during the
// call that it was passed to and on that call's goroutine only: not in a function
// given to [Join], say, which another goroutine may call.
type Task[A, R any] struct {
	fuel  int32     // joins left to run inline before the next look around
	taped bool      // joins are recorded
	idle  *idleWord // of w's pool
	f     func(t *Task[A, R], arg A) R
	w     *worker
	r     *recursion[A, R]

	cells []*cell[A, R] // one for each frame that this recursion has on w's stack
	top   int

	beat    policy.Beat
	granted int32 // what fuel, or unlooked, was when it was last filled

	unlooked int32 // what fuel is while joins are recorded: fuel itself is 0 then

	checked int32 // joins of this call, up to slowChecks

	_ [128]byte // each join writes fuel, which must not slow the joins of other workers down
}

// slowChecks is how many joins of a call are checked where keys are not fast.
const slowChecks = 64

// A recursion is a function made by Recursive, with the tasks that its workers
// use.
type recursion[A, R any] struct {
	f     func(t *Task[A, R], arg A) R
	code  uintptr // where f is
	known *site
	part  *recordedLoop // of a reduction that is recorded
	first atomic.Pointer[Task[A, R]]
	rest  atomic.Pointer[[restTasks]atomic.Pointer[Task[A, R]]]
}

// Recursive returns a function that computes f(t, arg), in which f may call
// t.Join to compute f for two smaller arguments at the same time.
//
//	var fib = forkjoin.Recursive(func(t *forkjoin.Task[int, int], n int) int {
//		if n < 2 {
//			return n
//		}
//		a, b := t.Join(n-1, n-2)
//		return a + b
//	})
//
// The result is meant to be kept, in a package variable say. It may be called
// from several goroutines at once and from within itself.
//
// Cost of a call beyond f: about ten function calls; it allocates only when a
// worker runs the recursion for the first time, in a pool of one's own in each
// [Pool.Run].
//
// If f panics, the call panics with a [*PanicError] when everything that it
// started has ended. If f calls [runtime.Goexit], so does the caller. Recursive
// panics if f is nil.
//
// What was done before a call is synchronized before f starts, and everything
// done in f, on whatever goroutine, before the call returns.
func Recursive[A, R any](f func(t *Task[A, R], arg A) R) func(arg A) R {
	if f == nil {
		badUse("Recursive: f is nil")
	}
	r := &recursion[A, R]{f: f, code: codeOf(f), known: new(site)}
	return r.call
}

func (r *recursion[A, R]) call(arg A) R {
	w, entered := enter()
	if entered {
		defer w.leave()
	}
	result, failure := r.start(w, arg)
	if failure != nil {
		panic(failure)
	}
	return result
}

// start runs f on w, outside any join of this recursion.
func (r *recursion[A, R]) start(w *worker, arg A) (result R, failure *PanicError) {
	t := r.task(w)
	base, top, returned := w.head, t.top, false
	t.spend()
	t.beat.Restart()
	t.checked = 0
	taped := t.taped
	t.taped = w.tape != nil && r.part == nil
	defer func() {
		t.spend()
		t.taped = taped
		if !returned {
			t.top = top
			failure = w.unwind(base, recover())
		}
		if t.top == 0 && len(t.cells) > keptFrames {
			t.cells = slices.Clone(t.cells[:keptFrames])
		}
	}()
	result = r.f(t, arg)
	returned = true
	if t.beat.Ticks != r.known.beat.Load() {
		r.known.beat.Store(t.beat.Ticks)
	}
	return result, nil
}

// task returns w's task for r.
func (r *recursion[A, R]) task(w *worker) *Task[A, R] {
	if t := r.first.Load(); t != nil && t.w == w {
		return t
	}
	return r.otherTask(w)
}

func (r *recursion[A, R]) otherTask(w *worker) *Task[A, R] {
	if w.pool.private {
		return r.privateTask(w)
	}
	rest := r.rest.Load()
	if rest != nil {
		if t := rest[w.index%restTasks].Load(); t != nil && t.w == w {
			return t
		}
	}
	t := r.newTask(w)
	if r.first.CompareAndSwap(nil, t) {
		return t
	}
	if rest == nil {
		rest = new([restTasks]atomic.Pointer[Task[A, R]])
		if !r.rest.CompareAndSwap(nil, rest) {
			rest = r.rest.Load()
		}
	}
	rest[w.index%restTasks].Store(t) // at worst another worker's is made anew
	return t
}

func (r *recursion[A, R]) newTask(w *worker) *Task[A, R] {
	t := &Task[A, R]{f: r.f, w: w, r: r, idle: &w.pool.idle}
	t.beat.Ticks = r.known.beat.Load()
	return t
}

// privateTask is task in a private pool. There the worker keeps the task and not
// the recursion, which may be in a package variable and outlive the pool; until the
// worker has nothing to do (letGo), as the pool may outlive the recursion.
func (r *recursion[A, R]) privateTask(w *worker) *Task[A, R] {
	if t, ok := w.tasks[r].(*Task[A, R]); ok {
		return t
	}
	if w.tasks == nil {
		w.tasks = make(map[any]any)
	}
	if len(w.tasks) >= restTasks {
		clear(w.tasks)
	}
	t := r.newTask(w)
	w.tasks[r] = t
	return t
}

// Join computes f(a) and f(b), perhaps at the same time, and returns both
// results. The caller's goroutine computes f(a), and f(b) after it unless an
// idle worker takes that first.
//
// Cost: about three function calls, and no allocation. Where joins follow each
// other closely, only the outermost few are offered to other workers. A cutoff
// below which f computes sequentially is not needed, but saves those calls where
// f itself does next to nothing.
//
// Panics, Goexit and synchronization are as for the function [Join], at each
// level: what a function recovers from its call of t.Join is a *PanicError.
func (t *Task[A, R]) Join(a, b A) (ra, rb R) {
	if t.fuel <= 0 || t.idle.load().hungry() && t.w.holdsBack() {
		return t.fork(a, b)
	}
	// Here a guard may panic anew itself (compare unwind): fuel bounds how many
	// such joins are nested in each other.
	t.fuel--
	returned := false
	defer func() {
		if !returned {
			rethrow(recover())
		}
	}()
	ra = t.f(t, a)
	rb = t.f(t, b)
	returned = true
	return ra, rb
}

// fork is a join at which the worker looks around, and whose second branch thieves may
// take if there is too little else for them. It and guardedFork are two functions with
// small frames: the deepest recursions are nested forks.
func (t *Task[A, R]) fork(a, b A) (ra, rb R) {
	if t.unlooked > 0 {
		return t.recordInline(a, b)
	}
	if t.taped {
		return t.recordFork(a, b)
	}
	ra, rb, failure := t.guardedFork(a, b)
	if failure != nil {
		panic(failure)
	}
	return ra, rb
}

// check panics if t is not the caller's. Joins that run inline do without, as they
// soon come to one that does not. Where it takes as long as the stack is deep to find
// out who calls, only the first joins of a call are checked.
func (t *Task[A, R]) check(method string) {
	if !gkey.Fast && t.w != nil {
		if t.checked == slowChecks {
			return
		}
		t.checked++
	}
	for w := current(); w != nil; w = w.outer {
		if w == t.w {
			return
		}
	}
	badUse("Task.%s: the Task is that of another goroutine, or its call is over", method)
}

func (t *Task[A, R]) guardedFork(a, b A) (ra, rb R, failure *PanicError) {
	t.check("Join")
	t.spend()
	if !t.look() {
		return t.guardedInline(a, b)
	}
	w := t.w
	base, top, returned := w.head, t.top, false
	c := t.newCell()
	c.arg = b
	defer func() {
		if !returned {
			t.spend()
			failure = w.unwind(base, recover())
			t.drop(c, top)
		}
	}()
	f, mine := w.push(c), true
	t.refuel()
	ra = t.f(t, a)
	t.spend()
	if f != nil {
		mine, failure = w.take(f)
	}
	if !mine && failure == nil {
		rb = c.result
		f.reset()
		t.beat.Restart()
	}
	t.drop(c, top)
	if mine {
		rb = t.f(t, b)
	}
	returned = true
	return ra, rb, failure
}

// guardedInline is a join between two looks around that is not offered either. Its
// guard does not panic anew, so that a panic never goes through more than the joins of
// one stretch at once.
func (t *Task[A, R]) guardedInline(a, b A) (ra, rb R, failure *PanicError) {
	base, returned := t.w.head, false
	defer func() {
		if !returned {
			t.spend()
			failure = t.w.unwind(base, recover())
		}
	}()
	ra = t.f(t, a)
	rb = t.f(t, b)
	returned = true
	return ra, rb, nil
}

// spend counts the joins that ran inline since fuel was filled, and ends that.
func (t *Task[A, R]) spend() {
	n := t.granted - t.fuel - t.unlooked
	t.beat.Count(int64(n))
	t.w.counts.forks += uint64(n)
	t.fuel, t.unlooked, t.granted = 0, 0, 0
}

// A cell holds the argument and the result of a frame.
type cell[A, R any] struct {
	r      *recursion[A, R]
	arg    A
	result R
}

func (t *Task[A, R]) newCell() *cell[A, R] {
	if t.top == len(t.cells) {
		t.cells = append(t.cells, new(cell[A, R]))
	}
	c := t.cells[t.top]
	c.r = t.r
	t.top++
	return c
}

// drop lets go of the user's values in c, which no thief has any more, and of its
// place.
func (t *Task[A, R]) drop(c *cell[A, R], top int) {
	var arg A
	var result R
	c.arg, c.result = arg, result
	t.top = top
}

func (c *cell[A, R]) run(w *worker, f *frame) {
	if c.r.part != nil {
		defer c.r.part.piece(w, -1)()
	}
	c.result, f.failure = c.r.start(w, c.arg)
}

func (c *cell[A, R]) site() *site { return c.r.known }

// look is a look around, and reports whether the join at hand is to be offered. If not,
// the frames that w has are enough, and the next joins may run inline, too.
func (t *Task[A, R]) look() bool {
	t.beat.Count(1)
	if t.beat.Due() {
		t.beat.Measure(clock.Now())
	}
	if t.refuel(); t.granted == 0 {
		return true
	}
	w := t.w
	w.counts.forks++
	if t.idle.load() != 0 {
		w.share(w.frames.at(w.head - 1))
		t.refuel()
	}
	return false
}

// refuel finds out how many joins may run inline from now on.
func (t *Task[A, R]) refuel() {
	w := t.w
	if w.pool.reorderer != nil {
		return
	}
	idle := t.idle.load()
	t.granted = times.InlineJoins(w.private(), t.beat.Ticks, policy.Wanted(idle.hungry(), w.haste.Share, w.haste.Eager, idle.spare()))
	if t.taped {
		t.unlooked = t.granted
	} else {
		t.fuel = t.granted
	}
}
