package forkjoin

import (
	"runtime"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/forkjoin-go/forkjoin/internal/clock"
	"github.com/forkjoin-go/forkjoin/internal/joint"
	"github.com/forkjoin-go/forkjoin/internal/policy"
	"github.com/forkjoin-go/forkjoin/internal/topology"
)

// live has the workers believe that they are on that machine, and that cpu tells
// on which of its processors, until the test ends.
func live(t testing.TB, machine string, cpu func() int) {
	m, err := topology.Fixture(machine)
	if err != nil {
		t.Fatal(err)
	}
	before, procs := nearby.Load(), learned.Load()
	learned.Store(int32(runtime.GOMAXPROCS(0)))
	nearby.Store(neighbourhoodOf(m, cpu))
	t.Cleanup(func() {
		nearby.Store(before)
		learned.Store(procs)
	})
}

// Whatever machine the workers are on, and however wrong they are about where on
// it, all work is done, once.
func TestVictimsOnMachines(t *testing.T) {
	if joint.Exploring || runtime.GOARCH == "wasm" {
		t.Skip("there is one thread")
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(8))
	for _, machine := range topology.Fixtures() {
		for name, cpu := range map[string]func(n int) int{
			"moving":   func(n int) int { return n * 7919 % 256 },
			"one":      func(int) int { return 0 },
			"absurd":   func(n int) int { return []int{-1, 1 << 30, -1 << 30, 3}[n%4] },
			"unsteady": func(n int) int { return n % 64 & -(n & 1) },
		} {
			var calls atomic.Int32
			live(t, machine, func() int { return cpu(int(calls.Add(1)) & 0xFFFF) })
			fib := func(t *Task[int, int], n int) int {
				if n < 2 {
					return n
				}
				a, b := t.Join(n-1, n-2)
				return a + b
			}
			if got := Recursive(fib)(20); got != 6765 {
				t.Fatalf("%s, %s: fib(20) is %d", machine, name, got)
			}
			seen := make([]atomic.Int32, 3000)
			ParallelFor(len(seen), func(i int) { seen[i].Add(1) }, MaxLeaf(1))
			for i := range seen {
				if seen[i].Load() != 1 {
					t.Fatalf("%s, %s: iteration %d ran %d times", machine, name, i, seen[i].Load())
				}
			}
		}
	}
}

// A search begins next to the thief and goes no further than its last-level cache,
// but for a few that begin far away, and those that have had patience, which go on
// to all.
func TestVictimNearestFirst(t *testing.T) {
	live(t, "epyc-2x7763-nps4", func() int { return 17 })
	p := newPool(Config{Workers: 4}, true)
	thief := p.add()
	places := []int32{200, 17 + 128, 9, 20} // far, on the same core, in another node, at the same L3
	for _, cpu := range places {
		p.add().cpu.Store(cpu)
	}
	thief.lookAround()
	if got := thief.cpu.Load(); got != 17 {
		t.Errorf("the thief is on CPU %d, want 17", got)
	}
	visits := func(reach policy.Reach) (order []int32) {
		thief.visit(p.all(), reach, func(v int) bool {
			if p.all()[v] != thief {
				order = append(order, p.all()[v].cpu.Load())
			}
			return false
		})
		return order
	}
	const searches = 4000
	roams := 0
	for range searches {
		reach := thief.firstReach()
		if reach == policy.Roam {
			roams++
		}
		order, want := visits(reach), []int32{17 + 128, 20}
		if reach == policy.Roam {
			slices.Sort(order[:2])
			want = []int32{9, 200, 17 + 128, 20}
		}
		if !slices.Equal(order, want) {
			t.Fatalf("reach %d: victims on CPUs %v, want %v", reach, order, want)
		}
	}
	if roams == 0 || roams > searches/8 {
		t.Errorf("%d of %d searches begin far away", roams, searches)
	}
	if order, want := visits(policy.Far), []int32{17 + 128, 20, 9, 200}; !slices.Equal(order, want) {
		t.Errorf("with patience: victims on CPUs %v, want %v", order, want)
	}
	for i, w := range p.all()[1:] {
		if got, want := thief.near(w), i%2 == 1; got != want {
			t.Errorf("that CPU %d is near 17: %v, want %v", places[i], got, want)
		}
	}
}

