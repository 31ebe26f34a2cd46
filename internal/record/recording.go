package record

import (
	"sync"
	"sync/atomic"

	"github.com/forkjoin-go/forkjoin/internal/clock"
)

// A Recording is what is known of one recorded run.
type Recording struct {
	declared atomic.Bool   // costs are declared; once set it stays
	ids      atomic.Uint64 // the last number given to a segment, group or loop
	begun    int64
	spent    atomic.Int64 // ticks that writing took between calls, which are not the program's
	workers  int
	program  string

	// Anonymous recordings do not look for who called the library.
	Anonymous bool

	mu     sync.Mutex
	tracks []*Track
	names  []string // "" first
	byName map[string]uint64
	byCode map[uintptr]uint64
	told   int      // names in out
	out    [][]byte // the bytes of chunks
	size   int      // of out
	total  int64    // bytes of all chunks so far
	chunks uint64
	ended  bool
	spill  func() // has out written to a file; nil: it is kept in memory
}

// spillSize is how large out gets before it is written in the middle of a call.
const spillSize = 1 << 20

// New begins a recording of a run on so many workers.
func New(workers int, program string) *Recording {
	return &Recording{
		begun: clock.Now(), workers: workers, program: program,
		names: []string{""}, told: 1,
		byName: map[string]uint64{"": 0}, byCode: map[uintptr]uint64{},
	}
}

// NewID returns a number that no other segment, group or loop has.
func (r *Recording) NewID() uint64 { return r.ids.Add(1) }

// NewTrack returns a track for a worker.
func (r *Recording) NewTrack() *Track {
	t := &Track{rec: r, block: make([]byte, 0, blockSize), quick: blockSize - room}
	t.buf = t.block
	r.mu.Lock()
	t.number = uint64(len(r.tracks))
	r.tracks = append(r.tracks, t)
	r.mu.Unlock()
	return t
}

// Recording returns the recording that t is a part of.
func (t *Track) Recording() *Recording { return t.rec }

// since returns the time since the recording began, without what was spent on
// writing it.
func (r *Recording) since(now int64) uint64 {
	return uint64(max(0, now-r.begun-r.spent.Load()))
}

// Name returns the number of a label.
func (r *Recording) Name(label string) uint64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.name(label)
}

func (r *Recording) name(label string) uint64 {
	id, ok := r.byName[label]
	if !ok {
		id = uint64(len(r.names))
		r.byName[label] = id
		r.names = append(r.names, label)
	}
	return id
}

// roll gives t a new block, because its block is full.
func (r *Recording) roll(t *Track) {
	start := clock.Now()
	r.mu.Lock()
	r.take(t, len(t.buf))
	t.block = make([]byte, 0, blockSize)
	t.collected = 0
	t.committed.Store(0)
	full := r.size > spillSize
	t.collapse = threshold(r.total)
	r.mu.Unlock()
	if full && r.spill != nil {
		r.spill()
	}
	t.buf = t.block
	t.rolls++
	t.last += clock.Now() - start // this is not the program's time
}

// take makes a chunk of what t has written up to end. The caller holds mu.
func (r *Recording) take(t *Track, end int) {
	if end <= t.collected || r.ended {
		return
	}
	r.tellNames()
	r.chunk(chunkTrack, appendNumber(nil, t.number), t.block[t.collected:end])
	t.collected = end
}

// chunk adds a chunk, whose contents are the bytes of both a and b. It keeps b.
func (r *Recording) chunk(kind byte, a, b []byte) {
	head, sum := chunkFrame(kind, a, b)
	r.out = append(r.out, head, b, sum)
	n := len(head) + len(b) + len(sum)
	r.size += n
	r.total += int64(n)
	r.chunks++
}

// collect makes chunks of all that has been committed. The caller holds mu.
func (r *Recording) collect() {
	for _, t := range r.tracks {
		r.take(t, int(t.committed.Load()))
	}
	r.tellNames()
}

// tellNames makes a chunk of the names that are new.
func (r *Recording) tellNames() {
	if r.told == len(r.names) || r.ended {
		return
	}
	var names []byte
	for _, n := range r.names[r.told:] {
		names = appendString(names, n)
	}
	r.chunk(chunkNames, nil, names)
	r.told = len(r.names)
}

// summary appends the last chunk.
func (r *Recording) summary(b []byte) []byte {
	s := Info{
		Declared: r.declared.Load(),
		Tick:     perTick(),
		Elapsed:  clock.Nanos(clock.Now() - r.begun),
		Workers:  r.workers,
		Program:  r.program,
		Chunks:   r.chunks,
	}
	return s.append(b)
}

// perTick returns how many nanoseconds a tick takes.
func perTick() float64 {
	const many = 1 << 40
	return float64(clock.Nanos(many)) / many
}

// flush returns the chunks that have been made since it was called last. The
// caller holds mu.
func (r *Recording) flush() []byte {
	all := make([]byte, 0, r.size+256) // with room for a summary
	for _, b := range r.out {
		all = append(all, b...)
	}
	r.out, r.size = nil, 0
	return all
}

// Finish ends the recording and returns it as a file. Workers that are still at
// it go on in vain.
func (r *Recording) Finish() []byte {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.collect()
	r.ended = true
	return r.summary(append(appendHeader(nil), r.flush()...))
}
