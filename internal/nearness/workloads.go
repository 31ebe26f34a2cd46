package nearness

import (
	"math/rand/v2"

	"github.com/forkjoin-go/forkjoin/sim"
)

// A workload makes a program with about 5 ms of work for each of so many
// workers.
type workload struct {
	name string
	tree func(workers int) *sim.Tree
}

var workloads = []workload{
	{"sort", sortTree},
	{"tree", unbalanced},
	{"loop", evenLoop},
	{"skewed loop", skewedLoop},
}

const (
	share  = 5_000_000 // ns for each worker
	leaf   = 20_000    // ns
	nested = 40        // most levels of forks
)

// sortTree is a merge sort: halves down to leaves, and loops that merge.
func sortTree(workers int) *sim.Tree {
	b := sim.NewBuilder()
	levels := 0
	for 1<<levels < workers*share/2/leaf {
		levels++
	}
	const n = 400 // elements of a leaf: 50 ns each to sort it, 2.5 ns on each level to merge
	var sort func(level int)
	sort = func(level int) {
		if level == 0 {
			b.Work(leaf)
			return
		}
		b.Fork("sort")
		sort(level - 1)
		b.Second()
		sort(level - 1)
		b.Join()
		b.Loop(sim.LoopOf{Site: "merge"}, sim.Block{Iterations: n << level, Cost: leaf / 20 << level})
	}
	sort(levels)
	return must(b)
}

// unbalanced is a tree whose branches are of very different size.
func unbalanced(workers int) *sim.Tree {
	b, r := sim.NewBuilder(), rand.New(rand.NewPCG(1, 2))
	var grow func(leaves, level int)
	grow = func(leaves, level int) {
		if leaves <= 1 || level == nested {
			b.Work(int64(leaves) * (leaf/2 + r.Int64N(leaf)))
			return
		}
		first := 1 + r.IntN(leaves-1)
		b.Fork("grow")
		grow(first, level+1)
		b.Second()
		grow(leaves-first, level+1)
		b.Join()
	}
	grow(workers*share/leaf, 0)
	return must(b)
}

// evenLoop is a loop whose iterations all take 200 ns.
func evenLoop(workers int) *sim.Tree {
	b := sim.NewBuilder()
	b.Loop(sim.LoopOf{Site: "loop"}, sim.Block{Iterations: int64(workers) * share / 200, Cost: int64(workers) * share})
	return must(b)
}

// skewedLoop is one whose last iterations take hundreds of times as long as the
// first.
func skewedLoop(workers int) *sim.Tree {
	b := sim.NewBuilder()
	const parts = 256
	blocks := make([]sim.Block, parts)
	for i := range blocks {
		k := int64(i + 1)
		blocks[i] = sim.Block{Iterations: int64(workers) * share / 200 / parts, Cost: int64(workers) * share / parts * 3 * k * k / (parts * parts)}
	}
	b.Loop(sim.LoopOf{Site: "skewed"}, blocks...)
	return must(b)
}

func must(b *sim.Builder) *sim.Tree {
	t, err := b.Tree()
	if err != nil {
		panic(err) // the workloads are constants
	}
	return t
}
