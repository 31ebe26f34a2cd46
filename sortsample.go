package forkjoin

import (
	"math"
	"math/bits"
)

// A slice of few values is distributed, as in a sample sort: a sample of it, sorted,
// gives 2^d-1 splitters; each element is put into the bucket between two of them, in
// order, or into that of a splitter that it equals. Then the buckets are sorted, but
// those of equals are done.
//
// All comparisons are made before anything moves.
//
// Rejected: to distribute whatever is long. It moves elements less often, but a
// comparison with a splitter takes about as long as one in a merge and a move to one
// of many buckets longer, so that without equals it was slower.

const (
	distributeFrom   = 1 << 15 // elements that a sample is taken of
	distributeFew    = 1 << 11 // the same in a bucket
	distributeBucket = 1024    // elements that a bucket should have
	distributeBlock  = 8192    // elements that are put into buckets in one piece, at least
	mostBits         = 8       // at most 2⁸-1 splitters, which fit into the nearest cache
	sampleEach       = 8       // elements of the sample for each splitter
)

// distribute is sort for a range of few values. It reports false, and has done
// nothing, if there are many.
func (m *mergeSorter[E]) distribute(lo, hi int, toBuf bool) bool {
	d := &distribution[E]{cmp: m.cmp, from: m.s[lo:hi], to: m.buf[lo:hi]}
	if !d.choose() {
		return false
	}
	d.classify()
	d.scatter()

	// Now buf has the elements, and s is free. See mergeSorter for what a failure
	// must leave in s.
	sorted := make([]bool, len(d.ends)) // buckets that are in s for good
	returned := false
	defer func() {
		if returned {
			return
		}
		for b, end := range d.ends {
			if begin := d.begin(b); !sorted[b] {
				copy(m.s[lo+begin:lo+end], m.buf[lo+begin:lo+end])
			}
		}
	}()
	ParallelFor(len(d.ends), func(b int) {
		begin, end := lo+d.begin(b), lo+d.ends[b]
		switch {
		case begin == end:
		case b%2 == 0:
			part := mergeSorter[E]{s: m.buf, buf: m.s, cmp: m.cmp, from: distributeFew}
			if end-begin > (hi-lo)/4 { // the sample was bad
				part.from = math.MaxInt
			}
			part.sort(begin, end, !toBuf)
		case !toBuf:
			ParallelForRange(begin, end, func(lo, hi int) { copy(m.s[lo:hi], m.buf[lo:hi]) })
		}
		sorted[b] = !toBuf
	})
	returned = true
	return true
}

// A distribution puts elements into buckets. Bucket 2·i is between splitters i-1
// and i, bucket 2·i+1 has what equals splitter i.
type distribution[E any] struct {
	cmp       func(a, b E) int
	from, to  []E
	splitters []E      // 2^d-1, as a search tree: below k, counted from 1, are 2·k and 2·k+1
	names     []uint16 // the bucket of what equals splitter k; above those, of what ends there

	bucket []uint16 // of each element
	blocks int      // of from, that are worked on at the same time
	next   [][]int  // of each block and bucket: how many there are, then where the next goes
	ends   []int    // where each bucket ends in to
}

// choose takes the splitters from a sample. It reports false if fewer than one in
// four of that equal another one.
func (d *distribution[E]) choose() bool {
	n := len(d.from)
	count := 1<<min(mostBits, bits.Len(uint(n/distributeBucket))) - 1
	sample := make([]E, (count+1)*sampleEach)
	places := newPlaces(n, len(sample))
	for i := range sample {
		sample[i] = d.from[places.next()]
	}
	m := mergeSorter[E]{s: sample, buf: make([]E, len(sample)), cmp: d.cmp, from: math.MaxInt}
	m.sort(0, len(sample), false)
	equals := 0
	for i := 1; i < len(sample); i++ {
		if d.cmp(sample[i-1], sample[i]) == 0 {
			equals++
		}
	}
	if equals < len(sample)/4 {
		return false
	}
	d.splitters, d.names = make([]E, count), make([]uint16, 2*(count+1))
	for k := range d.names {
		if k > count {
			d.names[k] = uint16(2 * (k - count - 1))
		} else if k > 0 {
			level := bits.Len(uint(k)) - 1
			i := (2*(k-1<<level)+1)*(count+1)>>(level+1) - 1
			d.splitters[k-1] = sample[(i+1)*sampleEach-1]
			d.names[k] = uint16(2*i + 1)
		}
	}
	return true
}

// classify finds the bucket of each element.
func (d *distribution[E]) classify() {
	n, buckets := len(d.from), 2*len(d.splitters)+1
	d.bucket = make([]uint16, n)
	d.blocks = max(1, n/max(distributeBlock, n/512))
	d.next = make([][]int, d.blocks)
	ParallelFor(d.blocks, func(b int) {
		next := make([]int, buckets)
		lo, hi := cut(n, d.blocks, b), cut(n, d.blocks, b+1)
		classify(d.from[lo:hi], d.splitters, d.names, d.bucket[lo:hi], d.cmp)
		for _, k := range d.bucket[lo:hi] {
			next[k]++
		}
		d.next[b] = next
	})
	d.ends = make([]int, buckets)
	sum := 0
	for k := range d.ends {
		for _, next := range d.next {
			next[k], sum = sum, sum+next[k]
		}
		d.ends[k] = sum
	}
}

func (d *distribution[E]) begin(bucket int) int {
	if bucket == 0 {
		return 0
	}
	return d.ends[bucket-1]
}

// classify goes down the tree of splitters with each element of s.
func classify[E any](s, splitters []E, names, bucket []uint16, cmp func(a, b E) int) {
	for i, x := range s {
		k := 1
		for k <= len(splitters) {
			if c := cmp(x, splitters[k-1]); c < 0 {
				k = 2 * k
			} else if c > 0 {
				k = 2*k + 1
			} else {
				break
			}
		}
		bucket[i] = names[k]
	}
}

// scatter moves the elements to their buckets.
func (d *distribution[E]) scatter() {
	n := len(d.from)
	ParallelFor(d.blocks, func(b int) {
		next := d.next[b]
		for i := cut(n, d.blocks, b); i < cut(n, d.blocks, b+1); i++ {
			k := d.bucket[i]
			d.to[next[k]] = d.from[i]
			next[k]++
		}
	})
	d.bucket, d.next = nil, nil
}
