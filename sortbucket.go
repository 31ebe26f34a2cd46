package forkjoin

import "math/bits"

const (
	byteDigits = 256
	maxPasses  = 4
	fewWords   = 24 // that are inserted one by one
)

// bucket sorts the words of from, whose keys are below 1<<top, into to, which
// is either the same slice or another one of the same length.
//
// It sorts by as many bits below top as are expected to tell the words apart,
// from the lowest of them to the highest, a byte at a time, and then inserts each
// word that is still out of order. Should that take many moves, it sorts by all
// bits.
func (r *radix[T]) bucket(from, to []T, top int) {
	n := len(from)
	if n <= fewWords || top == 0 {
		copy(to, from)
		if top > 0 {
			insertAll(to, r.lo)
		}
	} else {
		scratch, words := takeBuffer[T](&scratchPool, n)
		depth := min(8*maxPasses, (bits.Len(uint(n))+9)&^7, top)
		r.passes(from, to, scratch, top-depth, top)
		if depth < top && !insertFew(to, r.lo) {
			for low := 0; low < top; low += 8 * maxPasses {
				r.passes(to, to, scratch, low, min(top, low+8*maxPasses))
			}
		}
		scratchPool.Put(words)
	}
	if r.finish != nil {
		r.finish(to)
	}
}

// passes sorts from into to by the bits [low, top) of the keys, a byte at a
// time, at most 8*maxPasses of them.
func (r *radix[T]) passes(from, to, scratch []T, low, top int) {
	var counts [maxPasses][byteDigits]uint32
	passes := (top - low + 7) / 8
	countBytes(from, &counts, passes, r.lo, uint(low))
	first := keyOf(&from[0], r.lo)
	in := from // where the words are now
	for p := range passes {
		shift := uint(low + 8*p)
		c := &counts[p]
		if int(c[uint8(first>>shift)]) == len(from) {
			continue // all have the same
		}
		out := scratch
		if &in[0] == &scratch[0] {
			out = to
		}
		at := uint32(0)
		for d := range c {
			c[d], at = at, at+c[d]
		}
		moveByByte(in, out, c, r.lo, shift)
		in = out
	}
	if &in[0] != &to[0] {
		copy(to, in)
	}
}

// countBytes counts how often each value occurs of each of several bytes of the
// keys, from the lowest one on, which begins at bit low.
func countBytes[T word](s []T, c *[maxPasses][byteDigits]uint32, bytes int, lo uint64, low uint) {
	switch bytes {
	case 1:
		for i := range s {
			c[0][uint8(keyOf(&s[i], lo)>>(low&63))]++
		}
	case 2:
		for i := range s {
			k := keyOf(&s[i], lo) >> (low & 63)
			c[0][uint8(k)]++
			c[1][uint8(k>>8)]++
		}
	case 3:
		for i := range s {
			k := keyOf(&s[i], lo) >> (low & 63)
			c[0][uint8(k)]++
			c[1][uint8(k>>8)]++
			c[2][uint8(k>>16)]++
		}
	default:
		for i := range s {
			k := keyOf(&s[i], lo) >> (low & 63)
			c[0][uint8(k)]++
			c[1][uint8(k>>8)]++
			c[2][uint8(k>>16)]++
			c[3][uint8(k>>24)]++
		}
	}
}

// moveByByte moves each word of s to where next says for its byte at shift.
func moveByByte[T word](s, to []T, next *[byteDigits]uint32, lo uint64, shift uint) {
	for i := range s {
		c := &next[uint8(keyOf(&s[i], lo)>>(shift&63))]
		to[*c] = s[i]
		*c++
	}
}

// insertAll is insertion sort.
func insertAll[T word](s []T, lo uint64) {
	for i := 1; i < len(s); i++ {
		insert(s, i, lo)
	}
}

// insertFew is insertion sort that gives up, and returns false, when words are
// on average far from where they belong.
func insertFew[T word](s []T, lo uint64) bool {
	budget := 8 * len(s)
	for i := 1; i < len(s); i++ {
		if keyOf(&s[i], lo) >= keyOf(&s[i-1], lo) {
			continue
		}
		if budget -= insert(s, i, lo); budget < 0 {
			return false
		}
	}
	return true
}

// insert moves s[i] down to where it belongs in s[:i], and returns how far.
func insert[T word](s []T, i int, lo uint64) int {
	e, k, j := s[i], keyOf(&s[i], lo), i
	for ; j > 0 && keyOf(&s[j-1], lo) > k; j-- {
		s[j] = s[j-1]
	}
	s[j] = e
	return i - j
}
