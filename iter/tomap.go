package iter

import (
	"sync"

	"github.com/forkjoin-go/forkjoin"
)

// A filling is a Go map that is being filled with what hands have gathered in
// tables. One goroutine at a time can put something into a Go map, and with many
// keys that takes as long as gathering does. So all merge the tables, shard by
// shard, and whoever has merged one while nobody fills the map does that, until
// there is nothing more to put into it. The others merge on.
type filling[K comparable, V, W any] struct {
	add    func(to, from *entry[K, V])     // adds values with equal keys
	finish func(e *entry[K, V])            // is called for entries that have been merged; may be nil
	put    func(m map[K]W, e *entry[K, V]) // puts an entry into the map

	m map[K]W // of the goroutine that fills it

	mu    sync.Mutex // held for moments only
	busy  bool       // somebody fills the map
	ready []*shard[K, V]
}

// merge merges the tables, which are of no use then, and puts their entries into the
// map. If there is none yet, it makes one for as many keys as size says, which is asked
// for one of the shards.
func (f *filling[K, V, W]) merge(all []*table[K, V], size func(s *shard[K, V]) int) {
	most := 0
	for _, t := range all {
		most += t.entries()
	}
	if f.m == nil && most <= fewKeys {
		f.m = make(map[K]W, most)
	}
	if most == 0 {
		return
	}
	forkjoin.ParallelFor(shards, func(i int) {
		s := together(all, i, f.add)
		if s == nil {
			return
		}
		if f.finish != nil {
			for part := range s.parts {
				for i := range part {
					f.finish(&part[i])
				}
			}
		}
		f.fill(s, size)
	})
}

// fewKeys is how many need no estimate.
const fewKeys = 64 * shards

func settled[K comparable, V any](s *shard[K, V]) int { return s.n }

// together returns shard i of all tables, merged in one of them, or nil if it is
// empty.
func together[K comparable, V any](all []*table[K, V], i int, add func(to, from *entry[K, V])) *shard[K, V] {
	largest := 0
	for j, t := range all {
		if t[i].n > all[largest][i].n {
			largest = j
		}
	}
	s := &all[largest][i]
	s.settleAll(add)
	for j, t := range all {
		if j != largest {
			s.merge(&t[i], add)
			t[i] = shard[K, V]{}
		}
	}
	if s.n == 0 {
		return nil
	}
	return s
}

// fill has the entries of s put into the map, by this goroutine or by the one that
// is at it.
func (f *filling[K, V, W]) fill(s *shard[K, V], size func(s *shard[K, V]) int) {
	f.mu.Lock()
	f.ready = append(f.ready, s)
	if f.busy {
		f.mu.Unlock()
		return
	}
	f.busy = true
	for n := len(f.ready); n > 0; n = len(f.ready) {
		s := f.ready[n-1]
		f.ready = f.ready[:n-1]
		f.mu.Unlock()
		if f.m == nil {
			f.m = make(map[K]W, shards*size(s))
		}
		for part := range s.parts {
			for i := range part {
				f.put(f.m, &part[i])
			}
		}
		*s = shard[K, V]{} // no more needed
		f.mu.Lock()
	}
	f.busy = false
	f.mu.Unlock()
}
