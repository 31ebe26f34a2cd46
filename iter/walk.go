package iter

import "github.com/forkjoin-go/forkjoin"

// Walk returns the nodes of a tree, each before those below it. children returns
// the nodes right below one, in order.
//
// The tree must be finite: since nobody knows where it is large, its nodes are
// collected when the sequence is consumed, with a call of children for each on
// all workers. Walk panics if children is nil.
func Walk[T any](root T, children func(T) []T) Seq[T] {
	need("Walk", "children", children == nil)
	return Seq[T]{src: late[T](func(c *call) plan[T] {
		visit := forkjoin.Recursive(func(t *forkjoin.Task[T, *branch[T]], node T) *branch[T] {
			b := &branch[T]{nodes: []T{node}}
			below := children(node)
			for len(below) == 1 && !c.over() { // a list needs no recursion
				b.nodes = append(b.nodes, below[0])
				below = children(below[0])
			}
			b.size = len(b.nodes)
			if len(below) == 0 || c.over() {
				return b
			}
			b.below = make([]*branch[T], len(below))
			if len(below) == 2 {
				b.below[0], b.below[1] = t.Join(below[0], below[1])
			} else {
				t.JoinAll(below, b.below)
			}
			for _, sub := range b.below {
				b.size += sub.size
			}
			return b
		})
		root := visit(root)
		nodes := make(slice[T], root.size)
		root.fill(nodes)
		return nodes.plan(c)
	})}
}

// A branch is a node with all that is below it. If that has one node right below
// it, and so on, these are in the same branch.
type branch[T any] struct {
	nodes []T
	below []*branch[T]
	size  int
}

// fill writes the nodes into dst.
func (b *branch[T]) fill(dst []T) {
	at := copy(dst, b.nodes)
	if b.size < plainLeaf {
		for _, sub := range b.below {
			sub.fill(dst[at:])
			at += sub.size
		}
		return
	}
	starts := make([]int, len(b.below))
	for i, sub := range b.below {
		starts[i] = at
		at += sub.size
	}
	forkjoin.ParallelFor(len(b.below), func(i int) { b.below[i].fill(dst[starts[i]:]) })
}
