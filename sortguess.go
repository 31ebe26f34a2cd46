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
//     them, and the index. The words are sorted by radix. If many neighbours have the
//     same key, a sample of those is asked for further fields, and this is done again.
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
// A field that seems to be the key and is not costs the time until G3 meets an element
// that shows it, at worst the whole sort by the guess, a fourth of the one without.

const (
	guessFrom     = 2048 // elements that a guess is made for
	guessSample   = 64   // elements of a sample
	guessFields   = 4    // that make a key
	guessEvidence = 8    // of a sample that all fields but the first must tell apart
	guessInside   = 3    // guesses inside each other, for many elements with the same key
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
	g := guess[E]{cmp: cmp, stable: stable, sample: make([]E, guessSample)}
	g.spread(s)
	apart := g.left()
	key := g.choose(all, nil)
	if len(key) == 0 || g.left() > apart/2 {
		return false
	}
	t := &settling[E]{s: s, bits: uint(bits.Len(uint(len(s) - 1))), cmp: cmp, stable: stable, level: level}
	words, memory := takeBuffer[uint64](&pairPool, len(s))
	t.words = words
	if top := t.sortWords(key); top < 64 && g.twins(t) {
		if more := g.choose(all, key); len(more) > len(key) {
			t.sortWords(more)
		}
	}
	buf, elements := takeElements[E](len(s))
	t.buf = buf
	t.gather()
	t.words = nil
	pairPool.Put(memory)
	right := !t.wrong.Load() && t.settleBig()
	if right {
		ParallelForRange(0, len(s), func(lo, hi int) { copy(s[lo:hi], t.buf[lo:hi]) })
	}
	giveElements(elements)
	return right
}

// A guess is made from a sample.
type guess[E any] struct {
	cmp    func(a, b E) int
	stable bool
	sample []E
	after  [guessSample]relation // of each of the sample to the one before
}

// A relation is what is known of an element and the one before.
type relation uint8

const (
	same  relation = iota // the comparator says that they are equal
	more                  // it says that this one is greater
	apart                 // nothing; or a field that was chosen tells them apart
)

// spread takes a sample from all of s, and sorts it.
func (g *guess[E]) spread(s []E) {
	places := newPlaces(len(s), guessSample)
	for i := range g.sample {
		g.sample[i] = s[places.next()]
	}
	m := mergeSorter[E]{s: g.sample, buf: make([]E, guessSample), cmp: g.cmp, from: math.MaxInt}
	m.sortAlone(0, guessSample, false)
	g.after[0] = apart
	for i := 1; i < guessSample; i++ {
		g.relate(i)
	}
}

// twins takes a sample of pairs of neighbours that have the same key, and reports
// whether there are many.
func (g *guess[E]) twins(t *settling[E]) bool {
	places, found := newPlaces(len(t.words)-1, guessSample), 0
	for i := 0; i < guessSample && found < guessSample; i++ {
		if at := places.next(); t.keyAt(at) == t.keyAt(at+1) {
			g.sample[found], g.sample[found+1] = t.elementAt(at), t.elementAt(at+1)
			found += 2
		}
	}
	if found < guessSample/2 {
		return false
	}
	for i := range guessSample {
		g.after[i] = apart
		if i%2 == 1 && i < found {
			insertionSort(g.sample[i-1:i+1], g.cmp)
			g.relate(i)
		}
	}
	return true
}

// relate asks the comparator how i is to the one before.
func (g *guess[E]) relate(i int) {
	g.after[i] = same
	if g.cmp(g.sample[i-1], g.sample[i]) != 0 {
		g.after[i] = more
	}
}

// choose appends fields to key that tell the sample apart.
func (g *guess[E]) choose(all, key []field) []field {
	key = key[:len(key):len(key)]
	for len(key) < guessFields && g.left() > 0 {
		best, most := field{}, 0
		for _, f := range all {
			if told := g.fit(&f); told > most {
				best, most = f, told
			}
		}
		if most == 0 || most < guessEvidence && len(key) > 0 {
			break
		}
		for i := 1; i < guessSample; i++ {
			if g.code(&best, i-1) != g.code(&best, i) {
				g.after[i] = apart
			}
		}
		key = append(key, best)
	}
	return key
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
