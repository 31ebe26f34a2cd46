package tour

import (
	"slices"
	"sort"

	"github.com/forkjoin-go/forkjoin"
)

// fork runs two functions, in either order or at once.
type fork func(a, b func())

func oneByOne(a, b func())   { a(); b() }
func inParallel(a, b func()) { forkjoin.Join(a, b) }

// sortLeaf is the number of lines below which sorting and merging do not fork:
// some 100 µs of work.
const sortLeaf = 2048

// sorted returns the lines in order of their text; equal lines stay in order of
// their files. Both the halves and the two parts of each merge are forked: with
// a sequential merge the last one alone would bound the speed-up by log₂(n)/2.
func sorted(lines []line, f fork) []line {
	a, b := slices.Clone(lines), make([]line, len(lines))
	f.sort(a, b, false)
	return a
}

// sort sorts src, which has the length of tmp. The result is in tmp if into is
// set, else in src; the other one is overwritten.
func (f fork) sort(src, tmp []line, into bool) {
	if len(src) <= sortLeaf {
		sortRun(src, tmp, into)
		return
	}
	mid := len(src) / 2
	f(func() { f.sort(src[:mid], tmp[:mid], !into) },
		func() { f.sort(src[mid:], tmp[mid:], !into) })
	if into {
		f.merge(tmp, src[:mid], src[mid:])
	} else {
		f.merge(src, tmp[:mid], tmp[mid:])
	}
}

// merge merges the sorted a and b into dst, where a's lines precede b's equal
// ones. The longer one is cut in the middle, the other where that line belongs.
func (f fork) merge(dst, a, b []line) {
	if len(dst) <= sortLeaf {
		mergeRuns(dst, a, b)
		return
	}
	var i, j int
	if len(a) >= len(b) {
		i = len(a) / 2
		j = sort.Search(len(b), func(k int) bool { return b[k].text >= a[i].text })
	} else {
		j = len(b) / 2
		i = sort.Search(len(a), func(k int) bool { return a[k].text > b[j].text })
	}
	f(func() { f.merge(dst[:i+j], a[:i], b[:j]) },
		func() { f.merge(dst[i+j:], a[i:], b[j:]) })
}

// sortRun is sort without forks.
func sortRun(src, tmp []line, into bool) {
	if len(src) <= 12 {
		insertionSort(src)
		if into {
			copy(tmp, src)
		}
		return
	}
	mid := len(src) / 2
	sortRun(src[:mid], tmp[:mid], !into)
	sortRun(src[mid:], tmp[mid:], !into)
	if into {
		mergeRuns(tmp, src[:mid], src[mid:])
	} else {
		mergeRuns(src, tmp[:mid], tmp[mid:])
	}
}

// mergeRuns is merge without forks.
func mergeRuns(dst, a, b []line) {
	for len(a) > 0 && len(b) > 0 {
		if b[0].text < a[0].text {
			dst[0], b = b[0], b[1:]
		} else {
			dst[0], a = a[0], a[1:]
		}
		dst = dst[1:]
	}
	copy(dst, a)
	copy(dst[len(a):], b)
}

func insertionSort(s []line) {
	for i := 1; i < len(s); i++ {
		x := s[i]
		j := i
		for ; j > 0 && x.text < s[j-1].text; j-- {
			s[j] = s[j-1]
		}
		s[j] = x
	}
}
