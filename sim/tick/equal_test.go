package tick

import (
	"math/rand/v2"
	"reflect"
	"testing"
)

// randomConfig makes a configuration of the bytes that next returns: small ones,
// so that many run in a second, with every rule on or off.
func randomConfig(next func(n int) int) Config {
	c := Config{
		Workers:   1 + next(9),
		Divisible: next(4) > 0,
		Leaf:      1 + int64(next(9)),
		StealCost: 1 + int64(next(10)),
		StealEnd:  End(next(2)),
		Victims:   Victims(next(3)),
		Seed:      uint32(next(256)),
		Refund:    next(4) == 0,
		OwnerFIFO: next(4) == 0,
		Log:       -1,
	}
	c.NoStealing = next(16) == 0
	for range next(c.Workers + 1) {
		var sizes []int64
		for range next(4) * next(4) {
			sizes = append(sizes, 1+int64(next(16)*next(16)))
		}
		c.Deques = append(c.Deques, sizes)
	}
	on := func() bool { return next(3) == 0 }
	if on() {
		c.Joins = Joins(1 + next(4))
		c.JoinCost = int64(next(4))
	}
	if on() {
		c.SleepAfter = 1 + next(5)
		c.WakeChain = next(2) == 0
	}
	if on() {
		c.WakeDelay, c.WakeCost = int64(next(6)), int64(next(6))
	}
	c.StealHalf = on()
	if on() {
		c.GroupSize, c.RemoteCost = 1+next(5), 1+int64(next(20))
		if next(2) == 0 {
			c.Victims = Near
		}
	}
	if on() {
		c.StealHold = int64(next(8))
	}
	if on() {
		c.PopCost = int64(next(4))
	}
	if on() {
		c.Private, c.StealEnd, c.OwnerFIFO = true, Far, false
	}
	if c.Joins.descends() {
		c.StealHalf, c.OwnerFIFO = false, false
	}
	return c
}

// checkEqual compares Run and Watch with the reference.
func checkEqual(t *testing.T, c Config, worker int) {
	t.Helper()
	got, err := Run(c)
	if err != nil {
		t.Fatalf("%+v: %v", c, err)
	}
	var views []View
	want := runNaive(c, func(n *naive) {
		if n.clock > 100_000 {
			t.Fatalf("%+v: does not end", c)
		}
		if n.clock%7 == 0 {
			views = append(views, naiveView(n, worker))
		}
	})
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("%+v:\n got %+v\nwant %+v", c, *got, *want)
	}
	var clocks []int64
	for _, v := range views {
		clocks = append(clocks, v.Clock)
	}
	seen, err := Watch(c, worker, clocks...)
	if err != nil || !reflect.DeepEqual(seen, views) {
		t.Fatalf("%+v: worker %d:\n got %+v (%v)\nwant %+v", c, worker, seen, err, views)
	}
}

func naiveView(n *naive, worker int) View {
	w := n.workers[worker]
	v := View{Clock: n.clock, Deque: make([]int64, 0, len(w.deque))}
	for _, t := range w.deque {
		v.Deque = append(v.Deque, t.size)
	}
	if w.hand != nil {
		v.Busy, v.Hand, v.Left = true, w.hand.size, w.left
	}
	return v
}

func TestEqualsReference(t *testing.T) {
	runs := 20_000
	if testing.Short() {
		runs = 4_000
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range runs {
		c := randomConfig(random.IntN)
		checkEqual(t, c, random.IntN(c.Workers))
	}
}

// The same with more workers and larger trees.
func TestEqualsReferenceWide(t *testing.T) {
	runs := 300
	if testing.Short() {
		runs = 30
	}
	random := rand.New(rand.NewPCG(9, 10))
	for range runs {
		c := randomConfig(random.IntN)
		c.Workers = 10 + random.IntN(120)
		c.Deques = append([][]int64{{1 + random.Int64N(3_000)}}, c.Deques...)
		checkEqual(t, c, random.IntN(c.Workers))
	}
}

func FuzzEqualsReference(f *testing.F) {
	f.Add([]byte("forkjoin"))
	f.Add([]byte{8, 3, 7, 7, 0, 0, 0, 1, 1, 1, 1, 3, 3, 15, 15})
	f.Fuzz(func(t *testing.T, data []byte) {
		c := randomConfig(func(n int) int {
			if len(data) == 0 {
				return 0
			}
			b := data[0]
			data = data[1:]
			return int(b) % n
		})
		checkEqual(t, c, c.Workers-1)
	})
}
