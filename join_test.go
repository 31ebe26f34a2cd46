package forkjoin_test

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/forkjoin-go/forkjoin"
)

// Helpers for the tests of joins, groups and panics. They use nothing but the
// public surface, so that they hold for any scheduler behind it.

// build tells how this binary was made: some builds are an order of magnitude
// slower, and the sizes and deadlines below follow.
var build = func() (b struct{ race, purego, wasm bool }) {
	b.wasm = runtime.GOARCH == "wasm"
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "-race":
			b.race = s.Value == "true"
		case "-tags":
			b.purego = slices.Contains(strings.FieldsFunc(s.Value, func(r rune) bool { return r == ',' || r == ' ' }), "purego")
		}
	}
	return b
}()

// slow reports a build whose repetition counts are cut to a tenth.
func slow() bool { return build.race || build.purego || build.wasm || testing.Short() }

// scale returns n, or a tenth of it (at least 1) in a slow build.
func scale(n int) int {
	if slow() {
		return max(1, n/10)
	}
	return n
}

// needsThreads skips a test that can pass only where goroutines run at the
// same time.
func needsThreads(t testing.TB) {
	t.Helper()
	if build.wasm {
		t.Skip("needs threads")
	}
}

// within runs f on a goroutine of its own and fails with the stacks of all
// goroutines if f has not ended after d.
func within(t testing.TB, d time.Duration, f func()) {
	t.Helper()
	if slow() {
		d *= 4
	}
	done := make(chan bool, 1)
	go func() {
		ended := false
		defer func() { done <- ended }()
		f()
		ended = true
	}()
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case ended := <-done:
		switch {
		case ended:
		case t.Skipped():
			t.SkipNow()
		case t.Failed():
			t.FailNow()
		default:
			t.Fatal("ended by Goexit")
		}
	case <-timer.C:
		t.Fatalf("not done after %v\n%s", d, stacks())
	}
}

// stacks returns the stacks of all goroutines, cut at a length one can read.
func stacks() []byte {
	buf := make([]byte, 256<<10)
	return buf[:runtime.Stack(buf, true)]
}

// atProcs runs f as a subtest with GOMAXPROCS n.
func atProcs(t *testing.T, n int, f func(t *testing.T)) {
	t.Run(fmt.Sprintf("procs=%d", n), func(t *testing.T) {
		if build.wasm && n > 1 {
			t.Skip("one thread")
		}
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(n))
		f(t)
	})
}

// eachProcs runs f as subtests over several values of GOMAXPROCS. Such tests are
// never parallel.
func eachProcs(t *testing.T, f func(t *testing.T)) {
	for _, n := range []int{1, 2, 3, 8} {
		atProcs(t, n, f)
	}
}

// A place is somewhere a call can be made from: a pool and a GOMAXPROCS.
type place struct {
	workers int
	run     func(f func())
	private bool // a pool of the test's own, in which no other worker lingers
}

// canSteal reports whether a task of this place can be made to move to another
// goroutine.
func (p place) canSteal() bool { return p.workers > 1 && runtime.GOMAXPROCS(0) > 1 && !build.wasm }

// inPool runs f as a subtest in a pool of n workers.
func inPool(t *testing.T, n int, f func(t *testing.T, p place)) {
	t.Run(fmt.Sprintf("workers=%d", n), func(t *testing.T) {
		pool, err := forkjoin.New(forkjoin.Config{Workers: n, Name: t.Name()})
		if err != nil {
			t.Fatal(err)
		}
		f(t, place{n, pool.Run, true})
		within(t, 20*time.Second, func() {
			if err := pool.Close(); err != nil {
				t.Errorf("Close: %v", err)
			}
		})
	})
}

// everywhere runs f as subtests with the default pool over several values of
// GOMAXPROCS, and in private pools.
func everywhere(t *testing.T, f func(t *testing.T, p place)) {
	t.Run("default", func(t *testing.T) {
		eachProcs(t, func(t *testing.T) {
			f(t, place{workers: runtime.GOMAXPROCS(0), run: func(g func()) { g() }})
		})
	})
	for _, n := range []int{1, 2, 8} {
		inPool(t, n, f)
	}
	t.Run("narrow", func(t *testing.T) {
		atProcs(t, 1, func(t *testing.T) { inPool(t, 3, f) })
	})
}

