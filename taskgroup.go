package forkjoin

import (
	"sync"

	"github.com/forkjoin-go/forkjoin/internal/clock"
)

// A taskGroup holds the tasks of a WaitGroup or Group. They are public from the
// start and may wait for each other.
//
// Tasks wait in the group's own queue. While that has any that may run, the
// group itself is in the pool's injection queue, once: its ticket. A worker that
// takes the ticket puts it back if there is more than the one task that it takes
// with it, and then goes on with the group's tasks for as long as there are any.
// A goroutine in Wait does the same, with this group's tasks and no others.
type taskGroup struct {
	mu       sync.Mutex
	pool     *Pool // that the tasks run on; set by the first of them
	queue    queue[task]
	running  int
	limit    int // of running, plus one; 0: none
	started  uint64
	ticketed bool            // the ticket is in the injection queue
	alone    bool            // in a synctest bubble: no worker must run the tasks
	waiters  []chan struct{} // of Wait, closed when no task is left
	blocked  queue[chan struct{}]
	skip     bool // tasks that have not started are not to
	failure  *PanicError
	finished func(err error) // takes a task's error, under mu
}

// A task is a function given to a group.
type task struct {
	f      func()
	e      func() error // instead of f
	labels *labels
}

// queueLimit is how many tasks of a limited group may wait before Go blocks.
const queueLimit = 1024

// add gives the group a task. wait says whether it may block for that, because
// the group's limit is reached; otherwise add may return false.
func (g *taskGroup) add(t task, wait bool) bool {
	w := current()
	g.mu.Lock()
	if g.running == 0 && g.queue.count == 0 {
		g.open(w)
	}
	if !wait && g.limit > 0 && g.running+g.queue.count >= g.limit-1 {
		g.mu.Unlock()
		return false
	}
	for g.limit > 0 && g.queue.count >= queueLimit {
		g.block(w)
	}
	if t.labels == nil && w != nil {
		t.labels = w.labels
	}
	p := g.pool
	if cap := p.config.MaxTasks; cap > 0 && g.limit == 0 && !g.alone && p.grouped.Load() >= int64(cap) {
		g.running++
		g.mu.Unlock()
		g.runHere(w, t)
		return true
	}
	if p.config.MaxTasks > 0 {
		p.grouped.Add(1)
	}
	g.queue.push(t)
	switch {
	case g.alone:
		g.mu.Unlock()
		go g.drainAlone()
	case g.ticket():
		g.mu.Unlock()
		p.inject(g)
	default:
		g.mu.Unlock()
	}
	return true
}

// open prepares for a first task, given by w or, with w nil, from outside.
func (g *taskGroup) open(w *worker) {
	g.pool = std
	if w != nil {
		g.pool = w.pool
	}
	g.alone = (w == nil || w.bubble != no) && clock.InBubble()
}

// block waits until the queue has become shorter. The caller holds g.mu.
func (g *taskGroup) block(w *worker) {
	c := make(chan struct{})
	g.blocked.push(c)
	g.mu.Unlock()
	if w != nil {
		w.blocking(func() { <-c })
	} else {
		<-c
	}
	g.mu.Lock()
}

// ticket reports whether the caller, who holds g.mu, must put the group into
// the injection queue.
func (g *taskGroup) ticket() bool {
	if g.ticketed || !g.runnable() {
		return false
	}
	g.ticketed = true
	return true
}

// runnable reports whether a task may be started.
func (g *taskGroup) runnable() bool {
	return g.queue.count > 0 && (g.limit == 0 || g.running < g.limit-1)
}

// begun returns how many tasks have been started, for the watchdog.
func (g *taskGroup) begun() uint64 {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.started
}

// next takes a task to run. The caller holds g.mu.
func (g *taskGroup) next() (t task, ok bool) {
	for g.runnable() {
		t, _ = g.queue.pop()
		if c, ok := g.blocked.pop(); ok {
			close(c)
		}
		if !g.skip {
			g.running++
			g.started++
			return t, true
		}
		g.gone()
	}
	return task{}, false
}

// gone notes that a task has ended or was skipped. The caller holds g.mu.
func (g *taskGroup) gone() {
	if g.pool.config.MaxTasks > 0 {
		g.pool.grouped.Add(-1)
	}
	if g.running == 0 && g.queue.count == 0 {
		for _, c := range g.waiters {
			close(c)
		}
		g.waiters = nil
	}
}

// run is a ticket's: it runs tasks until there is none to start.
func (g *taskGroup) run(w *worker, _ *frame) {
	g.mu.Lock()
	g.ticketed = false
	g.drain(w)
	g.mu.Unlock()
}

