package forkjoin

import (
	"github.com/forkjoin-go/forkjoin/internal/clock"
	"github.com/forkjoin-go/forkjoin/internal/gkey"
	"github.com/forkjoin-go/forkjoin/internal/joint"
)

// attach makes the goroutine with this key a guest, beyond what it was.
func (w *worker) attach(key uintptr) {
	b := lookup(key)
	if b == nil {
		b = bind(key)
	}
	if b.worker != nil {
		w.tape = b.worker.tape // what this goroutine does goes on to be recorded
	} else if recordsAll() {
		w.beginCall()
	}
	w.binding, w.outer = b, b.worker
	b.worker = w
	b.occupy(true)
	w.host.Store(b)
	if !w.pool.private && !w.pool.reserved.Load() {
		w.pool.reserve()
	}
	if w.outer != nil && w.outer == b.home {
		std.leftBehind() // a guest of the default pool no longer runs there
	}
}

// detach ends attach.
func (w *worker) detach() {
	w.settle()
	if w.outer == nil && w.tape != nil {
		w.endCall()
	}
	w.tape = nil
	b := w.binding
	b.worker = w.outer
	w.host.Store(nil)
	w.binding = nil
	if w.outer == nil || w.outer == b.home {
		b.occupy(false)
	}
	if w.outer == nil {
		b.key.Store(0)
	} else if !std.reserved.Load() {
		std.reserve() // the outer worker may be a guest of the default pool
	}
	w.outer = nil
}

// Run calls f and returns when it has returned. Calls of this package that f
// makes, also on other goroutines that they bring in, use p; a goroutine that f
// starts with a go statement does not.
//
// f runs on the caller's goroutine if one of p's slots is free, or if it runs on
// p already. Otherwise f waits its turn in p's injection queue and runs on one
// of p's workers.
//
// If f panics, Run panics with a [*PanicError]; if it calls [runtime.Goexit], so
// does the caller. Run panics if f is nil or p is closed.
//
// What was done before Run is synchronized before f starts, and everything done
// in f before Run returns.
func (p *Pool) Run(f func()) {
	p.mustBeMade("Run")
	if f == nil {
		badUse("Pool.Run: f is nil")
	}
	p.run("Run", f)
}

func (p *Pool) run(name string, f func()) {
	key := gkey.Get()
	b := lookup(key)
	if b != nil {
		if b.worker.pool == p {
			guard(f)
			return
		}
		for w := b.worker.outer; w != nil; w = w.outer {
			if w.pool == p { // the goroutine runs on p already, and has its slot
				w := p.visitor(false)
				w.attach(key)
				defer p.dismissGuest(w)
				guard(f)
				return
			}
		}
	}
	if !p.begin() {
		badUse("Pool.%s: %v is closed", name, p)
	}
	defer p.finish()
	w := p.admit()
	if w == nil {
		p.runElsewhere(b, f)
		return
	}
	w.attach(key)
	defer p.dismissGuest(w)
	guard(f)
}

// admit returns a worker for a guest, or nil if the pool has no free slot.
func (p *Pool) admit() *worker {
	bubble := p.private && clock.InBubble()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.follow()
	// In a synctest bubble everything runs on the caller's goroutine, which
	// therefore needs no slot and must not wait for one.
	slot := p.private && !bubble
	if slot && !p.claimSlot() {
		return nil
	}
	w := p.newVisitor(slot)
	if bubble {
		w.bubble = yes
	}
	return w
}

// visitor returns a worker for a guest that comes with a slot or without.
func (p *Pool) visitor(slot bool) *worker {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.newVisitor(slot)
}

// newVisitor is visitor for a caller that holds mu.
func (p *Pool) newVisitor(slot bool) *worker {
	var w *worker
	if n := len(p.visitors); n > 0 {
		w = p.visitors[n-1]
		p.visitors = p.visitors[:n-1]
	} else {
		w = p.add()
	}
	w.slot = slot
	return w
}

// dismissGuest ends what admit and attach began.
func (p *Pool) dismissGuest(w *worker) {
	w.detach()
	slot := w.slot
	p.mu.Lock()
	p.keep(w)
	p.mu.Unlock()
	if slot {
		p.releaseSlot()
	}
	p.leftBehind()
}

// runElsewhere has f run by one of p's workers and waits for that. b is the
// binding of the calling goroutine, if it has one.
func (p *Pool) runElsewhere(b *binding, f func()) {
	r := &remoteRun{done: make(chan struct{}), recorded: b != nil && b.worker.tape != nil}
	if r.recorded {
		t := b.worker.tape
		group := t.Recording().NewID()
		f = t.spawn(codeOf(f), group, f)
		t.Wait(group)
		defer t.Resume()
	}
	r.f = f
	wait := func() {
		p.inject(r)
		joint.Receive(r.done)
	}
	if b != nil {
		b.worker.blocking(wait)
	} else {
		wait()
	}
	if r.failure != nil {
		r.failure.raise()
	}
}

// A remoteRun is a call of Run that waits in the injection queue.
type remoteRun struct {
	f        func()
	recorded bool // by f itself
	failure  *PanicError
	done     chan struct{}
}

func (r *remoteRun) run(w *worker, _ *frame) {
	before := w.begin(nil, true)
	call := w.tape == nil && recordsAll() && !r.recorded
	if call {
		w.beginCall()
	}
	returned := false
	defer func() {
		if !returned {
			r.failure = failureOf(recover())
		}
		if call {
			w.endCall() // before the caller goes on, as the program may end then
		}
		w.end(before)
		joint.Close(r.done)
	}()
	r.f()
	returned = true
}

func (r *remoteRun) site() *site { return &noSite }
