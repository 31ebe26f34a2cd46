package forkjoin

import (
	"math/bits"
	"unsafe"
)

// The radix sort.
//
//   - R1 Count how often each value of the highest digit occurs, in blocks of the
//     slice, which workers do at the same time.
//   - R2 Sums of the counts tell where each block's elements of each digit go, so
//     that all blocks can be moved to a buffer at the same time. Elements with a
//     digit in common now form a bucket.
//   - R3 Buckets are sorted independently, and end up in the slice: small ones in
//     cache (sortbucket.go), large ones by R1 and R2 with the next digit.
//
// Each step keeps the order of elements whose keys are equal.
//
// What limits R2 is memory: every eighth store of a word begins a cache line
// that is not in cache. 2,048 digits are few enough for the lines that are being
// filled to stay in a second-level cache, and so many that buckets of tens of
// millions of elements fit there.
//
// Rejected, as they gained nothing when measured: buffers of one line for each
// digit, written out when full, since the processor has as many stores under way
// without; huge pages; fewer bits for the first digit.

// A word is what the radix sort moves. Its key is an unsigned number: the word
// itself, or the first half of a pair.
type word interface {
	uint8 | uint16 | uint32 | uint64 | pair
}

// A pair is a key with the index of what it was made from.
type pair struct{ key, at uint64 }

// A radix is one sort.
type radix[T word] struct {
	lo      uint64      // the least key; all are taken relative to it
	workers int         // how many may take part
	finish  func(s []T) // called once for each part of the result, when it is sorted; or nil
}

const (
	wideDigit = 11      // bits
	inCache   = 1 << 14 // words that are sorted in one piece
	blockSize = 1 << 13 // least words of a block that is counted and moved by itself
)

// keyOf returns the key of *e relative to lo. The conditions are constant.
func keyOf[T word](e *T, lo uint64) uint64 {
	p := unsafe.Pointer(e)
	switch unsafe.Sizeof(*e) {
	case 1:
		return uint64(*(*uint8)(p) - uint8(lo))
	case 2:
		return uint64(*(*uint16)(p) - uint16(lo))
	case 4:
		return uint64(*(*uint32)(p) - uint32(lo))
	}
	return *(*uint64)(p) - lo
}

// sort sorts the words of from, whose keys are below 1<<top. The result is in
// from if home, else in other, which has the same length; the other one of the
// two is scratch.
func (r *radix[T]) sort(from, other []T, home bool, top int) {
	for len(from) > inCache && top > 0 {
		digit := min(top, max(6, min(wideDigit, bits.Len(uint(len(from)))-11)))
		if r.split(from, other, home, top-digit, digit) {
			return
		}
		// All have the same digit: skip those that are common to all.
		lo, hi := r.span(from)
		top = min(top-digit, bits.Len64(lo^hi))
	}
	if home {
		r.bucket(from, from, top)
	} else {
		r.bucket(from, other, top)
	}
}

// split sorts by R1 to R3 with the digit that begins at bit shift, or returns
// false if that is the same for all.
func (r *radix[T]) split(from, other []T, home bool, shift, digit int) bool {
	n, digits := len(from), 1<<digit
	blocks := r.blocks(n)
	next := make([]int, blocks*digits) // for each block, where the next word of a digit goes
	inParallel(blocks, func(b int) {
		countDigits(from[cut(n, blocks, b):cut(n, blocks, b+1)], next[b*digits:][:digits], r.lo, uint(shift))
	})
	ends := make([]int, digits)
	at := 0
	for d := range digits {
		start := at
		for b := range blocks {
			c := &next[b*digits+d]
			*c, at = at, at+*c
		}
		if at-start == n {
			return false
		}
		ends[d] = at
	}
	inParallel(blocks, func(b int) {
		moveByDigit(from[cut(n, blocks, b):cut(n, blocks, b+1)], other, next[b*digits:][:digits], r.lo, uint(shift))
	})
	inParallel(digits, func(d int) {
		start, end := 0, ends[d]
		if d > 0 {
			start = ends[d-1]
		}
		if start < end {
			r.sort(other[start:end:end], from[start:end:end], !home, shift)
		}
	})
	return true
}

// blocks returns into how many parts to cut n words, to count and move them.
func (r *radix[T]) blocks(n int) int {
	if r.workers == 1 {
		return 1
	}
	return max(1, min(4*r.workers, n/blockSize))
}

// inParallel calls f for each i in [0, n), perhaps several at the same time.
func inParallel(n int, f func(i int)) {
	if n == 1 {
		f(0)
		return
	}
	parallelLoop(0, n, eachBody(f), f, newLimits(1, 0))
}

// countDigits adds to counts how often each digit occurs. There are a power of
// two of them.
func countDigits[T word](s []T, counts []int, lo uint64, shift uint) {
	mask := uint64(len(counts) - 1)
	for i := range s {
		counts[keyOf(&s[i], lo)>>(shift&63)&mask]++
	}
}

// moveByDigit moves each word of s to where next says for its digit.
func moveByDigit[T word](s, to []T, next []int, lo uint64, shift uint) {
	mask := uint64(len(next) - 1)
	for i := range s {
		c := &next[keyOf(&s[i], lo)>>(shift&63)&mask]
		to[*c] = s[i]
		*c++
	}
}