// gnum returns the number of the current goroutine, so that a test can see
// whether two pieces of code ran on the same one.
func gnum() int {
	var buf [40]byte
	s := strings.TrimPrefix(string(buf[:runtime.Stack(buf[:], false)]), "goroutine ")
	n, err := strconv.Atoi(s[:strings.IndexByte(s, ' ')])
	if err != nil {
		panic(err)
	}
	return n
}

// waitFor waits until cond holds, for at most d, and reports whether it did.
// It gives the processor away and forks now and then, so that whoever searches
// for work is served.
func waitFor(cond func() bool, d time.Duration) bool {
	end := time.Now().Add(d)
	for i := 1; !cond(); i++ {
		if i%8 == 0 {
			forkjoin.Join(nop, nop)
			if time.Now().After(end) {
				return false
			}
		}
		runtime.Gosched()
	}
	return true
}

// soon fails unless cond comes to hold within d. It sleeps in between.
func soon(t testing.TB, d time.Duration, what string, cond func() bool) {
	t.Helper()
	if slow() {
		d *= 4
	}
	for end := time.Now().Add(d); !cond(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not within %v: %s\n%s", d, what, stacks())
		}
	}
}

func nop() {}

// An outcome is how a call ended: exactly one of the three.
type outcome struct {
	returned bool
	panicked any
	exited   bool // by runtime.Goexit
}

func (o outcome) String() string {
	switch {
	case o.returned:
		return "returned"
	case o.exited:
		return "Goexit"
	}
	return fmt.Sprintf("panic(%T: %v)", o.panicked, o.panicked)
}

// outcomeOf runs f on a new goroutine and says how it ended.
func outcomeOf(f func()) (o outcome) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() {
			if !o.returned {
				o.panicked = recover()
				o.exited = o.panicked == nil
			}
		}()
		f()
		o.returned = true
	}()
	<-done
	return o
}

// panicText is the text of a panic raised for bad input: a string or an error.
func panicText(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case *forkjoin.PanicError:
		return panicText(v.Value)
	case error:
		return v.Error()
	}
	return fmt.Sprintf("(%T) %v", v, v)
}

// wantBadInput checks that f panics with a text that begins as given and
// contains the further words.
func wantBadInput(t testing.TB, f func(), prefix string, words ...string) {
	t.Helper()
	o := outcomeOf(f)
	if o.returned || o.exited {
		t.Errorf("%v, want a panic %q", o, prefix)
		return
	}
	text := panicText(o.panicked)
	if !strings.HasPrefix(text, prefix) {
		t.Errorf("panic %q, want prefix %q", text, prefix)
	}
	for _, w := range words {
		if !strings.Contains(text, w) {
			t.Errorf("panic %q does not say %q", text, w)
		}
	}
}

func seqFib(n int) int {
	if n < 2 {
		return n
	}
	return seqFib(n-1) + seqFib(n-2)
}

func joinFib(n int) int {
	if n < 2 {
		return n
	}
	var a, b int
	forkjoin.Join(func() { a = joinFib(n - 1) }, func() { b = joinFib(n - 2) })
	return a + b
}

func join2Fib(n int) int {
	if n < 2 {
		return n
	}
	a, b := forkjoin.Join2(func() int { return join2Fib(n - 1) }, func() int { return join2Fib(n - 2) })
	return a + b
}

var fib = forkjoin.Recursive(func(t *forkjoin.Task[int, int], n int) int {
	if n < 2 {
		return n
	}
	a, b := t.Join(n-1, n-2)
	return a + b
})

