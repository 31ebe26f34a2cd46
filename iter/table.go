package iter

import "hash/maphash"

// A table is what one hand gathers by key. It is cut into shards by the keys'
// hashes, the same for all hands, so that the tables of several hands are merged
// shard by shard, at once, each in memory that fits into a cache; see filling.
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
//
// Entries may also be put down loose, behind the others and without a look at the
// index. They are settled later, many at a time, while the shard is in the cache.
type shard[K comparable, V any] struct {
	index  []slot // a power of two of them, of which a quarter is free
	n      int    // of settled entries, whose keys differ
	loose  int    // of entries behind those
	chunks [][]entry[K, V]
}

const (
	chunkOf   = 256 // entries in a chunk, but for the only one
	looseMost = 512 // entries that wait to be settled
)

// A slot is where to find an entry. 32 bits are enough: with that many entries in
// each, all shards would have 2³⁸.
type slot struct {
	tag uint32 // the lower half of the key's hash
	at  uint32 // the entry's number, from 1 on; 0: none
}

type entry[K comparable, V any] struct {
	key   K
	value V
	hash  uint64 // of the key
}

var seed = maphash.MakeSeed()

// shardOf returns the number of the shard for keys with that hash.
func shardOf(hash uint64) int { return int(hash >> (64 - shardBits)) }

// at returns the entry of key, perhaps a new one with the zero value. It stays
// where it is until the next call. No entry may be loose.
func (t *table[K, V]) at(key K) *entry[K, V] {
	hash := maphash.Comparable(seed, key)
	s := &t[shardOf(hash)]
	slot, e := s.find(hash, key)
	if e == nil {
		e = s.room()
		*e = entry[K, V]{key: key, hash: hash}
		s.settle(slot, hash)
	}
	return e
}

// find returns the settled entry of key or, if there is none, the slot for it.
func (s *shard[K, V]) find(hash uint64, key K) (*slot, *entry[K, V]) {
	if s.n == len(s.index)/4*3 {
		s.grow()
	}
	index, tag := s.index, uint32(hash)
	for i := int(tag); ; i++ {
		slot := &index[i&(len(index)-1)]
		switch {
		case slot.at == 0:
			return slot, nil
		case slot.tag == tag:
			if e := s.entry(int(slot.at - 1)); e.key == key {
				return nil, e
			}
		}
	}
}

// settle notes in the slot that find has returned that the first entry behind
// those that are settled is so, too.
func (s *shard[K, V]) settle(at *slot, hash uint64) {
	s.n++
	*at = slot{uint32(hash), uint32(s.n)}
}

func (s *shard[K, V]) entry(i int) *entry[K, V] { return &s.chunks[i/chunkOf][i%chunkOf] }

// room returns the place for an entry behind all others.
func (s *shard[K, V]) room() *entry[K, V] {
	end := s.n + s.loose
	c, i := end/chunkOf, end%chunkOf
	if c == len(s.chunks) {
		size := chunkOf
		if c == 0 {
			size = 4
		}
		s.chunks = append(s.chunks, make([]entry[K, V], size))
	}
	chunk := &s.chunks[c]
	if i == len(*chunk) {
		larger := make([]entry[K, V], min(2*i, chunkOf))
		copy(larger, *chunk)
		*chunk = larger
	}
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

// put puts e down loose. When there are looseMost of those, they are settled, with
// add adding values with equal keys.
func (s *shard[K, V]) put(e *entry[K, V], add func(to, from *entry[K, V])) {
	if s.loose == looseMost {
		s.settleAll(add)
	}
	*s.room() = *e
	s.loose++
}

// settleAll settles all loose entries.
func (s *shard[K, V]) settleAll(add func(to, from *entry[K, V])) {
	end := s.n + s.loose
	s.loose = 0
	for i := s.n; i < end; i++ {
		from := s.entry(i)
		slot, e := s.find(from.hash, from.key)
		if e != nil {
			add(e, from)
			continue
		}
		if i != s.n {
			*s.entry(s.n) = *from
		}
		s.settle(slot, from.hash)
	}
}

// merge adds the entries of another shard.
func (s *shard[K, V]) merge(from *shard[K, V], add func(to, from *entry[K, V])) {
	s.settleAll(add)
	for part := range from.parts {
		for i := range part {
			f := &part[i]
			slot, e := s.find(f.hash, f.key)
			if e != nil {
				add(e, f)
				continue
			}
			*s.room() = *f
			s.settle(slot, f.hash)
		}
	}
}

// parts yields all entries, some at a time.
func (s *shard[K, V]) parts(yield func(part []entry[K, V]) bool) {
	left := s.n + s.loose
	for _, chunk := range s.chunks {
		if left == 0 || !yield(chunk[:min(left, len(chunk))]) {
			return
		}
		left -= min(left, len(chunk))
	}
}

// entries returns how many there are in t, settled or loose.
func (t *table[K, V]) entries() int {
	n := 0
	for i := range t {
		n += t[i].n + t[i].loose
	}
	return n
}

// settle settles all loose entries of t.
func (t *table[K, V]) settle(add func(to, from *entry[K, V])) {
	for i := range t {
		t[i].settleAll(add)
	}
}
