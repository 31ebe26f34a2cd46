package forkjoin

import (
	"time"

	"github.com/forkjoin-go/forkjoin/internal/atomic"
	"github.com/forkjoin-go/forkjoin/internal/clock"
	"github.com/forkjoin-go/forkjoin/internal/joint"
	"github.com/forkjoin-go/forkjoin/internal/policy"
)

// Sleeping and waking. A background worker that finds nothing searches for a
// bounded time and then sleeps; after idleTime without a call its goroutine
// ends. The protocol (numbers are those of docs/DESIGN.md):
//
//	S1  A searcher gives up: it leaves the searchers, and under pool.mu it
//	    enters the list of sleepers and gives its slot back, which raises the
//	    number of spare slots in pool.idle.
//	S2  It looks once more for public work and injected jobs. If there is some
//	    and a slot is free, it leaves the list and searches again.
//	S3  Otherwise it parks.
//	W1  Who publishes or injects does that first and then loads pool.idle. With
//	    a searcher about, nothing more is needed: it will find the work, or
//	    reach S2 after it. Otherwise, with a spare slot, somebody is woken: at
//	    once for an injected job, and for frames, which their owner would run
//	    itself, when it is worth the price (haste.go).
//	W2  Under pool.mu the waker takes a worker off the list (or makes one) with
//	    a slot, and counts it as a searcher on its behalf, so that nobody else
//	    wakes one for the same work. Then it unparks it.
//	W3  A searcher that finds work wakes others, up to two, while there are
//	    spare slots and fewer searchers than workers that offer something.
//
// No wake for an injected job is lost: S1 and W2 exclude each other; S1 precedes
// S2 and the injection precedes the load of W1, and atomics are sequentially
// consistent. So either the sleeper sees the job or the injector sees the spare
// slot. Frames need less: an owner decides by what it loaded before it published,
// and what nobody takes it runs itself.

// idleness packs how many workers of a pool have nothing to do. Owners load it
// at each fork: zero means that nobody wants anything.
type idleness int64

const (
	oneSearcher idleness = 1       // background workers looking for work
	oneWaiting  idleness = 1 << 20 // joins that help while they wait
	oneSpare    idleness = 1 << 40 // slots that a sleeper could be woken for
	idleField            = 1<<20 - 1
)

func (i idleness) searchers() int { return int(i & idleField) }
func (i idleness) spare() int     { return int(i >> 40 & idleField) }

// hungry reports whether someone awake wants work.
func (i idleness) hungry() bool { return i&(oneSpare-1) != 0 }

// An idleWord is an idleness shared by all workers of a pool. Each change adds
// what its maker takes away again later, so no field goes below zero, and none
// can overflow: there would have to be a million workers.
type idleWord struct{ word atomic.Int64 }

func (w *idleWord) load() idleness              { return idleness(w.word.Load()) }
func (w *idleWord) add(delta idleness) idleness { return idleness(w.word.Add(int64(delta))) }

// idleTime is how long a background worker sleeps before its goroutine ends.
const idleTime = time.Second

// sleep parks w, a background worker that leaves its slot (S1 to S3). It
// returns false when the goroutine is to end.
func (w *worker) sleep() bool {
	p := w.pool
	w.flush()
	w.letGo()
	p.mu.Lock()
	if w.slot {
		p.passSlot()
	}
	w.slot = true // it will have one when it is woken
	if p.stopped {
		p.mu.Unlock()
		return false
	}
	p.sleepers = append(p.sleepers, w) // S1
	p.mu.Unlock()

	if p.hasWork() { // S2
		p.mu.Lock()
		if p.claimSlot() {
			if p.unlist(w) {
				w.called = true
				p.idle.add(oneSearcher)
				p.mu.Unlock()
				return true
			}
			p.passSlot() // somebody woke w meanwhile and gave it a slot
		}
		p.mu.Unlock()
	}
	if !w.parker.park(idleTime) { // S3
		p.mu.Lock()
		listed := p.unlist(w)
		p.mu.Unlock()
		if listed {
			return false
		}
		w.parker.park(-1) // W2 got ahead: its unpark is on the way
	}
	return !w.retire
}

// unlist takes w off the list of sleepers, if it is still there.
func (p *Pool) unlist(w *worker) bool {
	for i, s := range p.sleepers {
		if s == w {
			p.sleepers = append(p.sleepers[:i], p.sleepers[i+1:]...)
			return true
		}
	}
	return false
}

// hasWork reports whether a thief would find something now.
func (p *Pool) hasWork() bool { return p.offers(1) > 0 }

// offers counts what thieves would find now: workers with public frames, and
// injected jobs. It stops at most.
func (p *Pool) offers(most int) int {
	n := p.injected.length()
	for _, w := range p.all() {
		if n >= most {
			break
		}
		if w.offering() {
			n++
		}
	}
	return n
}

// relay wakes others for what there is besides what a searcher has found (W3).
func (p *Pool) relay(left idleness) {
	for range policy.MostRelays {
		searchers, spare := left.searchers(), left.spare()
		if spare == 0 || !policy.Relays(searchers, p.offers(searchers+1), spare, int(p.procs.Load())) {
			return
		}
		p.wake()
		left = p.idle.load()
	}
}

// wake sets one more background worker searching, if a slot is free (W2).
func (p *Pool) wake() {
	start := clock.Now()
	p.mu.Lock()
	w := p.recruit()
	p.mu.Unlock()
	if w != nil {
		w.rouse()
		p.paid(start)
	}
}

// recruit takes a worker out of its sleep, or makes one, and gives it a slot.
// It returns nil if there is no slot. The caller holds p.mu, and calls rouse
// when it no longer does.
func (p *Pool) recruit() *worker {
	p.follow()
	if p.stopped || !p.claimSlot() {
		return nil
	}
	p.idle.add(oneSearcher)
	p.wakes.Add(1)
	if n := len(p.sleepers); n > 0 {
		w := p.sleepers[n-1]
		p.sleepers = p.sleepers[:n-1]
		w.called = true
		return w
	}
	w := p.hire()
	w.called = true
	return w
}

// rouse starts or unparks a recruited worker; nil is none.
func (w *worker) rouse() {
	if w == nil {
		return
	}
	if w.fresh {
		w.fresh = false
		joint.Go(w.work)
		return
	}
	w.parker.unpark()
}
