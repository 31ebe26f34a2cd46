package tick

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

func mustRun(t *testing.T, c Config) *Result {
	t.Helper()
	r, err := Run(c)
	if err != nil {
		t.Fatalf("%+v: %v", c, err)
	}
	return r
}

// plain drops the rules that come after Refund.
func plain(c Config) Config {
	p := Config{
		Workers: c.Workers, Deques: c.Deques, Divisible: c.Divisible, Leaf: c.Leaf, StealCost: c.StealCost,
		StealEnd: c.StealEnd, Victims: c.Victims, Seed: c.Seed, NoStealing: c.NoStealing,
		OwnerFIFO: c.OwnerFIFO, Refund: c.Refund, Log: c.Log,
	}
	if p.Victims == Near {
		p.Victims = RoundRobin
	}
	return p
}

func randomRuns(t *testing.T, law func(c Config, r *Result)) {
	runs := 2_000
	if testing.Short() {
		runs = 500
	}
	random := rand.New(rand.NewPCG(3, 4))
	for range runs {
		c := randomConfig(random.IntN)
		law(c, mustRun(t, c))
	}
}

// Whatever the rules, the work is the same, and nothing is faster than it allows.
func TestWorkAndSpan(t *testing.T) {
	randomRuns(t, func(c Config, r *Result) {
		if r.Work != c.Work() {
			t.Fatalf("%+v: did %d ticks of work, there are %d", c, r.Work, c.Work())
		}
		if r.Makespan < r.Floor() || r.Makespan < c.Span() {
			t.Fatalf("%+v: took %d, less than %d / P or the span, %d", c, r.Makespan, r.Work, c.Span())
		}
		if most := int64(c.Workers) * r.Makespan; r.Work+r.Overhead > most {
			t.Fatalf("%+v: %d ticks of work and %d of overhead in %d", c, r.Work, r.Overhead, most)
		}
		if r.Tasks < r.Steals || !c.StealHalf && r.Tasks != r.Steals {
			t.Fatalf("%+v: %d steals of %d tasks", c, r.Steals, r.Tasks)
		}
	})
}

// In the plain model every worker is always at work or stealing.
func TestNobodyIsIdle(t *testing.T) {
	randomRuns(t, func(c Config, _ *Result) {
		c = plain(c)
		if c.NoStealing || c.Workers == 1 {
			return
		}
		r := mustRun(t, c)
		if all := int64(c.Workers) * r.Makespan; r.Work+r.Overhead != all {
			t.Fatalf("%+v: %d ticks of work and %d of overhead, want %d together", c, r.Work, r.Overhead, all)
		}
		// Somebody works in every tick, but for one in which a task was stolen.
		if r.Makespan > r.Work+r.Steals {
			t.Fatalf("%+v: took %d for %d ticks of work and %d steals", c, r.Makespan, r.Work, r.Steals)
		}
	})
}

// With all tasks equal the two ends are interchangeable: panel C in general.
func TestEndsOfEqualTasks(t *testing.T) {
	randomRuns(t, func(c Config, _ *Result) {
		if c.Divisible || c.Private {
			return
		}
		for _, sizes := range c.Deques {
			for i := range sizes {
				sizes[i] = 5
			}
		}
		c.StealEnd = Far
		far := mustRun(t, c)
		c.StealEnd = Own
		if own := mustRun(t, c); !reflect.DeepEqual(far, own) {
			t.Fatalf("%+v:\nfar %+v\nown %+v", c, far, own)
		}
	})
}

// One worker does one task after the other.
func TestOneWorker(t *testing.T) {
	randomRuns(t, func(c Config, _ *Result) {
		c.Workers, c.Deques = 1, c.Deques[:min(1, len(c.Deques))]
		c.PopCost = 0
		if r := mustRun(t, c); r.Makespan != c.Work() || r.Attempts() != 0 || r.Overhead != 0 {
			t.Fatalf("%+v: %+v, want %d ticks and nothing else", c, r, c.Work())
		}
	})
}

// A waiting worker that runs descendants only has no more tasks waiting than the
// tree is high. With thieves at the far end, leapfrogging keeps to descendants.
func TestDepthOfWaiting(t *testing.T) {
	deeper := false
	randomRuns(t, func(c Config, r *Result) {
		if !c.Joins.waits() || c.StealEnd != Far {
			return
		}
		height := 0
		for _, sizes := range c.Deques {
			for _, size := range sizes {
				height = max(height, bits.Len64(uint64(size)))
			}
		}
		if c.Joins.descends() && r.Depth > height {
			t.Fatalf("%+v: %d tasks waited on one worker", c, r.Depth)
		}
		c.Joins, c.JoinCost = JoinAny, 0
		deeper = deeper || mustRun(t, c).Depth > height
	})
	if !deeper {
		t.Error("the law also holds for workers that run anything: the runs are too small for it")
	}
}

