package forkjoin

const maxSample = 31

// pivot returns the median of a sample of s.
func pivot[E any](s []E, cmp func(a, b E) int) E {
	var sample [maxSample]int
	at := sampleOf(s, &sample, cmp)
	return s[at[len(at)/2]]
}

// pivotBeside returns an element that is likely to be a little behind the k-th of
// the sorted s, if that is in the first half, else a little before it: so that the
// k-th is in the smaller part.
func pivotBeside[E any](s []E, k int, cmp func(a, b E) int) E {
	var sample [maxSample]int
	at := sampleOf(s, &sample, cmp)
	i := k / (len(s)/len(at) + 1)
	if margin := len(at) / 10; k < len(s)/2 {
		i = min(i+margin, len(at)-1)
	} else {
		i = max(i-margin, 0)
	}
	return s[at[i]]
}

// sampleOf returns where some elements of s are, sorted by those.
func sampleOf[E any](s []E, sample *[maxSample]int, cmp func(a, b E) int) []int {
	size := 3
	switch {
	case len(s) > 1024:
		size = maxSample
	case len(s) > 128:
		size = 9
	}
	at := sample[:size]
	places := newPlaces(len(s), size)
	for i := range at {
		at[i] = places.next()
	}
	for i := 1; i < len(at); i++ {
		x, j := at[i], i
		for ; j > 0 && cmp(s[x], s[at[j-1]]) < 0; j-- {
			at[j] = at[j-1]
		}
		at[j] = x
	}
	return at
}

// places are where to take a sample of n elements: one of each stretch of them, at
// random in it so that no pattern meets the sample, but the same for the same n.
type places struct {
	begin, step uint
	random      uint64
}

func newPlaces(n, size int) places {
	return places{step: uint(n / size), random: uint64(n)}
}

func (p *places) next() int {
	p.random ^= p.random << 13
	p.random ^= p.random >> 7
	p.random ^= p.random << 17
	at := p.begin + uint(p.random)%p.step
	p.begin += p.step
	return int(at)
}
