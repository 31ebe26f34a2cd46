package iter

import (
	"hash/maphash"
	"unsafe"

	"github.com/forkjoin-go/forkjoin"
)

// CountBy returns how many elements there are for each key: a histogram. It
// panics if key is nil.
//
// Each goroutine that takes part counts in a table of its own. These are added up by
// all of them, while one puts the sums into the map; if there are many, it begins
// with those of the first half while the second one is read. Of keys that are equal
// and yet differ, as 0 and -0 do, any may be the map's.
func CountBy[T any, K comparable](s Seq[T], key func(T) K) map[K]int {
	need("CountBy", "key", key == nil)
	return consume(s, key, func(c *call, p *plan[T]) map[K]int {
		count := func(h *hand[T, counts[K]], lo, hi int) {
			h.each(c, lo, hi, func(_ int, batch []T) bool {
				addAll(&h.acc, batch, key)
				return true
			})
		}
		m := filling[K, int, int]{
			add: addCount[K],
			put: func(m map[K]int, e *entry[K, int]) { m[e.key] += e.value },
		}
		w := newCrew[T, counts[K]](c, p)
		countAll(w, &m, count)
		if all := accs(w.all); !putFew(&m, all) {
			m.merge(flushed(all), settled)
		}
		return m.m
	})
}

// countAll counts in parts: half of the positions, then half of the rest, and so on.
// While a part is read, one goroutine puts into the map what was counted in the part
// before, if that is much, so that little of it is left when all is read.
func countAll[T any, K comparable](w *crew[T, counts[K]], m *filling[K, int, int], count func(h *hand[T, counts[K]], lo, hi int)) {
	var full []*table[K, int]
	meanwhile := func(read func()) {
		if full == nil {
			read()
		} else {
			forkjoin.Join(func() { m.merge(full, expected) }, read)
		}
	}
	at, n := 0, w.p.n
	for w.p.feed == nil && n-at >= max(partLeast, n/8) {
		end := at + (n-at)/2
		meanwhile(func() { w.sweep(at, end, count) })
		at = end
		if full = moved(accs(w.all)); full == nil {
			break
		}
	}
	meanwhile(func() { w.sweepFrom(at, count) })
}

const (
	partLeast  = 4096    // positions that are worth being read in parts
	movedLeast = 1 << 14 // entries that are worth being put into the map early
)

// counts are what one hand has counted. Most elements have a key that another had
// a short time before. Those are counted in a small table, which stays in the cache
// and has one entry for each remainder of the hash. An entry that has to make room
// there for another key goes to the large table.
type counts[K comparable] struct {
	recent  []entry[K, int] // a power of two; those with value 0 are free
	evicted int             // since there are as many
	tried   int             // elements looked for there; below 0: that are not to be
	missed  int             // of those, how many have had another entry make room
	table   table[K, int]
}

const (
	recentLeast = 64
	recentBytes = 1 << 18 // a part of a level-2 cache

	trial   = 1 << 13 // elements that show whether it is worth looking there
	untried = 1 << 17 // elements that are counted in the large table if it is not
)

// addAll counts some elements.
func addAll[T any, K comparable](c *counts[K], batch []T, key func(T) K) {
	c.tried += len(batch)
	if c.tried < len(batch) {
		for i := range batch {
			c.table.at(key(batch[i])).value++
		}
		return
	}
	for i := range batch {
		c.add(key(batch[i]))
	}
	if c.tried < trial {
		return
	}
	if c.missed > c.tried/2 {
		c.tried = -untried
		c.table.settle(addCount)
	} else {
		c.tried = 0
	}
	c.missed = 0
}

// add counts an element with that key.
func (c *counts[K]) add(key K) {
	hash := maphash.Comparable(seed, key)
	if i := int(hash) & (len(c.recent) - 1); i >= 0 && i < len(c.recent) {
		if e := &c.recent[i]; e.hash == hash && e.key == key {
			e.value++
			return
		}
	}
	c.replace(hash, key)
}

// replace makes an entry for a key that is not among the recent ones.
func (c *counts[K]) replace(hash uint64, key K) {
	if c.recent == nil || c.evicted == len(c.recent) && len(c.recent)*int(unsafe.Sizeof(c.recent[0])) <= recentBytes/2 {
		c.grow()
	}
	e := &c.recent[int(hash)&(len(c.recent)-1)]
	if e.value > 0 {
		c.evicted++
		c.missed++
		c.table[shardOf(e.hash)].put(e, addCount)
	}
	*e = entry[K, int]{key, 1, hash}
}

// grow makes the table of recent keys twice as large.
func (c *counts[K]) grow() {
	recent := make([]entry[K, int], max(recentLeast, 2*len(c.recent)))
	for i := range c.recent {
		if e := &c.recent[i]; e.value > 0 {
			recent[int(e.hash)&(len(recent)-1)] = *e
		}
	}
	c.recent, c.evicted = recent, 0
	c.tried, c.missed = 0, 0
}

// moved returns the large tables, from which counting then begins anew, or nil if
// that is not worth it: with few keys, with such as come again and again, which would
// have to be put into the map again and again, or with one hand, which would have to
// do that, too.
func moved[K comparable](all []*counts[K]) []*table[K, int] {
	entries, some, more := 0, 0, 0
	for _, c := range all {
		entries += c.table.entries()
		sample := &c.table[0]
		sample.settleAll(addCount)
		some += sample.n
		more += expected(sample)
	}
	if len(all) < 2 || entries < movedLeast || more < some+some/4*3 {
		return nil
	}
	tables := make([]*table[K, int], len(all))
	for i, c := range all {
		t := c.table
		tables[i], c.table = &t, table[K, int]{}
	}
	return tables
}

// putFew puts everything into the map, if it is so little that one goroutine does
// that in no time.
func putFew[K comparable](m *filling[K, int, int], all []*counts[K]) bool {
	most := 0
	for _, c := range all {
		most += len(c.recent) + c.table.entries()
	}
	if m.m != nil || most > fewKeys {
		return false
	}
	m.m = make(map[K]int, min(most, recentLeast/2))
	for _, c := range all {
		for i := range c.recent {
			if e := &c.recent[i]; e.value > 0 {
				m.put(m.m, e)
			}
		}
		for i := range c.table {
			for part := range c.table[i].parts {
				for i := range part {
					m.put(m.m, &part[i])
				}
			}
		}
	}
	return true
}

// flushed returns the large tables, with all that has been counted.
func flushed[K comparable](all []*counts[K]) []*table[K, int] {
	tables := make([]*table[K, int], len(all))
	forkjoin.ParallelFor(len(all), func(i int) {
		c := all[i]
		for i := range c.recent {
			if e := &c.recent[i]; e.value > 0 {
				c.table[shardOf(e.hash)].put(e, addCount)
			}
		}
		c.recent = nil
		tables[i] = &c.table
	})
	return tables
}

func addCount[K comparable](to, from *entry[K, int]) { to.value += from.value }

// expected returns how many keys are to be expected in a shard when the rest has been
// counted, too: for each key that came once only two that have not come yet, but no
// more than there are.
func expected[K comparable](s *shard[K, int]) int {
	once := 0
	for part := range s.parts {
		for i := range part {
			if part[i].value == 1 {
				once++
			}
		}
	}
	return s.n + min(s.n, 2*once)
}
