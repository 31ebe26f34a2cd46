package forkjoin

import "sync/atomic"

// A scan goes over its input twice. The input is cut into blocks, whose bounds
// depend on its length and the options alone, and a few neighbouring blocks are a
// tile.
//
//   - P1 Each block is folded by itself.
//   - P2 What comes before each block is the fold of what comes before the last
//     one and of that block, in order.
//   - P3 Each block is scanned, beginning with what comes before it.
//
// Workers claim tiles in order. With each one a worker does P1, P2 for whatever
// follows what is chained already, and P3 if that was enough, while the tile is in
// its cache. It never waits for a tile before that somebody else is folding, since
// that worker may be preempted: it goes on with the next tile. Who comes by later
// does what was left, and at the end all together. With one block there is P3 only:
// a plain loop.
//
// Rejected: to do each step for a group of blocks, one after the other. That is
// three short loops for each group, to which the second worker is late at times.
// To have the compiler put the operation into the loops, by making InclusiveScan
// short enough to be inlined: it does not look into function literals that come in
// that way.

const (
	scanAlone = 2048    // elements that are one block
	scanBlock = 1 << 12 // elements of a block, in long scans
)

// InclusiveScan sets dst[i] to src[0] op src[1] op … op src[i], for each i.
// op must be associative; it need not be commutative. dst may be src; otherwise
// they must not overlap. What dst has beyond len(src) stays.
//
// How the elements are combined depends on len(src) and the options alone, so
// the result is the same for any number of workers and any timing, to the last
// bit, also for floating-point sums, whose operation is not associative. For up
// to 2,048 elements it is that of a plain loop; use [MaxLeaf] to have short
// scans with a long op done in parallel.
//
// Cost: two calls of op for each element (one, for up to 2,048), and some
// allocations, of which one has a T for each block of about 4,000 elements. So
// where op is short it takes twice as long as a plain loop with one worker, and as
// long with two; use [InclusiveSum] for sums, and else [ParallelScan].
//
// If op panics, InclusiveScan panics with a [*PanicError] when what had started
// has ended; part of dst may have been written. Goexit is as for [Join]. It
// panics if dst is shorter than src, they overlap without being the same, op is
// nil, or options contradict each other.
//
// What was done before the call is synchronized before every call of op, and
// those, and what it writes, before it returns.
func InclusiveScan[T any](dst, src []T, op func(a, b T) T, opts ...Option) {
	l := checkScan("InclusiveScan", dst, src, op == nil, opts)
	if len(src) == 0 {
		return
	}
	s := newSliceScan(dst, src, op, false, l)
	s.run(l)
}

// ExclusiveScan sets dst[i] to identity op src[0] op … op src[i-1], for each i,
// so dst[0] is identity, and returns the total of all: identity, if src is empty.
//
// All else is as for [InclusiveScan].
func ExclusiveScan[T any](dst, src []T, identity T, op func(a, b T) T, opts ...Option) (total T) {
	l := checkScan("ExclusiveScan", dst, src, op == nil, opts)
	if len(src) == 0 {
		return identity
	}
	s := newSliceScan(dst, src, op, true, l)
	s.before, s.begun = identity, true
	s.run(l)
	return s.before
}

// ParallelScan is a scan over the range [0, n) whose loops are the caller's, so
// that the compiler sees what they do: with an operation as short as an addition
// that takes about half as long as [InclusiveScan]. For sums there are
// [InclusiveSum] and [ExclusiveSum], which take less.
//
// It calls fold for disjoint parts that cover the range, and then emit for the
// same parts, with what comes before them: identity op the folds of all parts
// before, in order. It returns the total of all, which is identity if n = 0. op
// must be associative. emit may overwrite what fold has read of the same part.
//
// The parts depend on n and the options alone, and so does the result, which is
// the same for any number of workers and any timing, to the last bit. Up to 2,048
// iterations are one part.
//
// Cost: a call of fold, op and emit for each part of up to about 4,000
// iterations, and some allocations, of which one has a T for each part.
//
// If a function panics, ParallelScan panics with a [*PanicError] when what had
// started has ended. Goexit is as for [Join]. It panics if n is negative, a
// function is nil, or options contradict each other.
//
// What was done before the call is synchronized before every call of fold, those
// before every call of emit for the same part or a later one, and all before
// ParallelScan returns.
func ParallelScan[T any](n int, identity T, fold func(lo, hi int) T, op func(a, b T) T, emit func(lo, hi int, before T), opts ...Option) (total T) {
	l := check("ParallelScan", n, fold == nil, "fold", opts)
	if op == nil || emit == nil {
		badFunc("ParallelScan", op == nil, "op", "emit")
	}
	if n == 0 {
		return identity
	}
	s := newScan(n, op, l)
	s.before, s.begun = identity, true
	s.fold = func(lo, hi int, parts []T) { parts[0] = fold(lo, hi) }
	s.emit = func(lo, hi int, before []T) {
		if hi-lo < n {
			emit(lo, hi, before[0])
			return
		}
		part := fold(0, n)
		emit(0, n, identity)
		before[0] = op(identity, part)
	}
	s.run(l)
	return s.before
}

