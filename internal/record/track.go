package record

import (
	"encoding/binary"
	"sync/atomic"

	"github.com/forkjoin-go/forkjoin/internal/clock"
)

// A Track is what one worker notes. All but what is marked belongs to the
// goroutine that acts as the worker.
type Track struct {
	buf  []byte // a block, of which what is written is never changed, but for unwriting an Item
	last int64  // when the strand began; when the clock was read last
	sum  int64  // declared since the last event

	quick int // Fork and End look no further while buf is shorter

	declared bool // the costs of events are declared from now on
	told     bool // and the track says so

	rec      *Recording
	called   int64 // when the outermost call began
	number   uint64
	latest   knownSite // the last one asked for
	sites    [siteCache]knownSite
	callers  map[uintptr]uint64 // the lines that frames are in; libraryCode: of none of the user's
	rolls    int                // blocks filled
	collapse int64              // subtrees of up to so many tasks are not kept; 0: all are

	// committed is how much of the block others may read: a flusher. Stored by
	// the owner after what it counts has been written; see Recording.collect.
	committed atomic.Int64
	block     []byte // buf's memory; under Recording.mu
	collected int    // how much of block has been collected; under Recording.mu
}

const (
	blockSize = 1 << 16
	room      = 80 // the longest event
	siteCache = 64
)

type knownSite struct {
	code uintptr
	id   uint64
}

// cost ends a strand and returns what it cost, having subtracted what noting it
// cost.
func (t *Track) cost(overhead int64) uint64 {
	now := clock.Now()
	c := now - t.last - overhead
	t.last = now
	return t.settle(c)
}

// settle returns what a strand cost, given what was measured.
func (t *Track) settle(c int64) uint64 {
	if t.declared {
		return t.declare()
	}
	if c < 0 {
		// Charge it to the next strand, so that sums stay right; but forget what
		// no strand has accounted for.
		if c > -maxDebt {
			t.last -= c
		}
		return 0
	}
	return uint64(c)
}

const maxDebt = short

// declare is settle for declared costs.
func (t *Track) declare() uint64 {
	if !t.told {
		t.told = true
		t.put(Declared, 0)
	}
	c := t.sum
	t.sum = 0
	return uint64(c)
}

// Resume begins a strand, after time that was none.
func (t *Track) Resume() { t.last = clock.Now() }

// Charge adds to the cost of the strand.
func (t *Track) Charge(units int64) {
	if !t.declared {
		t.declared, t.quick = true, 0
		t.rec.declared.Store(true)
	}
	t.sum += min(units, MaxCost-t.sum)
}

// MaxCost bounds a cost.
const MaxCost = 1 << 56

// put writes an event with a known cost.
func (t *Track) put(k Kind, cost uint64) {
	if cap(t.buf)-len(t.buf) < room {
		t.rec.roll(t)
	}
	if k < rare {
		t.uvarint(min(cost, MaxCost)<<KindBits | uint64(k))
		return
	}
	t.uvarint(min(cost, MaxCost)<<KindBits | IsRare)
	t.buf = append(t.buf, byte(k))
}

func (t *Track) uvarint(n uint64) {
	if n < 0x80 {
		t.buf = append(t.buf, byte(n))
		return
	}
	t.buf = binary.AppendUvarint(t.buf, n)
}

// Fork notes a fork, and that its first branch begins.
func (t *Track) Fork(code uintptr, o *Overheads) {
	site := t.site(code)
	now, begun := clock.Now(), t.last+o.Fork
	last := max(now, begun)
	cost := uint64(last - begun)
	if cost|uint64(last-now) >= short || len(t.buf) >= t.quick || site >= 0x80 {
		t.slow(now, begun, Fork)
		t.uvarint(site)
		return
	}
	t.last = last
	t.buf = append(t.buf, byte(cost<<KindBits)|byte(Fork)|0x80, byte(cost>>(7-KindBits)), byte(site))
}

