package forkjoin

import (
	"sync/atomic"
	"time"

	"github.com/forkjoin-go/forkjoin/internal/clock"
)

// Waking a sleeping worker costs the waker a system call, some microseconds,
// and the helper starts some microseconds later, so a wake pays only if there
// is a lot left to do. Nobody knows that of a fork. What is known: how long the
// calls made from the same place took before (a site), and that the current one
// has already taken a while. A place that was never measured is given the
// benefit of the doubt: its first call wakes.

// A site is a place in the program that forks.
type site struct {
	cost atomic.Int64 // ticks of an outermost call, smoothed; 0: unknown
	pace atomic.Int64 // ticks from one join to the next, of recursions; 0: unknown
}

// note adds a measurement. Concurrent ones may be lost, which is harmless.
func (s *site) note(ticks int64) {
	if old := s.cost.Load(); old != 0 {
		ticks = (3*old + ticks) / 4
	}
	s.cost.Store(max(1, ticks))
}

// sites holds the sites of closures, by the address of their code. Two that
// share an entry share their estimate.
var sites [1 << 8]site

func siteOf(code uintptr) *site {
	return &sites[uint64(code)*0x9E3779B97F4A7C15>>(64-8)]
}

// haste is what a worker knows about whether its current work is worth a wake.
// It begins anew with each outermost call and each stolen task.
type haste struct {
	began int64 // ticks; 0: nobody to wake was seen yet
	site  *site
	eager bool
	asked uint32
}

// Prices of a wake, in ticks of the clock. The price is measured at each wake;
// these are the limits within which it is believed.
const (
	wakePriceMin = 3 * time.Microsecond
	wakePriceMax = 40 * time.Microsecond
	spinTime     = 40 * time.Microsecond // bounded search or wait: what a wake costs both sides
)

const (
	worthCall  = 4 // an outermost call this many times the price is worth a wake at its first fork
	worthSpent = 2 // a call that has run for so many prices is, too
	worthLoop  = 8 // a loop with so many prices to go is
)

// worthWaking reports whether f, just forked, should bring a sleeper in.
func (w *worker) worthWaking(f *frame) bool {
	h, price := &w.haste, w.pool.wakePrice()
	var now int64
	switch {
	case h.began == 0:
		now = clock.Now()
		h.began, h.site, h.asked = now, f.job.site(), 0
		cost := h.site.cost.Load()
		h.eager = cost == 0 || cost > worthCall*price
	case !h.eager:
		// Reading the clock costs more than a fork: look at the 1st, 2nd, 4th,
		// … and every 32nd.
		h.asked++
		if h.asked%32 != 0 && h.asked&(h.asked-1) != 0 {
			return false
		}
		now = clock.Now()
		h.eager = now-h.began > worthSpent*price
	default:
		now = clock.Now()
	}
	return h.eager && w.pool.mayWake(now)
}

// settle notes how long an outermost call took.
func (h *haste) settle() {
	if h.began != 0 {
		h.site.note(clock.Now() - h.began)
		*h = haste{}
	}
}

// mayWake spaces the wakes of a pool out, the more the longer they have been in
// vain.
func (p *Pool) mayWake(now int64) bool {
	fruitless := min(p.fruitless.Load(), 8)
	return fruitless <= 0 || now-p.lastWake.Load() > p.wakePrice()<<fruitless
}

// wakePrice returns what a wake costs the waker, in ticks.
func (p *Pool) wakePrice() int64 {
	if price := p.price.Load(); price != 0 {
		return price
	}
	return clock.Ticks(10 * time.Microsecond)
}

// paid notes what a wake cost.
func (p *Pool) paid(start int64) {
	now := clock.Now()
	p.lastWake.Store(now)
	paid := min(max(now-start, clock.Ticks(wakePriceMin)), clock.Ticks(wakePriceMax))
	if old := p.price.Load(); old != 0 {
		paid = (7*old + paid) / 8
	}
	p.price.Store(paid)
}
