package sim_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"

	"github.com/forkjoin-go/forkjoin/sim"
)

// labeled is a tree with a known share of work under each name.
func labeled(t *testing.T) *sim.Tree {
	t.Helper()
	b := sim.NewBuilder()
	b.Work(5)
	b.Enter("outer")
	b.Work(10)
	b.Fork("f")
	b.Work(20)
	b.Enter("outer") // inside itself: counts once
	b.Work(1)
	b.Leave()
	b.Second()
	b.Enter("inner")
	b.Work(30)
	b.Loop(sim.LoopOf{Site: "loop"}, sim.Block{Iterations: 4, Cost: 40})
	b.Leave()
	b.Join()
	b.Leave()
	b.Work(7)
	tree, err := b.Tree()
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

func TestMeasureLabels(t *testing.T) {
	want := []sim.LabelMeasures{
		{Name: "outer", Count: 1, Measures: sim.Measures{Work: 101, Span: 50, Burdened: 350}},
		{Name: "f", Count: 1, Measures: sim.Measures{Work: 91, Span: 40, Burdened: 340}},
		{Name: "inner", Count: 1, Measures: sim.Measures{Work: 70, Span: 40, Burdened: 240}},
		{Name: "loop", Count: 1, Measures: sim.Measures{Work: 40, Span: 10, Burdened: 210}},
	}
	if got := labeled(t).MeasureLabels(100); !slices.Equal(got, want) {
		t.Errorf("MeasureLabels(100) = %+v, want %+v", got, want)
	}
}

func TestScale(t *testing.T) {
	tree := labeled(t)
	for _, c := range []struct {
		name string
		x    float64
		work int64
		err  string
	}{
		{"", 1, 113, ""}, {"", 0, 0, ""}, {"", 2, 226, ""},
		{"outer", 0.5, 12 + 50, ""}, // 10, 20, 1, 30 and 40 halved
		{"inner", 3, 113 + 140, ""}, {"loop", 0, 73, ""}, {"f", 0, 22, ""},
		{"none", 1, 0, `forkjoin: sim.Tree.Scale: nothing is named "none"`},
		{"", -1, 0, "forkjoin: sim.Tree.Scale: x is -1, want >= 0 and <= 1000"},
	} {
		got, err := tree.Scale(c.name, c.x)
		if err != nil || c.err != "" {
			if err == nil || err.Error() != c.err {
				t.Errorf("Scale(%q, %v): error %v, want %s", c.name, c.x, err, c.err)
			}
			continue
		}
		if w := got.Measure(0).Work; w != c.work {
			t.Errorf("Scale(%q, %v) has work %d, want %d", c.name, c.x, w, c.work)
		}
	}
	for seed := range uint64(100) {
		tree := sim.Random(seed, 1+3*int(seed), 1000)
		same, err := tree.Scale("", 1)
		if err != nil {
			t.Fatal(err)
		}
		double, err := tree.Scale("", 2)
		if err != nil {
			t.Fatal(err)
		}
		m, s, d := tree.Measure(7), same.Measure(7), double.Measure(14)
		if s != m || d.Work != 2*m.Work || same.Counts() != tree.Counts() {
			t.Fatalf("seed %d: %+v, scaled by 1 %+v, by 2 %+v", seed, m, s, d)
		}
	}
}

func TestSweep(t *testing.T) {
	tree := sim.Fib(16, 500)
	cfg, err := sim.Preset("forkjoin", 20)
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	calls := 0
	inOrder, err := sim.Sweep{Seeds: 5, Done: func(int, int) { mu.Lock(); calls++; mu.Unlock() }}.Run(t.Context(), tree, cfg)
	if err != nil {
		t.Fatal(err)
	}
	var got []int
	for _, p := range inOrder.Points {
		got = append(got, p.Workers)
		if p.Fastest > p.Makespan || p.Makespan > p.Slowest || p.Fastest < p.Bounds.Least {
			t.Errorf("%+v: the band is wrong", p)
		}
	}
	if want := []int{1, 2, 4, 8, 16, 20}; !slices.Equal(got, want) || calls != 30 {
		t.Errorf("points are %v after %d runs, want %v after 30", got, calls, want)
	}
	atOnce, err := sim.Sweep{Seeds: 5, For: func(n int, body func(i int)) {
		var wg sync.WaitGroup
		for i := range n {
			wg.Go(func() { body(i) })
		}
		wg.Wait()
	}}.Run(t.Context(), tree, cfg)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(inOrder.Points, atOnce.Points) {
		t.Error("runs at the same time give another curve")
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	stop := errors.New("stop")
	_, err = sim.Sweep{Done: func(int, int) { cancel(stop) }}.Run(ctx, tree, cfg)
	if !errors.Is(err, stop) {
		t.Errorf("a cancelled sweep returns %v", err)
	}
}

func TestCompare(t *testing.T) {
	tree := sim.Fib(16, 500)
	a, err := sim.Preset("forkjoin", 4)
	if err != nil {
		t.Fatal(err)
	}
	same, err := sim.Compare(tree, a, a)
	if err != nil {
		t.Fatal(err)
	}
	if !same.Same || same.FirstA != nil || same.FirstB != nil || same.Differences != (sim.Worker{}) || same.Agree != int(same.A.Steals) {
		t.Errorf("compared with itself: %+v", same)
	}
	b := a
	b.Costs = b.Costs.Times(3)
	c, err := sim.Compare(tree, a, b)
	if err != nil {
		t.Fatal(err)
	}
	if c.Same || c.FirstA == nil || c.FirstB == nil || c.Differences.Busy != 0 || c.Differences.Overhead <= 0 {
		t.Errorf("compared with three times the costs: %+v", c)
	}
}

func TestWhatIf(t *testing.T) {
	cfg, err := sim.Preset("forkjoin", 4)
	if err != nil {
		t.Fatal(err)
	}
	changes, err := sim.WhatIf(labeled(t), cfg)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]int64{}
	for i, c := range changes {
		seen[c.What] = c.Makespan
		if i > 0 && c.Makespan < changes[i-1].Makespan {
			t.Errorf("%q is not where it belongs", c.What)
		}
	}
	for _, what := range []string{"twice as many workers", "half as many workers", "scheduling for free", "outer twice as fast", "inner twice as fast"} {
		if _, ok := seen[what]; !ok {
			t.Errorf("no change is %q: %+v", what, changes)
		}
	}
	if seen["outer twice as fast"] >= seen["half as many workers"] {
		t.Errorf("a small tree does not profit: %+v", changes)
	}
}
