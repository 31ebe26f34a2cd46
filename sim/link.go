package sim

import (
	"cmp"
	"slices"

	"github.com/forkjoin-go/forkjoin/internal/record"
)

// A linker puts the pieces of a recording together. It goes through them in the
// order in which one worker would have run the program, and keeps what has begun
// on a stack of its own, so a recording may be as deep as it likes.
type linker struct {
	*index
	b     *Builder
	meta  Meta
	tick  uint64 // nanoseconds, fixed
	rest  uint64 // of a nanosecond, to be added to the next cost
	sites []int  // names of the file in the tree

	groups map[uint64]int
	at     place // of the next event
	worker int   // that noted it
	open   []linked
}

// A linked is something that has begun in the tree and not ended.
type linked struct {
	kind   linkedKind
	second bool // of a fork, has begun
	back   bool // return to ret and worker when it has ended
	ret    place
	worker int
	loop   *loopParts
	part   int // of the loop, next
}

type linkedKind uint8

const (
	linkedSequence linkedKind = iota
	linkedCall
	linkedFork
	linkedLoop
	linkedSpawn
)

// run links all calls, and what belongs to none.
func (l *linker) run() error {
	l.groups = map[uint64]int{0: 0}
	if err := l.lines(); err != nil {
		return err
	}
	lost := make([]*movedPart, 0)
	for _, m := range l.segments {
		if !m.used {
			lost = append(lost, m)
		}
	}
	slices.SortFunc(lost, func(a, b *movedPart) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.track, b.track), cmp.Compare(a.at, b.at))
	})
	for _, m := range lost {
		l.b.Spawn("", 0)
		l.open = append(l.open, linked{kind: linkedSpawn})
		l.enter(m)
		if err := l.link(); err != nil {
			return err
		}
	}
	l.meta.Cut = l.cut
	return nil
}

// call links an outermost call.
func (l *linker) call(m *movedPart) error {
	l.at, l.worker = m.place, m.worker
	l.open = append(l.open, linked{kind: linkedCall})
	return l.link()
}

// enter begins the sequence of a moved part, after which the linker returns to
// where it is.
func (l *linker) enter(m *movedPart) {
	m.used = true
	l.open = append(l.open, linked{kind: linkedSequence, back: true, ret: l.at, worker: l.worker})
	l.at = m.place
	if m.worker == l.worker || l.file.Workers == 1 {
		return // with one worker, to one that stood in for it while it was blocked
	}
	l.worker = m.worker
	l.meta.Moved++
	at := uint64(0)
	if !l.file.Declared {
		at, _ = scale(m.start, l.tick, 0)
	}
	l.b.Moved(m.worker, int64(at))
}

// link goes on until all that has begun has ended.
func (l *linker) link() error {
	var e record.Event
	for len(l.open) > 0 {
		if err := l.b.err; err != nil {
			return damaged("%v", err)
		}
		if l.top().kind == linkedLoop {
			if err := l.part(); err != nil {
				return err
			}
			continue
		}
		track := l.file.Tracks[l.at.track]
		if l.at.at >= len(track) {
			l.cutOff()
			continue
		}
		at := l.at
		in := record.Input{Bytes: track, At: at.at}
		if err := in.Event(&e); err != nil {
			return damaged("%v", err) // the index has read it already
		}
		l.at.at = in.At
		if err := l.event(at, &e); err != nil {
			return err
		}
	}
	return nil
}

func (l *linker) top() *linked { return &l.open[len(l.open)-1] }
func (l *linker) pop()         { l.open = l.open[:len(l.open)-1] }
