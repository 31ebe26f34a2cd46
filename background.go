package forkjoin

import (
	"context"
	"runtime/pprof"

	"github.com/forkjoin-go/forkjoin/internal/gkey"
	"github.com/forkjoin-go/forkjoin/internal/joint"
	"github.com/forkjoin-go/forkjoin/internal/policy"
)

// work is the goroutine of a background worker, which holds a slot
// whenever this runs.
func (w *worker) work() {
	w.arrive(bind(gkey.Get()))
	defer w.depart()
	w.prepare()
	w.ready = true
	for w.turn() {
	}
	w.leaving = true
}

// arrive makes the calling goroutine act as w.
func (w *worker) arrive(b *binding) {
	b.worker, w.binding = w, b
	b.occupy(true)
	w.bubble = no
}

// prepare readies a new goroutine of a background worker.
func (w *worker) prepare() {
	pprof.SetGoroutineLabels(context.Background()) // not those of who started it
	w.pin()
	lookForProcessor()
	if start := w.pool.config.OnStart; start != nil {
		start(w.index)
	}
}

// depart ends a worker's goroutine. If a task ended it, by runtime.Goexit, a
// new one takes its place.
func (w *worker) depart() {
	if w.called {
		w.called = false
		w.pool.idle.add(-oneSearcher)
	}
	defer w.unbind() // also if OnExit ends the goroutine
	if exit := w.pool.config.OnExit; exit != nil {
		exit(w.index)
	}
}

// unbind makes the goroutine an ordinary one again.
func (w *worker) unbind() {
	w.flush()
	b := w.binding
	b.worker, w.binding = nil, nil
	b.occupy(false)
	b.key.Store(0)
	if !w.ready {
		badUse("Config.OnStart has ended the goroutine of worker %d", w.index)
	}
	w.ready = false
	if !w.leaving {
		if w.lent {
			joint.Go(w.serve)
		} else {
			joint.Go(w.work)
		}
		return
	}
	w.leaving = false
	w.pool.part(w)
}

// turn does the next thing there is to do. It returns false when the goroutine
// is to end.
func (w *worker) turn() bool {
	if w.gave {
		w.gave, w.slot = false, false
		return w.sleep()
	}
	if w.pool.mustRest() {
		if w.called {
			w.called = false
			w.pool.idle.add(-oneSearcher)
		}
		return w.sleep()
	}
	w.lookAround()
	if !w.called {
		if f, ok := w.find(w.firstReach()); ok {
			w.do(f)
			return true
		}
	}
	return w.search() || w.sleep()
}

// A find is a piece of work that a worker has claimed: a frame of owner's, or
// an injected job.
type find struct {
	frame *frame
	owner *worker
	job   job
}

func (w *worker) do(f find) {
	if f.frame != nil {
		w.keepApart(f.owner)
		w.execute(f.frame, f.owner, true, false)
	} else {
		w.pool.freeReserved()
		f.job.run(w, nil)
	}
}

// find looks once for something to do.
func (w *worker) find(reach policy.Reach) (f find, ok bool) {
	w.looks++
	if w.looks%lookPeriod == 0 {
		if f.job, ok = w.pool.injected.pop(w.random()); ok {
			return f, true
		}
	}
	all := w.pool.all()
	if w.visit(all, reach, func(v int) bool {
		if all[v] == w {
			return false
		}
		i, ok := all[v].steal()
		if ok {
			f.frame, f.owner, w.last = all[v].frames.at(i), all[v], v
		}
		return ok
	}) {
		return f, true
	}
	f.job, ok = w.pool.injected.pop(w.random())
	return f, ok
}

// runInjected runs one job of the injection queue, if there is one.
func (w *worker) runInjected() bool {
	j, ok := w.pool.injected.pop(w.random())
	if ok {
		j.run(w, nil)
	}
	return ok
}

// search looks for work for a bounded time and does the first that it finds. At
// most half of the workers search at the same time.
func (w *worker) search() bool {
	p := w.pool
	woken, reach := w.called, policy.Near
	if w.called {
		w.called, reach = false, w.firstReach()
	} else if n := p.idle.add(oneSearcher).searchers(); n > policy.MaxSearchers(int(p.procs.Load())) {
		p.idle.add(-oneSearcher)
		return false
	}
	for spin := p.newSpinner(times.Patience); ; reach = spin.reach() {
		f, ok := w.find(reach)
		over := !ok && (p.resumers.Load() > 0 || !spin.again())
		if over && reach != policy.Far && nearby.Load() != nil {
			f, ok = w.find(policy.Far) // while w counts as a searcher, which W1 relies on
		}
		if ok {
			p.relay(p.idle.add(-oneSearcher))
			if woken {
				p.fruitless.Store(0)
			}
			w.do(f)
			return true
		}
		if over {
			break
		}
	}
	p.idle.add(-oneSearcher)
	if woken {
		p.fruitless.Add(1)
	}
	return false
}
