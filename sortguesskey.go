package forkjoin

import (
	"math/bits"
	"unsafe"
)

// sortWords gives each element a word of the fields of its key, as many of their highest
// bits as there is room for above the index, and sorts the words. All are below 1<<top.
func (t *settling[E]) sortWords(key []field) (top int) {
	s, words := t.s, t.words
	spans := spansOf(s, words, key)
	var shift [guessFields]struct{ right, left uint } // of a code less the least one
	free := 64 - t.bits
	for k, x := range spans[:len(key)] {
		width := uint(bits.Len64(x.hi - x.lo))
		useless := min(width, uint(bits.TrailingZeros64(x.varying)))
		used := min(width-useless, free)
		free -= used
		shift[k].right, shift[k].left = width-used, t.bits+free
	}
	for k := range key { // no bits above the first field
		shift[k].left -= free
	}
	ParallelForRange(0, len(s), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			words[i] = (words[i]-spans[0].lo)>>shift[0].right<<shift[0].left | uint64(i)
		}
		for k := 1; k < len(key); k++ {
			for i := lo; i < hi; i++ {
				c := key[k].code(unsafe.Pointer(&s[i])) - spans[k].lo
				words[i] |= c >> shift[k].right << shift[k].left
			}
		}
	})
	top = int(64 - free)
	r := &radix[uint64]{workers: workersHere()}
	r.sortPairs(words, top)
	return top
}

// A codeSpan is the least and the greatest one of some codes, and the bits that are not
// the same in all.
type codeSpan struct {
	bounds
	varying uint64
}

// spansOf sets words to the codes of the first field, and returns the span of each
// field.
func spansOf[E any](s []E, words []uint64, key []field) [guessFields]codeSpan {
	return ParallelReduce(len(s), [guessFields]codeSpan{},
		func(lo, hi int) (spans [guessFields]codeSpan) {
			for k := range key {
				first := key[k].code(unsafe.Pointer(&s[0]))
				x := codeSpan{bounds: bounds{first, first}}
				for i := lo; i < hi; i++ {
					c := key[k].code(unsafe.Pointer(&s[i]))
					x.lo, x.hi, x.varying = min(x.lo, c), max(x.hi, c), x.varying|c^first
					if k == 0 {
						words[i] = c
					}
				}
				spans[k] = x
			}
			return spans
		},
		func(a, b [guessFields]codeSpan) [guessFields]codeSpan {
			for k := range a {
				a[k] = codeSpan{a[k].union(b[k].bounds), a[k].varying | b[k].varying}
			}
			return a
		})
}
