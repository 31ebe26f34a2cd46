package tour

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/forkjoin-go/forkjoin"
)

// counts tells how often each identifier occurs.
type counts map[string]int

// countIdents counts the identifiers of all texts into one map.
func countIdents(texts []string) counts {
	c := make(counts)
	for _, text := range texts {
		c.addText(text)
	}
	return c
}

// identParts is how many maps the parallel form makes, about. More of them
// balance better, since some folders hold the largest files; fewer leave less to
// merge, since frequent words are in every map.
const identParts = 256

// countIdentsParallel makes a map for each part of the files and merges the
// maps. The parts and the order of merging depend on the number of files alone,
// so the result is the same on any number of workers.
func countIdentsParallel(texts []string) counts {
	total := forkjoin.ParallelReduce(len(texts), nil,
		func(lo, hi int) counts { return countIdents(texts[lo:hi]) },
		mergeCounts,
		forkjoin.MaxLeaf(max(1, len(texts)/identParts)))
	if total == nil {
		total = make(counts)
	}
	return total
}

// mergeCounts adds the smaller map to the larger one and returns it. It may
// change its arguments, because every leaf makes a map of its own and the
// identity is nil.
func mergeCounts(a, b counts) counts {
	if len(a) < len(b) {
		a, b = b, a
	}
	for word, n := range b {
		a[word] += n
	}
	return a
}

func equalCounts(a, b counts) bool { return maps.Equal(a, b) }

func (c counts) addText(text string) {
	for word := range identifiers(text) {
		c[word]++
	}
}

// summary returns the number of all identifiers, and the n most frequent ones
// with their counts.
func (c counts) summary(n int) (total int, top []string) {
	words := slices.Collect(maps.Keys(c))
	slices.SortFunc(words, func(a, b string) int {
		return cmp.Or(cmp.Compare(c[b], c[a]), cmp.Compare(a, b))
	})
	for _, word := range words {
		total += c[word]
	}
	for _, word := range words[:min(n, len(words))] {
		top = append(top, fmt.Sprintf("%s (%s)", word, commas(c[word])))
	}
	return total, top
}

// Kinds of bytes in wordBytes.
const (
	letter = 1 + iota // begins an identifier
	digit             // goes on with one
	wide              // part of a rune that must be decoded
)

var wordBytes = func() (kinds [256]byte) {
	for b := range kinds {
		switch {
		case b >= utf8.RuneSelf:
			kinds[b] = wide
		case b == '_', b|0x20 >= 'a' && b|0x20 <= 'z':
			kinds[b] = letter
		case b >= '0' && b <= '9':
			kinds[b] = digit
		}
	}
	return kinds
}()

// identifiers yields the words of a text that have the form of a Go identifier:
// letters, digits and underscores, not beginning with a digit. Comments and
// strings are not told apart, so this works on any kind of text.
func identifiers(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := 0; i < len(text); {
			kind, size := wordKind(text, i)
			start := i
			for i += size; kind != 0 && i < len(text); i += size {
				var next byte
				if next, size = wordKind(text, i); next == 0 {
					break
				}
			}
			if kind == letter && !yield(text[start:i]) {
				return
			}
		}
	}
}

// wordKind classifies the rune at text[i] as letter, digit or 0, and returns
// its length.
func wordKind(text string, i int) (kind byte, size int) {
	if kind = wordBytes[text[i]]; kind != wide {
		return kind, 1
	}
	r, size := utf8.DecodeRuneInString(text[i:])
	switch {
	case unicode.IsLetter(r):
		return letter, size
	case unicode.IsDigit(r):
		return digit, size
	}
	return 0, size
}
