// Package lcg has the pseudo-random numbers that the tick model's random victims
// and the bags of its panels are drawn from: a linear congruential generator of
// 31 bits, with the multiplier and increment of the C standard's example.
package lcg

const (
	multiplier = 1103515245
	increment  = 12345
	mask       = 1<<31 - 1
)

// Rand is a generator. Its value is its state; it starts as the seed.
type Rand uint32

// Next returns the next number, in 0..32767.
func (r *Rand) Next() int {
	*r = (*r*multiplier + increment) & mask
	return int(*r >> 16)
}

// Skip passes over the next n numbers, in time that grows with log n.
func (r *Rand) Skip(n uint64) {
	// n steps are x -> a*x + c with one a and one c; square and multiply.
	a, c := uint32(1), uint32(0)
	m, i := uint32(multiplier), uint32(increment)
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			a, c = a*m, c*m+i
		}
		m, i = m*m, i*m+i
	}
	*r = Rand((a*uint32(*r) + c) & mask)
}
