package forkjoin

import (
	"math"
	"time"

	"github.com/forkjoin-go/forkjoin/internal/clock"
)

// How finely to split. These are the decisions that need no knowledge of other
// workers; they are functions of numbers, so that a simulator can make them on
// a virtual clock.

const (
	paceJoins = 32 // joins that a pace is measured over

	// Private frames beyond which small joins run inline.
	frameStock  = 1
	wantedStock = 2

	// Joins that may run inline in a row. They may be nested in each other, and
	// then a panic goes through all their guards (see worker.unwind).
	maxInline = 128

	// The same while somebody wants frames: leaves may have become heavy.
	wantedInline = 16
)

var (
	finePace  = clock.Ticks(150 * time.Nanosecond)  // joins that come faster are small
	pollTime  = clock.Ticks(2 * time.Microsecond)   // how long to go on without a look around
	minSplit  = clock.Ticks(2 * time.Microsecond)   // what is left of a loop, for a split to pay
	minShare  = clock.Ticks(4 * time.Microsecond)   // a call that forks, for a steal to pay
	smallCall = clock.Ticks(100 * time.Microsecond) // one for which it is found out whether it does
	closely   = clock.Ticks(20 * time.Microsecond)  // between two calls that count as one
	evidence  = clock.Ticks(time.Microsecond)       // what a loop has taken, to believe its pace
)

// inlineJoins returns how many joins a recursion may run inline, as two plain
// calls, when it has so many private frames on its stack, meets a join every so
// many ticks, and wanted says whether somebody would take a frame.
//
// Without a frame in stock, or if the pieces are large or of unknown size, each
// join is offered. Otherwise the frames it has, being the oldest, are larger
// pieces than the ones at hand, and it goes on for pollTime before it looks
// again. A frame that is taken back or given away ends that.
func inlineJoins(private uint32, ticks int64, wanted bool) int32 {
	stock := uint32(frameStock)
	if wanted {
		stock = wantedStock
	}
	if private < stock || ticks == 0 || ticks > finePace {
		return 0
	}
	if wanted {
		return int32(min(max(pollTime/ticks, 8), wantedInline))
	}
	return int32(min(max(pollTime/ticks, 8), maxInline))
}

// limits are what the caller of a loop demands of its leaves.
type limits struct {
	min, max int // max 0: none
	label    string
}

// blocks returns how many blocks a reduction of n iterations has, and their size
// unless that is equal. It must not depend on anything else, or results would.
func (l limits) blocks(n int) (count, size int) {
	count = max(1, n/max(min((n-1)/64+1, 1024), (n-1)/4096+1, l.min))
	if l.max > 0 {
		count = max(count, (n-1)/l.max+1)
		if n/count < l.min && count > 1 {
			// The limits cannot both be kept by all: let the last be short.
			return (n-1)/l.max + 1, l.max
		}
	}
	return count, 0
}

// A pacer sizes the chunks of a loop by the time they take, so that one takes
// about as long as a look around may wait. It begins with what is known from
// earlier loops of the same site, or, if nothing is, with one iteration.
type pacer struct {
	limits
	size    int   // of the next chunk
	ticks   int64 // that the last chunk took
	last    int   // its iterations
	began   int64 // when the current one began
	start   int64 // when the loop began
	total   int64 // ticks of all chunks
	counted int   // their iterations
}

const chunkGrowth = 8

// newPacer starts a loop of n iterations. Those of earlier loops took pace
// ticks, times paceUnit; 0 means unknown.
func newPacer(l limits, n int, pace int64) pacer {
	now := clock.Now()
	p := pacer{limits: l, size: 1, began: now, start: now}
	if pace > 0 {
		// Never all at once, however short the loop should be: its iterations
		// may have become longer.
		p.size = max(1, int(min(pollTime*paceUnit/pace, int64(n/8))))
	}
	return p
}

// paceUnit is what a loop's ticks per iteration are multiplied with.
const paceUnit = 256

// pace returns the ticks per iteration, times paceUnit.
func (p *pacer) pace() int64 {
	if p.counted == 0 {
		return 0
	}
	return max(1, int64(float64(p.total)*paceUnit/float64(p.counted)))
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

// done notes that a chunk of n iterations is over.
func (p *pacer) done(n int) {
	now := clock.Now()
	p.ticks, p.last = max(1, now-p.began), n
	p.began = now
	p.total += p.ticks
	p.counted += n
	switch {
	case p.ticks < pollTime/chunkGrowth && n < math.MaxInt/chunkGrowth:
		p.size = n * chunkGrowth
	case n < 1<<30:
		p.size = max(1, int(int64(n)*pollTime/p.ticks))
	default:
		p.size = max(1, n)
	}
}

// ahead estimates how many ticks a loop of n iterations will take, before it has
// begun. One that nothing is known of is taken for a long one.
func ahead(n int, pace int64) int64 {
	if pace == 0 {
		return math.MaxInt64
	}
	return int64(min(float64(n)*float64(pace)/paceUnit, 1<<62))
}

// left estimates how many ticks rest iterations take. It is 0 until there is
// something to tell from: the first iterations often take much longer than the
// later ones.
func (p *pacer) left(rest int) int64 {
	if p.began-p.start < evidence {
		return 0
	}
	return int64(min(float64(rest)*float64(p.ticks)/float64(p.last), 1<<62))
}

// resume starts the clock again after a pause.
func (p *pacer) resume() {
	now := clock.Now()
	p.start += now - p.began
	p.began = now
}

// splitPoint returns where the upper half of [lo, hi) begins that is given
// away, or hi if it should not be split: each part must make a leaf. The lower
// part can be cut into leaves of the least size.
func (l limits) splitPoint(lo, hi int) int {
	half := uint(hi-lo) / 2
	half -= half % uint(l.min)
	if half == 0 {
		return hi
	}
	return lo + int(half)
}