// End notes the end of a sequence.
func (t *Track) End(overhead int64) {
	now, begun := clock.Now(), t.last+overhead
	last := max(now, begun)
	cost := uint64(last - begun)
	if cost|uint64(last-now) >= short || len(t.buf) >= t.quick {
		t.slow(now, begun, End)
		return
	}
	t.last = last
	n := len(t.buf)
	b := t.buf[n : n+2] // append would cost a nanosecond more
	t.buf = t.buf[:n+2]
	b[0], b[1] = byte(cost<<KindBits)|byte(End)|0x80, byte(cost>>(7-KindBits))
}

// short is the least cost that, with a kind, takes more than two bytes.
const short = 1 << 14 >> KindBits

// slow is what is left of Fork and End when something is out of the ordinary.
func (t *Track) slow(now, begun int64, k Kind) {
	t.last = now
	t.put(k, t.settle(now-begun))
}

// Empty notes a sequence that was skipped.
func (t *Track) Empty() { t.put(End, 0) }

// Ref notes that a sequence was run elsewhere, and begins a strand.
func (t *Track) Ref(segment uint64) {
	t.put(Ref, 0)
	t.uvarint(segment)
	t.Resume()
}

// Site returns the number of a place in the program.
func (t *Track) site(code uintptr) uint64 {
	if code == t.latest.code {
		return t.latest.id
	}
	return t.otherSite(code)
}

func (t *Track) otherSite(code uintptr) uint64 {
	k := &t.sites[uint64(code)*0x9E3779B97F4A7C15>>(64-6)]
	if k.code != code {
		k.code, k.id = code, t.rec.place(code)
	}
	if k.id == libraryCode {
		return t.caller()
	}
	t.latest = *k
	return k.id
}

// loopSite returns the number of a loop's name.
func (t *Track) loopSite(label string, code uintptr) uint64 {
	if label != "" {
		return t.rec.Name(label)
	}
	return t.site(code)
}

// Spawn notes that a function was given to a group.
func (t *Track) Spawn(code uintptr, group, segment uint64) {
	t.put(Spawn, t.cost(0))
	t.uvarint(t.site(code))
	t.uvarint(group)
	t.uvarint(segment)
}

// Wait notes a wait for a group. Resume goes on after it.
func (t *Track) Wait(group uint64) {
	t.put(Wait, t.cost(0))
	t.uvarint(group)
}

// Enter and Leave put a name around a part of a sequence.
func (t *Track) Enter(label string) {
	t.put(Enter, t.cost(0))
	t.uvarint(t.rec.Name(label))
}

func (t *Track) Leave() { t.put(Leave, t.cost(0)) }

// Stop ends a strand that is followed by a pause.
func (t *Track) Stop() { t.put(Pause, t.cost(0)); t.uvarint(0) }

// Paused ends a pause.
func (t *Track) Paused() {
	c := t.cost(0)
	t.put(Pause, 0)
	t.uvarint(c)
}

// Segment begins a sequence that was moved to worker; End and Commit end it.
func (t *Track) Segment(segment uint64, worker int) {
	t.put(Segment, 0)
	t.uvarint(segment)
	t.uvarint(uint64(worker))
	t.Resume()
	t.uvarint(t.rec.since(t.last))
}

// Call begins an outermost call.
func (t *Track) Call(worker int) {
	t.put(Call, 0)
	t.uvarint(uint64(worker))
	t.Resume()
	t.called = t.last
	t.uvarint(t.rec.since(t.last))
}

// CallEnd ends it, and returns how many ticks it took.
func (t *Track) CallEnd() (ticks int64) {
	t.put(CallEnd, t.cost(0))
	now := clock.Now()
	t.uvarint(t.rec.since(now))
	t.Commit()
	return now - t.called
}

// Commit lets others read what has been written.
func (t *Track) Commit() { t.committed.Store(int64(len(t.buf))) }

// Overheads is what a fork's events cost themselves, with all that the library
// does about them: what is noted as the cost of a strand of no code before its
// fork, in its first branch, and in its second.
type Overheads struct {
	Fork, First, Second int64
	Part                int64 // of a loop
}
