package sim

import (
	"fmt"
	"math"
)

// A Builder makes a Tree operation by operation, in the order in which one
// worker would run them. The zero Builder is not ready; see [NewBuilder].
//
//	b := sim.NewBuilder()
//	b.Work(10)
//	b.Fork("split")
//	b.Work(30)
//	b.Second()
//	b.Work(20)
//	b.Join()
//	tree, err := b.Tree()
//
// A mistake in the order of calls, or a negative cost, is kept and reported by
// Tree; calls after it do nothing. So do calls after Tree.
type Builder struct {
	t      *Tree
	err    error
	strand int64 // cost of what has not been put into the code
	total  int64 // of all costs
	open   []opened
	names  map[string]int
}

// An opened is an operation whose parts are being added.
type opened struct {
	kind  Kind
	hole  int   // for a position or a list
	parts int   // begun so far
	at    []Pos // where their parts begin
	order order // of Reduce
	names int   // Enters without Leave in the current sequence
}

// maxCost bounds the sum of the costs in a tree, so that no sum overflows.
const maxCost = math.MaxInt64 >> 4

// NewBuilder returns a Builder of an empty tree.
func NewBuilder() *Builder {
	return &Builder{t: &Tree{names: []string{""}}, names: map[string]int{"": 0}, open: []opened{{}}}
}

func (b *Builder) fail(format string, args ...any) {
	if b.err == nil {
		b.err = fmt.Errorf("forkjoin: sim.Builder: "+format, args...)
	}
}

// failed reports whether a mistake has been made, which is the first one for a
// Builder that nobody has made.
func (b *Builder) failed() bool {
	if b.t == nil {
		b.fail("it is the zero Builder, want one of NewBuilder")
	}
	return b.err != nil
}

// Site returns the number of a name for use with the methods that end in At.
func (b *Builder) Site(name string) int {
	if b.failed() {
		return 0
	}
	n, ok := b.names[name]
	if !ok {
		n = len(b.t.names)
		b.names[name] = n
		b.t.names = append(b.t.names, name)
	}
	return n
}

// known reports whether a name has that number.
func (b *Builder) known(site int) bool {
	if b.failed() {
		return false
	}
	if site < 0 || site >= len(b.t.names) {
		b.fail("the number of a name is %d, want one that Site has returned", site)
	}
	return b.err == nil
}

// charge counts a cost and reports whether it may be.
func (b *Builder) charge(what string, cost int64) bool {
	if b.failed() {
		return false
	}
	if cost < 0 || cost > maxCost-b.total {
		b.fail("%s is %d, want >= 0 and no more than %d in all", what, cost, int64(maxCost))
		return false
	}
	b.total += cost
	return true
}

// Work adds plain code to the current sequence.
func (b *Builder) Work(cost int64) {
	if b.charge("cost", cost) {
		b.strand += cost
	}
}

// op puts an operation's head into the code.
func (b *Builder) op(k Kind) {
	if o := b.top(); (o.kind == Items || o.kind == Reduce) && o.parts == 0 {
		b.fail("%v before the first Item", k)
	}
	b.head(k, b.strand)
	b.strand = 0
	b.t.counts.Ops++
	if uint64(len(b.t.code)) > math.MaxUint32-64 {
		b.fail("the tree has more than %d bytes", uint64(math.MaxUint32))
	}
}

func (b *Builder) top() *opened { return &b.open[len(b.open)-1] }

// Fork begins a two-way fork, and its first branch. site is a name, or "".
func (b *Builder) Fork(site string) { b.ForkAt(b.Site(site)) }

// ForkAt is Fork with the number of a name.
func (b *Builder) ForkAt(site int) {
	if !b.known(site) {
		return
	}
	b.op(Fork)
	b.number(int64(site))
	b.t.counts.Forks++
	b.open = append(b.open, opened{kind: Fork, hole: b.hole(), parts: 1})
}

