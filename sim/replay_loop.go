package sim

import (
	"github.com/forkjoin-go/forkjoin/internal/policy"
)

type limits = policy.Limits

// A loop is the part of a loop that a worker is at.
type loop struct {
	lo, hi  int64
	n       int64 // of the current chunk
	current int64 // item
	pace    policy.Pacer
	left    int64
	depth   int32 // how much more may be cut in advance
	base    int32 // frames below
	ref     int32
	whole   bool
	paid    cursor // in the profile
}

// maxIterations is how many iterations a loop is treated as having at most, so
// that the arithmetic is the same where an int has 32 bits.
const maxIterations = 1 << 26

func (e *engine) beginLoop(w *worker) bool {
	i, r := e.newRef()
	op := &w.op
	*r = ref{after: op.Next, site: int32(op.Site), unit: 1, limits: limits{Min: 1}}
	switch op.Kind {
	case Items:
		r.items, r.list, r.after, r.all = true, op.list, e.tree.After(op), int64(op.Items)
	case Loop:
		r.profile = e.tree.Profile(op)
		r.all = r.profile.N()
		r.unit = (r.all-1)/maxIterations + 1
		r.limits.Min = int(min(max(1, (op.Min-1)/r.unit+1), maxIterations))
		r.limits.Max = int(min(op.Max/r.unit, maxIterations))
		if op.Max > 0 {
			r.limits.Max = max(r.limits.Max, 1)
		}
	case Summary:
		e.summary(op, r)
	}
	if r.all == 0 {
		w.at = r.after
		e.dropRef(i)
		op.Kind = End
		return true
	}
	w.stack = append(w.stack, activity{kind: aLoop})
	n := (r.all-1)/r.unit + 1
	pace := e.sites[r.site].pace
	w.loops = append(w.loops, loop{hi: n, base: w.head, ref: i, whole: true, depth: e.cuts(), left: policy.Ahead(int(n), pace)})
	l := &w.loops[len(w.loops)-1]
	l.pace = e.times.NewPacer(r.limits, int(n), pace, e.now)
	e.cut(w, l)
	return e.loopStep(w)
}

// summary makes a loop of a subtree of which only work, span and number of tasks
// are known: of as many equal pieces as the span allows.
func (e *engine) summary(op *Op, r *ref) {
	pieces := max(op.Tasks, 1)
	if op.Span > 0 {
		pieces = (op.Work-1)/op.Span + 1
	}
	r.all = min(pieces, maxIterations)
	if op.Work == 0 {
		r.all = 0
	}
	r.one[0] = block{r.all, op.Work}
	r.profile = Profile{r.one[:]}
}

// cost returns what the current chunk takes.
func (l *loop) cost(r *ref) int64 {
	before := l.paid.moveTo(r.profile, l.lo*r.unit)
	// In the longest loops the end times r.unit is 2⁶³.
	return l.paid.moveTo(r.profile, int64(min(uint64((l.lo+l.n)*r.unit), uint64(r.all)))) - before
}

// item returns where the current item begins.
func (e *engine) item(l *loop) Pos { return e.tree.lists[e.refs[l.ref].list+int(l.current)] }

// loopStep begins the next chunk, or ends the loop.
func (e *engine) loopStep(w *worker) bool {
	l := &w.loops[len(w.loops)-1]
	r := e.refs[l.ref]
	for l.lo == l.hi {
		if w.head == l.base {
			return e.loopDone(w)
		}
		f := w.top()
		switch {
		case f.state == done:
			e.joined(w)
		case f.state == taken || e.cfg.Owner == FIFO && e.takesOwn(w):
			return e.await(w)
		default:
			e.popped(w)
			w.debt += e.prices.pop
			l.lo, l.hi, l.depth = f.lo, f.hi, f.depth
			l.pace.Resume(e.now)
			l.left = l.pace.Left(&e.times, int(l.hi-l.lo))
			e.cut(w, l)
		}
	}
	if e.cfg.Splitter == SplitLazy && l.left >= e.times.MinSplit {
		e.giveIfWanted(w, l, r)
	}
	l.n = int64(l.pace.Next(int(l.hi - l.lo)))
	if e.cfg.Splitter != SplitLazy {
		l.n = l.hi - l.lo
		if r.limits.Max > 0 {
			l.n = min(l.n, int64(r.limits.Max))
		}
	}
	w.debt += e.prices.poll
	if r.items {
		l.current = l.lo
		w.at = e.item(l)
		w.op.Kind = End
		return true
	}
	w.op.Kind = chunkEnd
	w.op.Cost = l.cost(r)
	return true
}

// chunkDone ends a chunk.
func (e *engine) chunkDone(w *worker) bool {
	l := &w.loops[len(w.loops)-1]
	l.lo += l.n
	w.op.Kind = End
	if l.lo < l.hi || l.whole && !l.pace.Timed() {
		l.pace.Done(&e.times, int(l.n), e.now)
		if l.lo < l.hi {
			l.left = l.pace.Left(&e.times, int(l.hi-l.lo))
		}
	}
	return e.loopStep(w)
}

