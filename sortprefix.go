package forkjoin

import (
	"cmp"
	"sync/atomic"
)

// A slice that is sorted but for a short part at one end, like a sorted one that
// something was appended to, is sorted by sorting that part, and merging it in
// place.

// shortEnd returns how long a part at an end of n elements may be. Memory for it
// is taken from the heap.
func shortEnd(n int, buffered bool) int {
	if buffered {
		return n / 16
	}
	return min(n/16, inCache)
}

// sortEnd sorts s if it is sorted but for a short part at one end, and reports
// whether it was.
func sortEnd[E cmp.Ordered](s []E, buffered bool) bool {
	n := len(s)
	most := shortEnd(n, buffered)
	if ascends(s[:min(n, 32)]) {
		mid := sortedFirst(s)
		if n-mid > most {
			return false
		}
		if rest := s[mid:]; len(rest) > 0 {
			sortPart(rest, buffered)
			mergeBack(s, mid)
		}
		return true
	}
	if most == 0 || !ascends(s[n-min(n, 32):]) || !ascends(s[most:min(n, 2*most)]) {
		return false
	}
	mid := most // of which s[mid:] is sorted
	if sortedFirst(s[mid:]) < n-mid {
		return false
	}
	for mid > 0 && !cmp.Less(s[mid], s[mid-1]) {
		mid--
	}
	sortPart(s[:mid], buffered)
	mergeFront(s, mid)
	return true
}

// sortPart sorts s, of whatever length.
func sortPart[E cmp.Ordered](s []E, buffered bool) {
	if len(s) <= shortSort {
		sortShort(s)
	} else {
		sortBy(s, buffered)
	}
}

// sortedFirst returns how many elements of s, from the first on, are in order.
func sortedFirst[E cmp.Ordered](s []E) int {
	n := len(s)
	blocks := (n-1)/blockSize + 1
	var least atomic.Int64 // of the blocks that are not in order with what follows
	least.Store(int64(blocks))
	inParallel(blocks, func(b int) {
		if int64(b) > least.Load() || ascends(s[b*blockSize:min(n, (b+1)*blockSize+1)]) {
			return
		}
		for {
			old := least.Load()
			if int64(b) >= old || least.CompareAndSwap(old, int64(b)) {
				return
			}
		}
	})
	for i := int(least.Load())*blockSize + 1; i < n; i++ {
		if cmp.Less(s[i], s[i-1]) {
			return i
		}
	}
	return n
}

// mergeBack merges the sorted s[:mid] and s[mid:], the shorter one, by moving what
// is between two places where elements go in one piece.
func mergeBack[E cmp.Ordered](s []E, mid int) {
	rest := append([]E(nil), s[mid:]...)
	end := len(s) // what is from here on is done
	for k := len(rest) - 1; k >= 0; k-- {
		i := lastPlace(s[:mid], rest[k])
		end -= copy(s[end-(mid-i):end], s[i:mid])
		end--
		s[end] = rest[k]
		mid = i
	}
}

// mergeFront is mergeBack with s[:mid] as the shorter one.
func mergeFront[E cmp.Ordered](s []E, mid int) {
	rest := append([]E(nil), s[:mid]...)
	done := 0
	for _, x := range rest {
		i := mid + firstPlace(s[mid:], x)
		done += copy(s[done:], s[mid:i])
		s[done] = x
		done++
		mid = i
	}
}

// lastPlace returns how many elements of the sorted s are not greater than x. It
// begins to look at the end.
func lastPlace[E cmp.Ordered](s []E, x E) int {
	step := 1
	for step <= len(s) && cmp.Less(x, s[len(s)-step]) {
		step *= 2
	}
	lo, hi := max(0, len(s)-step), len(s)-step/2
	for lo < hi {
		if mid := int(uint(lo+hi) / 2); cmp.Less(x, s[mid]) {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return lo
}

// firstPlace returns how many elements of the sorted s are less than x. It begins
// to look at the front.
func firstPlace[E cmp.Ordered](s []E, x E) int {
	step := 1
	for step <= len(s) && cmp.Less(s[step-1], x) {
		step *= 2
	}
	lo, hi := step/2, min(len(s), step)
	for lo < hi {
		if mid := int(uint(lo+hi) / 2); cmp.Less(s[mid], x) {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}
