package forkjoin

import (
	"math"
	"math/bits"
	"slices"
	"sort"

	"github.com/forkjoin-go/forkjoin/internal/atomic"
)

// A settling brings elements to where sorted words say, and sorts those with the same
// key. See sortByGuess.
type settling[E any] struct {
	s, buf []E
	words  []uint64 // ascending: the key, and in so many low bits the index in s
	bits   uint
	cmp    func(a, b E) int
	stable bool
	level  int

	blocks []settled
	wrong  atomic.Bool // the comparator contradicts the key
}

// A settled block has been copied and sorted but for its big groups: those of many
// elements with the same key.
type settled struct {
	begin int
	big   []span
}

const (
	settleBlock = 1024 // elements that one worker settles, about
	bigGroup    = 4096 // elements that have a sort of their own
)

// gather copies all elements to buf, and settles them but for what settleBig does.
func (t *settling[E]) gather() {
	n := len(t.s)
	t.blocks = make([]settled, max(1, n/settleBlock))
	ParallelFor(len(t.blocks), func(b int) {
		lo, hi := t.groupAt(cut(n, len(t.blocks), b)), t.groupAt(cut(n, len(t.blocks), b+1))
		t.blocks[b].begin = lo
		t.settle(&t.blocks[b], lo, hi)
	})
	if !t.wrong.Load() {
		t.gatherBig()
	}
}

// keyAt returns the key of the element that goes to i.
func (t *settling[E]) keyAt(i int) uint64 { return t.words[i] >> t.bits }

// elementAt returns the element that goes to i.
func (t *settling[E]) elementAt(i int) E { return t.s[t.words[i]&(1<<t.bits-1)] }

// groupAt returns the first place from i on where a group begins, or the end.
func (t *settling[E]) groupAt(i int) int {
	if i == 0 || i == len(t.words) {
		return i
	}
	key := t.keyAt(i - 1)
	return i + sort.Search(len(t.words)-i, func(k int) bool { return t.keyAt(i+k) != key })
}

// groupEnd returns where the group ends that begins at i.
func (t *settling[E]) groupEnd(i int) int {
	key := t.keyAt(i)
	for i++; i < len(t.words) && t.keyAt(i) == key; {
		i++
	}
	return i
}

// settle settles the groups in [lo, hi).
func (t *settling[E]) settle(b *settled, lo, hi int) {
	for lo < hi && !t.wrong.Load() {
		big := t.firstBig(lo, hi)
		t.copy(lo, big.lo)
		if !t.settleGroups(lo, big.lo) {
			t.wrong.Store(true)
			return
		}
		if big.lo < big.hi {
			b.big = append(b.big, big)
		}
		lo = big.hi
	}
}

// copy copies the elements of [lo, hi) to buf.
func (t *settling[E]) copy(lo, hi int) {
	for i := lo; i < hi; i++ {
		t.buf[i] = t.elementAt(i)
	}
}

// firstBig returns the first big group in [lo, hi), or an empty one at the end.
func (t *settling[E]) firstBig(lo, hi int) span {
	for lo+bigGroup < hi {
		end := t.groupEnd(lo)
		if end-lo > bigGroup {
			return span{lo, end}
		}
		lo = end
	}
	return span{hi, hi}
}

// settleGroups sorts the groups in [lo, hi) and reports whether each follows the one
// before.
func (t *settling[E]) settleGroups(lo, hi int) bool {
	for begin := lo; begin < hi; {
		end := t.groupEnd(begin)
		if end-begin > 1 {
			t.sortGroup(t.buf[begin:end])
		}
		if begin > lo && !t.follows(begin) {
			return false
		}
		begin = end
	}
	return true
}

// follows reports whether the comparator says that the groups before and after i are
// in order.
func (t *settling[E]) follows(i int) bool {
	c := t.cmp(t.buf[i-1], t.buf[i])
	return c < 0 || c == 0 && !t.stable
}

// sortGroup sorts elements that the key does not tell apart, by one worker.
func (t *settling[E]) sortGroup(s []E) {
	switch {
	case len(s) <= insertionLen:
		insertionSort(s, t.cmp)
	case slices.IsSortedFunc(s, t.cmp):
	case t.stable:
		m := mergeSorter[E]{s: s, buf: make([]E, len(s)), cmp: t.cmp, from: math.MaxInt}
		m.sortAlone(0, len(s), false)
	default:
		quicksortAlone(s, t.cmp, bits.Len(uint(len(s))))
	}
}

// gatherBig copies the big groups to buf.
func (t *settling[E]) gatherBig() {
	for _, b := range t.blocks {
		for _, big := range b.big {
			ParallelForRange(big.lo, big.hi, func(lo, hi int) { t.copy(lo, hi) })
		}
	}
}

// settleBig sorts the big groups, and reports whether all blocks and big groups
// follow each other.
func (t *settling[E]) settleBig() bool {
	for _, b := range t.blocks {
		for _, big := range b.big {
			sortAnew(t.buf[big.lo:big.hi], t.cmp, t.stable, t.level+1)
		}
	}
	follows := func(i int) bool { return i == 0 || i == len(t.buf) || t.follows(i) }
	for _, b := range t.blocks {
		if !follows(b.begin) {
			return false
		}
		for _, big := range b.big {
			if !follows(big.lo) || !follows(big.hi) {
				return false
			}
		}
	}
	return true
}
