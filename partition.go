package forkjoin

// Partition moves the elements of s for which first reports true to the front and
// returns how many they are. Both those and the others keep their order.
//
// It calls first once for each element, before it moves any, in no particular order.
//
// Cost: a call and two moves for each element; memory for a second slice and a
// byte for each element.
//
// If first panics, Partition panics with a [*PanicError] when no call runs any more,
// and s is unchanged. Goexit is as for [Join]. Partition panics if first is nil.
//
// What was done before Partition is synchronized before each call of first, and each
// of those before Partition returns.
func Partition[S ~[]E, E any](s S, first func(E) bool) int {
	if first == nil {
		badUse("Partition: first is nil")
	}
	m := markAll(len(s), func(i int) bool { return first(s[i]) })
	if m.total == 0 || m.total == len(s) {
		return m.total
	}
	buf := make([]E, len(s))
	m.each(func(b, lo, hi int) {
		i := m.before[b]
		j := m.total + lo - i
		for k, marked := range m.marked[lo:hi] {
			if marked {
				buf[i] = s[lo+k]
				i++
			} else {
				buf[j] = s[lo+k]
				j++
			}
		}
	})
	ParallelForRange(0, len(s), func(lo, hi int) { copy(s[lo:hi], buf[lo:hi]) })
	return m.total
}

// Marks tell the elements of a slice apart.
type marks struct {
	marked []bool
	before []int // what is marked before each block
	total  int
}

const markBlock = 4096

// markAll calls mark for each i in [0, n).
func markAll(n int, mark func(i int) bool) *marks {
	m := &marks{marked: make([]bool, n), before: make([]int, (n+markBlock-1)/markBlock)}
	m.each(func(b, lo, hi int) {
		count := 0
		for i := lo; i < hi; i++ {
			if mark(i) {
				m.marked[i] = true
				count++
			}
		}
		m.before[b] = count
	})
	for b, count := range m.before {
		m.before[b] = m.total
		m.total += count
	}
	return m
}

// each calls body for each block and its range, perhaps several at the same time.
func (m *marks) each(body func(b, lo, hi int)) {
	ParallelFor(len(m.before), func(b int) {
		body(b, b*markBlock, min((b+1)*markBlock, len(m.marked)))
	})
}
