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
