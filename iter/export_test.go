package iter

// A Reading is a plan of a sequence, opened to tests.
type Reading[T any] struct {
	N     int
	Exact bool
	Fed   bool
	Batch int
	Site  uintptr // tells pipelines apart
	p     plan[T]
}

// Read prepares a consumption of s.
func Read[T any](s Seq[T]) Reading[T] {
	p := s.plan(begin(s.set))
	return Reading[T]{p.n, p.exact, p.feed != nil, p.batch, p.site, p}
}

// Part returns the elements at positions [lo, hi), read by a reader of their own,
// step positions at a time.
func (r Reading[T]) Part(lo, hi, step int, dst []T) []T {
	read := r.p.open(new(window))
	var all []T
	for lo < hi {
		m := min(lo+step, hi)
		all = append(all, read(lo, m, dst)...)
		lo = m
	}
	return all
}

// RuneStart is runeStart.
var RuneStart = runeStart

// CountParts counts parts as CountBy does, each by all hands, which take the elements
// of a part in turn, step at a time, and returns how often something was put into the
// map early.
func CountParts[K comparable](parts [][]K, hands, step int) (counted map[K]int, early int) {
	itself := func(key K) K { return key }
	m := filling[K, int, int]{add: addCount[K], put: func(m map[K]int, e *entry[K, int]) { m[e.key] += e.value }}
	all := make([]*counts[K], hands)
	for i := range all {
		all[i] = new(counts[K])
	}
	for _, part := range parts {
		for turn := 0; len(part) > 0; turn++ {
			n := min(step, len(part))
			addAll(all[turn%hands], part[:n], itself)
			part = part[n:]
		}
		if full := moved(all); full != nil {
			early++
			m.merge(full, expected)
		}
	}
	if !putFew(&m, all) {
		m.merge(flushed(all), settled)
	}
	return m.m, early
}
