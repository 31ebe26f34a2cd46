package forkjoin

import "sort"

// A partition moves the elements of a slice that come before a pivot to its
// front. It calls each comparison once, twice for a few elements, and moves by
// exchanges alone, so that the slice has all its elements whenever cmp panics.
//
// A wide one works on pairs of parts: the first with the last, the second with
// the last but one, as if the two were neighbours. Where the pivot is a median
// that leaves little to do, which is the exchange of what is before the end of
// the front but does not belong there with what belongs there but is behind it.

// partPair is how many elements a pair of parts has at least.
const partPair = 2048

// partition moves the x in s with cmp(x, p) < edge to the front and returns how
// many they are. edge is 0 for those less than p, 1 for those not greater.
func partition[E any](s []E, p E, edge int, cmp func(a, b E) int) int {
	if len(s) > wideSort {
		return widePartition(s, len(s)/partPair, func(a, b []E) (inA, inB int) {
			return pairPartition(a, b, p, edge, cmp)
		})
	}
	return narrowPartition(s, p, edge, cmp)
}

func narrowPartition[E any](s []E, p E, edge int, cmp func(a, b E) int) int {
	i, j := 0, len(s)
	for {
		for i < j && cmp(s[i], p) < edge {
			i++
		}
		for i < j && cmp(s[j-1], p) >= edge {
			j--
		}
		if i >= j {
			return i
		}
		j--
		s[i], s[j] = s[j], s[i]
		i++
	}
}

// pairPartition is narrowPartition for a followed by b. It returns how many
// elements of each belong to the front.
func pairPartition[E any](a, b []E, p E, edge int, cmp func(a, b E) int) (inA, inB int) {
	i, j := 0, len(b)
	for {
		for i < len(a) && cmp(a[i], p) < edge {
			i++
		}
		if i == len(a) {
			return i, narrowPartition(b[:j], p, edge, cmp)
		}
		for j > 0 && cmp(b[j-1], p) >= edge {
			j--
		}
		if j == 0 {
			return i + narrowPartition(a[i:], p, edge, cmp), 0
		}
		j--
		a[i], b[j] = b[j], a[i]
		i++
	}
}

// A part has been partitioned: [lo, mid) belongs to the front.
type part struct{ lo, mid, hi int }

// widePartition partitions so many pairs of parts of s by split, which returns how
// many elements of each belong to the front, and brings the fronts together.
func widePartition[E any](s []E, pairs int, split func(a, b []E) (inA, inB int)) int {
	n, left := len(s), len(s)/2
	right := n - left
	parts := make([]part, 2*pairs)
	ParallelFor(pairs, func(k int) {
		a := part{lo: cut(left, pairs, k), hi: cut(left, pairs, k+1)}
		b := part{lo: n - cut(right, pairs, k+1), hi: n - cut(right, pairs, k)}
		inA, inB := split(s[a.lo:a.hi], s[b.lo:b.hi])
		a.mid, b.mid = a.lo+inA, b.lo+inB
		parts[k], parts[len(parts)-1-k] = a, b
	})
	front := 0
	for _, q := range parts {
		front += q.mid - q.lo
	}
	var behind, ahead stretches // what is in front and belongs behind; the reverse
	for _, q := range parts {
		behind.add(q.mid, min(q.hi, front))
		ahead.add(max(q.lo, front), q.mid)
	}
	ParallelForRange(0, behind.total, func(lo, hi int) { exchange(s, &behind, &ahead, lo, hi) })
	return front
}

// stretches are parts of a slice, taken as one.
type stretches struct {
	list  []stretch
	total int
}

type stretch struct{ lo, hi, before int }

func (s *stretches) add(lo, hi int) {
	if lo < hi {
		s.list = append(s.list, stretch{lo, hi, s.total})
		s.total += hi - lo
	}
}

// from returns the stretches from the one with element i on.
func (s *stretches) from(i int) []stretch {
	return s.list[sort.Search(len(s.list), func(k int) bool { return s.list[k].before > i })-1:]
}

// exchange exchanges elements [lo, hi) of a and b.
func exchange[E any](s []E, a, b *stretches, lo, hi int) {
	as, bs := a.from(lo), b.from(lo)
	for lo < hi {
		i, j := as[0].lo+lo-as[0].before, bs[0].lo+lo-bs[0].before
		n := min(hi-lo, as[0].hi-i, bs[0].hi-j)
		for k := range n {
			s[i+k], s[j+k] = s[j+k], s[i+k]
		}
		if lo += n; i+n == as[0].hi {
			as = as[1:]
		}
		if j+n == bs[0].hi {
			bs = bs[1:]
		}
	}
}
