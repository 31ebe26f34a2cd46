package forkjoin

import (
	"cmp"
	"encoding/binary"
	"math/bits"
	"slices"
	"strings"
)

// Strings are sorted by pairs of a key and the index of the string. A key is
// seven bytes of the string and, in its lowest byte, how many of them there are, so
// that a string comes before a longer one that begins with it; 8 stands for more
// than seven. The radix sort sorts by keys. Among equal ones that have more, the
// next seven bytes decide: by comparing the strings, if they are few, else by
// another radix sort.

const (
	keyBytes = 7
	hasMore  = keyBytes + 1

	fewStrings = 32 // that are compared with each other
	maxKeys    = 32 // radix sorts inside each other, before all others are compared
)

// stringKey returns the key of what is left of a string.
func stringKey(s string) uint64 {
	if len(s) > keyBytes {
		return uint64(s[0])<<56 | uint64(s[1])<<48 | uint64(s[2])<<40 | uint64(s[3])<<32 |
			uint64(s[4])<<24 | uint64(s[5])<<16 | uint64(s[6])<<8 | hasMore
	}
	var b [8]byte
	copy(b[:], s)
	return binary.BigEndian.Uint64(b[:]) | uint64(len(s))
}

// A stringSort sorts pairs by their strings.
type stringSort struct {
	strings []string
	workers int
}

// sort sorts pairs, whose strings agree in the first depth bytes and have more,
// stably. The keys need not be set. levels counts the sorts that this one is in.
func (t *stringSort) sort(pairs []pair, depth, levels int) {
	n := len(pairs)
	for {
		if n <= fewStrings && levels > 0 || levels >= maxKeys {
			t.compare(pairs, depth)
			return
		}
		lo, hi := t.setKeys(pairs, depth)
		if lo == hi {
			if lo&0xff != hasMore {
				return // all are the same
			}
			depth += keyBytes
			continue
		}
		r := &radix[pair]{lo: lo, workers: t.workers, finish: func(sorted []pair) { t.next(sorted, depth, levels) }}
		r.sortPairs(pairs, bits.Len64(hi-lo))
		return
	}
}

// setKeys sets the keys of pairs, and returns the least and the greatest one.
func (t *stringSort) setKeys(pairs []pair, depth int) (lo, hi uint64) {
	set := func(lo, hi int) bounds {
		b := bounds{^uint64(0), 0}
		for i := lo; i < hi; i++ {
			k := stringKey(t.strings[pairs[i].at][depth:])
			pairs[i].key = k
			b.lo, b.hi = min(b.lo, k), max(b.hi, k)
		}
		return b
	}
	b := bounds{}
	if len(pairs) <= fewPairs {
		b = set(0, len(pairs))
	} else {
		b = ParallelReduce(len(pairs), b, set, bounds.union)
	}
	return b.lo, b.hi
}

// next sorts those of the sorted pairs further that have the same key.
func (t *stringSort) next(pairs []pair, depth, levels int) {
	for i := 0; i < len(pairs); {
		k, j := pairs[i].key, i+1
		for j < len(pairs) && pairs[j].key == k {
			j++
		}
		if j-i > 1 && k&0xff == hasMore {
			t.sort(pairs[i:j], depth+keyBytes, levels+1)
		}
		i = j
	}
}

// compare sorts pairs by comparing the strings, all of which have depth bytes.
func (t *stringSort) compare(pairs []pair, depth int) {
	if len(pairs) > fewStrings {
		slices.SortFunc(pairs, func(a, b pair) int {
			return cmp.Or(strings.Compare(t.strings[a.at][depth:], t.strings[b.at][depth:]), cmp.Compare(a.at, b.at))
		})
		return
	}
	for i := 1; i < len(pairs); i++ {
		p := pairs[i]
		s, j := t.strings[p.at][depth:], i
		for ; j > 0 && s < t.strings[pairs[j-1].at][depth:]; j-- {
			pairs[j] = pairs[j-1]
		}
		pairs[j] = p
	}
}

// sortStrings sorts s.
func sortStrings(s []string) {
	pairs, words := takeBuffer[pair](&pairPool, len(s))
	number(pairs)
	t := &stringSort{strings: s, workers: workersHere()}
	t.sort(pairs, 0, 0)
	permute(s, pairs)
	pairPool.Put(words)
}