func checkScan[T any](name string, dst, src []T, noOp bool, opts []Option) limits {
	if len(dst) < len(src) {
		badUse("%s: dst has %d elements, want >= %d, as src has", name, len(dst), len(src))
	}
	if noOp {
		badUse("%s: op is nil", name)
	}
	l := parse(name, opts)
	if apart, ok := overlap(dst[:len(src)], src); ok && apart != 0 {
		badUse("%s: dst and src overlap, %d bytes apart; want the same or separate memory", name, apart)
	}
	return l
}

// A scan is one call.
type scan[T any] struct {
	n    int
	size int // of blocks but for the last
	tile int // blocks of a tile
	op   func(a, b T) T
	fold func(lo, hi int, parts []T)  // P1 for the blocks that make [lo, hi)
	emit func(lo, hi int, before []T) // P3; if there is one block, it leaves the total in before

	parts   []T             // what each block makes; after P2, what comes before it
	states  []atomic.Uint32 // of the tiles
	claimed atomic.Int64    // tiles that P1 has begun for
	oldest  atomic.Int64    // all tiles before it are done; it may be out of date

	chaining atomic.Bool  // somebody does P2, and may use what follows
	chained  atomic.Int64 // tiles that P2 is done for; others may read it
	before   T            // what comes before the next one
	begun    bool         // there is something before it
}

// States of a tile.
const (
	tileNew     = iota
	tileFolded  // parts has what P1 made: stored by step, loaded by chain
	tileChained // parts has what P3 needs: stored by chain, loaded by finish
	tileDone    // P3 has begun
)

func newScan[T any](n int, op func(a, b T) T, l limits) *scan[T] {
	return &scan[T]{n: n, size: scanSize(n, l), op: op, tile: 1}
}

// scanSize returns the length of the blocks but for the last. It must not depend
// on anything else, or results would.
func scanSize(n int, l limits) int {
	size := n
	if n > scanAlone {
		size = min((n-1)/64+1, scanBlock)
	}
	if size = max(size, l.Min); l.Max > 0 {
		size = min(size, l.Max)
	}
	return min(n, size)
}

// run does it.
func (s *scan[T]) run(l limits) {
	if s.size == s.n {
		s.inLoop(1, l, func(int) {
			before := [1]T{s.before}
			s.emit(0, s.n, before[:])
			s.before = before[0]
		})
		return
	}
	s.begin()
	s.inLoop(len(s.states), l, func(int) { s.step() })
	left := s.left() // all of them are chained
	s.inLoop(len(left), l, func(i int) { s.finish(left[i]) })
}

// begin makes the tiles.
func (s *scan[T]) begin() {
	s.parts = make([]T, (s.n-1)/s.size+1)
	s.states = make([]atomic.Uint32, (len(s.parts)-1)/s.tile+1)
}

// left returns the tiles that are not done.
func (s *scan[T]) left() (tiles []int) {
	for t := int(s.oldest.Load()); t < len(s.states); t++ {
		if s.states[t].Load() != tileDone {
			tiles = append(tiles, t)
		}
	}
	return tiles
}

// inLoop calls f, which calls op, for each i in [0, n).
func (s *scan[T]) inLoop(n int, l limits, f func(i int)) {
	one := newLimits(1, 1)
	one.label = l.label
	parallelLoop(0, n, eachBody(f), f, one)
}

// step does what can be done with the next tile, and for the oldest one that
// others left.
func (s *scan[T]) step() {
	t := int(s.claimed.Add(1)) - 1
	s.fold(s.bounds(t))
	s.states[t].Store(tileFolded)
	s.chain()
	s.finish(t)
	old := int(s.oldest.Load())
	for old < t && s.states[old].Load() == tileDone {
		old++
	}
	s.oldest.Store(int64(old))
	s.finish(old)
}

// bounds returns the range of a tile, and its parts.
func (s *scan[T]) bounds(t int) (lo, hi int, parts []T) {
	first := t * s.tile
	parts = s.parts[first:min(first+s.tile, len(s.parts))]
	return first * s.size, min((first+len(parts))*s.size, s.n), parts
}

// chain is P2 for the tiles that are next and folded, unless somebody else is at
// it, who then looks for what has been folded meanwhile.
func (s *scan[T]) chain() {
	next := func() (int, bool) {
		t := int(s.chained.Load())
		return t, t < len(s.states) && s.states[t].Load() == tileFolded
	}
	for {
		if _, ok := next(); !ok || !s.chaining.CompareAndSwap(false, true) {
			return
		}
		for t, ok := next(); ok; t, ok = next() {
			_, _, parts := s.bounds(t)
			for i, part := range parts {
				parts[i] = s.before
				if s.begun {
					part = s.op(s.before, part)
				}
				s.before, s.begun = part, true
			}
			s.states[t].Store(tileChained)
			s.chained.Store(int64(t) + 1)
		}
		s.chaining.Store(false)
	}
}

// finish is P3 for a tile, if it can be done and nobody has.
func (s *scan[T]) finish(t int) {
	if s.states[t].CompareAndSwap(tileChained, tileDone) {
		s.emit(s.bounds(t))
	}
}
