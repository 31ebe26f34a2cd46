package sim

import "fmt"

// A Tree is the task tree of a program: what it forked, what each piece cost,
// and in which order pieces must run. It says nothing of how many workers ran
// it. [Record] makes one of a real program, a [Builder] by hand, [Read] from a
// file. A Tree does not change, so any number of goroutines may read it. The zero
// Tree is none.
//
// It is a sequence of operations for the root task. Before each operation there
// is a strand, plain code of a known cost. An operation that forks is followed
// by the sequences of its parts; every sequence ends with an [End]. So a walk
// that runs the parts of each operation in order, the way one worker does, just
// reads on:
//
//	var op sim.Op
//	for at, open := t.Root(), 1; open > 0; at = op.Next {
//		t.Decode(at, &op)
//		work += op.Cost
//		…
//	}
//
// where open counts the sequences begun and not ended. Whoever runs parts
// elsewhere finds their beginnings in the Op.
//
// Sequences are kept in a compact code: a two-way fork with both its branches
// takes about 9 bytes, of which 4 tell where the second branch begins. A plain
// loop takes 16 for each block of its profile.
type Tree struct {
	code   []byte
	lists  []Pos   // of parts: their number, where each begins, and where the code after them does
	blocks []block // of profiles
	names  []string
	meta   Meta
	counts Counts
}

// Meta is what is known of a Tree besides its operations.
type Meta struct {
	// Declared is set if the costs are what the program gave to
	// forkjoin.Charge. Otherwise they are measured nanoseconds.
	Declared bool
	// Workers is on how many workers the recording was made; 0 for a tree made
	// by hand.
	Workers int
	// Elapsed is how long the recorded run took, in nanoseconds.
	Elapsed int64
	// Program says what was recorded.
	Program string
	// Moved is how many pieces were run by another worker than the one that
	// they come from.
	Moved int64
	// Missing is how many functions were given to groups, or submitted, of which
	// nothing is known: they were skipped, or had not ended.
	Missing int64
	// Cut is set if the recording ended in the middle of a call. What had not
	// ended by then is taken to end there.
	Cut bool
}

// Counts are how many of each there are in a Tree.
type Counts struct {
	Tasks  int64 // sequences: the root, each branch, item, leaf, combination and spawned function
	Forks  int64 // two-way forks
	Loops  int64 // also those whose iterations fork
	Spawns int64 // functions given to groups or submitted
	Ops    int64
}

// A Pos is a place in a tree's code, where an operation begins.
type Pos uint32

// Kind says what an operation does.
type Kind uint8

const (
	// End ends a sequence. After the End of a fork's second branch comes what
	// follows the join, and so on for the last part of each operation.
	End Kind = iota
	// Fork begins two branches that may run at the same time. The first is at
	// Next, the second at Second. Both must have ended before what follows.
	Fork
	// Loop is a loop or JoinAll of N iterations that fork nothing themselves. Its
	// costs are in [Tree.Profile]. What follows is at Next.
	Loop
	// Items is a loop or JoinAll of Items parts that fork: each has a sequence of
	// its own, Tree.Item(op, i). The first is at Next; what follows is at
	// Tree.After(op).
	Items
	// Reduce is a reduction: Items leaves that are combined in a tree, in which
	// the leaves [lo, hi) are combined from those up to and from
	// mid = lo + (hi-lo)/2. Leaf i is Tree.Leaf(op, i), the combination
	// Tree.Combine(op, mid). The first leaf is at Next; what follows is at
	// Tree.After(op).
	Reduce
	// Spawn gives a function to Group, to run from now on; the function is at
	// Next and the caller goes on at Second. Group 0 is that of functions nobody
	// waits for.
	Spawn
	// Wait goes on when all functions that were given to Group have ended.
	Wait
	// Enter begins, and Leave ends, a part of a sequence that is named Site.
	Enter
	Leave
	// Pause passes Work nanoseconds without using a worker: the task blocks.
	Pause
	// Moved begins a sequence that, when it was recorded, worker Worker took
	// from another one, At nanoseconds after the recording began (0 where costs
	// are declared).
	Moved
	// Summary stands for a subtree that is not kept: a total cost of Work, a
	// span of Span, and Tasks sequences.
	Summary

	kinds
)

var kindNames = [kinds]string{"end", "fork", "loop", "items", "reduce", "spawn", "wait",
	"enter", "leave", "pause", "moved", "summary"}

func (k Kind) String() string {
	if k < kinds {
		return kindNames[k]
	}
	return "unknown"
}

// An Op is a decoded operation. Fields that Kind does not speak of are not set.
type Op struct {
	Kind   Kind
	Site   int   // where in the program: Tree.Name(Site) tells; 0 is unknown
	Cost   int64 // of the strand before the operation
	Next   Pos   // the operation that follows in the code
	Second Pos   // Fork, Spawn

	Group int // Spawn, Wait

	N        int64 // Loop, Items, Reduce: iterations
	Min, Max int64 // the same: leaf limits that the program asked for; Max 0: none
	Items    int   // parts; blocks of a profile

	Work, Span, Tasks int64 // Summary; Pause: Work

	Worker int   // Moved
	At     int64 // Moved

	list int
}

// check returns an error if nobody has made t. call is what it was given to.
func (t *Tree) check(call string) error {
	switch {
	case t == nil:
		return fmt.Errorf("forkjoin: sim.%s: the tree is nil", call)
	case len(t.code) == 0:
		return fmt.Errorf("forkjoin: sim.%s: the tree is the zero Tree, want one of Record, Read or a Builder", call)
	}
	return nil
}

// must panics where check returns an error.
func (t *Tree) must(call string) {
	if err := t.check(call); err != nil {
		panic(err.Error())
	}
}

// Root returns where the root task begins.
func (t *Tree) Root() Pos { return 0 }

// Meta returns what is known of t besides its operations.
func (t *Tree) Meta() Meta { return t.meta }

// Counts returns how many operations t has.
func (t *Tree) Counts() Counts { return t.counts }

// Size returns how many bytes t takes in memory.
func (t *Tree) Size() int64 {
	return int64(len(t.code)) + 4*int64(len(t.lists)) + 16*int64(len(t.blocks))
}

// Names returns how many names there are; they are numbered from 0, which is "".
func (t *Tree) Names() int { return len(t.names) }

// Name returns a label, or a place in the program as "function file:line".
func (t *Tree) Name(site int) string { return t.names[site] }

// Item returns where part i of an Items operation begins.
func (t *Tree) Item(op *Op, i int) Pos { return t.lists[op.list : op.list+op.Items][i] }

// Leaf returns where leaf i of a Reduce operation begins.
func (t *Tree) Leaf(op *Op, i int) Pos { return t.lists[op.list : op.list+2*op.Items-1][2*i] }

// Combine returns where the combination of a Reduce operation begins that joins
// the leaves up to mid and those from mid on.
func (t *Tree) Combine(op *Op, mid int) Pos {
	return t.lists[op.list : op.list+2*op.Items-1][2*mid-1]
}

// After returns where the code after an Items or Reduce operation begins.
func (t *Tree) After(op *Op) Pos {
	if op.Kind == Reduce {
		return t.lists[op.list+2*op.Items-1]
	}
	return t.lists[op.list+op.Items]
}

// Profile returns the costs of a Loop operation.
func (t *Tree) Profile(op *Op) Profile { return Profile{t.blocks[op.list : op.list+op.Items]} }
