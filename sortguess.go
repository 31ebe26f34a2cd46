package forkjoin

import (
	"math"
	"math/bits"
	"reflect"
	"unsafe"
)

// Most comparators compare fields. Which ones can be guessed and, what matters, the
// guess can be checked by the comparator itself, so that it is right for all others,
// too:
//
//   - G1 A sample is sorted by the comparator. A field is fit to be the key if along the
//     sorted sample it never goes against the order, up or down. Of those the one that
//     tells most apart is taken, and then, where it leaves elements equal that are not,
//     further ones.
//   - G2 For each element a word is made of the codes of the fields, the highest bits of
//     them, and the index. The words are sorted by radix.
//   - G3 The elements are copied in that order to a buffer. Those with the same key are
//     sorted by the comparator. Between the last of a key and the first of the next one
//     it must say that they are in order (sortsettle.go).
//   - G4 If it does so everywhere, the buffer is sorted, whatever the key is, and goes
//     back. If not, nothing has happened to the slice, and it is sorted without.
//
// So a sort takes one call of the comparator for each element. Comparators that go
// by something else, such as a length or what is behind a pointer, are found out at
// G1, with some 450 calls.
//
// The order of a stable sort: equal elements must have equal keys, which G3 sees to by
// demanding that elements with different keys differ. Those with the same key are in
// their order, as the index is the lowest part of a word, and are sorted stably.
//
// Rejected: to move the elements along cycles in place of by a buffer, as each move has
// to wait for the one before.

const (
	guessFrom    = 2048 // elements that a guess is made for
	guessSample  = 64   // elements of the sample
	guessFields  = 4    // that make a key
	guessInside  = 3    // guesses inside each other, for many elements with the same key
	guessPresent = 2    // a guess must tell apart one in so many of the sample
)

// sortByGuess sorts s if a guess of what cmp compares is right, and reports whether it
// was. It is done for a part of s with the same key as well: level counts those that
// this one is in.
func sortByGuess[E any](s []E, cmp func(a, b E) int, stable bool, level int) bool {
	if len(s) < guessFrom || level > guessInside {
		return false
	}
	all := fieldsOf(reflect.TypeFor[E]())
	if len(all) == 0 {
		return false
	}
	g := newGuess(s, cmp, stable)
	chosen := g.choose(all)
	if chosen == nil {
		return false
	}
	t := &settling[E]{s: s, cmp: cmp, stable: stable, level: level}
	words, memory := takeBuffer[uint64](&pairPool, len(s))
	t.words, t.bits = words, uint(bits.Len(uint(len(s)-1)))
	top := setWords(s, t.words, chosen, t.bits)
	r := &radix[uint64]{workers: workersHere()}
	r.sortPairs(t.words, top)
	t.gather()
	t.words = nil
	pairPool.Put(memory)
	if t.wrong.Load() || !t.settleBig() {
		return false
	}
	ParallelForRange(0, len(s), func(lo, hi int) { copy(s[lo:hi], t.buf[lo:hi]) })
	return true
}

// A guess is what a sorted sample tells.
type guess[E any] struct {
	sample []E
	after  []relation // of each to the one before
	stable bool
}

// A relation is what a comparator says of an element and the one before, and, when
// some fields have been chosen, what those say.
type relation uint8

const (
	same  relation = iota // the comparator says that they are equal
	more                  // it says that this one is greater
	apart                 // a field that was chosen tells them apart
)

func newGuess[E any](s []E, cmp func(a, b E) int, stable bool) *guess[E] {
	g := &guess[E]{sample: make([]E, guessSample), after: make([]relation, guessSample), stable: stable}
	places := newPlaces(len(s), guessSample)
	for i := range g.sample {
		g.sample[i] = s[places.next()]
	}
	m := mergeSorter[E]{s: g.sample, buf: make([]E, guessSample), cmp: cmp, from: math.MaxInt}
	m.sortAlone(0, guessSample, false)
	g.after[0] = apart
	for i := 1; i < guessSample; i++ {
		if cmp(g.sample[i-1], g.sample[i]) != 0 {
			g.after[i] = more
		}
	}
	return g
}