// sane checks that the library still works: every form of call, small.
func sane(t testing.TB) {
	t.Helper()
	if got := fib(10); got != 55 {
		t.Errorf("afterwards: fib(10) = %d, want 55", got)
	}
	if got := joinFib(7); got != 13 {
		t.Errorf("afterwards: joinFib(7) = %d, want 13", got)
	}
	sum := forkjoin.ParallelReduce(100, 0, func(lo, hi int) int {
		s := 0
		for i := lo; i < hi; i++ {
			s += i
		}
		return s
	}, func(a, b int) int { return a + b })
	if sum != 4950 {
		t.Errorf("afterwards: sum = %d, want 4950", sum)
	}
	var n atomic.Int64
	forkjoin.ParallelFor(50, func(i int) { n.Add(int64(i)) })
	var wg forkjoin.WaitGroup
	wg.Go(func() { n.Add(1) })
	wg.Go(func() { n.Add(1) })
	wg.Wait()
	if n.Load() != 1227 {
		t.Errorf("afterwards: loop and group counted %d, want 1227", n.Load())
	}
}

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

// inline runs f in p with branches that do not wait for each other.
func (f form) inline(p place, a, b func()) outcome {
	return outcomeOf(func() { p.run(func() { f.run(a, b) }) })
}

// The tests of Join, Join2 and JoinAll.

func TestJoinResults(t *testing.T) {
	everywhere(t, func(t *testing.T, p place) {
		within(t, 20*time.Second, func() {
			n := 18
			if slow() {
				n = 12
			}
			want := seqFib(n)
			p.run(func() {
				if got := joinFib(n); got != want {
					t.Errorf("joinFib(%d) = %d, want %d", n, got, want)
				}
				if got := join2Fib(n); got != want {
					t.Errorf("join2Fib(%d) = %d, want %d", n, got, want)
				}
			})
		})
	})
}

// Each branch runs exactly once, and what it wrote without synchronisation is
// there after the call.
func TestFormsRunEachOnce(t *testing.T) {
	for _, f := range forms {
		t.Run(f.name, func(t *testing.T) {
			everywhere(t, func(t *testing.T, p place) {
				within(t, 20*time.Second, func() {
					p.run(func() {
						for i := range scale(1000) {
							var a, b int
							f.run(func() { a++ }, func() { b++ })
							if a != 1 || b != 1 {
								t.Errorf("round %d: a ran %d times, b %d times", i, a, b)
								return
							}
						}
					})
				})
			})
		})
	}
}

// Branches that take long run at the same time where there are processors for
// them, also when there are only two and nothing is known of them.
func TestFormsOverlap(t *testing.T) {
	needsThreads(t)
	for _, f := range forms {
		t.Run(f.name, func(t *testing.T) {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
			within(t, 30*time.Second, func() {
				for range 10 {
					var in atomic.Int32
					var met atomic.Bool
					meet := func() {
						in.Add(1)
						defer in.Add(-1)
						if waitFor(func() bool { return met.Load() || in.Load() == 2 }, 100*time.Millisecond) {
							met.Store(true)
						}
					}
					if f.run(meet, meet); met.Load() {
						return
					}
				}
				t.Error("two branches of 100 ms each ran one after the other, 10 times")
			})
		})
	}
}

// What was written before the call is seen in both branches, and a stolen
// branch's writes are seen after it.
func TestFormsStolenSeeWrites(t *testing.T) {
	needsThreads(t)
	for _, f := range movable() {
		t.Run(f.name, func(t *testing.T) {
			everywhere(t, func(t *testing.T, p place) {
				if !p.canSteal() {
					return
				}
				within(t, 30*time.Second, func() {
					for range scale(40) {
						before, a, b := 7, 0, 0
						o := f.stolen(t, p, func() { a = before + 1 }, func() { b = before + 2 })
						if !o.returned || a != 8 || b != 9 {
							t.Fatalf("%v, a = %d, b = %d", o, a, b)
						}
					}
				})
			})
		})
	}
}

// The left branch runs on the caller's goroutine, and so does the right one, after
// it, unless it was stolen.
func TestJoinCallerTakesPart(t *testing.T) {
	eachProcs(t, func(t *testing.T) {
		for _, f := range forms {
			if !f.join {
				continue
			}
			within(t, 10*time.Second, func() {
				for range scale(100) {
					me := gnum()
					var ga, gb int
					var order atomic.Int64
					var posA, posB int64
					f.run(func() { ga, posA = gnum(), order.Add(1) }, func() { gb, posB = gnum(), order.Add(1) })
					if ga != me {
						t.Errorf("%s: a ran on goroutine %d, the caller is %d", f.name, ga, me)
					}
					if gb == me && posB < posA {
						t.Errorf("%s: b ran on the caller before a", f.name)
					}
				}
			})
		}
	})
}

