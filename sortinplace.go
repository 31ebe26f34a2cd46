package forkjoin

import (
	"cmp"
	"math/bits"
)

// Sorting without a buffer. A slice is partitioned by pivots, again and again, by
// all workers together, until there are several parts for each. Then each part is
// sorted by itself: numbers by swapping each to where it belongs by its highest
// byte ("American flag": McIlroy, Bostic, McIlroy, Engineering Radix Sort, 1993),
// until buckets fit into scratch memory.

const flagBits = 18

// quickInPlace partitions s into parts, several for each worker, and calls leaf
// to sort each.
func quickInPlace[E cmp.Ordered](s []E, leaf func([]E)) {
	q := &quick[E]{leaf: leaf, workers: workersHere()}
	q.grain = min(1<<flagBits, max(inCache, len(s)/(4*q.workers)))
	q.sort(s, 2*bits.Len(uint(len(s)/q.grain)))
}

type quick[E cmp.Ordered] struct {
	leaf    func([]E)
	workers int
	grain   int // length that is not partitioned any more
}

// sort sorts s, with at most so many levels of partitions.
func (q *quick[E]) sort(s []E, levels int) {
	if len(s) <= q.grain || levels == 0 {
		if len(s) > 0 {
			q.leaf(s)
		}
		return
	}
	pivot := pivotOf(s)
	mid := q.partition(s, pivot, false)
	if mid == 0 { // nothing is less than the pivot: those that are equal to it are done
		mid = q.partition(s, pivot, true)
		q.leaf(s[:mid])
		q.sort(s[mid:], levels-1)
		return
	}
	Join(
		func() { q.sort(s[:mid], levels-1) },
		func() { q.sort(s[mid:], levels-1) })
}

// pivotOf returns the median of some elements.
func pivotOf[E cmp.Ordered](s []E) E {
	var looks [63]E
	step := len(s) / len(looks)
	rng := uint64(len(s))
	for i := range looks {
		rng = rng*6364136223846793005 + 1442695040888963407
		looks[i] = s[i*step+int(rng>>33)%step]
	}
	for i := range looks {
		for j := i; j > 0 && looks[j] < looks[j-1]; j-- {
			looks[j], looks[j-1] = looks[j-1], looks[j]
		}
	}
	return looks[len(looks)/2]
}

// partition moves what is less than pivot, or with equal not greater, to the
// front, and returns how much that is.
func (q *quick[E]) partition(s []E, pivot E, equal bool) int {
	pairs := max(1, min(2*q.workers, len(s)/(2*blockSize)))
	return widePartition(s, pairs, func(a, b []E) (inA, inB int) {
		return partitionBlock(a, pivot, equal), partitionBlock(b, pivot, equal)
	})
}

// partitionBlock is partition by one worker. No jump depends on the elements,
// if they are numbers.
func partitionBlock[E cmp.Ordered](s []E, pivot E, equal bool) int {
	mid := 0
	if equal {
		for i, x := range s {
			s[i] = s[mid]
			s[mid] = x
			mid += oneIf(x <= pivot)
		}
		return mid
	}
	for i, x := range s {
		s[i] = s[mid]
		s[mid] = x
		mid += oneIf(x < pivot)
	}
	return mid
}

func oneIf(b bool) int {
	if b {
		return 1
	}
	return 0
}

// flag sorts s, whose keys are below 1<<top, by swapping.
func (r *radix[T]) flag(s []T, top int) {
	for len(s) > inCache && top > 0 {
		digit := min(8, top)
		if r.flagDigit(s, top-digit, digit) {
			return
		}
		lo, hi := r.span(s)
		top = min(top-digit, bits.Len64(lo^hi))
	}
	r.bucket(s, s, top)
}

// flagDigit sorts s by the digit that begins at bit shift, and then each bucket,
// or returns false if the digit is the same for all.
func (r *radix[T]) flagDigit(s []T, shift, digit int) bool {
	var next, ends [byteDigits]int
	mask := uint64(1)<<digit - 1
	countDigits(s, ends[:1<<digit], r.lo, uint(shift))
	at := 0
	for d, c := range ends {
		if c == len(s) {
			return false
		}
		next[d], ends[d], at = at, at+c, at+c
	}
	for d := range next {
		for i := next[d]; i < ends[d]; i++ {
			e := s[i]
			for {
				to := keyOf(&e, r.lo) >> (shift & 63) & mask
				if int(to) == d {
					break
				}
				e, s[next[to]] = s[next[to]], e
				next[to]++
			}
			s[i] = e
			next[d]++
		}
	}
	inParallel(1<<digit, func(d int) {
		start := 0
		if d > 0 {
			start = ends[d-1]
		}
		if start < ends[d] {
			r.flag(s[start:ends[d]], shift)
		}
	})
	return true
}
