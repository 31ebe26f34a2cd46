package forkjoin

import (
	"runtime"

	"github.com/forkjoin-go/forkjoin/internal/atomic"
	"github.com/forkjoin-go/forkjoin/internal/policy"
)

// A worker is what a goroutine works with while it takes part in a pool: a
// stack of frames and the memory of how things went. One goroutine at a time
// acts as a worker. There are two kinds: a guest serves a goroutine that called
// into the package; a background worker has a goroutine of its own, which
// steals (background.go).
//
// Unmarked fields belong to the goroutine that acts as the worker.
type worker struct {
	deque  // deque.public is shared with thieves
	frames frames

	pool       *Pool
	index      int      // no other worker of the pool has it at the same time
	binding    *binding // of the goroutine that acts as this worker
	outer      *worker  // what that goroutine was before, when calls on pools nest
	background bool
	slot       bool // it runs on a slot (slots.go)
	lent       bool // background, without a slot (watchdog.go)
	fresh      bool // background, without a goroutine yet
	leaving    bool // background, and its goroutine ends on purpose
	away       int  // waits inside waits that have given the slot up (slots.go)
	gave       bool // has handed its slot to the owner of a frame
	granted    bool // has been handed a slot; written by who sends to wakeup
	ready      bool // background, and its goroutine has been prepared

	inTask   bool    // it runs a task, and not only the call of a guest
	migrated bool    // that was stolen
	labels   *labels // of the running task, nil if unknown
	labeled  bool    // a guest whose goroutine's own labels are known, through Do
	bubble   verdict // is the goroutine in a synctest bubble?

	haste  haste  // is it worth waking somebody? (haste.go)
	rng    uint64 // for victims
	last   int    // where in pool.workers the last victim was that gave something
	looks  uint32 // for work, to give the injection queue its turn
	counts counts
	totals totals // read by Stats

	reducer any         // a *Task of the last reduction, kept for the next one
	tasks   map[any]any // of a private pool: the *Task of each recursion that it has run since it came or woke

	tape *tape // notes what the running task does; nil unless it is recorded (record.go)
	own  *tape // of this worker, kept for the next task that is recorded

	host     atomic.Pointer[binding] // of the guest served now; set by the guest, read by guests
	parked   atomic.Bool             // waits in a join or in Blocking; read by guests
	occupied atomic.Bool             // home of a binding whose goroutine acts as another worker; read by guests
	cpu      atomic.Int32            // where it ran when that was last of interest (victim.go, apart.go), or -1; read by thieves
	wakeup   chan struct{}           // ends a wait in a join or for a slot: one send for each
	parker   parker                  // where an idle background worker sleeps

	called bool // woken, and counted among the searchers by who woke it
	retire bool // told to end; under pool.mu

	apart  int64        // when its thread may be moved again (apart.go)
	order  policy.Order // of victims, if some are nearer than others (victim.go)
	sorted uint32       // searches, to sort them anew now and then
}

// A verdict is something found out on first need.
type verdict uint8

const (
	unknown verdict = iota
	no
	yes
)

// push puts the second branch of a fork on the stack, where thieves may get it,
// and returns its frame, or nil if the stack is full and the branch must run
// inline.
func (w *worker) push(j job) *frame {
	i := w.head
	if i >= maxFrames {
		return nil
	}
	f := w.frames.next(i)
	f.job, f.labels = j, w.labels
	w.head = i + 1
	w.counts.forks++
	if w.pool.idle.load() != 0 || i == 0 {
		w.share(f)
	}
	return f
}

// share gives thieves something if somebody wants it (D2).
func (w *worker) share(f *frame) {
	p := w.pool
	if p.reorderer != nil {
		p.reorderer.passBy(w)
		return
	}
	now := p.idle.load()
	if now == 0 {
		// Nobody is idle as far as the pool knows: see whether it may grow.
		if w.head > 1 {
			return
		}
		if w.background {
			p.freeReserved()
		}
		p.resize()
		now = p.idle.load()
	}
	h := &w.haste
	if h.Began == 0 {
		h.start(f.job.site(), p.wakePrice())
	}
	wake := policy.Wakes(h.wanted(p.wakePrice()), now.searchers(), now.spare()) && p.mayWake()
	if policy.Offers(now.hungry(), h.Share, wake, w.offering()) && !w.inBubble() {
		w.offer()
	}
	if wake && !w.inBubble() {
		p.wake()
	}
}