// Second begins the second branch of the fork begun last.
func (b *Builder) Second() {
	if b.inside("Second", Fork, 1) {
		b.finish()
		b.fill(b.top().hole)
		b.top().parts = 2
	}
}

// Join ends the fork begun last.
func (b *Builder) Join() {
	if b.inside("Join", Fork, 2) {
		b.finish()
		b.pop()
	}
}

// inside reports whether the innermost open operation is of a kind, and as many
// parts of it have been begun (-1: any number).
func (b *Builder) inside(call string, k Kind, parts int) bool {
	if b.failed() {
		return false
	}
	o := b.top()
	if len(b.open) == 1 || o.kind != k || parts >= 0 && o.parts != parts {
		b.fail("%s does not belong here", call)
		return false
	}
	return true
}

// finish ends the current sequence.
func (b *Builder) finish() {
	for b.top().names > 0 {
		b.Leave()
	}
	b.op(End)
	b.t.counts.Tasks++
}

func (b *Builder) pop() { b.open = b.open[:len(b.open)-1] }

// A LoopOf is what Loop, Items and Reduce are told of a loop.
type LoopOf struct {
	Site     string
	N        int64 // iterations; 0: as many as there are parts, or in all blocks
	Min, Max int64 // leaf limits; 0: none
}

// loop puts the head of a loop's operation into the code.
func (b *Builder) loop(k Kind, site int, l LoopOf) {
	if l.Min < 0 || l.Max < 0 || l.N < 0 {
		b.fail("N, Min and Max of a loop are %d, %d and %d, want >= 0", l.N, l.Min, l.Max)
		return
	}
	b.op(k)
	for _, n := range [...]int64{int64(site), l.N, max(l.Min, 1), l.Max} {
		b.number(n)
	}
	b.t.counts.Loops++
}

// Loop adds a loop whose iterations fork nothing. Neighbouring blocks whose
// iterations cost the same become one. N is 0 or the iterations of all blocks.
func (b *Builder) Loop(l LoopOf, blocks ...Block) {
	n := int64(0)
	for _, k := range blocks {
		n += k.Iterations
	}
	b.loopAt(b.Site(l.Site), l, blocks)
	if b.err == nil && l.N != 0 && l.N != n {
		b.fail("N of a loop is %d, want 0 or %d, the iterations of its blocks", l.N, n)
	}
}

func (b *Builder) loopAt(site int, l LoopOf, blocks []Block) {
	if b.failed() {
		return
	}
	list, end, total := len(b.t.blocks), int64(0), int64(0)
	for _, k := range blocks {
		if !b.charge("cost of a block", k.Cost) {
			return
		}
		if k.Iterations <= 0 || k.Iterations > math.MaxInt64-end {
			b.fail("iterations of a block are %d, want >= 1 and no more than %d in all", k.Iterations, int64(math.MaxInt64))
			return
		}
		end, total = end+k.Iterations, total+k.Cost
		b.addBlock(list, block{end, total})
	}
	if b.err == nil {
		l.N = end
		b.loop(Loop, site, l)
		b.number(int64(len(b.t.blocks) - list))
		b.number(int64(list))
	}
}

// addBlock appends n to the profile that begins at list, or makes the last
// block longer if the costs are the same.
func (b *Builder) addBlock(list int, n block) {
	if k := len(b.t.blocks) - 1; k >= list {
		last, before := b.t.blocks[k], block{}
		if k > list {
			before = b.t.blocks[k-1]
		}
		// Compare costs per iteration by whole numbers: those that are not
		// multiples of the iterations stay apart unless the blocks are alike.
		ln, lc := last.end-before.end, last.total-before.total
		nn, nc := n.end-last.end, n.total-last.total
		if ln == nn && lc == nc || lc%ln == 0 && nc%nn == 0 && lc/ln == nc/nn {
			b.t.blocks[k] = n
			return
		}
	}
	b.t.blocks = append(b.t.blocks, n)
}
