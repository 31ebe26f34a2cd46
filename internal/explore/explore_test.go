package explore

import (
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"unsafe"
)

// cell is an atomic for programs of this test.
type cell struct{ v atomic.Int64 }

func (c *cell) load() int64 {
	Step(Load, unsafe.Pointer(c), nil)
	return c.v.Load()
}

func (c *cell) store(n int64) {
	Step(Change, unsafe.Pointer(c), nil)
	c.v.Store(n)
}

func (c *cell) add(n int64) int64 {
	Step(Change, unsafe.Pointer(c), nil)
	return c.v.Add(n)
}

// mutex is a lock for programs of this test.
type mutex struct{ held atomic.Bool }

func (m *mutex) Ready() bool { return !m.held.Load() }
func (m *mutex) lock() {
	Step(Lock, unsafe.Pointer(m), m)
	m.held.Swap(true)
}
func (m *mutex) unlock() {
	m.held.Store(false)
	Release(unsafe.Pointer(m))
}

func TestExploreFindsLostUpdate(t *testing.T) {
	body := func(x *X) {
		var c cell
		add := func() { c.store(c.load() + 1) }
		join := x.Go(add)
		add()
		join()
		if n := c.v.Load(); n != 2 {
			x.Fatalf("the sum is %d", n)
		}
	}
	for _, bound := range []int{-1, 1, 2} {
		r := Explore(Program{Bound: bound, Body: body})
		if r.Failure != "the sum is 1" {
			t.Fatalf("bound %d: failure is %q after %d schedules", bound, r.Failure, r.Schedules)
		}
		again, err := Replay(Program{Body: body}, r.Trace)
		if err != nil || again.Failure != r.Failure {
			t.Errorf("bound %d: trace %q replays as %q, %v", bound, r.Trace, again.Failure, err)
		}
	}
	if r := Explore(Program{Bound: 0, Body: body}); r.Failure != "" || r.Exhaustive {
		t.Errorf("without preemptions: %v %q", r, r.Failure)
	}
}

func TestExploreLock(t *testing.T) {
	r := Explore(Program{Bound: -1, Body: func(x *X) {
		var c cell
		var m mutex
		add := func() {
			m.lock()
			c.store(c.load() + 1)
			m.unlock()
		}
		one, two := x.Go(add), x.Go(add)
		one()
		two()
		if n := c.v.Load(); n != 2 {
			x.Fatalf("the sum is %d", n)
		}
	}})
	if r.Failure != "" || !r.Exhaustive || r.Schedules != 2 {
		t.Errorf("%v %q, want 2 schedules: who locks first", r, r.Failure)
	}
}

func TestExploreFindsDeadlock(t *testing.T) {
	r := Explore(Program{Bound: -1, Body: func(x *X) {
		var a, b mutex
		join := x.Go(func() { a.lock(); b.lock(); b.unlock(); a.unlock() })
		b.lock()
		a.lock()
		a.unlock()
		b.unlock()
		join()
	}})
	if r.Failure != "nobody can go on" {
		t.Errorf("failure is %q", r.Failure)
	}
}

// Steps that commute are not tried in both orders.
func TestExploreReduces(t *testing.T) {
	r := Explore(Program{Bound: -1, Body: func(x *X) {
		cells := make([]cell, 4)
		var joins []func()
		for i := range cells {
			joins = append(joins, x.Go(func() {
				for range 5 {
					cells[i].add(1)
				}
			}))
		}
		for _, join := range joins {
			join()
		}
	}})
	if r.Schedules != 1 || !r.Exhaustive {
		t.Errorf("%v, want one schedule", r)
	}
}

// Random programs have the same results with the reduction as with none, and with
// the reduction and a bound all those that schedules within the bound have.
func TestExploreMissesNothing(t *testing.T) {
	programs := 100
	if testing.Short() {
		programs = 12
	}
	for seed := range uint64(programs) {
		dice := rand.New(rand.NewPCG(seed, 0))
		type act struct{ what, cell int }
		scripts := make([][]act, 2+dice.IntN(2))
		for i := range scripts {
			for range 1 + dice.IntN(7/len(scripts)) {
				scripts[i] = append(scripts[i], act{dice.IntN(5), dice.IntN(2)})
			}
		}
		results := map[string]bool{}
		var result string
		body := func(x *X) {
			cells := make([]cell, 2)
			locks := make([]mutex, 2)
			seen := make([][]int64, len(scripts))
			var joins []func()
			for i, script := range scripts {
				joins = append(joins, x.Go(func() {
					for k, a := range script {
						c := &cells[a.cell]
						switch a.what {
						case 0:
							seen[i] = append(seen[i], c.load())
						case 1:
							c.store(int64(10*i + k + 1))
						case 2:
							seen[i] = append(seen[i], c.add(100))
						case 3:
							locks[a.cell].lock()
							seen[i] = append(seen[i], c.load())
							c.store(int64(10*i + k + 1001))
							locks[a.cell].unlock()
						case 4:
							Step(Yield, nil, nil)
						}
					}
				}))
			}
			for _, join := range joins {
				join()
			}
			result = fmt.Sprint(seen, cells[0].v.Load(), cells[1].v.Load())
			results[result] = true
		}
		fewest := map[string]int{} // preemptions that lead to a result
		all := everySchedule(Program{Body: body}, func(preemptions int) {
			if n, ok := fewest[result]; !ok || preemptions < n {
				fewest[result] = preemptions
			}
		})
		for _, bound := range []int{-1, 0, 1, 2, 20} {
			clear(results)
			r := Explore(Program{Bound: bound, Body: body})
			if r.Failure != "" {
				t.Fatalf("seed %d, bound %d: %s", seed, bound, r.Failure)
			}
			for s, n := range fewest {
				if !results[s] && (bound < 0 || n <= bound) {
					t.Errorf("seed %d, bound %d: %s is missed, which %d preemptions lead to", seed, bound, s, n)
				}
			}
			for s := range results {
				if _, ok := fewest[s]; !ok {
					t.Errorf("seed %d, bound %d: %s cannot be", seed, bound, s)
				}
			}
			if bound < 0 && r.Schedules > all {
				t.Errorf("seed %d: %d schedules with the reduction, %d without", seed, r.Schedules, all)
			}
		}
	}
}

// everySchedule is the plain search: each choice at each step. It calls seen after
// each run and returns how many there were.
func everySchedule(p Program, seen func(preemptions int)) (runs int) {
	var path []int // of choices, by their place among those who could go on
	for {
		at, widths, preemptions := 0, []int{}, 0
		x := &exploration{program: &p}
		x.guide = func(r *run, n *node) int {
			s, k := n.enabled, 0
			if at < len(path) {
				k = path[at]
			}
			at++
			width := 0
			for t := s; t != 0; t &= t - 1 {
				width++
			}
			widths = append(widths, width)
			for range k {
				s &= s - 1
			}
			if n.preempts(s.first()) {
				preemptions++
			}
			return s.first()
		}
		if r := x.run(); r.failure != "" {
			panic(r.failure)
		}
		runs++
		seen(preemptions)
		for len(path) < len(widths) {
			path = append(path, 0)
		}
		path = path[:len(widths)]
		i := len(path) - 1
		for i >= 0 && path[i]+1 >= widths[i] {
			i--
		}
		if i < 0 {
			return
		}
		path = path[:i+1]
		path[i]++
	}
}
