package iter

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/forkjoin-go/forkjoin"
	"github.com/forkjoin-go/forkjoin/internal/callsite"
	"github.com/forkjoin-go/forkjoin/internal/clock"
)

// A crew is what reads one plan: a hand for each goroutine that takes part.
type crew[T, A any] struct {
	c      *call
	p      *plan[T]
	window window // for those that are hired from now on

	options [4]forkjoin.Option // for loops and reductions over the plan

	handy atomic.Pointer[hand[T, A]] // one that is at rest, or nil

	mu   sync.Mutex
	free []*hand[T, A] // others at rest
	all  []*hand[T, A]
}

// A hand reads a plan for one goroutine at a time, and keeps what that gathers
// in acc. One that a panic came through is not used again.
type hand[T, A any] struct {
	window window
	read   reader[T]
	buf    scratch[T]
	acc    A
	end    int // of what it has read last: where it continues, if it does

	batch int
	step  int // positions to read next
	timed bool
	since int64 // ticks; 0: not measured now
}

func newCrew[T, A any](c *call, p *plan[T]) *crew[T, A] {
	w := &crew[T, A]{c: c, p: p}
	copy(w.options[:], c.options[:])
	if site := callsite.Mix(p.site, c.site); site != 0 {
		callsite.Mark(&w.options[3], site)
	}
	return w
}

// hire returns a hand that is to begin at lo, if possible one that has been as
// far as that.
func (w *crew[T, A]) hire(lo int) *hand[T, A] {
	if h := w.handy.Swap(nil); h != nil {
		if h.end == lo {
			h.window = w.window
			return h
		}
		return w.exchange(h, lo)
	}
	return w.exchange(nil, lo)
}

// exchange puts h to the other free hands and returns one of them, or a new one.
func (w *crew[T, A]) exchange(h *hand[T, A], lo int) *hand[T, A] {
	w.mu.Lock()
	defer w.mu.Unlock()
	if h != nil {
		w.free = append(w.free, h)
	}
	last := len(w.free) - 1
	if last < 0 {
		return w.add()
	}
	i := last
	for j, h := range w.free {
		if h.end == lo {
			i = j
			break
		}
	}
	h = w.free[i]
	w.free[i] = w.free[last]
	w.free = w.free[:last]
	h.window = w.window
	return h
}

// add makes a new hand.
func (w *crew[T, A]) add() *hand[T, A] {
	h := &hand[T, A]{end: -1, batch: max(w.p.batch, 1), step: 1, timed: !w.p.plain}
	if !h.timed {
		h.step = h.batch
	}
	h.buf.views = w.p.views
	h.window = w.window
	h.read = w.p.open(&h.window)
	w.all = append(w.all, h)
	return h
}

// rest takes h back, which has read up to hi.
func (w *crew[T, A]) rest(h *hand[T, A], hi int) {
	h.end = hi
	if w.handy.CompareAndSwap(nil, h) {
		return
	}
	w.mu.Lock()
	w.free = append(w.free, h)
	w.mu.Unlock()
}

// How many elements a hand reads at a time does not show in any result, so it
// may go by the time that they take: many, where they are cheap; one, where
// much would be lost if the rest turned out not to be wanted, or where each
// might hold a lot of memory until its turn comes.
var (
	shortRead = clock.Ticks(time.Microsecond)
	longRead  = clock.Ticks(20 * time.Microsecond)
)

const readGrowth = 4

// each calls visit for the elements at positions [lo, hi), some at a time, with
// the position that they begin at. It ends early if visit returns false or c is
// over.
func (h *hand[T, A]) each(c *call, lo, hi int, visit func(at int, batch []T) bool) {
	h.start(hi - lo)
	for lo < hi && !c.over() {
		m := h.next(lo, hi)
		if !visit(lo, h.read(lo, m, h.buf.of(m-lo))) {
			return
		}
		h.done(m - lo)
		lo = m
	}
}

// start begins to read n positions. If they are few, it is not worth its while
// to find out how long that takes.
func (h *hand[T, A]) start(n int) {
	h.since = 0
	if h.timed && n > h.step/2 {
		h.since = clock.Now()
	}
}

// next returns the end of what to read from lo on.
func (h *hand[T, A]) next(lo, hi int) int { return lo + min(h.step, hi-lo) }

// done notes that n positions have been read, and what they are for done.
func (h *hand[T, A]) done(n int) {
	if h.since == 0 {
		return
	}
	now := clock.Now()
	took := now - h.since
	h.since = now
	switch {
	case took < shortRead && n == h.step:
		h.step = min(h.step*readGrowth, h.batch)
	case took > longRead && n > 1:
		h.step = max(1, n/readGrowth)
	}
}