func TestJoinSequentialAtOneProcessor(t *testing.T) {
	inPool(t, 1, func(t *testing.T, p place) {
		within(t, 10*time.Second, func() {
			p.run(func() {
				me := gnum()
				for range scale(1000) {
					var trace []string
					note := func(s string) func() {
						return func() {
							if gnum() != me {
								t.Errorf("%s ran on another goroutine of a pool of one", s)
							}
							trace = append(trace, s)
						}
					}
					forkjoin.Join(
						func() { forkjoin.Join(note("1"), note("2")) },
						func() { forkjoin.JoinAll(note("3"), note("4"), note("5")) },
					)
					if got := strings.Join(trace, ""); got != "12345" {
						t.Fatalf("order %s, want 12345", got)
					}
				}
			})
		})
	})
}

type wide struct {
	a [64]int
	s string
	p *int
}

func TestJoin2Types(t *testing.T) {
	everywhere(t, func(t *testing.T, p place) {
		within(t, 10*time.Second, func() {
			p.run(func() {
				for i := range scale(500) {
					s, e := forkjoin.Join2(
						func() string { return strconv.Itoa(i) },
						func() error { return os.ErrExist })
					if s != strconv.Itoa(i) || !errors.Is(e, os.ErrExist) {
						t.Fatalf("got %q, %v", s, e)
					}
					w, z := forkjoin.Join2(
						func() wide { w := wide{s: "w", p: &i}; w.a[63] = i; return w },
						func() struct{} { return struct{}{} })
					if w.a[63] != i || w.s != "w" || w.p != &i || z != (struct{}{}) {
						t.Fatalf("wide result lost: %v", w)
					}
					e2, m := forkjoin.Join2(
						func() error { return nil },
						func() map[int]string { return map[int]string{i: "m"} })
					if e2 != nil || m[i] != "m" {
						t.Fatalf("got %v, %v", e2, m)
					}
				}
			})
		})
	})
}

func TestJoinAllCounts(t *testing.T) {
	everywhere(t, func(t *testing.T, p place) {
		within(t, 20*time.Second, func() {
			p.run(func() {
				forkjoin.JoinAll()
				forkjoin.JoinAll([]func(){}...)
				for n := range 101 {
					counts := make([]int, n)
					fns := make([]func(), n)
					for i := range fns {
						fns[i] = func() { counts[i]++ }
					}
					forkjoin.JoinAll(fns...)
					for i, c := range counts {
						if c != 1 {
							t.Fatalf("n = %d: function %d ran %d times", n, i, c)
						}
					}
				}
			})
		})
	})
}

// Results do not depend on how long either side takes.
func TestJoinUneven(t *testing.T) {
	everywhere(t, func(t *testing.T, p place) {
		within(t, 20*time.Second, func() {
			var rec func(n int, left bool) int
			rec = func(n int, left bool) int {
				if n == 0 {
					return 1
				}
				x, y := 0, 0
				deep := func() { x = rec(n-1, !left) }
				flat := func() { y = seqFib(n%10+3) - seqFib(n%10+2) - seqFib(n%10+1) + 1 }
				if left {
					forkjoin.Join(deep, flat)
				} else {
					forkjoin.Join(flat, deep)
				}
				return x + y
			}
			p.run(func() {
				for range scale(20) {
					if got := rec(300, true); got != 301 {
						t.Errorf("got %d, want 301", got)
					}
				}
			})
		})
	})
}