func (g *taskGroup) site() *site { return &noSite }

// drain runs tasks until there is none to start. The caller holds g.mu, which
// is free while a task runs.
func (g *taskGroup) drain(w *worker) {
	for {
		t, ok := g.next()
		if !ok {
			return
		}
		again := g.ticket()
		g.mu.Unlock()
		if again {
			g.pool.inject(g)
		}
		g.runTask(w, t)
		g.mu.Lock()
		if w.background && g.pool.mustRest() {
			if g.ticket() {
				g.mu.Unlock()
				g.pool.inject(g)
				g.mu.Lock()
			}
			return
		}
	}
}

// runTask runs a task on w and notes its end.
func (g *taskGroup) runTask(w *worker, t task) {
	before := w.begin(t.labels, true)
	defer w.end(before)
	g.call(t)
}

// call runs a task, whose panic becomes the group's.
func (g *taskGroup) call(t task) {
	var err error
	returned := false
	defer func() {
		var failure *PanicError
		if !returned {
			failure = failureOf(recover())
		}
		g.pool.tasks.Add(1)
		g.mu.Lock()
		g.running--
		if failure != nil && g.failure == nil {
			g.failure = failure
			err = failure
		}
		if err != nil && g.finished != nil {
			g.finished(err)
		}
		g.gone()
		g.mu.Unlock()
	}()
	if t.e != nil {
		err = t.e()
	} else {
		t.f()
	}
	returned = true
}

// runHere runs a task on the goroutine that gave it.
func (g *taskGroup) runHere(w *worker, t task) {
	if g.pool.config.MaxTasks > 0 {
		g.pool.grouped.Add(1)
	}
	g.call(t)
}

// drainAlone is run on a goroutine of its own, in the group's synctest bubble.
func (g *taskGroup) drainAlone() {
	g.mu.Lock()
	for {
		t, ok := g.next()
		if !ok {
			break
		}
		g.mu.Unlock()
		func() {
			// A task that ends its goroutine must not take the others along.
			defer func() {
				g.mu.Lock()
				more := g.runnable()
				g.mu.Unlock()
				if more {
					go g.drainAlone()
				}
			}()
			g.call(t)
		}()
		g.mu.Lock()
	}
	g.mu.Unlock()
}

// wait returns when no task is left. Meanwhile it runs tasks of the group, if
// the calling goroutine may act as a worker of the group's pool.
func (g *taskGroup) wait() {
	g.mu.Lock()
	if g.running == 0 && g.queue.count == 0 {
		g.mu.Unlock()
		return
	}
	w := current()
	if g.alone {
		w = nil
	} else if w == nil && g.pool == std {
		w, _ = enter()
		defer w.leave()
	}
	if w == nil || w.pool != g.pool {
		g.mu.Unlock()
		if w != nil {
			w.blocking(g.park)
		} else {
			g.park()
		}
		return
	}
	ended := false
	defer func() {
		if !ended { // a task called Goexit here: the others are still waited for
			w.blocking(g.park)
		}
	}()
	for g.running > 0 || g.queue.count > 0 {
		g.drain(w)
		if g.running == 0 && g.queue.count == 0 {
			break
		}
		g.mu.Unlock()
		g.idle(w)
		g.mu.Lock()
	}
	ended = true
	g.mu.Unlock()
}

// idle waits until a task can be started or none is left: for a moment by
// spinning, then parked until none is left.
func (g *taskGroup) idle(w *worker) {
	for spin := w.pool.newSpinner(); spin.again(); {
		if spin.turns%4 != 0 {
			continue
		}
		g.mu.Lock()
		ready := g.runnable() || g.running == 0 && g.queue.count == 0
		g.mu.Unlock()
		if ready {
			return
		}
	}
	w.counts.parks++
	w.blocking(g.park)
}

// park waits until no task is left.
func (g *taskGroup) park() {
	g.mu.Lock()
	if g.running == 0 && g.queue.count == 0 {
		g.mu.Unlock()
		return
	}
	c := make(chan struct{})
	g.waiters = append(g.waiters, c)
	again := !g.alone && g.ticket()
	g.mu.Unlock()
	if again {
		g.pool.inject(g)
	}
	<-c
}

// raise makes the first panic or Goexit of a task the caller's, once.
func (g *taskGroup) raise() {
	g.mu.Lock()
	failure := g.failure
	g.failure, g.skip = nil, false
	g.mu.Unlock()
	if failure != nil {
		failure.raise()
	}
}
