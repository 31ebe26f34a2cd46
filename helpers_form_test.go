package forkjoin_test

import (
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/forkjoin-go/forkjoin"
)

// A form is one of the ways to run a as the left and b as the right branch of
// one call.
type form struct {
	name string
	run  func(a, b func())
	join bool // b is skipped when a has panicked before b started
}

type branches struct{ a, b func() }

var recursiveForm = forkjoin.Recursive(func(t *forkjoin.Task[branches, int], p branches) int {
	if p.b == nil {
		p.a()
		return 1
	}
	x, y := t.Join(branches{a: p.a}, branches{a: p.b})
	return x + y
})

var recursiveAllForm = forkjoin.Recursive(func(t *forkjoin.Task[branches, int], p branches) int {
	if p.b == nil {
		p.a()
		return 1
	}
	var r [2]int
	t.JoinAll([]branches{{a: p.a}, {a: p.b}}, r[:])
	return r[0] + r[1]
})

var forms = []form{
	{"Join", forkjoin.Join, true},
	{"Join2", func(a, b func()) {
		forkjoin.Join2(func() int { a(); return 1 }, func() string { b(); return "x" })
	}, true},
	{"JoinAll", func(a, b func()) { forkjoin.JoinAll(a, b) }, true},
	{"Recursive", func(a, b func()) { recursiveForm(branches{a, b}) }, true},
	{"RecursiveJoinAll", func(a, b func()) { recursiveAllForm(branches{a, b}) }, true},
	{"WaitGroup", func(a, b func()) {
		var wg forkjoin.WaitGroup
		wg.Go(a)
		wg.Go(b)
		wg.Wait()
	}, false},
	{"Group", func(a, b func()) {
		var g forkjoin.Group
		g.Go(func() error { a(); return nil })
		g.Go(func() error { b(); return nil })
		if err := g.Wait(); err != nil {
			panic(err)
		}
	}, false},
}

// stolen runs f in p so that b has begun on another goroutine before a goes
// on, and returns the outcome. Where a attempt does not come to that, neither
// runs and there is another one.
func (f form) stolen(t testing.TB, p place, a, b func()) outcome {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); {
		const started, gaveUp = 1, 2
		var state atomic.Int32 // one of these, whichever was first
		o := outcomeOf(func() {
			p.run(func() {
				f.run(func() {
					begun := func() bool { return state.Load() == started }
					if !waitFor(begun, 100*time.Millisecond) && state.CompareAndSwap(0, gaveUp) {
						return
					}
					a()
				}, func() {
					if state.CompareAndSwap(0, started) {
						b()
					}
				})
			})
		})
		if state.Load() != gaveUp {
			return o
		}
		if !o.returned {
			t.Fatalf("%s: %v although neither branch ran", f.name, o)
		}
	}
	t.Fatalf("%s: nobody took the right branch while the left one waited and forked", f.name)
	return outcome{}
}

// movable are the forms whose right branch moves to another goroutine while the
// left one waits for it. A join must be among them; whether a loop is depends on
// when it first looks for helpers.
var movable = sync.OnceValue(func() (out []form) {
	if build.wasm {
		return nil
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	for _, f := range forms {
		var together atomic.Bool
		for i := 0; i < 10 && !together.Load(); i++ {
			var started atomic.Bool
			f.run(func() {
				if waitFor(started.Load, 50*time.Millisecond) {
					together.Store(true)
				}
			}, func() { started.Store(true) })
		}
		if together.Load() || !strings.Contains(f.name, "All") {
			out = append(out, f)
		}
	}
	return out
})

// eachForm runs f as subtests for the forms given, everywhere.
func eachForm(t *testing.T, forms []form, f func(t *testing.T, g form, p place)) {
	for _, g := range forms {
		t.Run(g.name, func(t *testing.T) {
			everywhere(t, func(t *testing.T, p place) {
				within(t, time.Minute, func() { f(t, g, p) })
			})
		})
	}
}

// eachStolen runs f as subtests for the forms whose right branch moves, where it
// does.
func eachStolen(t *testing.T, f func(t *testing.T, g form, p place)) {
	needsThreads(t)
	eachForm(t, movable(), func(t *testing.T, g form, p place) {
		if p.canSteal() {
			f(t, g, p)
		}
	})
}

// inline runs f in p with branches that do not wait for each other.
func (f form) inline(p place, a, b func()) outcome {
	return outcomeOf(func() { p.run(func() { f.run(a, b) }) })
}
