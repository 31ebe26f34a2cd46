package tick

import (
	"strings"
	"testing"
)

func TestMistakes(t *testing.T) {
	good := Config{Workers: 2, StealCost: 1, Leaf: 1, Divisible: true, Deques: [][]int64{{5}}}
	if _, err := Run(good); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		want   string
		change func(c *Config)
	}{
		{"Config.Workers is 0", func(c *Config) { c.Workers = 0 }},
		{"Config.Workers is 4097, want 1 to 4096", func(c *Config) { c.Workers = maxWorkers + 1 }},
		{"Config.Deques has 3 deques for 2 workers", func(c *Config) { c.Deques = make([][]int64, 3) }},
		{"Config.Leaf is 0", func(c *Config) { c.Leaf = 0 }},
		{"Config.StealCost is 0", func(c *Config) { c.StealCost = 0 }},
		{"Config.StealCost is 1048577", func(c *Config) { c.StealCost = maxCost + 1 }},
		{"Config.JoinCost is -1", func(c *Config) { c.JoinCost = -1 }},
		{"Config.WakeDelay is -2", func(c *Config) { c.WakeDelay = -2 }},
		{"Config.WakeCost is -1", func(c *Config) { c.WakeCost = -1 }},
		{"Config.StealHold is -1", func(c *Config) { c.StealHold = -1 }},
		{"Config.PopCost is -1", func(c *Config) { c.PopCost = -1 }},
		{"Config.SleepAfter is -1", func(c *Config) { c.SleepAfter = -1 }},
		{"Config.GroupSize is -1", func(c *Config) { c.GroupSize = -1 }},
		{"Config.RemoteCost is 0, want 1", func(c *Config) { c.GroupSize = 2 }},
		{"Config.StealEnd is 2", func(c *Config) { c.StealEnd = 2 }},
		{"Config.Victims is 4", func(c *Config) { c.Victims = 4 }},
		{"Config.Joins is 5", func(c *Config) { c.Joins = 5 }},
		{"Config.Victims is Near, which wants a GroupSize", func(c *Config) { c.Victims = Near }},
		{"Config.OwnerFIFO is set", func(c *Config) { c.OwnerFIFO, c.Joins = true, JoinPark }},
		{"Config.StealHalf is set", func(c *Config) { c.StealHalf, c.Joins = true, JoinLeapfrog }},
		{"Config.Private is set, but StealEnd", func(c *Config) { c.Private, c.StealEnd = true, Own }},
		{"Config.Private is set, but with OwnerFIFO", func(c *Config) { c.Private, c.OwnerFIFO = true, true }},
		{"Config.Deques[1][2] is 0", func(c *Config) { c.Deques = [][]int64{{1}, {1, 1, 0}} }},
		{"Config.Deques[0][1] is 1,", func(c *Config) { c.Deques = [][]int64{{maxWork, 1}} }},
	} {
		c := good
		test.change(&c)
		for _, run := range []func() error{
			func() error { _, err := Run(c); return err },
			func() error { _, err := Watch(c, 0, 1); return err },
		} {
			if err := run(); err == nil || !strings.HasPrefix(err.Error(), "forkjoin: "+test.want) {
				t.Errorf("error %v, want %q", err, test.want)
			}
		}
	}
}

func TestMeasureMistakes(t *testing.T) {
	for _, test := range []struct {
		want string
		c    Config
	}{
		{"forkjoin: Config.Leaf is 0", Config{Divisible: true, Deques: [][]int64{{5}}}},
		{"forkjoin: Config.JoinCost is -1", Config{JoinCost: -1}},
		{"forkjoin: Config.Deques[0][0] is -5", Config{Deques: [][]int64{{-5}}}},
	} {
		for _, measure := range []func() int64{test.c.Work, test.c.Span} {
			func() {
				defer func() {
					if text, _ := recover().(string); !strings.HasPrefix(text, test.want) {
						t.Errorf("panic %q, want %q", text, test.want)
					}
				}()
				measure()
			}()
		}
	}
}

func TestWatchMistakes(t *testing.T) {
	c := Config{Workers: 2, StealCost: 1}
	for _, test := range []struct {
		want   string
		worker int
		clocks []int64
	}{
		{"forkjoin: worker is -1, want 0 to 1", -1, nil},
		{"forkjoin: worker is 2, want 0 to 1", 2, nil},
		{"forkjoin: clocks[0] is -1", 0, []int64{-1}},
		{"forkjoin: clocks[2] is 4", 0, []int64{3, 4, 4}},
	} {
		if _, err := Watch(c, test.worker, test.clocks...); err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("error %v, want %q", err, test.want)
		}
	}
}

// The clock has an end, which dear joins could reach.
func TestClockEnds(t *testing.T) {
	s := newSim(Config{Workers: 2, StealCost: 1, NoStealing: true, Deques: [][]int64{{1}}})
	s.queue.set(0, maxTick+1)
	if _, err := s.run(nil); err == nil || !strings.Contains(err.Error(), "the clock has come to") {
		t.Errorf("error %v", err)
	}
}
