package forkjoin

import (
	"runtime/metrics"
	"time"

	"github.com/forkjoin-go/forkjoin/internal/atomic"
	"github.com/forkjoin-go/forkjoin/internal/gkey"
	"github.com/forkjoin-go/forkjoin/internal/joint"
)

// The tasks of a WaitGroup or Group, and submitted ones, may wait for each
// other or block in other ways, as goroutines may. When all slots are held by
// such tasks, those that wait in the injection queue would never start, and a
// worker that gave its slot away would never get one back, although it may be
// just the one that the others wait for. So while anything waits in that queue or
// for a slot, a timer looks at it. If nothing has been started since the last
// look, and fewer goroutines can run than slots are held, some are blocked. For as
// many, a worker that waits for a slot gets one beyond the limit, or the pool is lent
// a goroutine without a slot; and for at least twice as many at each further look that
// finds too few, since those that were lent may be blocked, too. If so many can run
// that it cannot be told, because other parts of the program are busy or because the
// tasks just take long, the stacks of goroutines tell. A lent goroutine ends when it
// finds the queue empty.
const (
	watchPeriod = 5 * time.Millisecond // so that help comes after 5 to 10 ms
	watchUnsure = 2                    // looks without progress until stacks are looked at
	maxLend     = 256                  // goroutines at one look
)

// A watchdog is the state of the looks. Only one is going on at a time.
type watchdog struct {
	active  atomic.Bool
	seen    uint64 // progress at the last look
	stalled int    // looks without progress
	next    int    // how many of them until stacks are looked at
	lend    int    // goroutines lent at the last look
	samples [2]metrics.Sample
}

// watch starts the watchdog if it is not running.
func (p *Pool) watch() {
	d := &p.watchdog
	if p.reorderer != nil {
		return // whatever waits is run at its time
	}
	if !d.active.Load() && d.active.CompareAndSwap(false, true) {
		d.samples[0].Name = "/sched/goroutines/running:goroutines"
		d.samples[1].Name = "/sched/goroutines/runnable:goroutines"
		d.seen, d.stalled, d.lend, d.next = p.progress(), 0, 0, watchUnsure
		joint.AfterFunc(watchPeriod, p.lookAfter)
	}
}

// lookAfter is the watchdog's turn.
func (p *Pool) lookAfter() {
	d := &p.watchdog
	p.lookAtHeld()
	if !p.waited() {
		d.active.Store(false)
		if p.waited() {
			p.watch() // came between the two lines above
		}
		return
	}
	if p.idle.load().searchers() == 0 {
		p.wake() // a slot may have become free that nobody was woken for
	}
	// What the goroutines started that were lent at the last look is no progress:
	// each takes a ticket and a task of a group.
	if now := p.progress(); now-d.seen > uint64(3*d.lend) {
		d.seen, d.stalled, d.lend, d.next = now, 0, 0, watchUnsure
	} else {
		d.seen = now
		d.stalled++
		missing := p.missing()
		if missing <= 0 && d.stalled >= d.next {
			if p.notMadeUpFor() {
				missing = 1
			} else {
				d.next *= 2
			}
		}
		if missing > 0 {
			d.lend = min(max(missing, 2*d.lend), maxLend)
			p.help(d.lend)
		} else {
			d.lend = 0
		}
	}
	joint.AfterFunc(watchPeriod, p.lookAfter)
}

// waited reports whether anything waits in the injection queue, for a slot, or
// with a ticket that is held back.
func (p *Pool) waited() bool {
	return p.injected.length() > 0 || p.resumers.Load() > 0 || p.held.count.Load() > 0
}

// help lets n more goroutines run than there are slots.
func (p *Pool) help(n int) {
	for range n {
		p.mu.Lock()
		resumed := p.resumeOne()
		if resumed {
			p.use(1)
		}
		p.mu.Unlock()
		if !resumed && p.injected.length() > 0 {
			joint.Go(p.lendWorker().serve)
		}
	}
}

// missing returns how many fewer goroutines of the program can run than should on
// the pool alone, which is one for each slot that is held: the others are blocked. If
// there are as many or more it cannot be told, as they may not be the pool's.
func (p *Pool) missing() int {
	if p.idle.load().searchers() > 0 {
		return 0 // somebody has been woken for the job, or will find it
	}
	able := p.watchdog.able()
	p.mu.Lock()
	defer p.mu.Unlock()
	return min(p.used, p.limit) - able
}

// notMadeUpFor reports whether, judging by stacks, more tasks are blocked than
// goroutines have been lent or let go on beyond the slots, or nobody can tell.
func (p *Pool) notMadeUpFor() bool {
	blocked, known := p.blockedTasks()
	p.mu.Lock()
	defer p.mu.Unlock()
	return !known || blocked > p.lentNow+max(0, p.used-p.limit)
}

// progress returns a number that changes whenever a queued task is started or a
// slot handed over.
func (p *Pool) progress() uint64 {
	n := p.injected.taken.Load() + p.resumed.Load()
	p.injected.each(func(j job) {
		if g, ok := j.(*taskGroup); ok {
			n += g.started()
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
	p.lentNow++
	return w
}

// serve is the goroutine of a lent worker.
func (w *worker) serve() {
	w.arrive(bind(gkey.Get()))
	defer w.depart()
	w.prepare()
	w.ready = true
	for w.runInjected() {
	}
	w.leaving = true
}
