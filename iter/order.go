package iter

import (
	stditer "iter"
	"time"

	"github.com/forkjoin-go/forkjoin"
	"github.com/forkjoin-go/forkjoin/internal/clock"
)

// All returns the sequence for use in a range loop, in order. While the loop's
// body runs on the caller's goroutine, workers compute the elements of the next
// block: at most some thousands of elements, and fewer where they take long, so
// a slow body holds the work up. When the body leaves the loop, what is being
// computed is waited for, and no goroutine is left behind.
//
// A panic of the body passes through as it is. One in the functions that make
// the elements reaches the caller as a [*forkjoin.PanicError].
func (s Seq[T]) All() stditer.Seq[T] {
	return func(yield func(T) bool) {
		c, left := begin(s.set), false
		if !c.over() {
			p := s.plan(c)
			inOrder(c, &p, func(block []T, _ int) bool {
				for _, v := range block {
					if left = !yield(v); left {
						return false
					}
				}
				return true
			})
		}
		if !left { // who leaves the loop lacks nothing, also if the context ends just then
			c.mustNot()
		}
	}
}

// The size of blocks, in positions.
const (
	blockLeast = 16
	blockMost  = 4096
)

var (
	blockShort = clock.Ticks(20 * time.Microsecond)  // not worth a task of its own
	blockGrown = clock.Ticks(500 * time.Microsecond) // need not be larger
	blockLong  = clock.Ticks(5 * time.Millisecond)   // should be smaller
)

// inOrder calls yield with all elements of p, block by block, until that returns
// false; end is the position behind the block. The next block is computed
// meanwhile. yield runs on the caller's goroutine, outside any call of the root
// package, and may keep no block.
func inOrder[T any](c *call, p *plan[T], yield func(block []T, end int) bool) {
	inBlocks(c, p, func(b *blocks[T]) { b.run(yield) })
}

// inTurn is inOrder for a yield that takes no time to speak of. No block is
// computed meanwhile, so none behind that for which yield returns false: it would
// be lost, or computed twice.
func inTurn[T any](c *call, p *plan[T], yield func(block []T, end int) bool) {
	inBlocks(c, p, func(b *blocks[T]) {
		var next block[T]
		for b.compute(&next); next.lo < next.hi && !b.c.over(); b.compute(&next) {
			if !yield(next.elems, next.hi) {
				return
			}
		}
	})
}

func inBlocks[T any](c *call, p *plan[T], f func(b *blocks[T])) {
	if p.feed != nil {
		feeding(c, p, func(s supply) { f(newBlocks(c, p, s)) })
		return
	}
	f(newBlocks(c, p, &positions{n: p.n}))
}

// positions are a supply of positions that are all at hand.
type positions struct{ at, n int }

func (p *positions) next(_ *window, most int) (lo, hi int) {
	lo = p.at
	p.at += min(most, p.n-p.at)
	return lo, p.at
}

func (p *positions) nextWhole(w *window, size func(at int) int) (lo, hi int) {
	return p.next(w, size(p.at))
}

func (p *positions) close() {}

// blocks computes a plan block by block.
type blocks[T any] struct {
	c      *call // of its own
	supply supply
	crew   *crew[T, pieces[T]]
	size   int // of the next block
	took   int64
}

// A block is what was computed at once.
type block[T any] struct {
	elems  []T
	lo, hi int // lo = hi: nothing, and nothing comes
}

func newBlocks[T any](c *call, p *plan[T], s supply) *blocks[T] {
	part := c.part()
	return &blocks[T]{c: part, supply: s, crew: newCrew[T, pieces[T]](part, p), size: blockLeast}
}

func (b *blocks[T]) run(yield func(block []T, end int) bool) {
	var current, next block[T]
	b.compute(&current)
	for current.lo < current.hi && !b.c.over() {
		if b.took < blockShort {
			if !yield(current.elems, current.hi) {
				return
			}
			b.compute(&current)
			continue
		}
		if !b.ahead(&next, func() bool { return yield(current.elems, current.hi) }) {
			return
		}
		current, next = next, current
	}
}

// ahead computes the next block while f runs, and returns what f returns.
func (b *blocks[T]) ahead(next *block[T], f func() bool) (more bool) {
	var g forkjoin.WaitGroup
	returned := false
	defer func() {
		if !returned {
			defer func() { recover() }() // the panic under way, or Goexit, comes first
			b.end()
			g.Wait()
		}
	}()
	g.Go(func() { b.compute(next) })
	if more = f(); !more {
		b.end()
	}
	returned = true
	g.Wait()
	return more
}

// end has what is being computed end early.
func (b *blocks[T]) end() {
	b.c.end()
	if q, ok := b.supply.(interface{ stop() }); ok {
		q.stop()
	}
}

// compute makes out the next block, with the memory of out.
func (b *blocks[T]) compute(out *block[T]) {
	w := b.crew
	out.lo, out.hi = b.supply.next(&w.window, b.size)
	start := clock.Now()
	out.elems = readBlock(w, out.lo, out.hi, out.elems[:0])
	b.took = clock.Now() - start
	switch {
	case b.took < blockGrown && out.hi-out.lo == b.size:
		b.size = min(2*b.size, blockMost)
	case b.took > blockLong:
		b.size = max(blockLeast, b.size/2)
	}
}

// readBlock appends the elements at positions [lo, hi) to dst.
func readBlock[T any](w *crew[T, pieces[T]], lo, hi int, dst []T) []T {
	if w.p.exact {
		return w.collect(lo, hi, dst)
	}
	w.sweep(lo, hi, func(h *hand[T, pieces[T]], a, b int) { gather(w.c, h, a, b) })
	all := accs(w.all)
	dst = join(dst, all...)
	for _, p := range all {
		clear(p.list)
		p.list = p.list[:0]
		p.cut()
	}
	return dst
}
