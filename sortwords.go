package forkjoin

import (
	"math/bits"
	"unsafe"
)

// sortWords sorts s as unsigned or signed integers.
func sortWords[T uint8 | uint16 | uint32 | uint64](s []T, signed, buffered bool) {
	var e T
	width := 8 * int(unsafe.Sizeof(e))
	r := &radix[T]{workers: workersHere()}
	if signed {
		r.lo = 1 << (width - 1)
	}
	r.sortWords(s, r.narrow(s, width), buffered)
}

// sortWords sorts s, whose keys are below 1<<top.
func (r *radix[T]) sortWords(s []T, top int, buffered bool) {
	switch n := len(s); {
	case r.finish == nil && top <= 16 && n>>top >= 4 && n > fewWords:
		r.count(s, top)
	case n <= inCache:
		r.bucket(s, s, top)
	case r.countFew(s):
	case buffered:
		buffer, words := takeBuffer[T](&bufferPool, n)
		r.sort(s, buffer, true, top)
		bufferPool.Put(words)
	default:
		r.flag(s, top)
	}
}

// narrow makes r.lo the least key of s if that helps, and returns a top such that
// all keys are below 1<<top. Keys that are known to take up most of their range
// need not be looked at.
func (r *radix[T]) narrow(s []T, width int) int {
	const looks = 64
	if len(s) > inCache && width > 16 {
		for i := range looks {
			k := keyOf(&s[0], r.lo) ^ keyOf(&s[len(s)/looks*i], r.lo)
			if k>>(width-1) != 0 {
				return width
			}
		}
	}
	lo, hi := r.span(s)
	r.lo += lo
	return bits.Len64(hi - lo)
}

// A bounds is the least and the greatest key of some words.
type bounds struct{ lo, hi uint64 }

// span returns the least and the greatest key of s.
func (r *radix[T]) span(s []T) (lo, hi uint64) {
	if len(s) <= inCache {
		b := boundsOf(s, r.lo)
		return b.lo, b.hi
	}
	b := ParallelReduce(len(s), bounds{},
		func(lo, hi int) bounds { return boundsOf(s[lo:hi], r.lo) }, bounds.union)
	return b.lo, b.hi
}

func (b bounds) union(c bounds) bounds { return bounds{min(b.lo, c.lo), max(b.hi, c.hi)} }

func boundsOf[T word](s []T, base uint64) bounds {
	k := keyOf(&s[0], base)
	b := bounds{k, k}
	for i := range s {
		k := keyOf(&s[i], base)
		b.lo, b.hi = min(b.lo, k), max(b.hi, k)
	}
	return b
}

// count sorts words whose keys are below 1<<top by counting each key, and
// writing it as often.
func (r *radix[T]) count(s []T, top int) {
	n, keys := len(s), 1<<top
	blocks := max(1, min(r.blocks(n), n>>top/4))
	ends := make([]int, blocks*keys)
	inParallel(blocks, func(b int) {
		countDigits(s[cut(n, blocks, b):cut(n, blocks, b+1)], ends[b*keys:][:keys], r.lo, 0)
	})
	at := 0
	for k := range keys {
		for b := range blocks {
			at += ends[b*keys+k]
		}
		ends[k] = at // entries that were added up already
	}
	inParallel(blocks, func(b int) { writeRuns(s, cut(n, blocks, b), cut(n, blocks, b+1), ends[:keys], r.lo) })
}

// writeRuns writes the part [i, end) of the result: each key up to where ends says.
func writeRuns[T word](s []T, i, end int, ends []int, lo uint64) {
	k := firstAbove(ends, i)
	for i < end {
		stop := min(end, ends[k])
		fill(s[i:stop], uint64(k)+lo)
		i = stop
		k++
	}
}

// firstAbove returns the index of the first element of the ascending slice s
// that is greater than x.
func firstAbove(s []int, x int) int {
	lo, hi := 0, len(s)
	for lo < hi {
		if mid := int(uint(lo+hi) / 2); s[mid] <= x {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// fill makes all words the same.
func fill[T word](s []T, key uint64) {
	var e T
	p := unsafe.Pointer(&e)
	switch unsafe.Sizeof(e) {
	case 1:
		*(*uint8)(p) = uint8(key)
	case 2:
		*(*uint16)(p) = uint16(key)
	case 4:
		*(*uint32)(p) = uint32(key)
	default:
		*(*uint64)(p) = key
	}
	for i := range s {
		s[i] = e
	}
}

// workersHere returns how many workers the pool of the calling goroutine has. A
// recording on one worker is of what more could share.
func workersHere() int {
	switch w := current(); {
	case w == nil:
		return Default().size()
	case w.tape != nil:
		return max(2, w.pool.size(), Default().size())
	default:
		return w.pool.size()
	}
}
