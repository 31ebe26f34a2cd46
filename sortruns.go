package forkjoin

// A sortedRun is a part of a slice that is sorted already: upwards, or downwards without
// equal neighbours, so that turning it round keeps it stable. A single element is
// an upward run.
type sortedRun struct {
	lo, hi int
	down   bool
}

const (
	runWindows = 8    // places looked at to see whether there may be runs
	runWindow  = 16   // elements looked at in each
	leastRun   = 32   // what runs must have on average to be used
	runBlock   = 4096 // elements searched for runs in one piece
)

// sortRuns sorts s if it is made of few runs, by merging them, and reports whether
// it did. Where there are none it is found out with a few comparisons.
func sortRuns[E any](s []E, cmp func(a, b E) int) bool {
	if !mayHaveRuns(s, cmp) {
		return false
	}
	runs := findRuns(s, cmp)
	if runs == nil {
		return false
	}
	m := mergeSorter[E]{s: s, cmp: cmp}
	if len(runs) > 1 {
		m.buf = make([]E, len(s))
	}
	m.mergeRuns(runs, false)
	return true
}

// mayHaveRuns looks at windows of s, and reports whether at most one has more than
// one run.
func mayHaveRuns[E any](s []E, cmp func(a, b E) int) bool {
	mixed := 0
	for k := range runWindows {
		lo := cut(len(s)-runWindow, runWindows-1, k)
		if firstRun(s, lo, lo+runWindow, cmp).hi < lo+runWindow {
			if mixed++; mixed > 1 {
				return false
			}
		}
	}
	return true
}

// firstRun returns the longest run that begins at lo.
func firstRun[E any](s []E, lo, hi int, cmp func(a, b E) int) sortedRun {
	r := sortedRun{lo: lo, hi: lo + 1}
	if r.hi == hi {
		return r
	}
	r.down = cmp(s[r.hi], s[lo]) < 0
	for r.hi++; r.hi < hi && cmp(s[r.hi], s[r.hi-1]) < 0 == r.down; {
		r.hi++
	}
	return r
}

// findRuns returns the runs that make s, or nil if they are many.
func findRuns[E any](s []E, cmp func(a, b E) int) []sortedRun {
	blocks := (len(s)-1)/runBlock + 1
	found := make([][]sortedRun, blocks)
	ParallelFor(blocks, func(b int) {
		lo, hi := cut(len(s), blocks, b), cut(len(s), blocks, b+1)
		most := (hi - lo) / leastRun
		for lo < hi && len(found[b]) <= most {
			r := firstRun(s, lo, hi, cmp)
			found[b] = append(found[b], r)
			lo = r.hi
		}
	})
	var runs []sortedRun
	for b := range found {
		last := found[b][len(found[b])-1].hi
		if last < cut(len(s), blocks, b+1) {
			return nil
		}
		runs = appendRuns(runs, found[b], s, cmp)
	}
	return runs
}

// appendRuns appends more to runs, where the first of more may go on with the last
// run.
func appendRuns[E any](runs, more []sortedRun, s []E, cmp func(a, b E) int) []sortedRun {
	if len(runs) == 0 {
		return more
	}
	a, b := &runs[len(runs)-1], &more[0]
	down := cmp(s[b.lo], s[b.lo-1]) < 0
	if (a.down == down || a.hi-a.lo == 1) && (b.down == down || b.hi-b.lo == 1) {
		a.hi, a.down = b.hi, down
		more = more[1:]
	}
	return append(runs, more...)
}

// mergeRuns is sort for a range that is made of runs.
func (m *mergeSorter[E]) mergeRuns(runs []sortedRun, toBuf bool) {
	if len(runs) == 1 {
		m.placeRun(runs[0], toBuf)
		return
	}
	lo, hi := runs[0].lo, runs[len(runs)-1].hi
	k := 1 // the cut that is nearest to the middle
	for k < len(runs)-1 && runs[k].hi-lo <= hi-runs[k].lo {
		k++
	}
	a, b := runs[:k], runs[k:]
	Join(func() { m.mergeRuns(a, !toBuf) }, func() { m.mergeRuns(b, !toBuf) })
	m.merge(lo, b[0].lo, hi, toBuf)
}

// placeRun makes r an upward one, in buf or in place.
func (m *mergeSorter[E]) placeRun(r sortedRun, toBuf bool) {
	s, buf := m.s, m.buf
	switch {
	case toBuf && r.down:
		ParallelForRange(r.lo, r.hi, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				buf[i] = s[r.lo+r.hi-1-i]
			}
		})
	case toBuf:
		ParallelForRange(r.lo, r.hi, func(lo, hi int) { copy(buf[lo:hi], s[lo:hi]) })
	case r.down:
		ParallelForRange(0, (r.hi-r.lo)/2, func(lo, hi int) {
			for i := r.lo + lo; i < r.lo+hi; i++ {
				j := r.lo + r.hi - 1 - i
				s[i], s[j] = s[j], s[i]
			}
		})
	}
}
