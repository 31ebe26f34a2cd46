package forkjoin

import (
	"time"

	"github.com/forkjoin-go/forkjoin/internal/gkey"
)

// The tasks of a WaitGroup or Group, and submitted ones, may wait for each
// other or block in other ways, as goroutines may. When all slots are held by
// such tasks, those that wait in the injection queue would never start. So
// while anything is queued a timer looks at it; if nothing has been started
// since the last look, it lends the pool a goroutine beyond its slots, and two,
// four, … if that does not help. A lent goroutine ends when it finds the queue
// empty.
const (
	watchPeriod = 5 * time.Millisecond // so that help comes after 5 to 10 ms
	maxLend     = 256                  // goroutines at one look
)

// watch starts the watchdog if it is not running.
func (p *Pool) watch() {
	if !p.watching.Load() && p.watching.CompareAndSwap(false, true) {
		p.seen, p.lend = p.progress(), 0
		time.AfterFunc(watchPeriod, p.lookAfter)
	}
}

// lookAfter is the watchdog's turn. Only one runs at a time.
func (p *Pool) lookAfter() {
	if p.injected.length() == 0 {
		p.watching.Store(false)
		if p.injected.length() > 0 {
			p.watch() // queued between the two lines above
		}
		return
	}
	if now := p.progress(); now != p.seen {
		p.seen, p.lend = now, 0
	} else {
		p.lend = min(max(1, 2*p.lend), maxLend)
		for range min(p.lend, p.injected.length()*maxLend) {
			w := p.lendWorker()
			go w.serve()
		}
	}
	time.AfterFunc(watchPeriod, p.lookAfter)
}

// progress returns a number that changes whenever a queued task is started.
func (p *Pool) progress() uint64 {
	n := p.injected.taken.Load()
	p.injected.each(func(j job) {
		if g, ok := j.(*taskGroup); ok {
			n += g.begun()
		}
	})
	return n
}

// lendWorker makes a background worker that needs no slot.
func (p *Pool) lendWorker() *worker {
	p.mu.Lock()
	defer p.mu.Unlock()
	w := p.hire()
	w.lent, w.slot, w.fresh = true, false, false
	p.lentOut.Add(1)
	return w
}

// serve is the goroutine of a lent worker.
func (w *worker) serve() {
	w.arrive(bind(gkey.Get()))
	defer w.depart()
	for w.runInjected() {
	}
	w.leaving = true
}
