package record

// LoopBegin notes a loop of n iterations. Readers may put parts together within
// cells. It returns a number under which pieces of the loop can be noted
// elsewhere.
func (t *Track) LoopBegin(label string, code uintptr, n, least, most, cell int) (loop uint64) {
	t.put(LoopBegin, t.cost(0))
	loop = t.rec.NewID()
	t.uvarint(loop)
	t.uvarint(t.loopSite(label, code))
	t.uvarint(uint64(n))
	t.uvarint(uint64(least))
	t.uvarint(uint64(most))
	t.uvarint(uint64(cell))
	t.Resume()
	return loop
}

// ReduceBegin is LoopBegin for a reduction of n iterations in so many leaves.
func (t *Track) ReduceBegin(label string, code uintptr, n, leaves int) (loop uint64) {
	t.put(ReduceBegin, t.cost(0))
	loop = t.rec.NewID()
	t.uvarint(loop)
	t.uvarint(t.loopSite(label, code))
	t.uvarint(uint64(n))
	t.uvarint(uint64(leaves))
	t.Resume()
	return loop
}

// LoopEnd notes the end of a loop, or of a piece of one.
func (t *Track) LoopEnd() {
	t.put(LoopEnd, 0)
	t.Resume()
}

// Piece begins parts of a loop that were moved to worker; LoopEnd and Commit end
// them. first is the iteration they begin with, counted from the loop's first, or -1
// for those of a reduction.
func (t *Track) Piece(loop uint64, worker, first int) {
	t.put(Piece, 0)
	t.uvarint(loop)
	t.uvarint(uint64(worker))
	t.Resume()
	t.uvarint(t.rec.since(t.last))
	t.uvarint(uint64(first + 1))
}

// A Part is a place in a track where a part of a loop begins.
type Part struct{ start, end, rolls int }

// BeginPart begins a part of a loop: n iterations of it or, of a reduction, the
// one at place n.
func (t *Track) BeginPart(n int) Part {
	t.put(Item, 0)
	start := len(t.buf) - 1
	t.uvarint(uint64(n))
	return Part{start, len(t.buf), t.rolls}
}

// EndPart ends it. It reports whether the part was plain code; then nothing but
// its cost is kept.
func (t *Track) EndPart(p Part, n int, overhead int64) (plain bool) {
	if len(t.buf) != p.end || t.rolls != p.rolls {
		t.put(End, t.cost(overhead))
		return false
	}
	t.buf = t.buf[:p.start]
	t.put(Chunk, t.cost(overhead))
	t.uvarint(uint64(n))
	return true
}

// Cell returns the size of the cells of a loop. Where costs are declared, parts
// end where cells do, so that the profile does not depend on how the loop was
// run.
func Cell(n, least int) int { return max(1, (n-1)/1024+1, least) }

// Declared reports whether costs have been declared.
func (t *Track) Declared() bool { return t.rec.declared.Load() }
