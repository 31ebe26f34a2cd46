package policy

import "math"

// Limits are what the caller of a loop demands of its leaves.
type Limits struct {
	Min int // at least 1
	Max int // 0: none
}

// Blocks returns how many blocks a reduction of n iterations has, and their size
// unless that is equal. It must not depend on anything else, or results would.
func (l Limits) Blocks(n int) (count, size int) {
	count = max(1, n/max(min((n-1)/64+1, 1024), (n-1)/4096+1, l.Min))
	if l.Max > 0 {
		count = max(count, (n-1)/l.Max+1)
		if n/count < l.Min && count > 1 {
			// The limits cannot both be kept by all: let the last be short.
			return (n-1)/l.Max + 1, l.Max
		}
	}
	return count, 0
}

// SplitPoint returns where the upper half of [lo, hi) begins that is given
// away, or hi if it should not be split: each part must make a leaf. The lower
// part can be cut into leaves of the least size.
func (l Limits) SplitPoint(lo, hi int) int {
	half := uint(hi-lo) / 2
	half -= half % uint(l.Min)
	if half == 0 {
		return hi
	}
	return lo + int(half)
}

// A Pacer sizes the chunks of a loop by the time they take, so that one takes
// about as long as a look around may wait. It begins with what is known from
// earlier loops of the same site, or, if nothing is, with one iteration.
type Pacer struct {
	Limits
	size    int   // of the next chunk
	ticks   int64 // that the last chunk took
	last    int   // its iterations
	began   int64 // when the current one began
	start   int64 // when the loop began
	total   int64 // ticks of all chunks
	counted int   // their iterations
}

const chunkGrowth = 8

// NewPacer starts a loop of n iterations. Those of earlier loops took pace
// ticks, times PaceUnit; 0 means unknown.
func (t *Times) NewPacer(l Limits, n int, pace, now int64) Pacer {
	p := Pacer{Limits: l, size: 1, began: now, start: now}
	if pace > 0 {
		// Never all at once, however short the loop should be: its iterations
		// may have become longer.
		p.size = max(1, int(min(t.PollTime*PaceUnit/pace, int64(n/8))))
	}
	return p
}

const mostSlower = 4

// PaceUnit is what a loop's ticks per iteration are multiplied with.
const PaceUnit = 256

// Pace returns the ticks per iteration, times PaceUnit; 0 if there were none.
func (p *Pacer) Pace() int64 {
	if p.counted == 0 {
		return 0
	}
	return max(1, int64(float64(p.total)*PaceUnit/float64(p.counted)))
}

// Timed reports whether a chunk has been timed.
func (p *Pacer) Timed() bool { return p.counted > 0 }

// Next returns the size of the next chunk, with rest iterations left.
func (p *Pacer) Next(rest int) int { return p.Chunk(p.size, rest) }

// Chunk returns the size of the next chunk that comes nearest to the one asked
// for, with rest iterations left.
func (l Limits) Chunk(size, rest int) int {
	n := max(size, l.Min)
	if l.Max > 0 {
		n = min(n, l.Max)
	}
	if n >= rest {
		return rest
	}
	if over := rest - n; over < l.Min {
		// What would be left is too short for a leaf.
		switch {
		case l.Max == 0 || rest <= l.Max:
			n = rest
		case rest-l.Min >= l.Min:
			n = rest - l.Min
		}
	}
	return n
}

// Done notes that a chunk of n iterations is over.
func (p *Pacer) Done(t *Times, n int, now int64) {
	p.ticks, p.last = max(1, now-p.began), n
	p.began = now
	p.total += p.ticks
	p.counted += n
	switch {
	case p.ticks < t.PollTime/chunkGrowth && n < math.MaxInt/chunkGrowth:
		p.size = n * chunkGrowth
	case n < 1<<30:
		p.size = max(1, int(int64(n)*t.PollTime/p.ticks))
	default:
		p.size = max(1, n)
	}
}

// Ahead estimates how many ticks a loop of n iterations will take, before it has
// begun. One that nothing is known of is taken for a long one.
func Ahead(n int, pace int64) int64 {
	if pace == 0 {
		return math.MaxInt64
	}
	return int64(min(float64(n)*float64(pace)/PaceUnit, 1<<62))
}

// Left estimates how many ticks rest iterations take. It is 0 until there is
// something to tell from: the first iterations often take much longer than the
// later ones.
func (p *Pacer) Left(t *Times, rest int) int64 {
	if p.began-p.start < t.Evidence {
		return 0
	}
	return int64(min(float64(rest)*float64(p.ticks)/float64(p.last), 1<<62))
}

// Resume starts the clock again after a pause.
func (p *Pacer) Resume(now int64) {
	p.start += now - p.began
	p.began = now
}

// NextPace returns what to believe of a loop's pace after an old belief and a
// new measurement; 0 is none. It believes at once in a slower one, by half:
// running a long loop alone costs more than asking for help with a short one. But
// it believes no more than mostSlower times at a time, as the goroutine may have
// been off its processor for milliseconds.
func NextPace(old, measured int64) int64 {
	if old != 0 && measured/mostSlower > old {
		measured = mostSlower * old
	}
	switch {
	case measured == 0 || measured == old:
		return old
	case old == 0:
		return measured
	case measured > old:
		return old + (measured-old+1)/2
	default:
		return old - (old-measured+3)/4
	}
}
