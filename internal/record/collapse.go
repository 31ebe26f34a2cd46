package record

// Limit is after how many bytes a recording begins to keep less: subtrees that
// have ended are replaced by a Summary of them, first small ones, and larger ones
// the longer the recording gets.
var Limit int64 = 1 << 29

const (
	smallTree = 64 // tasks of a subtree that is replaced as soon as the limit is reached
	doublings = 8  // of that, until the recording is twice as long as the limit
)

// threshold returns the size of subtrees that are not kept, once there are so
// many bytes; 0: all are.
func threshold(size int64) int64 {
	if size <= Limit {
		return 0
	}
	return smallTree << min((size-Limit)/max(Limit/doublings, 1), 40)
}

// A Mark is where a fork begins in a track. The zero Mark is none.
type Mark struct{ at, rolls int }

// Mark returns the place of the fork that is noted next, if it may be collapsed.
func (t *Track) Mark() Mark {
	if t.collapse == 0 {
		return Mark{}
	}
	return Mark{len(t.buf) + 1, t.rolls}
}

// Collapse replaces the fork that was noted at a mark and has just ended, with all
// that is in it, if it is small and known here completely.
func (t *Track) Collapse(m Mark) {
	if m != (Mark{}) {
		t.replace(m)
	}
}

func (t *Track) replace(m Mark) {
	start := m.at - 1
	if m.rolls != t.rolls || int64(start) < t.committed.Load() || int64(len(t.buf)-start) > 16*t.collapse {
		return
	}
	in := Input{Bytes: t.buf[start:]}
	var fork Event
	if in.Event(&fork) != nil || fork.Kind != Fork {
		return
	}
	a, known := sumUp(&in)
	b, too := sumUp(&in)
	if !known || !too || in.At != len(in.Bytes) || a.tasks+b.tasks > uint64(t.collapse) {
		return
	}
	t.buf = t.buf[:start]
	t.put(Summary, fork.Cost)
	t.uvarint(a.work + b.work)
	t.uvarint(max(a.span, b.span))
	t.uvarint(a.tasks + b.tasks)
}

// A sum is what a sequence amounts to.
type sum struct{ work, span, tasks uint64 }

func (s *sum) add(cost uint64) { s.work += cost; s.span += cost }

// sumUp reads a sequence. It reports false if that has parts elsewhere, or others
// than forks and loops.
func sumUp(in *Input) (s sum, known bool) {
	var e Event
	for in.Event(&e) == nil {
		s.add(e.Cost)
		switch e.Kind {
		case End:
			s.tasks++
			return s, true
		case Enter, Leave:
		case Summary:
			s.work += e.Num[0]
			s.span += e.Num[1]
			s.tasks += e.Num[2]
		case Fork:
			a, known := sumUp(in)
			b, too := sumUp(in)
			if !known || !too {
				return s, false
			}
			s.parts(a.work+b.work, max(a.span, b.span), a.tasks+b.tasks)
		case LoopBegin:
			if !s.loop(in) {
				return s, false
			}
		default:
			return s, false
		}
	}
	return s, false
}

func (s *sum) parts(work, span, tasks uint64) {
	s.work += work
	s.span += span
	s.tasks += tasks
}

// loop adds the parts of a loop.
func (s *sum) loop(in *Input) (known bool) {
	var e Event
	var all sum
	for in.Event(&e) == nil {
		switch e.Kind {
		case LoopEnd:
			s.parts(all.work, all.span, all.tasks)
			return true
		case Chunk:
			all.work += e.Cost
			all.span = max(all.span, (e.Cost+e.Num[0]-1)/max(e.Num[0], 1))
		case Item:
			item, known := sumUp(in)
			if !known {
				return false
			}
			all = sum{all.work + item.work, max(all.span, item.span), all.tasks + item.tasks}
		default:
			return false
		}
	}
	return false
}
