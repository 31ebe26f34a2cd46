package forkjoin

import (
	"github.com/forkjoin-go/forkjoin/internal/atomic"
	"github.com/forkjoin-go/forkjoin/internal/callsite"
	"github.com/forkjoin-go/forkjoin/internal/clock"
	"github.com/forkjoin-go/forkjoin/internal/policy"
)

// A site is a place in the program that forks, and what is known of it: whether a
// call is worth sharing and a wake is told from that (package policy).
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
	smoothed.Store(policy.Smooth(smoothed.Load(), ticks))
}

// notePace adds a measurement of a loop's pace.
func (s *site) notePace(pace int64) {
	old := s.pace.Load()
	if next := policy.NextPace(old, pace); next != old {
		s.pace.Store(next)
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

// siteOf returns the site of a loop over a function with this code.
func (l *limits) siteOf(code uintptr) *site {
	if l.site != 0 {
		code = l.site
	}
	return siteOf(code)
}

func init() {
	callsite.CodeOf = codeOf
	callsite.Mark = func(option any, number uintptr) {
		*option.(*Option) = Option{kind: marked, n: int(number)}
	}
}

// haste is a policy.Haste that reads the clock and knows its site.
type haste struct {
	policy.Haste
	site *site
}

// start begins a haste at the first fork that could be shared.
func (h *haste) start(s *site, price int64) {
	h.site = s
	h.Start(&times, s.cost.Load(), s.shared.Load(), price, clock.Now(), func() uint32 { return s.probes.Add(1) })
}

// wanted reports whether the call has turned out to be worth a wake.
func (h *haste) wanted(price int64) bool {
	return h.Eager || h.Asks() && h.Spent(clock.Now(), h.site.cost.Load(), price)
}

// settle notes how long an outermost call took.
func (h *haste) settle() {
	split := h.Split
	took, measured := h.End(clock.Now)
	switch {
	case !measured:
		return
	case split:
		note(&h.site.shared, took)
	default:
		note(&h.site.cost, took)
	}
	h.site = nil
}

// mayWake spaces the wakes of a pool out, the more the longer they have been in
// vain.
func (p *Pool) mayWake() bool {
	fruitless := p.fruitless.Load()
	return fruitless <= 0 || clock.Now()-p.lastWake.Load() > policy.WakeGap(int64(fruitless), p.wakePrice())
}

// wakePrice returns what a wake costs the waker, in ticks.
func (p *Pool) wakePrice() int64 {
	if price := p.price.Load(); price != 0 {
		return price
	}
	return times.WakeGuess
}

// paid notes what a wake cost.
func (p *Pool) paid(start int64) {
	now := clock.Now()
	p.lastWake.Store(now)
	p.price.Store(times.WakePrice(p.price.Load(), now-start))
}
