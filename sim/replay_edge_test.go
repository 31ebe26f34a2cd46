package sim_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/forkjoin-go/forkjoin/sim"
)

// built returns the tree that f builds.
func built(t testing.TB, f func(b *sim.Builder)) *sim.Tree {
	t.Helper()
	b := sim.NewBuilder()
	f(b)
	tree, err := b.Tree()
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// does wants a run to do exactly the work of its tree.
func does(t testing.TB, tree *sim.Tree, c sim.Config) *sim.Result {
	t.Helper()
	r := replay(t, tree, c)
	busy := int64(0)
	for _, w := range r.Workers {
		busy += w.Busy
	}
	if want := tree.Measure(0).Work; busy != want {
		t.Fatalf("%+v: did %d work, want %d", c, busy, want)
	}
	return r
}

// Several may wait for one group at the same time.
func TestSeveralWaitForAGroup(t *testing.T) {
	two := built(t, func(b *sim.Builder) {
		b.Spawn("job", 1)
		b.Work(100_000)
		b.Spawned()
		b.Fork("fork")
		b.Wait(1)
		b.Work(10)
		b.Second()
		b.Work(5)
		b.Wait(1)
		b.Work(10)
		b.Join()
	})
	many := built(t, func(b *sim.Builder) {
		for range 5 {
			b.Spawn("job", 1)
			b.Work(70_000)
			b.Fork("fork")
			b.Work(20_000)
			b.Second()
			b.Work(30_000)
			b.Join()
			b.Spawned()
		}
		b.Items(sim.LoopOf{Site: "items"})
		for i := range 9 {
			b.Item()
			b.Work(int64(1000 * i))
			b.Wait(1)
			b.Work(10_000)
		}
		b.Done()
	})
	for c := range configs {
		does(t, two, c)
		if c.Deque == sim.DequeSplit && c.Waiting != sim.WaitAny && c.Owner == sim.LIFO {
			does(t, many, c)
		} else if _, err := sim.Replay(many, c); err != nil && !strings.Contains(err.Error(), "wait for each other") {
			// By these policies a worker may begin a part that waits for the group while
			// it is in a function of the group.
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// Loops of as many iterations as there can be are run to the last one.
func TestTheLongestLoops(t *testing.T) {
	for _, blocks := range [][]sim.Block{
		{{Iterations: math.MaxInt64, Cost: 100_000}},
		{{Iterations: math.MaxInt64 / 2, Cost: 100_000}, {Iterations: math.MaxInt64 - math.MaxInt64/2, Cost: 1_000_000}},
		{{Iterations: math.MaxInt64 - 1, Cost: 100_000}, {Iterations: 1, Cost: 1_000_000}},
		{{Iterations: 1 << 26, Cost: 100_000}, {Iterations: 1, Cost: 7}},
	} {
		tree := built(t, func(b *sim.Builder) { b.Loop(sim.LoopOf{Site: "loop"}, blocks...) })
		for _, split := range []sim.Splitter{sim.SplitLazy, sim.SplitFixed, sim.SplitRayon, sim.SplitTBB} {
			does(t, tree, sim.Config{Workers: 4, Splitter: split, Costs: sim.TypicalCosts()})
		}
	}
}

// The largest costs there are overflow no figure of a report.
func TestTheLargestCosts(t *testing.T) {
	tree := built(t, func(b *sim.Builder) {
		b.Fork("fork")
		b.Work(1<<58 - 1)
		b.Second()
		b.Work(1<<58 - 1)
		b.Join()
	})
	for _, sleep := range []sim.Sleep{sim.SleepWorth, sim.SleepNever} {
		c := sim.Config{Workers: sim.MaxWorkers, Sleep: sleep, Costs: sim.Costs{Probe: 0.001}}
		r := does(t, tree, c)
		if r.Attempts < 0 || r.Bounds.Attempts < 0 || r.Busy() != 2.0/sim.MaxWorkers {
			t.Errorf("%v: %d attempts, bound %d, busy %v", sleep, r.Attempts, r.Bounds.Attempts, r.Busy())
		}
		var text strings.Builder
		if err := sim.WriteText(&text, tree, r); err != nil {
			t.Fatal(err)
		}
		sentences, err := sim.Explain(tree, r)
		if err != nil {
			t.Fatal(err)
		}
		if s := text.String() + strings.Join(sentences, " "); strings.Contains(s, " -") {
			t.Errorf("%v: a figure is negative:\n%s", sleep, s)
		}
	}
}

// Reports are 80 columns wide, also where the units of costs are small.
func TestReportsOfManyUnits(t *testing.T) {
	for _, cost := range []int64{0, 1, 999_999, 99_999_999, 100_000_000, 1 << 50} {
		tree := built(t, func(b *sim.Builder) {
			b.Describe(sim.Meta{Declared: true})
			for range 20 {
				b.Fork("a place with a long name that is in a file with a long name.go:1234")
				b.Work(cost)
				b.Second()
				b.Work(cost / 2)
				b.Join()
			}
		})
		c := sim.Config{Workers: 3, Steals: 5, Costs: sim.TypicalCosts()}
		r := replay(t, tree, c)
		curve, err := sim.Sweep{Seeds: 2}.Run(context.Background(), tree, c)
		if err != nil {
			t.Fatal(err)
		}
		d := c
		d.Deque = sim.DequeShared
		comparison, err := sim.Compare(tree, c, d)
		if err != nil {
			t.Fatal(err)
		}
		changes, err := sim.WhatIf(tree, c)
		if err != nil {
			t.Fatal(err)
		}
		for _, content := range []any{r, curve, comparison, changes, tree.MeasureLabels(1)} {
			var text strings.Builder
			if err := sim.WriteText(&text, tree, content); err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(text.String()) {
				if n := len([]rune(line)); n > 81 {
					t.Errorf("costs of %d, %T: a line has %d columns: %s", cost, content, n-1, line)
				}
			}
		}
	}
}

// What cannot be is refused where it is said, by its name and value.
func TestBadNumbersAreNamed(t *testing.T) {
	tree := sim.Fib(3, 1)
	loop := built(t, func(b *sim.Builder) { b.Loop(sim.LoopOf{}, sim.Block{Iterations: 7, Cost: 70}) })
	var op sim.Op
	loop.Decode(loop.Root(), &op)
	profile := loop.Profile(&op)
	if c := profile.Cost(2, 7); c != 50 {
		t.Errorf("5 of 7 iterations cost %d, want 50", c)
	}
	sweep := func(s sim.Sweep, c sim.Config) func() {
		return func() {
			if _, err := s.Run(context.Background(), tree, c); err != nil {
				panic(err.Error())
			}
		}
	}
	var none *sim.Tree
	for _, c := range []struct {
		call func()
		want string
	}{
		{func() { profile.Cost(2, 8) }, "forkjoin: sim.Profile.Cost: [lo, hi) is [2, 8), want a part of [0, 7)"},
		{func() { profile.Cost(-1, 2) }, "forkjoin: sim.Profile.Cost: [lo, hi) is [-1, 2), want a part of [0, 7)"},
		{func() { profile.Cost(3, 2) }, "forkjoin: sim.Profile.Cost: [lo, hi) is [3, 2), want a part of [0, 7)"},
		{func() { tree.Measure(0).Bounds(0) }, "forkjoin: sim.Measures.Bounds: workers is 0, want >= 1"},
		{func() { sim.Binary(-1, 1, 1) }, "forkjoin: sim.Binary: depth is -1, want >= 0"},
		{func() { sim.Random(1, 2, math.MaxInt64) }, "forkjoin: sim.Random: most is 9223372036854775807, want >= 0 and <= 576460752303423487"},
		{func() { sim.Random(1, 2, -1) }, "forkjoin: sim.Random: most is -1, want >= 0 and <= 576460752303423487"},
		{func() { sim.Random(1, -1, 2) }, "forkjoin: sim.Random: tasks is -1, want >= 0"},
		{func() { sim.Fib(-1, 1) }, "forkjoin: sim.Fib: n is -1, want >= 0"},
		{func() { sim.Fib(1, -1) }, "forkjoin: sim.Builder: cost is -1, want >= 0 and no more than 576460752303423487 in all"},
		{func() { none.Measure(0) }, "forkjoin: sim.Tree.Measure: the tree is nil"},
		{func() { new(sim.Tree).Measure(0) }, "forkjoin: sim.Tree.Measure: the tree is the zero Tree, want one of Record, Read or a Builder"},
		{func() { none.MeasureLabels(0) }, "forkjoin: sim.Tree.MeasureLabels: the tree is nil"},
		{sweep(sim.Sweep{For: func(n int, body func(i int)) { body(n) }}, sim.Config{Workers: 1}), "forkjoin: sim.Sweep: For has called body with 8, want >= 0 and < 8"},
		{sweep(sim.Sweep{For: func(n int, body func(i int)) { body(-1) }}, sim.Config{Workers: 1}), "forkjoin: sim.Sweep: For has called body with -1, want >= 0 and < 8"},
		{sweep(sim.Sweep{For: func(n int, body func(i int)) { body(0) }}, sim.Config{Workers: 1}), "forkjoin: sim.Sweep: For has not called body with 1"},
		{func() { sim.ExploreSeed[int](1, nil) }, "forkjoin: sim.ExploreSeed: f is nil"},
		{func() { sim.Topology{Sockets: 1}.Distance(0, 1) }, "forkjoin: sim.Topology is 1 sockets x 0 caches x 0 cores x 0 threads, want each >= 1 and <= 65536"},
		{func() { sim.Topology{}.Distance(-1, 1) }, "forkjoin: sim.Topology.Distance: a and b are -1 and 1, want >= 0 and < 4096"},
		{sweep(sim.Sweep{}, sim.Config{Workers: math.MaxInt32}), "forkjoin: sim.Config: Workers is 2147483647, want >= 1 and <= 4096"},
		{sweep(sim.Sweep{}, sim.Config{Workers: math.MinInt32}), "forkjoin: sim.Config: Workers is -2147483648, want >= 1 and <= 4096"},
		{sweep(sim.Sweep{Seeds: math.MaxInt32}, sim.Config{Workers: 2}), "forkjoin: sim.Sweep: Seeds is 2147483647, want >= 0 and <= 65536"},
	} {
		func() {
			defer func() {
				if got := recover(); got != c.want {
					t.Errorf("got %v, want %s", got, c.want)
				}
			}()
			c.call()
		}()
	}
}

// Distances are right in topologies of which a socket has more threads than an
// int of 32 bits counts.
func TestDistancesInHugeTopologies(t *testing.T) {
	for _, c := range []struct {
		topology sim.Topology
		want     int
	}{
		{sim.Topology{Sockets: 1, L3s: 65536, Cores: 65536, Threads: 1}, 1},
		{sim.Topology{Sockets: 1, L3s: 65536, Cores: 65536, Threads: 65536}, 0},
		{sim.Topology{Sockets: 2, L3s: 65536, Cores: 1, Threads: 1}, 2},
		{sim.Topology{Sockets: 65536, L3s: 1, Cores: 1, Threads: 1}, 3},
	} {
		if d := c.topology.Distance(0, 4095); d != c.want {
			t.Errorf("%v: distance %d, want %d", c.topology, d, c.want)
		}
	}
}

// This machine is a topology like any other, whatever it is.
func TestThisMachine(t *testing.T) {
	here, err := sim.ParseTopology("here")
	if err != nil || here.String() != "here" {
		t.Fatalf("%v, %v", here, err)
	}
	if d := here.Distance(3, 3); d != 0 {
		t.Errorf("a worker is %d from itself", d)
	}
	for _, p := range []int{1, 3, 700} {
		does(t, sim.Fib(15, 2000), sim.Config{Workers: p, Topology: here, Costs: sim.TypicalCosts()})
	}
	both := sim.Config{Workers: 1, Topology: sim.Topology{Machine: "here", Sockets: 1}}
	if _, err := sim.Replay(sim.Fib(3, 1), both); err == nil {
		t.Error("a machine that is described in two ways: no error")
	}
}
