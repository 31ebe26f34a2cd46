package forkjoin

import (
	"time"

	"github.com/forkjoin-go/forkjoin/internal/clock"
)

// How finely to split. These are the decisions that need no knowledge of other
// workers; they are functions of numbers, so that a simulator can make them on
// a virtual clock.

const (
	paceJoins  = 32 // joins that a pace is measured over
	frameStock = 5  // private frames beyond which small joins run inline
)

var (
	finePace = clock.Ticks(150 * time.Nanosecond) // joins that come faster are small
	pollTime = clock.Ticks(2 * time.Microsecond)  // how long to go on without a look around
	minSplit = clock.Ticks(2 * time.Microsecond)  // what is left of a loop, for a split to pay
)

// inlineJoins returns how many joins a recursion may run inline, as two plain
// calls, when it has so many private frames on its stack and meets a join every
// so many ticks.
//
// While it has few frames, or if the pieces are large or of unknown size, each
// join is offered. Otherwise the frames it has, being the oldest, are larger
// pieces than the ones at hand, and it goes on for pollTime before it looks
// again. A frame that is taken back or given away ends that.
func inlineJoins(private uint32, ticks int64) int32 {
	if private < frameStock || ticks == 0 || ticks > finePace {
		return 0
	}
	return int32(min(max(pollTime/ticks, 8), 1024))
}

// limits are what the caller of a loop demands of its leaves.
type limits struct {
	min, max int // max 0: none
	label    string
}

// blocks returns how many blocks a reduction of n iterations has. It must not
// depend on anything else, or results would.
func (l limits) blocks(n int) int {
	size := max(min((n-1)/64+1, 1024), (n-1)/4096+1, l.min)
	count := max(1, n/size)
	if l.max > 0 {
		count = max(count, (n-1)/l.max+1)
	}
	return count
}

// A pacer sizes the chunks of a loop by the time they take. The first has one
// iteration; then they grow until one takes about as long as a look around may
// wait.
type pacer struct {
	limits
	size  int   // of the next chunk
	ticks int64 // that the last one took
	last  int   // its iterations
	began int64
}

const chunkGrowth = 8

func newPacer(l limits, size int) pacer {
	if size == 0 {
		size = 1
	}
	return pacer{limits: l, size: size, began: clock.Now()}
}

// next returns the size of the next chunk, with rest iterations left.
func (p *pacer) next(rest int) int {
	n := max(p.size, p.min)
	if p.max > 0 {
		n = min(n, p.max)
	}
	if n >= rest {
		return rest
	}
	if over := rest - n; over < p.min {
		// What would be left is too short for a leaf.
		switch {
		case p.max == 0 || rest <= p.max:
			n = rest
		case rest-p.min >= p.min:
			n = rest - p.min
		}
	}
	return n
}

// done notes that a chunk of n iterations is over, at the given time.
func (p *pacer) done(n int, now int64) {
	p.ticks, p.last = max(1, now-p.began), n
	p.began = now
	if p.ticks >= pollTime {
		p.size = max(1, int(float64(n)*float64(pollTime)/float64(p.ticks)))
		return
	}
	fit := float64(n) * float64(pollTime) / float64(p.ticks)
	p.size = int(min(fit, float64(n)*chunkGrowth))
}

// left estimates how many ticks rest iterations take.
func (p *pacer) left(rest int) int64 {
	return int64(min(float64(rest)*float64(p.ticks)/float64(p.last), 1<<62))
}

// finish makes the next chunk take all there is, within the limits.
func (p *pacer) finish(rest int) { p.size = rest }

// splitPoint returns where the upper half of [lo, hi) begins that is given
// away, or hi if it should not be split: each part must make a leaf.
func (l limits) splitPoint(lo, hi int) int {
	if uint(hi-lo)/2 < uint(l.min) {
		return hi
	}
	return lo + int(uint(hi-lo)/2)
}
