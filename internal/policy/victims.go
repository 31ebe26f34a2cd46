package policy

// Victims visits the numbers below n but for self, each once, in an order fit
// for a thief to look for work: first the last victim that gave something, then
// the others from a random start with a random stride. It stops when visit
// returns true and reports whether it did.
func Victims(n, self, last int, random uint64, visit func(v int) bool) bool {
	if last != self && last >= 0 && last < n && visit(last) {
		return true
	}
	if n < 2 {
		return false
	}
	v, stride := int(random>>32%uint64(n)), coprime(int(random&0xffffffff%uint64(n)), n)
	for range n {
		if v != self && v != last && visit(v) {
			return true
		}
		if v += stride; v >= n {
			v -= n
		}
	}
	return false
}

// coprime returns the first number from k+1 on, wrapping at n, that has no
// divisor in common with n: steps of that size meet every number below n.
func coprime(k, n int) int {
	for {
		if k++; k >= n {
			k = 1
		}
		a, b := k, n
		for b != 0 {
			a, b = b, a%b
		}
		if a == 1 {
			return k
		}
	}
}

// NextRandom steps a generator of random numbers and returns its new state and
// the number (xorshift64*, Vigna 2016). The state must not be 0.
func NextRandom(state uint64) (next, random uint64) {
	state ^= state >> 12
	state ^= state << 25
	state ^= state >> 27
	return state, state * 0x2545F4914F6CDD1D
}
