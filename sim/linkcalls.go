package sim

import (
	"cmp"
	"slices"
)

// BetweenCalls is the name of what a program that was recorded as a whole did
// between two outermost calls, while it made no other. It counts as sequential
// work. The recording cannot know whether it was: the program may as well have
// waited, for input or for a processor.
const BetweenCalls = "code between calls"

// lines puts outermost calls that follow each other into one line, with what was
// between them, and has those that ran at the same time as another one spawned.
func (l *linker) lines() error {
	slices.SortStableFunc(l.calls, func(a, b *movedPart) int { return cmp.Compare(a.start, b.start) })
	lineEnd, lastEnd := uint64(0), uint64(0) // of the line's last call, and of any call so far
	for i := 0; i < len(l.calls); {
		first := l.calls[i]
		if i > 0 {
			l.between(lineEnd, lastEnd, first.start)
		}
		lineEnd, lastEnd = first.finish, max(lastEnd, first.finish)
		next := i + 1
		for ; next < len(l.calls) && l.calls[next].start < first.finish; next++ {
			m := l.calls[next]
			lastEnd = max(lastEnd, m.finish)
			l.b.Spawn("", 0)
			l.open = append(l.open, linked{kind: linkedSpawn})
			l.pause(m.start - first.start)
			if err := l.call(m); err != nil {
				return err
			}
		}
		if err := l.call(first); err != nil {
			return err
		}
		i = next
	}
	return nil
}

// between goes on from the end of a line's call to the start of the next one. Up to
// busy another call went on, for which the program may have been waiting; after that
// it was by itself.
func (l *linker) between(end, busy, start uint64) {
	busy = min(max(busy, end), start)
	l.pause(busy - min(end, busy))
	if d := l.measured(start - busy); d > 0 {
		l.b.Enter(BetweenCalls)
		l.b.Work(d)
		l.b.Leave()
	}
}

// pause passes time in which others may run.
func (l *linker) pause(ticks uint64) {
	if d := l.measured(ticks); d > 0 {
		l.b.Pause(d)
	}
}

// measured returns a length of time in nanoseconds, 0 if costs are declared.
func (l *linker) measured(ticks uint64) int64 {
	if l.file.Declared {
		return 0
	}
	whole, _ := scale(ticks, l.tick, 0)
	return int64(min(whole, maxCost))
}
