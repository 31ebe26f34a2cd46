package record

// A Kind says what an event is. The numbers are part of the file format.
type Kind uint8

// Kinds, with the numbers that follow each. An event is a varint of its cost,
// shifted by three, and its kind; from Enter on the kind is a further byte.
const (
	End   Kind = iota // ends the innermost sequence
	Fork              // site: a two-way fork; two sequences follow
	Chunk             // n: a part of a loop that forks nothing
	Item              // n: a part of a loop that is a sequence, which follows
	Spawn             // site, group, segment: a function was given to a group
	Wait              // group
	Ref               // segment: stands for a sequence that another worker ran
	rare              // not a kind

	Enter       // site: a part of the sequence with a name begins
	Leave       // the named part begun last ends
	Pause       // duration: the strand's end was spent waiting
	LoopBegin   // loop, site, n, min, max, cell: Chunks and Items follow, up to LoopEnd
	ReduceBegin // loop, site, n, leaves: likewise, each with its place instead of n
	LoopEnd     // ends a loop, or a Piece
	Segment     // segment, worker, at: a sequence that was moved here follows
	Piece       // loop, worker, at, lo+1: parts of a loop that were moved here follow; 0 for a reduction
	Call        // worker, at: an outermost call, a sequence that ends with CallEnd
	CallEnd     // at
	Declared    // costs from here on are declared
	Summary     // work, span, tasks: a subtree that was not kept
	Kinds       // not a kind
)

// Rare reports whether the kind takes a byte of its own.
func (k Kind) Rare() bool { return k > rare }

const (
	KindBits = 3
	KindMask = 1<<KindBits - 1
	IsRare   = uint64(rare) // in place of a rare kind
)

// fields is how many numbers follow each kind.
var fields = [Kinds]int{Fork: 1, Chunk: 1, Item: 1, Spawn: 3, Wait: 1, Ref: 1,
	Enter: 1, Pause: 1, LoopBegin: 6, ReduceBegin: 4, Segment: 3, Piece: 4,
	Call: 2, CallEnd: 1, Summary: 3}

// Fields returns how many numbers follow an event of a kind.
func (k Kind) Fields() int { return fields[k] }
