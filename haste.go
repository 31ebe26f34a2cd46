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
	// Ticks of an outermost call, smoothed; 0: unknown.
	cost   atomic.Int64 // when nobody took a part
	shared atomic.Int64 // when somebody did
	probes atomic.Uint32
	pace   atomic.Int64 // ticks of a loop's iteration times paceUnit; 0: unknown
	beat   atomic.Int64 // ticks from one join of a recursion to the next; 0: unknown
}

// note adds a measurement to a smoothed one. Concurrent ones may be lost, which
// is harmless.
func note(smoothed *atomic.Int64, ticks int64) {
	if old := smoothed.Load(); old != 0 {
		ticks = (3*old + ticks) / 4
	}
	smoothed.Store(max(1, ticks))
}

// notePace adds a measurement of a loop's pace. It believes at once in a slower
// one, by half: running a long loop alone costs more than asking for help with a
// short one.
func (s *site) notePace(pace int64) {
	switch old := s.pace.Load(); {
	case pace == 0 || pace == old:
	case old == 0:
		s.pace.Store(pace)
	case pace > old:
		s.pace.Store(old + (pace-old+1)/2)
	default:
		s.pace.Store(old - (old-pace+3)/4)
	}
}

// sites holds the sites of closures, by the address of their code. Two that
// share an entry share their estimate.
var sites [1 << 8]site

// noSite is that of jobs that are always worth a wake.
var noSite site

func siteOf(code uintptr) *site {
	return &sites[uint64(code)*0x9E3779B97F4A7C15>>(64-8)]
}

// haste is what a worker knows about whether its current work is worth sharing
// and worth a wake. It begins anew with each outermost call and each stolen
// task, but calls that follow each other closely count as one.
type haste struct {
	began int64 // ticks; 0: nobody with nothing to do was seen yet
	site  *site
	share bool   // worth sharing
	eager bool   // worth a wake
	split bool   // a part has been taken by another worker
	asked uint32 // forks that looked whether someone wants them

	stretch int64 // when the first of the calls began that followed closely
	ended   int64 // when the last call ended; 0: none
}

// Limits of what is believed to be the price of a wake, which is measured each
// time.
const (
	wakePriceMin = 3 * time.Microsecond
	wakePriceMax = 40 * time.Microsecond
	spinTime     = 40 * time.Microsecond // bounded search or wait: what a wake costs both sides
)

const (
	worthCall  = 4  // an outermost call this many times the price is worth a wake at its first fork
	worthSpent = 2  // a call that has run for so many prices is, too
	worthLoop  = 16 // a loop with so many prices to go is
)

// start begins a haste at the first fork that could be shared.
func (h *haste) start(s *site, price int64) {
	now := clock.Now()
	h.began, h.site, h.asked = now, s, 0
	if h.ended == 0 || now-h.ended > closely {
		h.stretch = now
	}
	h.share, h.eager = s.judge(price, now-h.stretch)
}

// judge reports whether a call from this site should be shared, and whether it
// is worth a wake, after calls have followed each other closely for the given
// time. Short calls are shared if that has made them faster.
func (s *site) judge(price, stretch int64) (share, eager bool) {
	alone, shared := s.cost.Load(), s.shared.Load()
	switch {
	case alone == 0 && shared == 0:
		return true, true
	case alone == 0: // known from shared calls only: find out, if that is cheap
		long := shared > smallCall
		return long, long
	case alone <= minShare:
		return false, false
	case alone < smallCall && shared >= alone && s.probes.Add(1)%probeEvery != 0:
		return false, false
	}
	return true, alone > worthCall*price || stretch > worthSpent*price
}

// probeEvery is how often a call is shared although that has not paid.
const probeEvery = 128

// wanted reports whether the call has turned out to be worth a wake. Reading the
// clock costs more than a fork, so it looks at the 1st, 2nd, 4th, … fork and
// every 32nd.
func (h *haste) wanted(price int64) bool {
	if h.eager {
		return true
	}
	h.asked++
	if h.asked%32 != 0 && h.asked&(h.asked-1) != 0 {
		return false
	}
	h.eager = clock.Now()-h.began > max(worthSpent*price, 2*h.site.cost.Load())
	h.share = h.share || h.eager
	return h.eager
}

// settle notes how long an outermost call took.
func (h *haste) settle() {
	if h.began == 0 {
		h.ended = 0
		return
	}
	h.ended = clock.Now()
	if h.split {
		note(&h.site.shared, h.ended-h.began)
	} else {
		note(&h.site.cost, h.ended-h.began)
	}
	h.began, h.site, h.share, h.eager, h.split = 0, nil, false, false, false
}

// mayWake spaces the wakes of a pool out, the more the longer they have been in
// vain.
func (p *Pool) mayWake() bool {
	fruitless := min(p.fruitless.Load(), 8)
	return fruitless <= 0 || clock.Now()-p.lastWake.Load() > p.wakePrice()<<fruitless
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
