package forkjoin

import "unsafe"

// A scan goes over its input twice. The input is cut into blocks, whose bounds
// depend on its length and the options alone.
//
//   - P1 Each block is folded by itself.
//   - P2 What comes before each block is the fold of what comes before the last
//     one and of that block, in order.
//   - P3 Each block is scanned, beginning with what comes before it.
//
// All are done for as many blocks at a time as caches hold, so that P3 finds what
// P1 has read. With one block there is P3 only: a plain loop.
//
// Rejected: one pass, where a block waits for the total of the one before
// ("decoupled look-back"), since nobody here may wait for another worker that
// can be preempted.

// P1 and P3 take an operation that is called, not inlined, as long as adding up
// from memory, so it gains nothing to fold several parts of a block side by side.

const (
	scanAlone = 2048    // elements that are one block
	scanBlock = 1 << 14 // elements of a block, in long scans
	scanReach = 1 << 18 // elements at least that P1 to P3 are done for at a time
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
// allocations, of which one has a T for each block of about 16,000 elements. So
// with one worker it takes twice as long as a plain loop, and with two no less;
// where op is short, use [ParallelScan].
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
	s := &scan[T]{n: len(src), op: op, fold: folder(src, op)}
	s.emit = func(lo, hi int, acc T) {
		src := src[lo:hi]
		dst := dst[lo:hi]
		if lo == 0 {
			acc, dst[0] = src[0], src[0]
			src, dst = src[1:], dst[1:]
		}
		for i, x := range src {
			acc = op(acc, x)
			dst[i] = acc
		}
	}
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
	s := &scan[T]{n: len(src), op: op, fold: folder(src, op), before: identity, begun: true}
	s.emit = func(lo, hi int, acc T) {
		src := src[lo:hi]
		dst := dst[lo:hi]
		for i, x := range src {
			dst[i] = acc
			acc = op(acc, x)
		}
		if lo == 0 && hi == s.n {
			s.before = acc
		}
	}
	s.run(l)
	return s.before
}

// ParallelScan is a scan over the range [0, n) whose loops are the caller's, so
// that the compiler sees what they do: with an operation as short as an addition
// that takes about half as long as [InclusiveScan].
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
// Cost: a call of fold, op and emit for each part of up to about 16,000
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
	s := &scan[T]{n: n, op: op, fold: fold, emit: emit, before: identity, begun: true}
	if scanSize(n, l) >= n {
		s.inLoop(1, l, func(int) {
			part := fold(0, n)
			emit(0, n, identity)
			s.before = op(identity, part)
		})
		return s.before
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
	if len(src) > 0 {
		d, s := uintptr(unsafe.Pointer(&dst[0])), uintptr(unsafe.Pointer(&src[0]))
		size := uintptr(len(src)) * unsafe.Sizeof(src[0])
		if d != s && d < s+size && s < d+size {
			badUse("%s: dst and src overlap, %d bytes apart; want the same or separate memory", name, max(d, s)-min(d, s))
		}
	}
	return l
}

// A scan is one call.
type scan[T any] struct {
	n    int
	op   func(a, b T) T
	fold func(lo, hi int) T         // P1
	emit func(lo, hi int, before T) // P3

	before T    // what comes before the blocks that are next
	begun  bool // there is something before them
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
	return size
}

// run does it. With one block it leaves s.before alone.
func (s *scan[T]) run(l limits) {
	n := s.n
	size := min(n, scanSize(n, l))
	blocks := (n-1)/size + 1
	if blocks == 1 {
		s.inLoop(1, l, func(int) { s.emit(0, n, s.before) })
		return
	}
	group := min(blocks, max(8*workersHere(), scanReach/size))
	parts := make([]T, group) // what each block makes; after P2, what comes before it
	for first := 0; first < blocks; first += group {
		parts := parts[:min(group, blocks-first)]
		s.inLoop(len(parts), l, func(i int) {
			lo := (first + i) * size
			parts[i] = s.fold(lo, lo+min(size, n-lo))
		})
		s.inLoop(1, l, func(int) { s.chain(parts) })
		s.inLoop(len(parts), l, func(i int) {
			lo := (first + i) * size
			s.emit(lo, lo+min(size, n-lo), parts[i])
		})
	}
}

// inLoop calls f, which calls op, for each i in [0, n).
func (s *scan[T]) inLoop(n int, l limits, f func(i int)) {
	one := newLimits(1, 1)
	one.label = l.label
	parallelLoop(0, n, eachBody(f), f, one)
}

// folder returns P1 for elements.
func folder[T any](src []T, op func(a, b T) T) func(lo, hi int) T {
	return func(lo, hi int) T {
		acc := src[lo]
		for _, x := range src[lo+1 : hi] {
			acc = op(acc, x)
		}
		return acc
	}
}

// chain is P2.
func (s *scan[T]) chain(parts []T) {
	for i, part := range parts {
		parts[i] = s.before
		if s.begun {
			part = s.op(s.before, part)
		}
		s.before, s.begun = part, true
	}
}
