package sim_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/forkjoin-go/forkjoin"
	"github.com/forkjoin-go/forkjoin/sim"
)

// orders returns how many different results f has in a hundred orders.
func orders(f func() string) int {
	seen := map[string]bool{}
	for seed := range uint64(100) {
		seen[sim.ExploreSeed(seed, f)] = true
	}
	return len(seen)
}

// What can run in several orders does, and each order is complete.
func TestExploreFindsOrders(t *testing.T) {
	var log []string
	note := func(s string) { log = append(log, s) }
	collect := func(f func()) func() string {
		return func() string {
			log = nil
			f()
			return strings.Join(log, " ")
		}
	}
	add := forkjoin.Recursive(func(t *forkjoin.Task[string, int], s string) int {
		note(s)
		if len(s) < 3 {
			t.Join(s+"l", s+"r")
		}
		return 0
	})
	for name, c := range map[string]struct {
		f     func() string
		least int
		tasks int
	}{
		"join": {collect(func() { forkjoin.Join(func() { note("a") }, func() { note("b") }) }), 2, 2},
		"nested": {collect(func() { // b before, between and after the parts of a
			forkjoin.Join(func() {
				forkjoin.Join(func() { note("a1") }, func() { note("a2") })
			}, func() { note("b") })
		}), 4, 3},
		"recursion": {collect(func() { add("") }), 10, 15},
		"loop":      {collect(func() { forkjoin.ParallelFor(4, func(i int) { note(fmt.Sprint(i)) }) }), 6, 4},
		"reduction": {collect(func() {
			forkjoin.ParallelReduce(4, 0, func(lo, hi int) int { note(fmt.Sprint(lo)); return lo }, func(a, b int) int { return a + b })
		}), 6, 4},
		"group": {collect(func() {
			var g forkjoin.WaitGroup
			g.Go(func() { note("g") })
			forkjoin.Join(func() { note("a") }, func() { note("b") })
			g.Wait()
		}), 4, 3},
		"submit": {collect(func() {
			var g forkjoin.Group
			g.Go(func() error { note("g"); return nil })
			g.Go(func() error { note("h"); return nil })
			note("x")
			g.Wait()
		}), 1, 3},
	} {
		if n := orders(c.f); n < c.least {
			t.Errorf("%s: %d orders, want at least %d", name, n, c.least)
		}
		first := strings.Fields(sim.ExploreSeed(0, c.f))
		slices.Sort(first)
		for seed := range uint64(50) {
			tasks := strings.Fields(sim.ExploreSeed(seed, c.f))
			if again := strings.Fields(sim.ExploreSeed(seed, c.f)); !slices.Equal(again, tasks) {
				t.Fatalf("%s, seed %d: first %v, then %v", name, seed, tasks, again)
			}
			slices.Sort(tasks)
			if !slices.Equal(tasks, first) || name != "recursion" && len(tasks) != c.tasks {
				t.Fatalf("%s, seed %d: ran %v, want %v", name, seed, tasks, first)
			}
		}
	}
}

func TestExploreReports(t *testing.T) {
	right := func() int {
		return forkjoin.ParallelReduce(1000, 0, func(lo, hi int) int { return hi - lo }, func(a, b int) int { return a + b })
	}
	if err := sim.Explore(200, right); err != nil {
		t.Error(err)
	}
	wrong := func() []int { // appends in the order of running
		var v []int
		forkjoin.ParallelFor(10, func(i int) { v = append(v, i) })
		return v
	}
	err := sim.Explore(200, wrong)
	var order *sim.OrderError
	if !errors.As(err, &order) {
		t.Fatalf("the error is %v, want an OrderError", err)
	}
	if got := sim.ExploreSeed(order.Seed, wrong); !slices.Equal(got, order.Got.([]int)) || slices.Equal(got, order.Want.([]int)) {
		t.Errorf("seed %d gives %v, want %v again", order.Seed, got, order.Got)
	}
	if err := sim.Explore(-1, right); err == nil || !strings.HasPrefix(err.Error(), "forkjoin: ") {
		t.Errorf("-1 seeds: error %v", err)
	}
}

// Workers that meet on one goroutine have scratch of their own, and failures
// take the way that they take on several.
func TestExploreIsAsWithWorkers(t *testing.T) {
	scratch := func() bool {
		clean := true
		forkjoin.ParallelForWith(20, func() *bool { return new(bool) }, func(busy *bool, i int) {
			clean = clean && !*busy
			*busy = true
			forkjoin.Join(func() {}, func() {})
			*busy = false
		})
		return clean
	}
	failing := func() (text string) {
		defer func() { text = recover().(*forkjoin.PanicError).Error() }()
		forkjoin.Join(func() {
			forkjoin.Join(func() {}, func() { panic("inner") })
		}, func() { forkjoin.ParallelFor(3, func(int) {}) })
		return "no panic"
	}
	for name, f := range map[string]func() any{
		"scratch": func() any { return scratch() },
		"panic":   func() any { return strings.Contains(failing(), "inner") },
	} {
		if got := sim.ExploreSeed(0, f); got != true {
			t.Errorf("%s: %v on one worker", name, got)
		}
		if err := sim.Explore(300, f); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