// loopDone ends the part of a loop that w is at.
func (e *engine) loopDone(w *worker) bool {
	l := w.loops[len(w.loops)-1]
	w.loops = w.loops[:len(w.loops)-1]
	w.stack = w.stack[:len(w.stack)-1]
	w.op.Kind = End
	if !l.whole {
		return e.complete(w)
	}
	r := e.refs[l.ref]
	s := &e.sites[r.site]
	s.pace = policy.NextPace(s.pace, l.pace.Pace())
	w.at = r.after
	e.dropRef(l.ref)
	return true
}

// giveIfWanted gives away half of what is left of a loop.
func (e *engine) giveIfWanted(w *worker, l *loop, r *ref) {
	give, wake := e.partWanted(w, r.site, l.left)
	if !give || wake && !e.mayWake() {
		return
	}
	if mid := r.limits.SplitPoint(int(l.lo), int(l.hi)); int64(mid) < l.hi {
		e.pushPart(w, l, r, int64(mid), 0)
		if e.cfg.Deque == DequeSplit {
			e.show(w, int32(w.private()))
			w.debt += e.prices.publish
			e.totals.publishes++
		}
		if wake {
			e.wake(w)
		}
	}
}

// partWanted decides as the runtime does between two chunks.
func (e *engine) partWanted(w *worker, site int32, left int64) (give, wake bool) {
	if !e.hungry() && e.spare() == 0 {
		return false, false
	}
	h := &w.haste
	offering := w.public > 0
	if e.cfg.Deque == DequeCentral {
		offering = e.waits > 0
	}
	if !offering && !e.hungry() && e.cfg.Sleep == SleepWorth && h.Began == 0 {
		s := &e.sites[site]
		w.hasteOf = site
		h.Start(&e.times, 0, 0, e.wakePrice(), e.now, func() uint32 { s.probes++; return s.probes })
		h.Eager = policy.WorthStretch(h.Stretch(), e.wakePrice())
	}
	return policy.PartWanted(e.hungry(), offering, h.Eager || e.cfg.Sleep == SleepAtOnce, left, e.wakePrice())
}

// pushPart makes a frame of the iterations from mid on.
func (e *engine) pushPart(w *worker, l *loop, r *ref, mid int64, depth int32) {
	f := w.push()
	f.kind, f.ref, f.lo, f.hi, f.depth, f.pace = part, l.ref, mid, l.hi, depth, l.pace.Pace()
	l.hi = mid
	f.site, f.label = r.site, w.label
	w.debt += e.prices.push
	e.totals.forks++
	switch e.cfg.Deque {
	case DequeShared:
		e.show(w, 1)
	case DequeCentral:
		e.queue.push(central{w.index, w.head - 1, f.gen})
		e.waits++
		e.notify(w, 1)
	}
}

// cuts returns the depth of a whole loop for the splitters that cut in advance.
func (e *engine) cuts() int32 {
	switch e.cfg.Splitter {
	case SplitRayon:
		return int32(e.cfg.Workers)
	case SplitTBB:
		return int32(4 * e.cfg.Workers)
	}
	return 0
}

// cut cuts the part of a loop in advance, as a splitter wants it.
func (e *engine) cut(w *worker, l *loop) {
	if e.cfg.Splitter == SplitLazy {
		return
	}
	r := e.refs[l.ref]
	asked := r.limits
	if e.cfg.Splitter == SplitFixed && e.cfg.Leaf > 0 {
		asked = limits{Min: 1} // what is wanted here counts for more
	}
	for e.cutsMore(l, r) {
		mid := asked.SplitPoint(int(l.lo), int(l.hi))
		if int64(mid) >= l.hi {
			return
		}
		e.pushPart(w, l, r, int64(mid), l.depth)
		if e.cfg.Deque == DequeSplit {
			e.share(w, r.site)
		} else {
			e.callFor(w, r.site)
		}
	}
}

func (e *engine) cutsMore(l *loop, r *ref) bool {
	switch e.cfg.Splitter {
	case SplitFixed:
		leaf := e.cfg.Leaf
		if leaf == 0 {
			leaf = max(1, min(2048, ((r.all-1)/r.unit+1)/int64(8*e.cfg.Workers)))
		}
		return l.hi-l.lo > leaf
	default:
		// Each half gets half of the cuts.
		if l.depth <= 1 || l.hi-l.lo < 2 {
			return false
		}
		l.depth /= 2
		return true
	}
}

// stolenCuts returns how much a part may be cut that was stolen.
func (e *engine) stolenCuts(depth int32) int32 {
	switch e.cfg.Splitter {
	case SplitRayon:
		return max(int32(e.cfg.Workers), depth)
	case SplitTBB:
		return max(2, depth)
	}
	return 0
}

// startPart begins a part of a loop that w has taken.
func (e *engine) startPart(w *worker, f *frame) bool {
	r := e.refs[f.ref]
	w.stack = append(w.stack, activity{kind: aLoop})
	w.loops = append(w.loops, loop{lo: f.lo, hi: f.hi, base: w.head, ref: f.ref, depth: e.stolenCuts(f.depth), left: policy.Ahead(int(f.hi-f.lo), f.pace)})
	l := &w.loops[len(w.loops)-1]
	l.pace = e.times.NewPacer(r.limits, int(f.hi-f.lo), f.pace, e.now)
	e.cut(w, l)
	return e.loopStep(w)
}
