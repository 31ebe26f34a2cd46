package sim

import (
	"math"

	"github.com/forkjoin-go/forkjoin/internal/record"
)

// What a linker does with the events of a recording.

// cost returns what an event's strand cost.
func (l *linker) cost(at place, ticks uint64) int64 {
	if l.file.Declared {
		if at.at < l.declared[at.track] {
			return 0
		}
		return int64(ticks)
	}
	var whole uint64
	whole, l.rest = scale(ticks, l.tick, l.rest)
	return int64(whole)
}

func (l *linker) event(at place, e *record.Event) error {
	switch e.Kind {
	case record.Segment, record.Piece:
		l.at = l.skip[at]
		return nil
	case record.Declared:
		return nil
	case record.Ref:
		return l.refer(e.Num[0])
	}
	if l.top().kind == linkedFork && !l.top().second {
		l.second()
		if e.Kind != record.End {
			l.open = append(l.open, linked{kind: linkedSequence})
		}
	}
	l.b.Work(l.cost(at, e.Cost))
	switch e.Kind {
	case record.End, record.CallEnd:
		l.end()
		return nil
	case record.Fork, record.Enter:
		site, err := l.site(e.Num[0])
		if err != nil {
			return err
		}
		if e.Kind == record.Enter {
			l.b.EnterAt(site)
			return nil
		}
		l.b.ForkAt(site)
		l.open = append(l.open, linked{kind: linkedFork}, linked{kind: linkedSequence})
	case record.Spawn:
		return l.spawn(e)
	case record.Wait:
		l.b.Wait(l.group(e.Num[0]))
	case record.Leave:
		l.b.Leave()
	case record.Pause:
		if d := l.cost(at, e.Num[0]); d > 0 {
			l.b.Pause(d)
		}
	case record.Summary:
		return l.summary(at, e)
	case record.LoopBegin, record.ReduceBegin:
		return l.loop(e)
	}
	return nil
}

func (l *linker) site(n uint64) (int, error) {
	if n >= uint64(len(l.sites)) {
		return 0, damaged("name %d is missing", n)
	}
	return l.sites[n], nil
}

func (l *linker) group(n uint64) int {
	g, ok := l.groups[n]
	if !ok {
		g = len(l.groups)
		l.groups[n] = g
	}
	return g
}

func (l *linker) second() {
	l.top().second = true
	l.b.Second()
}

// refer runs a fork's second branch that was run elsewhere.
func (l *linker) refer(segment uint64) error {
	l.second()
	m := l.segments[segment]
	switch {
	case m == nil:
		l.meta.Missing++
		l.ended()
	case m.used:
		return damaged("segment %d is used twice", segment)
	default:
		l.enter(m)
	}
	return nil
}

func (l *linker) spawn(e *record.Event) error {
	site, err := l.site(e.Num[0])
	if err != nil {
		return err
	}
	l.b.SpawnAt(site, l.group(e.Num[1]))
	l.open = append(l.open, linked{kind: linkedSpawn})
	m := l.segments[e.Num[2]]
	switch {
	case m == nil:
		l.meta.Missing++
		l.ended()
	case m.used:
		return damaged("segment %d is used twice", e.Num[2])
	default:
		l.enter(m)
	}
	return nil
}

func (l *linker) summary(at place, e *record.Event) error {
	work, span := l.cost(at, e.Num[0]), l.cost(at, e.Num[1])
	if e.Num[2] > math.MaxInt32<<16 {
		return damaged("a summary is of %d tasks", e.Num[2])
	}
	l.b.Summary(work, min(span, work), int64(e.Num[2]))
	return nil
}

// end ends the innermost sequence.
func (l *linker) end() {
	top := *l.top()
	switch top.kind {
	case linkedCall:
		l.pop()
		if len(l.open) > 0 { // it was spawned
			l.ended()
		}
		return
	case linkedSequence:
		l.pop()
	}
	if top.back {
		l.at, l.worker = top.ret, top.worker
	}
	l.ended()
}

// ended goes on after a part of the innermost operation has ended.
func (l *linker) ended() {
	switch o := l.top(); o.kind {
	case linkedFork:
		if o.second {
			l.b.Join()
			l.pop()
		}
	case linkedSpawn:
		l.b.Spawned()
		l.pop()
	}
}

// cutOff ends what a track that ends early has left open.
func (l *linker) cutOff() {
	if l.top().kind == linkedFork {
		l.second()
		l.ended()
		return
	}
	l.end()
}
