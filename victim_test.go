package forkjoin

import (
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/forkjoin-go/forkjoin/internal/joint"
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

// A thief goes to a victim next to it before it goes to one far away, but for one
// search in eight or so.
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
	const searches = 4000
	var first, second int
	for range searches {
		var order []int32
		thief.visit(p.all(), func(v int) bool {
			if p.all()[v] != thief {
				order = append(order, p.all()[v].cpu.Load())
			}
			return false
		})
		if len(order) != len(places) {
			t.Fatalf("%d victims, want %d", len(order), len(places))
		}
		if order[0] == places[1] {
			first++
			if order[1] == places[3] {
				second++
			}
		}
	}
	if second < searches*7/8*9/10 || first == searches {
		t.Errorf("of %d searches %d begin with the nearest victim, %d of them go on to the next", searches, first, second)
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
