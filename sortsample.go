package forkjoin

import (
	"math/bits"
)

// A long slice is not halved but distributed, as in a sample sort: a sample of it,
// sorted, gives 2^d-1 splitters; each element is put into the bucket between two of
// them, in order, or into that of a splitter it equals. Then the buckets are sorted,
// but for those of equals. A level of halving moves each element once, and all
// levels that a distribution stands for together do no more than it does, which is
// what long slices of large elements take their time for. And of few values little
// is left to sort.
//
// All comparisons are done before anything moves.

const (
	distributeFrom   = 1 << 15 // elements that are distributed rather than halved
	distributeBucket = 2048    // elements that a bucket should have
	mostBits         = 8       // at most 2⁸-1 splitters, which fit into the nearest cache
	sampleEach       = 8       // elements of the sample for each splitter
)

// distribute is sort for a long range.
func (m *mergeSorter[E]) distribute(lo, hi int, toBuf bool) {
	d := &distribution[E]{cmp: m.cmp, from: m.s[lo:hi], to: m.buf[lo:hi]}
	d.choose()
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
			part := mergeSorter[E]{s: m.buf, buf: m.s, cmp: m.cmp}
			part.halve = end-begin > (hi-lo)/4 // the sample was bad
			part.sort(begin, end, !toBuf)
		case !toBuf:
			ParallelForRange(begin, end, func(lo, hi int) { copy(m.s[lo:hi], m.buf[lo:hi]) })
		}
		sorted[b] = !toBuf
	})
	returned = true
}

// A distribution puts elements into buckets. Bucket 2·i is between splitters i-1
// and i, bucket 2·i+1 has what equals splitter i.
type distribution[E any] struct {
	cmp       func(a, b E) int
	from, to  []E
	splitters []E // sorted; 2^d-1, some of which may be equal

	bucket []uint16 // of each element
	blocks int      // of from, that are worked on at the same time
	next   [][]int  // of each block and bucket: how many there are, then where the next goes
	ends   []int    // where each bucket ends in to
}

// choose takes the splitters from a sample.
func (d *distribution[E]) choose() {
	n := len(d.from)
	count := 1<<min(mostBits, bits.Len(uint(n/distributeBucket))) - 1
	sample := make([]E, (count+1)*sampleEach)
	step := n / len(sample)
	random := uint64(n) // so that no pattern meets the sample
	for i := range sample {
		random ^= random << 13
		random ^= random >> 7
		random ^= random << 17
		sample[i] = d.from[i*step+int(random%uint64(step))]
	}
	m := mergeSorter[E]{s: sample, buf: make([]E, len(sample)), cmp: d.cmp}
	m.sort(0, len(sample), false)
	d.splitters = make([]E, count)
	for i := range d.splitters {
		d.splitters[i] = sample[(i+1)*sampleEach-1]
	}
}

// classify finds the bucket of each element.
func (d *distribution[E]) classify() {
	n, buckets := len(d.from), 2*len(d.splitters)+1
	d.bucket = make([]uint16, n)
	d.blocks = n / max(distributeBucket*4, n/512)
	d.next = make([][]int, d.blocks)
	ParallelFor(d.blocks, func(b int) {
		next := make([]int, buckets)
		lo, hi := cut(n, d.blocks, b), cut(n, d.blocks, b+1)
		classify(d.from[lo:hi], d.splitters, d.bucket[lo:hi], d.cmp)
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

// classify bisects the splitters for each element.
func classify[E any](s, splitters []E, bucket []uint16, cmp func(a, b E) int) {
	for i, x := range s {
		k, odd := 0, 0
		for half := (len(splitters) + 1) / 2; half > 0; half /= 2 {
			switch c := cmp(x, splitters[k+half-1]); {
			case c > 0:
				k += half
			case c == 0:
				k += half - 1
				odd = 1
				half = 0
			}
		}
		bucket[i] = uint16(2*k + odd)
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
