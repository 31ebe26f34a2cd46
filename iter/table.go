package iter

import (
	"hash/maphash"

	"github.com/forkjoin-go/forkjoin"
)

// A table is what one hand gathers by key. It is cut into shards by the keys'
// hashes, the same for all hands, so that the tables of several hands are merged
// shard by shard, at once, each in memory that fits into a cache. One goroutine
// then puts everything into a Go map of the right size: that is the one part of
// the work that cannot be shared.
//
// Rejected: a Go map for each hand, the smaller ones being added to the largest.
// With a million different keys that takes as long as sharing the rest saves,
// half of it for growing.
type table[K comparable, V any] [shards]shard[K, V]

const (
	shardBits = 6
	shards    = 1 << shardBits
)

// A shard is a hash table with linear probing. Entries are in the order in which
// they came, so those of frequent keys, which mostly come early, lie together;
// and they are in chunks, since memory that is new, as it is when entries move to
// a larger place, takes longer than the rest. Positions in the index depend on the
// lower half of the hash, and the shard on the highest bits.
type shard[K comparable, V any] struct {
	index  []slot // a power of two of them, of which a quarter is free
	n      int    // of entries
	chunks [][]entry[K, V]
}

// chunkOf is how many entries there are in a chunk, but for the only one.
const chunkOf = 256

// A slot is where to find an entry. 32 bits are enough: with that many entries in
// each, all shards would have 2³⁸.
type slot struct {
	tag uint32 // the entry's
	at  uint32 // the entry's number, from 1 on; 0: none
}

type entry[K comparable, V any] struct {
	key   K
	value V
	tag   uint32 // the lower half of the key's hash
}

var seed = maphash.MakeSeed()

// at returns the entry of key, perhaps a new one with the zero value.
func (t *table[K, V]) at(key K) *entry[K, V] {
	hash := maphash.Comparable(seed, key)
	e, _ := t[hash>>(64-shardBits)].at(uint32(hash), key)
	return e
}

// at returns the entry of key, and whether it is new. It stays where it is until
// the next call.
func (s *shard[K, V]) at(tag uint32, key K) (e *entry[K, V], fresh bool) {
	if s.n == len(s.index)/4*3 {
		s.grow()
	}
	index := s.index
	for i := int(tag); ; i++ {
		slot := &index[i&(len(index)-1)]
		switch {
		case slot.at == 0:
			e = s.add()
			e.key, e.tag = key, tag
			slot.tag, slot.at = tag, uint32(s.n)
			return e, true
		case slot.tag == tag:
			n := slot.at - 1
			if e = &s.chunks[n/chunkOf][n%chunkOf]; e.key == key {
				return e, false
			}
		}
	}
}

// add returns a new entry.
func (s *shard[K, V]) add() *entry[K, V] {
	c, i := s.n/chunkOf, s.n%chunkOf
	if c == len(s.chunks) {
		size := chunkOf
		if c == 0 {
			size = 4
		}
		s.chunks = append(s.chunks, make([]entry[K, V], 0, size))
	}
	chunk := &s.chunks[c]
	if i == cap(*chunk) {
		larger := make([]entry[K, V], i, min(2*i, chunkOf))
		copy(larger, *chunk)
		*chunk = larger
	}
	*chunk = (*chunk)[:i+1]
	s.n++
	return &(*chunk)[i]
}

// grow makes an index twice as large.
func (s *shard[K, V]) grow() {
	index := make([]slot, max(8, 2*len(s.index)))
	for _, old := range s.index {
		if old.at > 0 {
			i := int(old.tag) & (len(index) - 1)
			for index[i].at != 0 {
				i = (i + 1) & (len(index) - 1)
			}
			index[i] = old
		}
	}
	s.index = index
}

// together puts the entries of all tables together, in one of them or in a new one.
// Values with equal keys are merged by add.
func together[K comparable, V any](all []*table[K, V], add func(to, from *entry[K, V])) *table[K, V] {
	switch len(all) {
	case 0:
		return new(table[K, V])
	case 1:
		return all[0]
	}
	to := all[0]
	forkjoin.ParallelFor(shards, func(i int) {
		largest := to
		for _, t := range all[1:] {
			if t[i].n > largest[i].n {
				largest = t
			}
		}
		sum := largest[i]
		for _, t := range all {
			if t != largest {
				sum.merge(&t[i], add)
			}
			t[i] = shard[K, V]{} // no more needed
		}
		to[i] = sum
	})
	return to
}

func (s *shard[K, V]) merge(from *shard[K, V], add func(to, from *entry[K, V])) {
	for f := range from.entries {
		if e, fresh := s.at(f.tag, f.key); fresh {
			e.value = f.value
		} else {
			add(e, f)
		}
	}
}

func (s *shard[K, V]) entries(yield func(e *entry[K, V]) bool) {
	for _, chunk := range s.chunks {
		for i := range chunk {
			if !yield(&chunk[i]) {
				return
			}
		}
	}
}

// toMap returns a map with value of each entry.
func toMap[K comparable, V, W any](t *table[K, V], value func(e *entry[K, V]) W) map[K]W {
	n := 0
	for i := range t {
		n += t[i].n
	}
	m := make(map[K]W, n)
	for i := range t {
		for e := range t[i].entries {
			m[e.key] = value(e)
		}
	}
	return m
}