func TestJoinDeep(t *testing.T) {
	depth := 10_000
	if build.purego {
		depth = 1000 // finding the goroutine takes longer the deeper it is
	}
	left := func() int {
		var rec func(n int) int
		rec = func(n int) (sum int) {
			if n == 0 {
				return 0
			}
			var a, b int
			forkjoin.Join(func() { a = rec(n - 1) }, func() { b = 1 })
			return a + b
		}
		return rec(depth)
	}
	right := func() int {
		var rec func(n int) int
		rec = func(n int) int {
			if n == 0 {
				return 0
			}
			a, b := forkjoin.Join2(func() int { return 1 }, func() int { return rec(n - 1) })
			return a + b
		}
		return rec(depth)
	}
	all := func() int {
		var rec func(n int) int
		rec = func(n int) int {
			if n == 0 {
				return 0
			}
			var a, b, c int
			forkjoin.JoinAll(func() { a = 1 }, func() { b = rec(n - 1) }, func() { c = 0 })
			return a + b + c
		}
		return rec(depth)
	}
	everywhere(t, func(t *testing.T, p place) {
		if build.wasm {
			t.Skip("the engine's own stack is too small")
		}
		within(t, 20*time.Second, func() {
			p.run(func() {
				for name, f := range map[string]func() int{"left": left, "right": right, "all": all} {
					if got := f(); got != depth {
						t.Errorf("%s: %d, want %d", name, got, depth)
					}
				}
			})
		})
	})
}

func TestJoinBadInput(t *testing.T) {
	ran := false
	run := func() { ran = true }
	runInt := func() int { ran = true; return 0 }
	within(t, 10*time.Second, func() {
		wantBadInput(t, func() { forkjoin.Join(nil, run) }, "forkjoin: Join: a is nil")
		wantBadInput(t, func() { forkjoin.Join(run, nil) }, "forkjoin: Join: b is nil")
		wantBadInput(t, func() { forkjoin.Join(nil, nil) }, "forkjoin: Join: ", "nil")
		wantBadInput(t, func() { forkjoin.Join2[int, int](nil, runInt) }, "forkjoin: Join2: a is nil")
		wantBadInput(t, func() { forkjoin.Join2[int, int](runInt, nil) }, "forkjoin: Join2: b is nil")
		wantBadInput(t, func() { forkjoin.JoinAll(nil) }, "forkjoin: JoinAll: ", "nil")
		wantBadInput(t, func() { forkjoin.JoinAll(run, run, nil, run) }, "forkjoin: JoinAll: ", "nil", "2")
		wantBadInput(t, func() { forkjoin.JoinAll(nil, run) }, "forkjoin: JoinAll: ", "nil", "0")
		// The same inside a task, where it comes out through a join.
		wantBadInput(t, func() { forkjoin.Join(func() { forkjoin.Join(run, nil) }, nop) }, "forkjoin: Join: b is nil")
		wantBadInput(t, func() { forkjoin.Join(nop, func() { forkjoin.Join(run, nil) }) }, "forkjoin: Join: b is nil")
		if ran {
			t.Error("a task ran although an argument was bad")
		}
		sane(t)
	})
}

// A quicksort as users write it: two halves of one slice.
func TestJoinQuicksort(t *testing.T) {
	var quick func(v []int)
	quick = func(v []int) {
		if len(v) <= 1 {
			return
		}
		pivot, mid := v[len(v)-1], 0
		for i, x := range v[:len(v)-1] {
			if x <= pivot {
				v[i], v[mid] = v[mid], v[i]
				mid++
			}
		}
		v[mid], v[len(v)-1] = v[len(v)-1], v[mid]
		forkjoin.Join(func() { quick(v[:mid]) }, func() { quick(v[mid+1:]) })
	}
	everywhere(t, func(t *testing.T, p place) {
		within(t, 20*time.Second, func() {
			v := make([]int, scale(20_000))
			for i := range v {
				v[i] = (i*7919 + 13) % 10_007
			}
			want := slices.Sorted(slices.Values(v))
			p.run(func() { quick(v) })
			if !slices.Equal(v, want) {
				t.Error("not sorted")
			}
		})
	})
}

