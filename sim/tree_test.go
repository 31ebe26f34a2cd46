package sim_test

import (
	"strings"
	"testing"

	"github.com/forkjoin-go/forkjoin/sim"
)

func TestMeasuresOfSmallTrees(t *testing.T) {
	for _, c := range []struct {
		name  string
		build func(b *sim.Builder)
		want  sim.Measures // with a burden of 100
		tasks int64
	}{
		{"empty", func(*sim.Builder) {}, sim.Measures{}, 1},
		{"strand", func(b *sim.Builder) { b.Work(7) }, sim.Measures{7, 7, 7}, 1},
		{"fork, first longer", func(b *sim.Builder) {
			b.Work(1)
			b.Fork("f")
			b.Work(20)
			b.Second()
			b.Work(10)
			b.Join()
			b.Work(2)
		}, sim.Measures{33, 23, 113}, 3},
		{"fork, second longer", func(b *sim.Builder) {
			b.Fork("f")
			b.Work(1 << 40)
			b.Second()
			b.Work(1 << 41)
			b.Join()
		}, sim.Measures{3 << 40, 1 << 41, 1<<41 + 100}, 3},
		{"loop", func(b *sim.Builder) {
			b.Loop(sim.LoopOf{Site: "l"}, sim.Block{4, 40}, sim.Block{4, 41})
		}, sim.Measures{81, 11, 311}, 1},
		{"loop of one leaf size", func(b *sim.Builder) {
			b.Loop(sim.LoopOf{Min: 4}, sim.Block{100, 1000})
		}, sim.Measures{1000, 40, 740}, 1},
		{"items", func(b *sim.Builder) {
			b.Items(sim.LoopOf{})
			for _, c := range []int64{5, 9, 7} {
				b.Item()
				b.Work(c)
			}
			b.Done()
			b.Work(1)
		}, sim.Measures{22, 10, 210}, 4},
		{"reduce of three", func(b *sim.Builder) {
			b.Reduce(sim.LoopOf{}, 3) // leaf 0; leaves 1 and 2, combined; all combined
			for _, c := range []int64{10, 20, 30, 3, 4} {
				b.Item()
				b.Work(c)
			}
			b.Done()
		}, sim.Measures{67, 37, 237}, 6},
		{"group", func(b *sim.Builder) {
			b.Spawn("s", 1)
			b.Work(50)
			b.Spawned()
			b.Work(10)
			b.Spawn("s", 1)
			b.Work(45)
			b.Spawned()
			b.Work(10)
			b.Wait(1)
			b.Work(3)
		}, sim.Measures{118, 58, 158}, 3},
		{"submitted", func(b *sim.Builder) {
			b.Spawn("s", 0)
			b.Work(50)
			b.Spawned()
		}, sim.Measures{50, 50, 150}, 2},
		{"pause and summary", func(b *sim.Builder) {
			b.Enter("label")
			b.Pause(5)
			b.Summary(100, 10, 4)
		}, sim.Measures{100, 15, 215}, 1},
	} {
		b := sim.NewBuilder()
		c.build(b)
		tree, err := b.Tree()
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := tree.Measure(100); got != c.want {
			t.Errorf("%s: Measure(100) = %+v, want %+v", c.name, got, c.want)
		}
		if got := tree.Counts().Tasks; got != c.tasks {
			t.Errorf("%s: Tasks = %d, want %d", c.name, got, c.tasks)
		}
	}
}

