package sim

import (
	"slices"

	"github.com/forkjoin-go/forkjoin/internal/record"
)

// An index tells where in a recording the pieces are that belong elsewhere.
type index struct {
	file     *record.File
	calls    []*movedPart
	segments map[uint64]*movedPart
	loops    map[uint64]*loopParts
	skip     map[place]place // from the beginning of a moved piece to its end
	declared []int           // where in each track declared costs begin
	cut      bool            // a track ends in the middle of a sequence
}

// A place is a position in a track.
type place struct{ track, at int }

// A movedPart is a sequence that does not belong where it stands.
type movedPart struct {
	place         // of its first event
	worker        int
	start, finish uint64 // ticks since the recording began; finish of calls only
	used          bool
}

// loopParts are the parts of a loop, wherever they were run.
type loopParts struct {
	parts  []loopPart
	items  bool // a part is a sequence
	begun  bool // its LoopBegin has been seen
	end    place
	pieces int
}

type loopPart struct {
	lo int64 // first iteration; place in a reduction
	n  int64
	place
}

// A nest is a stretch of a track that begins and ends.
type nest struct {
	kind   nestKind
	from   place // where the moved part or call begins
	loop   *loopParts
	next   int64 // iteration of a loop or piece
	places bool
	moved  *movedPart
	parts  int // of a fork
}

type nestKind uint8

const (
	nestSequence nestKind = iota // ends with End
	nestFork                     // ends with its second sequence
	nestLoop                     // ends with LoopEnd
	nestPiece                    // the same
	nestSegment                  // a sequence that was moved here
	nestCall                     // ends with CallEnd
)

// newIndex reads all tracks once.
func newIndex(f *record.File) (*index, error) {
	ix := &index{
		file: f, segments: map[uint64]*movedPart{}, loops: map[uint64]*loopParts{},
		skip: map[place]place{}, declared: make([]int, len(f.Tracks)),
	}
	for i := range f.Tracks {
		if err := ix.track(i); err != nil {
			return nil, err
		}
	}
	return ix, nil
}

func (ix *index) loop(number uint64) *loopParts {
	l := ix.loops[number]
	if l == nil {
		l = &loopParts{}
		ix.loops[number] = l
	}
	return l
}

// track reads one.
func (ix *index) track(i int) error {
	s := scan{ix: ix, in: record.Input{Bytes: ix.file.Tracks[i]}, track: i}
	ix.declared[i] = len(s.in.Bytes)
	var e record.Event
	for s.in.At < len(s.in.Bytes) {
		at := s.in.At
		if err := s.in.Event(&e); err != nil {
			return damaged("track %d, byte %d: %v", i, at, err)
		}
		if err := s.event(at, &e); err != nil {
			return err
		}
	}
	if len(s.open) > 0 {
		ix.cut = true
		end := place{i, len(s.in.Bytes)}
		for _, n := range s.open {
			switch n.kind {
			case nestSegment, nestPiece:
				ix.skip[n.from] = end
			case nestLoop:
				n.loop.end = end
			}
		}
	}
	return nil
}

// A scan reads a track and keeps what has begun and not ended.
type scan struct {
	ix    *index
	in    record.Input
	track int
	open  []nest
}

func (s *scan) here() place { return place{s.track, s.in.At} }

func (s *scan) fail(at int, e *record.Event) error {
	return damaged("track %d, byte %d: an event of kind %d does not belong there", s.track, at, e.Kind)
}

// inside reports whether the innermost stretch is of one of the kinds.
func (s *scan) inside(kinds ...nestKind) bool {
	return len(s.open) > 0 && slices.Contains(kinds, s.open[len(s.open)-1].kind)
}

func (s *scan) top() *nest     { return &s.open[len(s.open)-1] }
func (s *scan) push(n nest)    { s.open = append(s.open, n) }
func (s *scan) pop()           { s.open = s.open[:len(s.open)-1] }
func (s *scan) sequence() bool { return s.inside(nestSequence, nestSegment, nestCall) }

