package sim

import (
	"fmt"
	"math/bits"
	"sort"
)

// A Profile tells what the iterations of a loop cost: it is cut into blocks,
// and within a block all iterations cost the same. Costs are known as running
// totals, so those of parts add up exactly to those of the whole.
type Profile struct{ blocks []block }

// A block ends before iteration end; all up to there cost total.
type block struct{ end, total int64 }

// Block is a part of a loop, as a [Builder] takes it.
type Block struct {
	Iterations int64
	Cost       int64 // of all of them together
}

// N returns the number of iterations.
func (p Profile) N() int64 {
	if len(p.blocks) == 0 {
		return 0
	}
	return p.blocks[len(p.blocks)-1].end
}

// Work returns what all iterations cost together.
func (p Profile) Work() int64 { return p.upTo(p.N()) }

// Cost returns what the iterations of [lo, hi) cost together. It takes time
// logarithmic in the number of blocks. It panics unless 0 <= lo <= hi <= N().
func (p Profile) Cost(lo, hi int64) int64 {
	if lo < 0 || lo > hi || hi > p.N() {
		panic(fmt.Sprintf("forkjoin: sim.Profile.Cost: [lo, hi) is [%d, %d), want a part of [0, %d)", lo, hi, p.N()))
	}
	return p.between(lo, hi)
}

func (p Profile) between(lo, hi int64) int64 { return p.upTo(hi) - p.upTo(lo) }

// Largest returns what the dearest iteration costs, rounded up.
func (p Profile) Largest() int64 {
	largest, before := int64(0), block{}
	for _, b := range p.blocks {
		n, cost := b.end-before.end, b.total-before.total
		largest = max(largest, cost/n+min(cost%n, 1))
		before = b
	}
	return largest
}

// least returns a bound on what the dearest leaf costs if leaves have at least n
// iterations: one that holds the middle of a block of equal iterations has n of
// them, or half of the block.
func (p Profile) least(n int64) int64 {
	if n <= 1 {
		return p.Largest()
	}
	largest, before := int64(0), block{}
	for _, b := range p.blocks {
		k := min(n, (b.end-before.end+1)/2)
		largest = max(largest, p.between(before.end, before.end+k))
		before = b
	}
	return largest
}

// Blocks returns the number of blocks.
func (p Profile) Blocks() int { return len(p.blocks) }

// Block returns a block.
func (p Profile) Block(i int) Block {
	b := p.blocks[i]
	if i == 0 {
		return Block{b.end, b.total}
	}
	return Block{b.end - p.blocks[i-1].end, b.total - p.blocks[i-1].total}
}

// upTo returns what the iterations before i cost together.
func (p Profile) upTo(i int64) int64 { return p.total(p.find(0, i), i) }

// find returns the block, from k on, that holds the iteration before i.
func (p Profile) find(k int, i int64) int {
	return k + sort.Search(len(p.blocks)-k, func(n int) bool { return p.blocks[k+n].end >= i })
}

// total is upTo for an i of which find has told the block.
func (p Profile) total(k int, i int64) int64 {
	if k == len(p.blocks) {
		return 0 // no iterations at all
	}
	b, before := p.blocks[k], block{}
	if k > 0 {
		before = p.blocks[k-1]
	}
	high, low := bits.Mul64(uint64(b.total-before.total), uint64(i-before.end))
	part, _ := bits.Div64(high, low, uint64(b.end-before.end))
	return before.total + int64(part)
}

// A cursor is a place in a profile. As the chunks of a loop follow each other, it
// tells what one costs in a few steps, wherever in the profile that is.
type cursor struct {
	block            int
	iteration, total int64
}

// moveTo moves c to iteration i of p and returns what those before it cost.
func (c *cursor) moveTo(p Profile, i int64) int64 {
	const steps = 4 // before it searches
	if i == c.iteration {
		return c.total
	}
	k := c.block
	if i < c.iteration {
		k = 0
	}
	for n := 0; k < len(p.blocks) && p.blocks[k].end < i; n++ {
		if k++; n == steps {
			k = p.find(k, i)
		}
	}
	c.block, c.iteration, c.total = k, i, p.total(k, i)
	return c.total
}
