package sim_test

import (
	"fmt"
	"math"
	"reflect"
	"testing"

	"github.com/forkjoin-go/forkjoin/sim"
)

func replay(t testing.TB, tree *sim.Tree, cfg sim.Config) *sim.Result {
	t.Helper()
	r, err := sim.Replay(tree, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// configs are all combinations of policies that differ, at some numbers of
// workers and costs.
func configs(yield func(sim.Config) bool) {
	n := uint64(0)
	for _, deque := range []sim.Deque{sim.DequeSplit, sim.DequeShared, sim.DequeCentral} {
		for _, wait := range []sim.Waiting{sim.WaitLeapfrog, sim.WaitAny, sim.WaitPark} {
			for _, sleep := range []sim.Sleep{sim.SleepWorth, sim.SleepNever, sim.SleepAtOnce} {
				for _, split := range []sim.Splitter{sim.SplitLazy, sim.SplitFixed, sim.SplitRayon, sim.SplitTBB} {
					for _, p := range []int{1, 2, 3, 8, 65} {
						n++
						c := sim.Config{Workers: p, Seed: n, Deque: deque, Waiting: wait, Sleep: sleep, Splitter: split,
							StealEnd: sim.StealEnd(n % 2), Owner: sim.Order(n / 2 % 5 / 4), Amount: sim.Amount(n / 3 % 2),
							Victim: sim.Victim(n % 6), FreeFailures: n%7 == 0}
						if n%3 != 0 {
							c.Costs = sim.TypicalCosts()
						}
						if n%5 == 0 {
							c.Topology = sim.Topology{Sockets: 2, L3s: 2, Cores: 3, Threads: 2}
						}
						if !yield(c) {
							return
						}
					}
				}
			}
		}
	}
}

// On any number of workers, by any policy, no work is lost or done twice, and no
// run is faster than the bounds allow.
func TestNoRunBeatsTheBounds(t *testing.T) {
	seeds := uint64(12)
	if testing.Short() {
		seeds = 3
	}
	for seed := range seeds {
		tree := sim.Random(seed, 3+int(seed*seed*7), 1000)
		m := tree.Measure(0)
		for c := range configs {
			r := replay(t, tree, c)
			busy := int64(0)
			for _, w := range r.Workers {
				busy += w.Busy
				if w.Busy < 0 || w.Overhead < 0 || w.Search < 0 || w.Idle < 0 {
					t.Fatalf("seed %d, %+v: a worker's times are %+v", seed, c, w)
				}
			}
			if busy != m.Work {
				t.Fatalf("seed %d, %+v: did %d work, want %d", seed, c, busy, m.Work)
			}
			if least := m.Bounds(c.Workers).Least; r.Makespan < least {
				t.Fatalf("seed %d, %+v: took %d, want at least %d", seed, c, r.Makespan, least)
			}
		}
	}
}

// With one queue, free steals, and loops cut down to single iterations, nobody is
// idle while there is work, so Graham's bound holds.
func TestOneQueueIsGreedy(t *testing.T) {
	seeds := uint64(400)
	if testing.Short() {
		seeds = 50
	}
	for seed := range seeds {
		tree := sim.Random(seed, 1+int(seed), 1000)
		m := tree.Measure(0)
		for _, p := range []int{1, 2, 3, 7, 64, 1000} {
			for _, end := range []sim.StealEnd{sim.StealFar, sim.StealOwn} {
				r := replay(t, tree, sim.Config{Workers: p, Seed: seed, Deque: sim.DequeCentral, Waiting: sim.WaitPark,
					Splitter: sim.SplitFixed, Leaf: 1, Sleep: sim.SleepNever, StealEnd: end})
				if b := m.Bounds(p); r.Makespan > b.Greedy {
					t.Fatalf("seed %d, %d workers: took %d, want at most %d", seed, p, r.Makespan, b.Greedy)
				}
			}
		}
	}
}

// One worker without costs takes T1, by any policy.
func TestOneFreeWorkerTakesTheWork(t *testing.T) {
	for seed := range uint64(60) {
		tree := sim.Random(seed, 1+5*int(seed), 1000)
		for c := range configs {
			if c.Workers != 1 {
				continue
			}
			c.Costs = sim.Costs{}
			if r := replay(t, tree, c); r.Makespan != tree.Measure(0).Work {
				t.Fatalf("seed %d, %+v: took %d, want %d", seed, c, r.Makespan, tree.Measure(0).Work)
			}
		}
	}
}

// A run is the same each time, and another seed gives another one.
func TestReplayRepeats(t *testing.T) {
	tree := sim.Random(5, 3000, 500)
	differ := 0
	for seed := range uint64(8) {
		c, err := sim.Preset("forkjoin", 16)
		if err != nil {
			t.Fatal(err)
		}
		c.Seed = seed
		c.Steals, c.Timeline = 1000, 1000
		a, b := replay(t, tree, c), replay(t, tree, c)
		if !reflect.DeepEqual(a, b) {
			t.Errorf("seed %d: two runs differ", seed)
		}
		c.Seed++
		if replay(t, tree, c).Makespan != a.Makespan {
			differ++
		}
	}
	if differ == 0 {
		t.Error("no seed makes a difference")
	}
}

func TestReplayRejects(t *testing.T) {
	tree := sim.Fib(3, 1)
	for _, c := range []struct {
		config sim.Config
		want   string
	}{
		{sim.Config{}, "forkjoin: sim.Config: Workers is 0, want >= 1 and <= 4096"},
		{sim.Config{Workers: 4097}, "forkjoin: sim.Config: Workers is 4097, want >= 1 and <= 4096"},
		{sim.Config{Workers: 1, Leaf: -1}, "forkjoin: sim.Config: Leaf is -1, want >= 0"},
		{sim.Config{Workers: 1, Deque: 9}, "forkjoin: sim.Config: Deque is 9, want < 3"},
		{sim.Config{Workers: 1, Costs: sim.Costs{Push: -1}}, "forkjoin: sim.Costs: a cost is -1, want >= 0 and <= 1e12 nanoseconds"},
		{sim.Config{Workers: 1, Costs: sim.Costs{Wake: math.NaN()}}, "forkjoin: sim.Costs: a cost is NaN, want >= 0 and <= 1e12 nanoseconds"},
		{sim.Config{Workers: 1, Topology: sim.Topology{Sockets: 1}}, "forkjoin: sim.Topology is 1 sockets x 0 caches x 0 cores x 0 threads, want each >= 1 and <= 65536"},
	} {
		if _, err := sim.Replay(tree, c.config); err == nil || err.Error() != c.want {
			t.Errorf("Replay with %+v: error %v, want %s", c.config, err, c.want)
		}
	}
	if _, err := sim.Replay(nil, sim.Config{Workers: 1}); err == nil {
		t.Error("Replay of no tree: no error")
	}
}

// The schedulers differ as their policies do: where only the private frames of
// one worker are, nobody takes anything; a queue for all moves every frame.
func TestPresetsSteal(t *testing.T) {
	tree := sim.Fib(22, 1000)
	for _, name := range sim.Presets() {
		for _, p := range []int{1, 2, 40} {
			c, err := sim.Preset(name, p)
			if err != nil {
				t.Fatal(err)
			}
			r := replay(t, tree, c)
			if (p == 1) != (r.Steals == 0) || r.Speedup() > float64(p) || r.Speedup() < 0.4*float64(p) {
				t.Errorf("%s on %d workers: %d steals, speed-up %.2f", name, p, r.Steals, r.Speedup())
			}
		}
	}
	if _, err := sim.Preset("none", 1); err == nil {
		t.Error("an unknown preset: no error")
	}
}

// A tree of a million tasks: at least 5 million of them in a second on 64
// workers, and 2 on 1024.
func BenchmarkReplay(b *testing.B) {
	for _, x := range []struct {
		name string
		tree *sim.Tree
	}{{"fine", sim.Fib(28, 60)}, {"coarse", sim.Fib(28, 1000)}} {
		for _, p := range []int{1, 64, 1024, 4096} {
			c, err := sim.Preset("forkjoin", p)
			if err != nil {
				b.Fatal(err)
			}
			b.Run(fmt.Sprintf("%s/P=%d", x.name, p), func(b *testing.B) {
				for b.Loop() {
					replay(b, x.tree, c)
				}
				b.ReportMetric(float64(x.tree.Counts().Tasks)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mtasks/s")
			})
		}
	}
}