func (s *scan) event(at int, e *record.Event) error {
	ix := s.ix
	switch e.Kind {
	case record.Segment, record.Piece, record.Call, record.Declared:
		return s.anywhere(at, e)
	case record.Chunk, record.Item:
		if !s.inside(nestLoop, nestPiece) {
			return s.fail(at, e)
		}
		return s.part(at, e)
	case record.LoopEnd:
		if !s.inside(nestLoop, nestPiece) {
			return s.fail(at, e)
		}
		if n := s.top(); n.kind == nestLoop {
			n.loop.end = s.here()
		} else {
			ix.skip[n.from] = s.here()
		}
		s.pop()
		return nil
	case record.Ref:
		if !s.inside(nestFork) || s.top().parts != 1 {
			return s.fail(at, e)
		}
		s.pop()
		return nil
	case record.End:
		if !s.inside(nestSequence, nestSegment, nestFork) {
			return s.fail(at, e)
		}
		return s.end(at, e)
	}
	if s.inside(nestFork) { // its second sequence begins
		s.top().parts = 2
		s.push(nest{kind: nestSequence})
	}
	if !s.sequence() {
		return s.fail(at, e)
	}
	switch e.Kind {
	case record.Fork:
		s.push(nest{kind: nestFork})
		s.push(nest{kind: nestSequence})
		s.open[len(s.open)-2].parts = 1
	case record.LoopBegin, record.ReduceBegin:
		l := ix.loop(e.Num[0])
		if l.begun {
			return damaged("track %d, byte %d: loop %d begins again", s.track, at, e.Num[0])
		}
		l.begun = true
		s.push(nest{kind: nestLoop, loop: l, places: e.Kind == record.ReduceBegin})
	case record.CallEnd:
		if s.top().kind != nestCall {
			return s.fail(at, e)
		}
		s.top().moved.finish = e.Num[0]
		s.pop()
	}
	return nil
}

// end ends a sequence.
func (s *scan) end(at int, e *record.Event) error {
	switch s.top().kind {
	case nestSegment:
		s.ix.skip[s.top().from] = s.here()
		s.pop()
		return nil
	case nestFork: // an empty second sequence
		if s.top().parts != 1 {
			return s.fail(at, e)
		}
		s.pop()
		return nil
	}
	s.pop()
	if s.inside(nestFork) && s.top().parts == 2 {
		s.pop()
	}
	return nil
}

// part is a part of a loop.
func (s *scan) part(at int, e *record.Event) error {
	n := s.top()
	p := loopPart{lo: n.next, n: int64(e.Num[0]), place: place{s.track, at}}
	if n.places {
		p.lo, p.n = int64(e.Num[0]), 1
	}
	if e.Num[0] >= 1<<62 || p.n <= 0 || p.lo > 1<<62 {
		return damaged("track %d, byte %d: a part of a loop has %d iterations", s.track, at, e.Num[0])
	}
	n.next = p.lo + p.n
	n.loop.parts = append(n.loop.parts, p)
	if e.Kind == record.Item {
		n.loop.items = true
		s.push(nest{kind: nestSequence})
	}
	return nil
}

// anywhere is for events that may come between any others.
func (s *scan) anywhere(at int, e *record.Event) error {
	ix, from := s.ix, place{s.track, at}
	switch e.Kind {
	case record.Declared:
		ix.declared[s.track] = min(ix.declared[s.track], at)
	case record.Call:
		if len(s.open) > 0 {
			return s.fail(at, e)
		}
		m := &movedPart{place: s.here(), worker: int(e.Num[0]), start: e.Num[1], finish: e.Num[1]}
		ix.calls = append(ix.calls, m)
		s.push(nest{kind: nestCall, moved: m})
	case record.Segment:
		if ix.segments[e.Num[0]] != nil {
			return damaged("track %d, byte %d: segment %d begins again", s.track, at, e.Num[0])
		}
		m := &movedPart{place: s.here(), worker: int(e.Num[1]), start: e.Num[2]}
		ix.segments[e.Num[0]] = m
		s.push(nest{kind: nestSegment, from: from})
	case record.Piece:
		l := ix.loop(e.Num[0])
		l.pieces++
		s.push(nest{kind: nestPiece, from: from, loop: l, places: e.Num[3] == 0, next: int64(min(e.Num[3], 1<<62)) - 1})
	}
	return nil
}