// A mistake is told by Tree, whatever follows it.
func TestBuilderMistakes(t *testing.T) {
	for _, c := range []struct {
		build func(b *sim.Builder)
		want  string
	}{
		{func(b *sim.Builder) { b.Work(-1) }, "cost is -1, want >= 0"},
		{func(b *sim.Builder) { b.Second() }, "Second does not belong here"},
		{func(b *sim.Builder) { b.Fork("f"); b.Join() }, "Join does not belong here"},
		{func(b *sim.Builder) { b.Fork("f"); b.Second() }, "a fork has not ended"},
		{func(b *sim.Builder) { b.ForkAt(1); b.Second(); b.Join() }, "the number of a name is 1"},
		{func(b *sim.Builder) { b.SpawnAt(-1, 0); b.Spawned() }, "the number of a name is -1"},
		{func(b *sim.Builder) { b.EnterAt(7) }, "the number of a name is 7"},
		{func(b *sim.Builder) { b.Leave() }, "Leave without Enter"},
		{func(b *sim.Builder) { b.Wait(0) }, "Wait: group is 0"},
		{func(b *sim.Builder) { b.Item() }, "Item does not belong here"},
		{func(b *sim.Builder) { b.Items(sim.LoopOf{}); b.Done() }, "Done does not belong here, after 0 parts"},
		{func(b *sim.Builder) { b.Items(sim.LoopOf{}); b.Work(1); b.Item() }, "Work before the first Item"},
		{func(b *sim.Builder) { b.Items(sim.LoopOf{}); b.Fork("f"); b.Second(); b.Join() }, "fork before the first Item"},
		{func(b *sim.Builder) { b.Reduce(sim.LoopOf{}, 2); b.Loop(sim.LoopOf{}, sim.Block{1, 1}) }, "loop before the first Item"},
		{func(b *sim.Builder) { b.Items(sim.LoopOf{}); b.Items(sim.LoopOf{}) }, "items before the first Item"},
		{func(b *sim.Builder) { b.Reduce(sim.LoopOf{}, 0) }, "leaves are 0"},
		{func(b *sim.Builder) { b.Loop(sim.LoopOf{}, sim.Block{0, 1}) }, "iterations of a block are 0"},
		{func(b *sim.Builder) { b.Loop(sim.LoopOf{N: 4}, sim.Block{2, 1}, sim.Block{3, 1}) }, "N of a loop is 4, want 0 or 5"},
		{func(b *sim.Builder) { b.Loop(sim.LoopOf{N: -5}, sim.Block{5, 1}) }, "N of a loop is -5, want 0 or 5"},
		{func(b *sim.Builder) { b.Loop(sim.LoopOf{N: 1}) }, "N of a loop is 1, want 0 or 0"},
		{func(b *sim.Builder) { b.Loop(sim.LoopOf{N: 5}, sim.Block{2, 1}, sim.Block{3, 1}); b.Leave() }, "Leave without Enter"},
		{func(b *sim.Builder) { b.Tree() }, "Tree has been called before"},
		{func(b *sim.Builder) { *b = sim.Builder{} }, "it is the zero Builder, want one of NewBuilder"},
		{func(b *sim.Builder) { b.Summary(1, 2, 1) }, "work, span and tasks are 1, 2 and 1"},
		{func(b *sim.Builder) { b.Moved(-1, 0) }, "worker and time are -1 and 0"},
	} {
		b := sim.NewBuilder()
		c.build(b)
		b.Work(5)
		if _, err := b.Tree(); err == nil || !strings.HasPrefix(err.Error(), "forkjoin: sim.Builder: ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %s", err, c.want)
		}
	}
}

// A Builder that is of no use any more does nothing.
func TestBuilderOfNoUse(t *testing.T) {
	for name, b := range map[string]*sim.Builder{"zero": {}, "used": sim.NewBuilder()} {
		var tree *sim.Tree
		if name == "used" {
			b.Work(7)
			tree, _ = b.Tree()
		}
		b.Site("x")
		b.Work(1)
		b.Fork("f")
		b.Second()
		b.Join()
		b.Loop(sim.LoopOf{Site: "l"}, sim.Block{1, 1})
		b.Items(sim.LoopOf{})
		b.Reduce(sim.LoopOf{}, 1)
		b.Item()
		b.Done()
		b.Spawn("s", 1)
		b.Spawned()
		b.Wait(1)
		b.Enter("e")
		b.Leave()
		b.Pause(1)
		b.Moved(1, 1)
		b.Summary(1, 1, 1)
		b.Describe(sim.Meta{Workers: 5})
		if _, err := b.Tree(); err == nil {
			t.Errorf("%s: no error", name)
		}
		if tree != nil && (tree.Measure(0).Work != 7 || tree.Meta().Workers != 0 || tree.Names() != 1) {
			t.Errorf("%s: the tree has become %+v", name, tree)
		}
	}
}

func TestMeasureLaws(t *testing.T) {
	for seed := range uint64(300) {
		tree := sim.Random(seed, 1+int(seed), 100)
		m, free := tree.Measure(10), tree.Measure(0)
		if free.Burdened != free.Span || m.Work != free.Work || m.Span != free.Span ||
			m.Span > m.Work || m.Burdened < m.Span {
			t.Fatalf("seed %d: %+v, and with no burden %+v", seed, m, free)
		}
	}
}

func TestFib(t *testing.T) {
	tree := sim.Fib(20, 10)
	if c := tree.Counts(); c.Forks != 10945 || c.Tasks != 21891 {
		t.Errorf("fib(20): %+v, want 10945 forks and 21891 tasks", c)
	}
	if m := tree.Measure(0); m.Work != 218910 || m.Span != 200 {
		t.Errorf("fib(20): %+v, want work 218910 and span 200", m)
	}
	if per := tree.Size() / tree.Counts().Forks; per > 16 {
		t.Errorf("a fork takes %d bytes, want at most 16", per)
	}
}
