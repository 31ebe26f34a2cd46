package forkjoin

import "sync/atomic"

// Words that have a few values are sorted by counting each value, however far apart
// they are. Nothing is moved.

const fewValues = 4 // more are better sorted by radix

// countFew sorts s if a sample has a few values and all of s has no others, and
// reports whether it did.
func (r *radix[T]) countFew(s []T) bool {
	var values [fewValues]uint64 // keys, ascending; those not needed are as the last one
	if !r.sampleValues(s, &values) {
		return false
	}
	n, blocks := len(s), r.blocks(len(s))
	counts := make([][fewValues]int, blocks)
	var other atomic.Bool
	inParallel(blocks, func(b int) {
		for lo, hi := cut(n, blocks, b), cut(n, blocks, b+1); lo < hi && !other.Load(); lo += blockSize {
			if !countValues(s[lo:min(hi, lo+blockSize)], r.lo, values, &counts[b]) {
				other.Store(true)
			}
		}
	})
	if other.Load() {
		return false
	}
	var ends [fewValues]int
	at := 0
	for k := range ends {
		for b := range counts {
			at += counts[b][k]
		}
		ends[k] = at
	}
	inParallel(blocks, func(b int) {
		lo, hi := cut(n, blocks, b), cut(n, blocks, b+1)
		for i, k := lo, 0; i < hi; k++ {
			if end := min(hi, ends[k]); i < end {
				fill(s[i:end], values[k]+r.lo)
				i = end
			}
		}
		if r.finish != nil {
			r.finish(s[lo:hi])
		}
	})
	return true
}

// sampleValues finds the values of a sample of s, or returns false if those are
// many.
func (r *radix[T]) sampleValues(s []T, values *[fewValues]uint64) bool {
	const looks = 32
	found := 0
	for i := range looks {
		k := keyOf(&s[len(s)/looks*i], r.lo)
		at := 0
		for at < found && values[at] < k {
			at++
		}
		if at < found && values[at] == k {
			continue
		}
		if found == fewValues {
			return false
		}
		copy(values[at+1:found+1], values[at:found])
		values[at] = k
		found++
	}
	for i := found; i < fewValues; i++ {
		values[i] = values[found-1]
	}
	return true
}

// countValues adds to counts how often each value occurs in s, or returns false if
// there are others.
func countValues[T word](s []T, lo uint64, values [fewValues]uint64, counts *[fewValues]int) bool {
	v0, v1, v2, v3 := values[0], values[1], values[2], values[3]
	above0, above1, above2, others := 0, 0, 0, uint64(0)
	for i := range s {
		k := keyOf(&s[i], lo)
		above0 += oneIf(k > v0)
		above1 += oneIf(k > v1)
		above2 += oneIf(k > v2)
		v := v0
		if k > v0 {
			v = v1
		}
		if k > v1 {
			v = v2
		}
		if k > v2 {
			v = v3
		}
		others |= k ^ v
	}
	counts[0] += len(s) - above0
	counts[1] += above0 - above1
	counts[2] += above1 - above2
	counts[3] += above2
	return others == 0
}