func TestMigratedAndWorkerIndex(t *testing.T) {
	within(t, 5*time.Second, func() {
		if forkjoin.Migrated() {
			t.Error("Migrated outside any call")
		}
		if i := forkjoin.WorkerIndex(); i != -1 {
			t.Errorf("WorkerIndex outside any call is %d, want -1", i)
		}
	})
	t.Run("inline", func(t *testing.T) {
		inPool(t, 1, func(t *testing.T, p place) {
			within(t, 5*time.Second, func() {
				p.run(func() {
					check := func() {
						if forkjoin.Migrated() {
							t.Error("Migrated in a pool of one")
						}
						if forkjoin.WorkerIndex() < 0 {
							t.Error("no worker index inside a join")
						}
					}
					forkjoin.Join(check, check)
				})
			})
		})
	})
	t.Run("stolen", func(t *testing.T) {
		needsThreads(t)
		inPool(t, 2, func(t *testing.T, p place) {
			within(t, 10*time.Second, func() {
				for _, f := range movable() {
					if !f.join {
						continue
					}
					var ia, ib int
					var mb bool
					o := f.stolen(t, p, func() { ia = forkjoin.WorkerIndex() }, func() {
						ib, mb = forkjoin.WorkerIndex(), forkjoin.Migrated()
					})
					if !o.returned {
						t.Fatal(o)
					}
					if ia < 0 || ib < 0 || ia == ib {
						t.Errorf("%s: worker indices %d and %d of two tasks at the same time", f.name, ia, ib)
					}
					if !mb {
						t.Errorf("%s: the stolen branch does not know that it migrated", f.name)
					}
				}
				if forkjoin.Migrated() || forkjoin.WorkerIndex() != -1 {
					t.Error("inside a call although all have returned")
				}
			})
		})
	})
}

// Every join counts as a fork, the counters never go back, and what was stolen
// is no more than what was forked.
func TestStatsCountJoins(t *testing.T) {
	for _, n := range []int{1, 4} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			pool, err := forkjoin.New(forkjoin.Config{Workers: n})
			if err != nil {
				t.Fatal(err)
			}
			within(t, 20*time.Second, func() {
				before := pool.Stats()
				count := scale(1000)
				pool.Run(func() {
					for range count {
						forkjoin.Join(nop, nop)
					}
					fib(10) // 88 joins
				})
				after := pool.Stats()
				forks, steals := after.Forks-before.Forks, after.Steals-before.Steals
				if want := uint64(count + 88); forks < want || forks > 2*want {
					t.Errorf("%d forks counted, want %d", forks, want)
				}
				if steals > forks {
					t.Errorf("%d steals of %d forks", steals, forks)
				}
				if n == 1 && steals != 0 {
					t.Errorf("%d steals in a pool of one", steals)
				}
				if err := pool.Close(); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

func TestStatsMonotonic(t *testing.T) {
	within(t, 20*time.Second, func() {
		pool := forkjoin.Default()
		stop := make(chan struct{})
		var watching sync.WaitGroup
		watching.Go(func() {
			last := pool.Stats()
			for {
				select {
				case <-stop:
					return
				default:
				}
				s := pool.Stats()
				if s.Forks < last.Forks || s.Steals < last.Steals || s.Publishes < last.Publishes ||
					s.Wakes < last.Wakes || s.Parks < last.Parks || s.Tasks < last.Tasks || s.Lent < last.Lent {
					t.Errorf("a counter went back: %+v after %+v", s, last)
					return
				}
				last = s
				time.Sleep(20 * time.Microsecond)
			}
		})
		for range scale(200) {
			fib(12)
			joinFib(8)
			forkjoin.ParallelFor(100, func(int) {})
		}
		close(stop)
		watching.Wait()
	})
}

// What a finished join held can be collected, also when a thief ran it.
func TestJoinLetsGo(t *testing.T) {
	everywhere(t, func(t *testing.T, p place) {
		within(t, 30*time.Second, func() {
			const count = 20
			var gone atomic.Int64
			for range count {
				func() {
					a, b := new([1 << 12]byte), new([1 << 12]byte)
					runtime.AddCleanup(a, func(int) { gone.Add(1) }, 0)
					runtime.AddCleanup(b, func(int) { gone.Add(1) }, 0)
					use := func(m *[1 << 12]byte) func() { return func() { m[0]++; seqFib(15) } }
					p.run(func() { forkjoin.Join(use(a), use(b)) })
				}()
			}
			soon(t, 10*time.Second, "closures of finished joins are collected", func() bool {
				runtime.GC()
				return gone.Load() == 2*count
			})
		})
	})
}
