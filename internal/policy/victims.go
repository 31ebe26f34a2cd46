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

// A Reach is how far a thief looks for work.
type Reach uint8

// Reaches.
const (
	Near Reach = iota // at those who are near
	Far               // at all, the nearest first
	Roam              // at all, first at those who are not near
)

// FirstReach returns how far a thief looks first that has so many victims. A
// search goes on Near, and looks Far when Times.Patience has passed, and again
// each time that it has: what leaves its cache loses tens of microseconds there,
// and while there are many small pieces, somebody near soon has one to give. Who
// waits for a stolen frame, and may help nobody but its thief, has the patience
// of Times.Waiting if that one is not near; see HelpsFar.
//
// One search in eight begins at those who are not near, fewer if there are few:
// one in 512 for each victim. Without that, neighbours rob each other of ever
// smaller pieces while the large ones are far away, on hundreds of cores
// (docs/TOPOLOGY.md). So every victim has its turn, near or far, and the bound on
// the attempts of random work stealing (Blumofe and Leiserson 1999) holds up to
// these factors.
//
// Rejected: one look round that goes from the nearest to the farthest, each time.
// All thieves then look at each victim equally often, so whoever has something
// new to give is robbed from afar as often as with random victims. The last
// victim first, as among equals: it may be far away, and the thief stays with it.
func FirstReach(victims int, random uint64) Reach {
	if random>>55 < uint64(min(victims, 512/8)) {
		return Roam
	}
	return Near
}

// HelpsFar reports whether who waits for a stolen frame helps its thief, which is not
// near and shows so many frames; loop says that the frame is a piece of a loop. Of a
// join's it must show two: then the oldest, which is taken, is the largest of several,
// and somebody near the thief can have another. A single one is likely to be short: it
// is left to those who are near. Pieces of a loop are shown one at a time, however
// large they are.
func HelpsFar(loop bool, shown uint32) bool { return loop || shown >= 2 }

// An Order is a thief's victims by how near they are. Its memory is used again
// and again.
type Order struct {
	victims []int32
	rings   []uint8 // of each victim, while it sorts
	ends    [Rings]int
	near    int // rings up to this one are looked at first
}

// Len returns how many victims there are.
func (o *Order) Len() int { return len(o.victims) }

// Sort makes o the order of the victims below n, of whom the thief itself is one.
// ring tells how far away each is: a number below Rings, 0 for the nearest. Other
// numbers count as the nearest of these. Rings up to near are near; if the thief
// is alone there, so is the next that has a victim. It costs about two simple
// steps for each victim.
func (o *Order) Sort(n, near int, ring func(v int) int) {
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
	o.near = min(max(near, 0), Rings-1)
	for o.near < Rings-1 && o.ends[o.near] <= 1 {
		o.near++
	}
}

// Visit visits the victims within a reach but for self, each once, ring by ring,
// the nearest first, within a ring from a random start with a random stride. It
// stops when visit returns true and reports whether it did.
func (o *Order) Visit(self int, reach Reach, random uint64, visit func(v int) bool) bool {
	some := func(from, end int) bool {
		ring := o.victims[from:end]
		return around(len(ring), random, func(k int) bool {
			v := int(ring[k])
			return v != self && visit(v)
		})
	}
	last := o.near
	switch reach {
	case Roam:
		if some(o.ends[o.near], len(o.victims)) {
			return true
		}
	case Far:
		last = Rings - 1
	}
	from := 0
	for _, end := range o.ends[:last+1] {
		if some(from, end) {
			return true
		}
		from = end
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
