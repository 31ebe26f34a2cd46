package policy

// Victims visits the numbers below n but for self, each once, in an order fit
// for a thief to look for work when all are equally near: first the last victim
// that gave something, then the others from a random start with a random stride.
// It stops when visit returns true and reports whether it did.
func Victims(n, self, last int, random uint64, visit func(v int) bool) bool {
	if last != self && last >= 0 && last < n && visit(last) {
		return true
	}
	return n > 1 && around(n, random, func(v int) bool { return v != self && v != last && visit(v) })
}

// around visits the numbers below n, each once, from a random start with a random
// stride.
func around(n int, random uint64, visit func(v int) bool) bool {
	if n < 2 {
		return n == 1 && visit(0)
	}
	v, stride := int(random>>32%uint64(n)), coprime(int(random&0xffffffff%uint64(n)), n)
	for range n {
		if visit(v) {
			return true
		}
		if v += stride; v >= n {
			v -= n
		}
	}
	return false
}

// Rings is how many distances victims may be at: in the thief's second-level
// cache, in its last-level cache, in its memory node, and beyond.
const Rings = 4

// An Order is a thief's victims by how near they are. Its memory is used again
// and again.
type Order struct {
	victims []int32
	rings   []uint8 // of each victim, while it sorts
	ends    [Rings]int
}

// Len returns how many victims there are.
func (o *Order) Len() int { return len(o.victims) }

// Sort makes o the order of the victims below n, of which ring tells how far
// away each is: a number below Rings, 0 for the nearest. Other numbers count as
// the nearest of these. It costs about two simple steps for each victim.
func (o *Order) Sort(n int, ring func(v int) int) {
	if cap(o.victims) < n {
		o.victims, o.rings = make([]int32, n), make([]uint8, n)
	}
	o.victims, o.rings = o.victims[:n], o.rings[:n]
	var count [Rings]int
	for v := range n {
		r := min(max(ring(v), 0), Rings-1)
		o.rings[v] = uint8(r)
		count[r]++
	}
	at := 0
	for r := range count {
		o.ends[r] = at
		at += count[r]
	}
	for v, r := range o.rings {
		o.victims[o.ends[r]] = int32(v)
		o.ends[r]++
	}
}

// Visit visits all victims but for self, each once, in an order fit for a thief to
// look for work: the nearest first, then those of the next ring, and so on, within
// a ring from a random start with a random stride. One time in eight, as random
// says, all rings are one. It stops when visit returns true and reports whether
// it did.
//
// Without these eighths, neighbours would rob each other of ever smaller pieces
// while the large ones are far away: up to five times as many steals, and runs
// a third longer on hundreds of cores (docs/TOPOLOGY.md). As one look
// round in eight is at random over all, the bound on the attempts of random work
// stealing (Blumofe and Leiserson 1999) holds up to that factor.
//
// Rejected: the last victim first, as among equals. It may be far away, and then
// the thief stays with it: a quarter more distant steals, and no faster.
func (o *Order) Visit(self int, random uint64, visit func(v int) bool) bool {
	if random>>29&7 == 0 {
		return Victims(len(o.victims), self, -1, random, visit)
	}
	from := 0
	for _, end := range o.ends {
		ring := o.victims[from:end]
		from = end
		if around(len(ring), random, func(k int) bool {
			v := int(ring[k])
			return v != self && visit(v)
		}) {
			return true
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