// choose returns the fields that make the key, or nil if there are none or they leave
// too much to the comparator.
func (g *guess[E]) choose(all []field) []field {
	left := g.left()
	enough := left - (left+guessPresent-1)/guessPresent
	var chosen []field
	for left > 0 && len(chosen) < guessFields {
		best, most := field{}, 0
		for _, f := range all {
			if told := g.fit(&f); told > most {
				best, most = f, told
			}
		}
		if most == 0 {
			break
		}
		for i := 1; i < guessSample; i++ {
			if g.code(&best, i-1) != g.code(&best, i) {
				g.after[i] = apart
			}
		}
		chosen, left = append(chosen, best), g.left()
	}
	if left > enough {
		return nil
	}
	return chosen
}

// left returns how many of the sample are greater than the one before by the
// comparator, but not by a field.
func (g *guess[E]) left() int {
	n := 0
	for _, r := range g.after {
		n += oneIf(r == more)
	}
	return n
}

func (g *guess[E]) code(f *field, i int) uint64 { return f.code(unsafe.Pointer(&g.sample[i])) }

// fit returns how many that are left f tells apart, or 0 if it goes against the order
// in either direction. It completes f.
func (g *guess[E]) fit(f *field) int {
	if f.kind == reflect.String {
		f.prefix = g.prefix(f)
	}
	for range 2 {
		if told := g.ascends(f); told > 0 {
			return told
		}
		f.down = true
	}
	return 0
}

// ascends is fit for one direction. Between elements that are apart all starts anew.
func (g *guess[E]) ascends(f *field) (told int) {
	var before uint64 // code of the one before
	var least uint64  // greatest code of those that are less
	var here uint64   // greatest code of those that are equal
	for i, r := range g.after {
		c := g.code(f, i)
		switch r {
		case apart:
			least, here = 0, c
		case more:
			least, here = max(least, here), c
			told += oneIf(c != before)
		case same:
			if g.stable && c != before {
				return 0
			}
			here = max(here, c)
		}
		if c < least {
			return 0
		}
		before = c
	}
	return told
}

// prefix returns what f of all of the sample has in common.
func (g *guess[E]) prefix(f *field) string {
	at := func(i int) string { return *(*string)(unsafe.Add(unsafe.Pointer(&g.sample[i]), f.offset)) }
	common := at(0)
	for i := 1; i < guessSample && common != ""; i++ {
		s, n := at(i), 0
		for n < min(len(s), len(common)) && s[n] == common[n] {
			n++
		}
		common = common[:n]
	}
	return common
}

// setWords gives each element a word of the fields of its key, with the index in so
// many low bits, and returns a top such that all words are below 1<<top.
func setWords[E any](s []E, words []uint64, key []field, low uint) (top int) {
	spans := spansOf(s, words, key)
	type shifts struct{ right, left uint } // of a code less the least one
	var shift [guessFields]shifts
	free := 64 - int(low)
	for k, b := range spans[:len(key)] {
		width := bits.Len64(b.hi - b.lo)
		used := min(width, free)
		free -= used
		shift[k] = shifts{right: uint(width - used), left: low + uint(free)}
	}
	// What is free is above the first field: move all down.
	for k := range key {
		shift[k].left -= uint(free)
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
	return 64 - free
}

// spansOf sets words to the codes of the first field, and returns the least and the
// greatest code of each field.
func spansOf[E any](s []E, words []uint64, key []field) [guessFields]bounds {
	return ParallelReduce(len(s), [guessFields]bounds{},
		func(lo, hi int) (spans [guessFields]bounds) {
			for k := range key {
				b := bounds{^uint64(0), 0}
				for i := lo; i < hi; i++ {
					c := key[k].code(unsafe.Pointer(&s[i]))
					b.lo, b.hi = min(b.lo, c), max(b.hi, c)
					if k == 0 {
						words[i] = c
					}
				}
				spans[k] = b
			}
			return spans
		},
		func(a, b [guessFields]bounds) [guessFields]bounds {
			for k := range a {
				a[k] = a[k].union(b[k])
			}
			return a
		})
}