// Rules that are set so that they change nothing do.
func TestRulesWithoutEffect(t *testing.T) {
	randomRuns(t, func(c Config, r *Result) {
		if c.SleepAfter == 0 {
			c.SleepAfter = maxCost // never reached
			c.WakeDelay, c.WakeCost = 3, 3
			if c.Joins == JoinPark {
				c.WakeDelay, c.WakeCost = 0, 0
				r = mustRun(t, withWake(c, 0))
			}
			if got := mustRun(t, c); !reflect.DeepEqual(got, r) {
				t.Fatalf("%+v:\n got %+v\nwant %+v", c, got, r)
			}
		}
		if c = plain(c); !c.Refund {
			return
		}
		// Groups fix the victim at the first tick, which Refund does anyway.
		r = mustRun(t, c)
		c.GroupSize, c.RemoteCost = 2, c.StealCost
		if got := mustRun(t, c); !reflect.DeepEqual(got, r) {
			t.Fatalf("%+v:\n got %+v\nwant %+v", c, got, r)
		}
	})
}

func withWake(c Config, ticks int64) Config {
	c.SleepAfter, c.WakeDelay, c.WakeCost = 0, ticks, ticks
	return c
}

// A worker that sleeps at once does not miss what its join waits for, and the
// run ends.
func TestSleepersAreWokenByJoins(t *testing.T) {
	for _, joins := range []Joins{JoinAny, JoinLeapfrog} {
		c := Config{
			Workers: 4, Deques: [][]int64{{256}}, Divisible: true, Leaf: 4, StealCost: 3,
			Joins: joins, SleepAfter: 1, WakeDelay: 5,
		}
		r := mustRun(t, c)
		if r.Wakes == 0 || r.Work != c.Work() {
			t.Errorf("joins %d: %+v", joins, r)
		}
	}
}

// Attempts that must fail cost no time to simulate.
func TestLongTasks(t *testing.T) {
	const long = 1 << 39
	for _, c := range []Config{
		{StealCost: 1},
		{StealCost: 7, Victims: Random, Seed: 5},
		{StealCost: 7, Victims: Richest, Refund: true},
		{StealCost: 3, Joins: JoinLast, JoinCost: 2},
	} {
		c.Workers, c.Deques = 64, [][]int64{{long}}
		r := mustRun(t, c)
		each := (long + c.StealCost - 1) / c.StealCost // the last one is under way or just over
		if c.Refund {
			each = long
		} else if long%c.StealCost != 0 {
			each--
		}
		if r.Makespan != long || r.Steals != 0 || r.Failed != 63*each {
			t.Errorf("%+v: %d ticks, %d steals, %d failed; want %d, 0, %d", c, r.Makespan, r.Steals, r.Failed, int64(long), 63*each)
		}
	}
}

func TestSmallest(t *testing.T) {
	for _, c := range []Config{
		{Workers: 1, StealCost: 1},
		{Workers: maxWorkers, StealCost: 1},
		{Workers: 2, StealCost: maxCost, Deques: [][]int64{{}, {}}},
	} {
		if r := mustRun(t, c); r.Makespan != 0 || r.Attempts() != 0 || r.Floor() != 0 || len(r.Busy) != c.Workers {
			t.Errorf("%+v: %+v", c, r)
		}
	}
	r := mustRun(t, Config{Workers: maxWorkers, StealCost: 1, Deques: [][]int64{{1}}})
	if r.Makespan != 1 || r.Failed != maxWorkers-1 {
		t.Errorf("one tick on %d workers: %d ticks, %d failed", maxWorkers, r.Makespan, r.Failed)
	}
}

// Span and Work need no simulation; for one leaf a worker and free pushes they
// can be told by hand.
func TestMeasure(t *testing.T) {
	for _, test := range []struct {
		c          Config
		work, span int64
	}{
		{Config{Deques: [][]int64{{7, 3}, {20}}}, 30, 20},
		{Config{Divisible: true, Leaf: 8, Deques: [][]int64{{1024}}}, 1024 + 127, 7 + 8},
		{Config{Divisible: true, Leaf: 8, Deques: [][]int64{{8}, {9}}}, 8 + 10, 8},
		{Config{Divisible: true, Leaf: 1, Deques: [][]int64{{3}}}, 3 + 2, 3},
		{Config{Divisible: true, Leaf: 1, Deques: [][]int64{{3}}, Joins: JoinAny, JoinCost: 10}, 25, 23},
		{Config{Divisible: true, Leaf: 1, Deques: [][]int64{{1 << 40}}}, 1<<41 - 1, 41},
		{Config{Divisible: true, Leaf: math.MaxInt64, Deques: [][]int64{{9}}}, 9, 9},
	} {
		if work, span := test.c.Work(), test.c.Span(); work != test.work || span != test.span {
			t.Errorf("%+v: work %d, span %d, want %d and %d", test.c, work, span, test.work, test.span)
		}
	}
}

// Log takes the first steals, as many as it is told.
func TestLog(t *testing.T) {
	c := bigTree(8)
	c.Deques = [][]int64{{1024}}
	c.Log = -1
	all := mustRun(t, c)
	if int64(len(all.Log)) != all.Steals || all.Steals < 5 {
		t.Fatalf("%d rows for %d steals", len(all.Log), all.Steals)
	}
	for i, s := range all.Log {
		if s.Victim == s.Thief || i > 0 && s.Tick < all.Log[i-1].Tick {
			t.Errorf("row %d: %+v", i, s)
		}
	}
	for _, n := range []int{0, 1, 4, 1000} {
		c.Log = n
		if r := mustRun(t, c); !slices.Equal(r.Log, all.Log[:min(n, len(all.Log))]) {
			t.Errorf("Log %d: %v", n, r.Log)
		}
	}
}