// A search and a wait look far when they have had patience, once each time.
func TestSpinnerPatience(t *testing.T) {
	p := newPool(Config{Workers: 2}, true)
	patience := times.Spin / 8
	spin := p.newSpinner(patience)
	began, looks := spin.far-patience, 0
	for {
		if spin.reach() == policy.Far {
			looks++
			if took := clock.Now() - began; took < int64(looks)*patience {
				t.Fatalf("look %d after %d ticks, want at least %d", looks, took, int64(looks)*patience)
			}
		}
		if spin.reach() == policy.Far {
			t.Fatal("two looks in a turn")
		}
		if !spin.again() {
			break
		}
	}
	if alone := newPool(Config{Workers: 1}, true).newSpinner(patience); alone.again() || alone.reach() == policy.Far {
		t.Error("one worker spins")
	}
}

// Where it makes no difference who is near, nothing is noted, unless thieves want to
// keep apart from their victims.
func TestVictimsOfOneRing(t *testing.T) {
	defer processor.Store(processor.Swap(nil))
	for _, machine := range []string{"vm-2", "vm-4-nothing", "graviton-96"} {
		read := false
		live(t, machine, func() int { read = true; return 0 })
		if nearby.Load() != nil {
			t.Errorf("%s has a neighbourhood", machine)
		}
		w := newPool(Config{}, true).add()
		w.lookAround()
		w.note()
		if read || w.cpu.Load() != -1 || w.order.Len() != 0 {
			t.Errorf("%s: the CPU was read", machine)
		}
	}
	live(t, "epyc-7702", nil)
	if nearby.Load() != nil {
		t.Error("there is a neighbourhood although the CPU cannot be read")
	}
}

func BenchmarkLookAround(b *testing.B) {
	for _, machine := range []string{"vm-2", "epyc-7702"} {
		b.Run(machine, func(b *testing.B) {
			live(b, machine, func() int { return 3 })
			p := newPool(Config{Workers: 128}, true)
			for cpu := range 128 {
				p.add().cpu.Store(int32(cpu))
			}
			w := p.all()[0]
			for b.Loop() {
				w.lookAround()
			}
		})
	}
}

// Who waits helps a thief that is not near only when it has had patience, and then in a
// join only with the older of two frames, as the simulator does (sim.TestHelpFar).
func TestHelpFar(t *testing.T) {
	const here, near, far = 17, 20, 200
	live(t, "epyc-2x7763-nps4", func() int { return here })
	for _, c := range []struct {
		loop  bool
		cpu   int32
		reach policy.Reach
		shown uint32
		helps bool
	}{
		{false, near, policy.Near, 1, true}, {false, near, policy.Far, 1, true}, {false, near, policy.Near, 0, false},
		{false, far, policy.Near, 9, false}, {false, far, policy.Far, 0, false}, {false, far, policy.Far, 1, false},
		{false, far, policy.Far, 2, true}, {false, far, policy.Far, 9, true},
		{true, near, policy.Near, 1, true}, {true, far, policy.Near, 9, false}, {true, far, policy.Far, 0, false},
		{true, far, policy.Far, 1, true},
	} {
		p := newPool(Config{Workers: 2}, true)
		owner, thief := p.add(), p.add()
		owner.cpu.Store(here)
		thief.cpu.Store(c.cpu)
		f := owner.frames.next(0)
		if owner.head++; c.loop {
			f.job = new(piece)
		} else {
			f.job = thunk(func() {})
		}
		f.thief.Store(thief)
		ran := -1
		for i := range int(c.shown) {
			thief.frames.next(thief.head).job = thunk(func() { ran = i })
			thief.head++
		}
		thief.publish(c.shown)
		p.idle.add(oneWaiting)
		if helps := owner.leapfrog(f, c.reach); helps != c.helps || helps != (ran == 0) {
			t.Errorf("%+v: helps: %v, with frame %d", c, helps, ran)
		}
		p.Close()
	}
}
