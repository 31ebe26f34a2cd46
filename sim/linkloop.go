package sim

import (
	"cmp"
	"math"
	"slices"

	"github.com/forkjoin-go/forkjoin/internal/record"
)

// loop begins a loop or reduction, whose parts are known from the index.
func (l *linker) loop(e *record.Event) error {
	p := l.loops[e.Num[0]]
	l.meta.Moved += int64(p.pieces)
	site, err := l.site(e.Num[1])
	if err != nil {
		return err
	}
	if max(e.Num[2], e.Num[3], e.Num[4]) > math.MaxInt64 {
		return damaged("a loop has %d iterations", e.Num[2])
	}
	of := LoopOf{N: int64(e.Num[2])}
	slices.SortStableFunc(p.parts, func(a, b loopPart) int { return cmp.Compare(a.lo, b.lo) })
	switch {
	case e.Kind == record.ReduceBegin && p.complete(e.Num[3]):
		p.postorder()
		l.b.reduceAt(site, of, (len(p.parts)+1)/2)
	case e.Kind == record.LoopBegin && !p.items, len(p.parts) == 0:
		of.Min, of.Max = int64(e.Num[3]), int64(e.Num[4])
		if e.Kind == record.ReduceBegin {
			of.Min, of.Max = 1, 0
			e.Num[5] = 0
		}
		return l.profile(p, site, of, int64(min(e.Num[5], math.MaxInt64)))
	default: // of a reduction that was cut short, what there is
		if e.Kind == record.LoopBegin {
			of.Min, of.Max = int64(e.Num[3]), int64(e.Num[4])
		} else {
			of.N = 0
		}
		l.b.itemsAt(site, of)
	}
	l.open = append(l.open, linked{kind: linkedLoop, loop: p})
	return nil
}

// complete reports whether p is all parts of a reduction of so many leaves.
func (p *loopParts) complete(leaves uint64) bool {
	n := uint64(len(p.parts))
	if n == 0 || n%2 == 0 || leaves != (n+1)/2 {
		return false
	}
	for i := range p.parts {
		if p.parts[i].lo != int64(i) {
			return false
		}
	}
	return true
}

// postorder sorts parts, which lie by place, in the order in which they run.
func (p *loopParts) postorder() {
	o := order{leaves: (len(p.parts) + 1) / 2}
	sorted := make([]loopPart, len(p.parts))
	for i := range sorted {
		sorted[i] = p.parts[o.next()]
	}
	p.parts = sorted
}

// part goes on with the innermost loop.
func (l *linker) part() error {
	o := l.top()
	if o.part == len(o.loop.parts) {
		l.b.Done()
		l.at = o.loop.end
		l.pop()
		return nil
	}
	p := o.loop.parts[o.part]
	o.part++
	l.b.Item()
	at, e, err := l.partEvent(p)
	if err != nil {
		return err
	}
	if e.Kind == record.Chunk {
		l.b.Work(l.cost(p.place, e.Cost))
		return nil
	}
	l.at = at
	l.open = append(l.open, linked{kind: linkedSequence})
	return nil
}

// partEvent reads the event that a part begins with.
func (l *linker) partEvent(p loopPart) (after place, e record.Event, err error) {
	in := record.Input{Bytes: l.file.Tracks[p.track], At: p.at}
	if err = in.Event(&e); err != nil {
		err = damaged("%v", err)
	}
	return place{p.track, in.At}, e, err
}

// mostBlocks is how fine a measured profile is kept.
const mostBlocks = 4096

// profile adds a loop whose iterations fork nothing. If costs are declared, parts
// are put together within cells, so that the profile is the same however the loop
// was run, and else if there are very many; a cell of 0 forbids it.
func (l *linker) profile(p *loopParts, site int, of LoopOf, cell int64) error {
	switch {
	case cell == 0, !l.file.Declared && len(p.parts) <= mostBlocks:
		cell = 1
	case !l.file.Declared:
		cell = of.N/mostBlocks + 1
	}
	var blocks []Block
	last := int64(-1)
	for _, part := range p.parts {
		_, e, err := l.partEvent(part)
		if err != nil {
			return err
		}
		cost := l.cost(part.place, e.Cost)
		if k := part.lo / cell; cell > 1 && k == last {
			b := &blocks[len(blocks)-1]
			if b.Iterations > math.MaxInt64-part.n || b.Cost > maxCost {
				return damaged("a loop is too long")
			}
			b.Iterations += part.n
			b.Cost += cost
		} else {
			blocks = append(blocks, Block{part.n, cost})
			last = k
		}
	}
	l.b.loopAt(site, of, blocks)
	l.at = p.end
	return nil
}
