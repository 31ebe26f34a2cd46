package sim

import (
	"fmt"
	"math/rand/v2"
)

// Fib returns the tree of the recursive computation of a Fibonacci number that
// forks at every call: fib(n) forks into fib(n-1) and fib(n-2), and each call
// costs cost, half of it before the fork.
// It panics if n is negative, or the costs are, or they are too many.
func Fib(n int, cost int64) *Tree {
	if n < 0 {
		panic(fmt.Sprintf("forkjoin: sim.Fib: n is %d, want >= 0", n))
	}
	b := NewBuilder()
	var fib func(n int)
	fib = func(n int) {
		if n < 2 {
			b.Work(cost)
			return
		}
		b.Work(cost / 2)
		b.Fork("fib")
		fib(n - 1)
		b.Second()
		fib(n - 2)
		b.Join()
		b.Work(cost - cost/2)
	}
	fib(n)
	return b.must()
}

// Binary returns a complete binary tree of forks, depth of them from the root to
// each leaf. Leaves cost leaf; a node costs node before it forks. It panics if
// depth is negative, or a cost, or they are too many.
func Binary(depth int, node, leaf int64) *Tree {
	if depth < 0 {
		panic(fmt.Sprintf("forkjoin: sim.Binary: depth is %d, want >= 0", depth))
	}
	b := NewBuilder()
	var grow func(depth int)
	grow = func(depth int) {
		if depth == 0 {
			b.Work(leaf)
			return
		}
		b.Work(node)
		b.Fork("node")
		grow(depth - 1)
		b.Second()
		grow(depth - 1)
		b.Join()
	}
	grow(depth)
	return b.must()
}

// Random returns a tree with all kinds of operations, of about so many
// sequences, that depends on the seed alone. Costs are up to most. It panics if
// tasks or most is negative, or the costs are too many.
func Random(seed uint64, tasks int, most int64) *Tree {
	if tasks < 0 {
		panic(fmt.Sprintf("forkjoin: sim.Random: tasks is %d, want >= 0", tasks))
	}
	if most < 0 || most > maxCost {
		panic(fmt.Sprintf("forkjoin: sim.Random: most is %d, want >= 0 and <= %d", most, int64(maxCost)))
	}
	g := generator{b: NewBuilder(), r: rand.New(rand.NewPCG(seed, 0)), most: most}
	g.sequence(tasks, 0)
	return g.b.must()
}

// must returns a tree that cannot be wrong unless its parameters were.
func (b *Builder) must() *Tree {
	t, err := b.Tree()
	if err != nil {
		panic(err.Error())
	}
	return t
}

type generator struct {
	b      *Builder
	r      *rand.Rand
	most   int64
	groups int
}

func (g *generator) cost() int64 {
	return g.r.Int64N(g.most + 1)
}

// sequence adds operations with about so many sequences to the current one.
func (g *generator) sequence(tasks, depth int) {
	g.b.Work(g.cost())
	for left := tasks - 1; left > 0 && depth < 200; {
		n := 1 + g.r.IntN(left)
		g.operation(n, depth)
		g.b.Work(g.cost())
		left -= n
	}
}

func (g *generator) operation(tasks, depth int) {
	b := g.b
	switch k := g.r.IntN(20); {
	case k < 12 && tasks > 1:
		first := 1 + g.r.IntN(tasks-1)
		b.Fork("fork")
		g.sequence(first, depth+1)
		b.Second()
		g.sequence(tasks-first, depth+1)
		b.Join()
	case k < 14 && tasks > 1:
		parts := 1 + g.r.IntN(min(tasks, 9))
		b.Items(LoopOf{Site: "items"})
		g.items(parts, tasks, depth)
	case k < 16 && tasks > 1:
		leaves := 1 + g.r.IntN(min(tasks, 9))
		b.Reduce(LoopOf{Site: "reduce"}, leaves)
		g.items(2*leaves-1, tasks, depth)
	case k < 17 && tasks > 1:
		g.groups++
		group := g.groups
		parts := 1 + g.r.IntN(min(tasks, 5))
		for range parts {
			b.Spawn("spawn", group)
			g.sequence(tasks/parts, depth+1)
			b.Spawned()
			b.Work(g.cost())
		}
		b.Wait(group)
	case k < 18:
		b.Enter("label")
		g.sequence(tasks, depth+1)
		b.Leave()
	case k < 19:
		blocks := make([]Block, 1+g.r.IntN(6))
		for i := range blocks {
			blocks[i] = Block{1 + g.r.Int64N(100), g.cost()}
		}
		b.Loop(LoopOf{Site: "loop", Min: g.r.Int64N(4)}, blocks...)
	default:
		cost := g.cost()
		b.Summary(cost, cost, 1)
	}
}

func (g *generator) items(parts, tasks, depth int) {
	for range parts {
		g.b.Item()
		g.sequence(max(1, tasks/parts), depth+1)
	}
	g.b.Done()
}
