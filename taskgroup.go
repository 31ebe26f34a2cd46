package forkjoin

import (
	"context"

	"github.com/forkjoin-go/forkjoin/internal/atomic"
	"github.com/forkjoin-go/forkjoin/internal/clock"
	"github.com/forkjoin-go/forkjoin/internal/joint"
	"github.com/forkjoin-go/forkjoin/internal/policy"
)

// A taskGroup holds the tasks of a WaitGroup or Group. They are public from the
// start and may wait for each other. Whoever runs some of them is a runner.
//
// While the list has tasks that may be started, somebody must know. The protocol
// (numbers are those of docs/DESIGN.md), all of it under the group's lock but
// for claims and the tasks themselves:
//
//	G1  Who adds a task, enters a chunk and leaves tasks behind, or stops running
//	    tasks while there are some, sees to it that the group is in the pool's
//	    injection queue, once: its ticket.
//	G2  A worker that takes the ticket notes that it has, and becomes a runner if
//	    there is something to run, which is G1 again.
//	G3  A runner enters a chunk, claims tasks from it one by one and runs them.
//	    With none left it leaves, and looks for the next chunk under the same
//	    lock. Without one it stops, so what is added later finds no runner, or
//	    one that will look again.
//	G4  Where a limit forbids another runner, no ticket is needed: those that
//	    there are go on.
//	G5  Where the tasks are so short that another runner would not pay, the
//	    ticket is held back, as long as there is a runner. The watchdog looks at
//	    such groups, and injects the ticket if nothing was claimed between two
//	    looks.
//	G6  A goroutine in Wait is a runner, of this group's tasks and no others.
//	    When there is nothing to run it parks; the last runner to stop wakes it.
type taskGroup struct {
	mu   joint.Mutex // for all that follows but atomics
	list taskList

	open  bool  // a task has been added since the last Wait; pool and alone are set
	alone bool  // in a synctest bubble: no worker must run the tasks
	pool  *Pool // that the tasks run on

	uncapped bool  // exempt from Config.MaxTasks: the tasks are sure to wait for each other
	limit    int   // of runners, plus one; 0: none
	runners  int   // goroutines that are in a chunk; each runs one task at a time
	inline   int   // tasks that run in add
	pace     int64 // ticks that a task takes; 0: unknown

	ticketed *Pool  // that has the ticket
	held     bool   // the ticket is held back (G5)
	listed   *Pool  // whose watchdog looks at the group
	seen     uint64 // tasks claimed when it looked last

	rounds  atomic.Uint32       // times that the last task has ended
	waiters []joint.Signal      // of Wait, closed when no task is left
	bubbled []*joint.Mutex      // of Wait in a synctest bubble, unlocked then
	blocked queue[joint.Signal] // of add, closed when the list is short enough

	failure *PanicError // the first panic or Goexit
	errs    bool        // it is of a Group, which has errors
	err     error       // the first error, or panic
	cancel  context.CancelCauseFunc

	recorded recordedGroup

	_    [64]byte    // each add writes to what precedes, each task reads what follows
	skip atomic.Bool // tasks that have not started are not to
}

// groupTasks is what a WaitGroup or Group has of its tasks. The taskGroup is made
// when it is needed and not part of the user's variable, because a worker may
// have its ticket when Wait has returned and the user does something else with
// the variable.
type groupTasks struct{ made atomic.Pointer[taskGroup] }

func (t *groupTasks) get(errs bool) *taskGroup {
	if g := t.made.Load(); g != nil {
		return g
	}
	t.made.CompareAndSwap(nil, &taskGroup{errs: errs})
	return t.made.Load()
}

// wait waits for the tasks, and deals with what they failed with.
func (t *groupTasks) wait() error {
	g := t.made.Load()
	if g == nil {
		return nil
	}
	g.wait()
	return g.conclude()
}

