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
	debt int64  // negative: what could not be subtracted yet
	sum  int64  // declared since the last event

	declared bool // the costs of events are declared

	rec    *Recording
	number uint64
	sites  [siteCache]knownSite
	rolls  int // blocks filled

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
	if t.rec.declared.Load() {
		return t.declare()
	}
	now := clock.Now()
	c := now - t.last - overhead + t.debt
	t.last = now
	if c < 0 {
		// Charge it to the next strand, so that sums stay right; but forget what
		// no strand can account for.
		t.debt = max(c, -maxDebt)
		return 0
	}
	t.debt = 0
	return uint64(c)
}

const maxDebt = 1 << 10

// declare is cost for declared costs.
func (t *Track) declare() uint64 {
	if !t.declared {
		t.declared = true
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
	t.rec.declared.Store(true)
	t.sum = min(t.sum+units, MaxCost)
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
	t.put(Fork, t.cost(o.Fork))
	t.uvarint(t.site(code))
}

// End notes the end of a sequence.
func (t *Track) End(overhead int64) {
	t.put(End, t.cost(overhead))
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
	k := &t.sites[uint64(code)*0x9E3779B97F4A7C15>>(64-6)]
	if k.code != code {
		k.code, k.id = code, t.rec.place(code)
	}
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
	t.uvarint(t.rec.since(t.last))
}

// CallEnd ends it.
func (t *Track) CallEnd() {
	t.put(CallEnd, t.cost(0))
	t.uvarint(t.rec.since(clock.Now()))
	t.Commit()
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
