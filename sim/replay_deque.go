package sim

// A frame is a piece of work that a worker has forked and must see done before it
// goes on: a branch, a part of a loop, or a part of a reduction.
type frame struct {
	kind  frameKind
	state frameState
	gen   uint32 // how often the place was used; tells a frame from its successor
	site  int32
	label int32
	thief int32 // who has it
	pos   Pos   // branch: where it begins; when it is done: what follows
	ref   int32 // part: of what
	depth int32 // part of a loop: how much more may be cut
	log   int32 // taken: its place in the log, or none
	lo    int64 // part
	hi    int64
	pace  int64 // part of a loop: as found by the giver

	prev, next int32 // among the frames of the owner that nobody has taken
}

type frameKind uint8

const (
	branch   frameKind = iota
	part               // of a loop
	subtree            // of a reduction
	borrowed           // of another worker, taken with others: owner thief, place lo
)

type frameState uint8

const (
	queued frameState = iota
	taken
	done
)

const none = -1

// A deque is a worker's stack of frames. Those that nobody has taken are linked,
// the oldest first; as long as thieves take the oldest and the owner the newest,
// they are neighbours.
type deque struct {
	frames []frame
	head   int32 // the next place
	first  int32 // oldest that nobody has taken, or none
	last   int32 // newest
	shown  int32 // newest that thieves see, or none: they see all older ones, too
	count  int32 // that nobody has taken
	public int32 // of these, seen by thieves
}

func (d *deque) init() { d.first, d.last, d.shown = none, none, none }

// push adds a frame at the owner's end and returns it.
func (d *deque) push() *frame {
	i := d.head
	if int(i) == len(d.frames) {
		d.frames = append(d.frames, frame{})
	}
	d.head++
	f := &d.frames[i]
	f.gen++
	f.state = queued
	f.prev, f.next = d.last, none
	if d.last != none {
		d.frames[d.last].next = i
	} else {
		d.first = i
	}
	d.last = i
	d.count++
	return f
}

// private returns how many frames no thief can see.
func (d *deque) private() uint32 { return uint32(d.count - d.public) }

// show makes n more frames public.
func (d *deque) show(n int32) {
	for range n {
		if d.shown == none {
			d.shown = d.first
		} else {
			d.shown = d.frames[d.shown].next
		}
		d.public++
	}
}

// hide makes all frames private.
func (d *deque) hide() { d.shown, d.public = none, 0 }

// unlink takes frame i out, which is queued.
func (d *deque) unlink(i int32) {
	f := &d.frames[i]
	if i <= d.shown {
		d.public--
		if i == d.shown {
			d.shown = f.prev
		}
	}
	if f.prev != none {
		d.frames[f.prev].next = f.next
	} else {
		d.first = f.next
	}
	if f.next != none {
		d.frames[f.next].prev = f.prev
	} else {
		d.last = f.prev
	}
	d.count--
}

// top returns the newest frame, taken or not.
func (d *deque) top() *frame { return &d.frames[d.head-1] }