// add gives the group a task with the profile labels to wear, or else the
// caller's, unless try is set and the limit is reached. f is the function that
// the user gave.
func (g *taskGroup) add(t task, f any, worn *labels, try bool) bool {
	w := current()
	if worn == nil && w != nil {
		worn = w.labels
	}
	if recordings.Load() != 0 {
		if w == nil && recordsAll() {
			w, _ = enter()
			defer w.leave()
		}
		if w != nil && w.tape != nil {
			return w.recordAdd(g, t, f, worn, try)
		}
	}
	return g.addFrom(w, t, worn, try)
}

// addFrom is add for a goroutine that acts as w, if that is not nil.
func (g *taskGroup) addFrom(w *worker, t task, worn *labels, try bool) bool {
	g.mu.Lock()
	if !g.open || g.pool.pending.Load()&closing != 0 && g.idle() {
		g.begin(w)
	}
	p, alone := g.pool, g.alone
	if try && g.limit > 0 && g.active() >= g.limit-1 {
		g.mu.Unlock()
		return false
	}
	if g.capped() && p.outstanding.Add(1) > int64(p.config.MaxTasks) && g.limit == 0 {
		g.inline++
		g.mu.Unlock()
		g.runHere(w, t, worn)
		return true
	}
	fresh := g.list.add(t, worn)
	// A group whose ticket is held back is looked at again with each chunk.
	ticket := (!g.held || fresh || g.runners == 0) && g.ticket(p)
	full := fresh && g.limit > 0 && g.list.waiting() > queueLimit && !alone && !w.runsTask()
	g.unlock(p, ticket)

	if alone {
		joint.Go(func() { g.drain(nil, p) })
	}
	if full {
		g.block(w)
	}
	return true
}

// idle reports whether no task is left.
func (g *taskGroup) idle() bool { return g.runners == 0 && g.inline == 0 && g.list.waiting() == 0 }

// active returns how many tasks wait or run.
func (g *taskGroup) active() int { return int(g.list.waiting()) + g.runners + g.inline }

// started returns how many tasks have been started, for the watchdog.
func (g *taskGroup) started() uint64 {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.list.claimed()
}

// room reports whether there may be another runner.
func (g *taskGroup) room() bool { return g.limit == 0 || g.runners < g.limit-1 }

// capped reports whether the group's tasks count for Config.MaxTasks.
func (g *taskGroup) capped() bool {
	return g.pool.config.MaxTasks > 0 && !g.alone && !g.uncapped
}

// begin chooses the pool for a first task, given by w or, with w nil, from
// outside.
func (g *taskGroup) begin(w *worker) {
	g.open, g.held, g.pace = true, false, 0
	g.pool = std
	if w != nil {
		g.pool = w.pool
	}
	g.alone = (w == nil || w.bubble != no) && clock.InBubble()
}

// ticket reports whether the caller must put the group into p's injection queue
// when it has unlocked (G1).
func (g *taskGroup) ticket(p *Pool) bool {
	if g.alone || g.pool != p || g.ticketed == p || !g.room() {
		return false
	}
	waiting := int64(g.list.waiting())
	if waiting == 0 {
		return false
	}
	if g.runners > 0 && !g.worth(waiting, p.wakePrice()) {
		p.hold(g)
		return false
	}
	g.held, g.ticketed = false, p
	return true
}

// worth reports whether another runner pays when so many tasks wait, or it is
// not known that it does not.
func (g *taskGroup) worth(waiting, price int64) bool {
	return g.pace == 0 || policy.WorthTasks(waiting, max(g.pace, g.list.pace(clock.Now())), price)
}

// runsTask reports whether the goroutine that acts as w, if that is not nil, runs a
// task. That may be one of the group's, on whose end the others wait.
func (w *worker) runsTask() bool {
	for ; w != nil; w = w.outer {
		if w.inTask {
			return true
		}
	}
	return false
}

// block waits until the list has become shorter.
func (g *taskGroup) block(w *worker) {
	c := make(joint.Signal)
	g.mu.Lock()
	if g.list.waiting() <= queueLimit {
		g.mu.Unlock()
		return
	}
	g.blocked.push(c)
	g.mu.Unlock()
	if w != nil {
		w.blocking(func() { joint.Receive(c) })
	} else {
		joint.Receive(c)
	}
}