// holdsBack reports whether w has frames to share, but none that a thief could
// take.
func (w *worker) holdsBack() bool {
	return policy.CanOffer(w.haste.Share, w.private()) && !w.offering()
}

// offer publishes half of what is private, the oldest first.
func (w *worker) offer() {
	w.note()
	w.publish(policy.Offer(w.private()))
	w.counts.publishes++
}

// take gets the newest frame back and reports whether the owner has its work to
// do. If not, it was stolen and is done: the caller reads the result and resets
// the frame, unless it failed. If it called Goexit, so does take.
func (w *worker) take(f *frame) (mine bool, failure *PanicError) {
	idle := w.pool.idle.load()
	if idle != 0 && w.pool.reorderer != nil {
		w.pool.reorderer.passBy(w)
	}
	if w.pop(idle != 0) {
		f.drop()
		return true, nil
	}
	w.await(f, true)
	w.release()
	w.haste.Split = true
	if failure = f.failure; failure != nil {
		f.reset()
		if failure == goexit {
			runtime.Goexit()
		}
	}
	return false, failure
}

// unwind ends forks whose first branch did not return: frames from base on are
// dropped, or waited for if stolen, so that nothing of a fork still runs when
// its caller unwinds. It runs no tasks, as those could unwind too. It returns
// what the guard that calls it has recovered, nil if the goroutine is ending.
//
// Guards do not panic anew themselves, but have their function return the
// failure to one that does. A panic inside a deferred call keeps the stack that
// it came through, so going through n guards would take n² time.
func (w *worker) unwind(base uint32, recovered any) (failure *PanicError) {
	failure = failureOf(recovered)
	for w.head > base {
		f := w.frames.at(w.head - 1)
		if w.pop(false) {
			f.drop()
			continue
		}
		w.await(f, false)
		w.release()
		f.reset()
	}
	return failure.orExit()
}

// execute runs a frame that w claimed from owner's stack. last says that w has
// nothing else to go on with after it, helps that a join of w waits meanwhile: a
// panic that came while the goroutine was ending goes on to that one, too, when the
// frame's owner has it.
func (w *worker) execute(f *frame, owner *worker, last, helps bool) {
	f.thief.Store(w)
	w.counts.steals++
	before := w.begin(f.labels, true)
	returned := false
	defer func() {
		var failure *PanicError
		if !returned {
			failure = failureOf(recover())
			f.failure = failure
		}
		w.end(before)
		w.flush() // so that who waits for f sees what it counted
		w.complete(f, owner, last && returned)
		if failure != nil && helps {
			failure.orExit()
		}
	}()
	f.job.run(w, f)
	returned = true
}

// A setting is what a worker remembers of the task that it interrupts to run
// another one.
type setting struct {
	inTask   bool
	migrated bool
	labels   *labels
	haste    haste
}

// begin prepares w for a task that was forked under l.
func (w *worker) begin(l *labels, migrated bool) (before setting) {
	before = setting{w.inTask, w.migrated, w.labels, w.haste}
	w.inTask, w.migrated, w.haste = true, migrated, haste{}
	w.wear(l)
	return before
}

// end restores what begin changed.
func (w *worker) end(before setting) {
	w.wear(before.labels)
	w.inTask, w.migrated, w.haste = before.inTask, before.migrated, before.haste
}

// settle ends the outermost call of a guest.
func (w *worker) settle() {
	w.haste.settle()
	w.bubble, w.migrated = unknown, false
	w.letGo()
	w.flush()
}

// letGo lets go of what only the work that is over needed.
func (w *worker) letGo() {
	if w.frames.grown {
		w.frames.trim()
	}
	if w.tasks != nil {
		clear(w.tasks)
	}
}
