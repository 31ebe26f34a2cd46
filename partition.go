package forkjoin

// Partition moves the elements of s for which first reports true to the front and
// returns how many they are. Both those and the others keep their order.
//
// It calls first once for each element, before it moves any, in no particular order.
//
// Cost: a call and two moves for each element, and memory for a second slice.
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
	if len(s) <= partitionAlone {
		n := 0
		buf := make([]E, len(s))
		guard(func() { n = takeApart(buf, s, first) })
		rejoin(s[:n], s[n:], buf)
		return n
	}
	// Each block goes to the same place in buf: the first ones from its beginning, the
	// others from its end, in reverse.
	buf := make([]E, len(s))
	size := min(max((len(s)-1)/64+1, partitionLeast), partitionMost)
	before := make([]int, (len(s)+size-1)/size) // how many of the first ones each block has, and then those before it
	block := func(b int) (lo, hi int) { return b * size, min((b+1)*size, len(s)) }
	ParallelFor(len(before), func(b int) {
		lo, hi := block(b)
		before[b] = takeApart(buf[lo:hi], s[lo:hi], first)
	})
	total := 0
	for b, n := range before {
		before[b] = total
		total += n
	}
	if total == 0 || total == len(s) {
		return total
	}
	move := func(b int) {
		lo, hi := block(b)
		end := total
		if b+1 < len(before) {
			end = before[b+1]
		}
		rejoin(s[before[b]:end], s[total+lo-before[b]:], buf[lo:hi])
	}
	if len(s) < partitionShared {
		for b := range before {
			move(b)
		}
	} else {
		ParallelFor(len(before), move)
	}
	return total
}

const (
	partitionAlone  = 1000    // elements that one goroutine partitions, also where first takes long
	partitionLeast  = 64      // elements of a block
	partitionMost   = 1 << 12 // elements of a block, in long slices
	partitionShared = 1 << 15 // elements for which a move is worth a worker
)

// takeApart writes the elements of s for which first holds to the beginning of dst, which
// is as long, and the others to its end, in reverse, and returns how many the first
// are.
func takeApart[E any](dst, s []E, first func(E) bool) int {
	i, j := 0, len(s)-1
	for _, x := range s {
		if first(x) {
			dst[i] = x
			i++
		} else {
			dst[j] = x
			j--
		}
	}
	return i
}

// rejoin moves what takeApart has written to from to the two places where it belongs.
func rejoin[E any](firsts, others, from []E) {
	n := copy(firsts, from)
	for i, j := 0, len(from)-1; j >= n; i, j = i+1, j-1 {
		others[i] = from[j]
	}
}
