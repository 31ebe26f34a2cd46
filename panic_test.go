package forkjoin_test

import (
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/forkjoin-go/forkjoin"
)

// An ordeal is a panic and what must be told of it.
type ordeal struct {
	name  string
	throw func()
	frame string // part of the name of the function that panicked
	check func(v any) error
}

type customPanic struct {
	code int
	tag  string
}

var errOrdeal = errors.New("an error of the test's own")

//go:noinline
func throwString() { panic("text") }

//go:noinline
func throwError() { panic(errOrdeal) }

//go:noinline
func throwWrapped() {
	panic(fmt.Errorf("wrapped: %w", &fs.PathError{Op: "ordeal", Path: "p", Err: errOrdeal}))
}

//go:noinline
func throwStruct() { panic(customPanic{7, "seven"}) }

//go:noinline
func throwNil() { panic(nil) }

//go:noinline
func throwIndex() {
	s := make([]int, zero())
	s[3+zero()]++
}

//go:noinline
func nilMap() map[string]int { return nil }

//go:noinline
func throwNilMap() {
	m := nilMap()
	m["x"] = 1
}

//go:noinline
func throwNilPointer() {
	var p *customPanic
	p.code++
}

// throwExiting panics while its goroutine is ending, as t.FailNow does where a
// deferred call panics. Recovering that does not let a function go on.
//
//go:noinline
func throwExiting() {
	defer throwStruct()
	runtime.Goexit()
}

//go:noinline
func zero() int { return 0 }

func equals(want any) func(v any) error {
	return func(v any) error {
		if v != want {
			return fmt.Errorf("value is %T %v, want %T %v", v, v, want, want)
		}
		return nil
	}
}

func runtimeError(words string) func(v any) error {
	return func(v any) error {
		if e, ok := v.(runtime.Error); !ok || !strings.Contains(e.Error(), words) {
			return fmt.Errorf("value is %T %v, want a runtime.Error with %q", v, v, words)
		}
		return nil
	}
}

var ordeals = []ordeal{
	{"string", throwString, "throwString", equals("text")},
	{"error", throwError, "throwError", equals(errOrdeal)},
	{"wrapped", throwWrapped, "throwWrapped", func(v any) error {
		var pe *fs.PathError
		if err, ok := v.(error); !ok || !errors.As(err, &pe) || pe.Op != "ordeal" {
			return fmt.Errorf("value is %T %v", v, v)
		}
		return nil
	}},
	{"struct", throwStruct, "throwStruct", equals(customPanic{7, "seven"})},
	{"nil", throwNil, "throwNil", func(v any) error {
		if _, ok := v.(*runtime.PanicNilError); !ok {
			return fmt.Errorf("value is %T %v, want a *runtime.PanicNilError", v, v)
		}
		return nil
	}},
	{"index", throwIndex, "throwIndex", runtimeError("index out of range [3]")},
	{"nilmap", throwNilMap, "throwNilMap", runtimeError("nil map")},
	{"exiting", throwExiting, "throwExiting", equals(customPanic{7, "seven"})},
	{"nilpointer", throwNilPointer, "throwNilPointer", runtimeError("nil pointer")},
}

// checkPanic says what is wrong with a panic that came out of a call in which
// one of the named functions threw.
func (o ordeal) checkPanic(got outcome) error {
	if got.returned || got.exited {
		return fmt.Errorf("%v, want a panic", got)
	}
	pe, ok := got.panicked.(*forkjoin.PanicError)
	if !ok {
		return fmt.Errorf("%v, want a *PanicError", got)
	}
	if _, ok := pe.Value.(*forkjoin.PanicError); ok {
		return errors.New("a PanicError in a PanicError")
	}
	if err := o.check(pe.Value); err != nil {
		return err
	}
	if !strings.Contains(string(pe.Stack), "forkjoin_test."+o.frame) {
		return fmt.Errorf("the stack does not name %s:\n%s", o.frame, pe.Stack)
	}
	text := pe.Error()
	if !strings.HasPrefix(text, "forkjoin: ") || !strings.Contains(text, fmt.Sprint(pe.Value)) {
		return fmt.Errorf("text is %q", text)
	}
	if err, ok := pe.Value.(error); ok {
		if !errors.Is(pe, err) || pe.Unwrap() != err {
			return fmt.Errorf("errors.Is does not see %v", err)
		}
	} else if pe.Unwrap() != nil {
		return fmt.Errorf("Unwrap of %v is %v", pe.Value, pe.Unwrap())
	}
	return nil
}

// wantPanic fails unless got is the panic of o.
func wantPanic(t testing.TB, got outcome, o ordeal, where string) {
	t.Helper()
	if err := o.checkPanic(got); err != nil {
		t.Errorf("%s, %s: %v", where, o.name, err)
	}
}

// Every kind of value, from either branch of every form, on the caller's
// goroutine.
func TestPanicInline(t *testing.T) {
	eachForm(t, forms, func(t *testing.T, f form, p place) {
		for _, o := range ordeals {
			wantPanic(t, f.inline(p, o.throw, nop), o, "left")
			ran := false
			wantPanic(t, f.inline(p, func() { ran = true }, o.throw), o, "right")
			if f.join && !ran {
				t.Error("the left branch did not run")
			}
		}
		if f.join {
			wantPanic(t, f.inline(p, throwError, throwStruct), ordeals[1], "both")
		}
		p.run(func() { sane(t) })
	})
}

// The same where the right branch runs elsewhere: there the branch that does
// not panic has ended when the caller unwinds.
func TestPanicStolen(t *testing.T) {
	eachStolen(t, func(t *testing.T, f form, p place) {
		for _, o := range ordeals {
			var running atomic.Int32
			rest := func() {
				running.Add(1)
				linger()
				running.Add(-1)
			}
			quiet := func(where string) {
				if n := running.Load(); n != 0 {
					t.Errorf("%s: %d branches still ran when the caller unwound", where, n)
				}
			}
			// The branch on the caller's goroutine throws at once.
			g := form{f.name, func(a, b func()) {
				defer quiet("left")
				f.run(a, b)
			}, f.join}
			wantPanic(t, g.stolen(t, p, o.throw, rest), o, "left")
			// The stolen one throws while the caller's goes on.
			g.run = func(a, b func()) {
				defer quiet("right")
				f.run(a, b)
			}
			wantPanic(t, g.stolen(t, p, rest, o.throw), o, "right")
			// The stolen one throws after the caller's has ended.
			wantPanic(t, g.stolen(t, p, nop, func() { linger(); o.throw() }), o, "right, late")
		}
		p.run(func() { sane(t) })
	})
}

// linger takes some tens of microseconds in which others can run.
func linger() {
	for range 20 {
		runtime.Gosched()
		seqFib(8)
	}
}

// When both branches of a join panic the left one wins, whichever was first.
func TestPanicBoth(t *testing.T) {
	needsThreads(t)
	left, right := ordeals[1], ordeals[3]
	eachForm(t, movable(), func(t *testing.T, f form, p place) {
		either := func(got outcome, where string) {
			t.Helper()
			if f.join {
				wantPanic(t, got, left, where)
			} else if left.checkPanic(got) != nil && right.checkPanic(got) != nil {
				t.Errorf("%s: %v", where, got)
			}
		}
		either(f.inline(p, left.throw, right.throw), "inline")
		if !p.canSteal() {
			return
		}
		for range scale(10) {
			either(f.stolen(t, p, left.throw, right.throw), "together")
			either(f.stolen(t, p, left.throw, func() { linger(); right.throw() }), "left first")
			either(f.stolen(t, p, func() { linger(); left.throw() }, right.throw), "right first")
		}
	})
}

// A right branch that had not started when the left one panicked never runs on
// the caller's goroutine, and in a pool of one never at all.
func TestPanicSkipsRight(t *testing.T) {
	for _, f := range forms {
		if !f.join {
			continue
		}
		t.Run(f.name, func(t *testing.T) {
			everywhere(t, func(t *testing.T, p place) {
				within(t, 20*time.Second, func() {
					for range scale(50) {
						caller, right := int64(0), int64(0)
						var after atomic.Bool
						late := false
						f.inline(p, func() { caller = gnum(); after.Store(true); throwError() }, func() {
							right = gnum()
							late = after.Load()
						})
						if right != 0 && (p.private && p.workers == 1 || right == caller) {
							t.Fatalf("the right branch ran on goroutine %d of caller %d, after the panic: %v", right, caller, late)
						}
					}
				})
			})
		})
	}
	// In a longer row everything after the one that threw is skipped.
	inPool(t, 1, func(t *testing.T, p place) {
		within(t, 10*time.Second, func() {
			for n := 1; n < 40; n++ {
				for k := range n {
					ran := make([]bool, n)
					fns := make([]func(), n)
					for i := range fns {
						fns[i] = func() {
							ran[i] = true
							if i == k {
								throwStruct()
							}
						}
					}
					o := outcomeOf(func() { p.run(func() { forkjoin.JoinAll(fns...) }) })
					wantPanic(t, o, ordeals[3], fmt.Sprintf("%d of %d", k, n))
					for i := range ran {
						if ran[i] != (i <= k) {
							t.Fatalf("n = %d, %d threw: function %d ran = %v", n, k, i, ran[i])
						}
					}
				}
			}
		})
	})
}

// Passing through joins of every form on its way up, a panic is wrapped once
// and keeps the stack of where it happened.
func TestPanicThroughManyJoins(t *testing.T) {
	everywhere(t, func(t *testing.T, p place) {
		within(t, 30*time.Second, func() {
			for _, o := range ordeals {
				for depth := 1; depth <= 2*len(forms); depth++ {
					var rec func(d int)
					rec = func(d int) {
						if d == 0 {
							o.throw()
						}
						f := forms[d%len(forms)]
						if d%2 == 0 {
							f.run(func() { rec(d - 1) }, nop)
						} else {
							f.run(nop, func() { rec(d - 1) })
						}
					}
					wantPanic(t, outcomeOf(func() { p.run(func() { rec(depth) }) }), o, fmt.Sprintf("depth %d", depth))
				}
			}
			p.run(func() { sane(t) })
		})
	})
}

// A panic in one leaf of a deep recursion.
func TestPanicInLeaf(t *testing.T) {
	type arg struct{ depth, index, bad int }
	tree := forkjoin.Recursive(func(t *forkjoin.Task[arg, int], a arg) int {
		if a.depth == 0 {
			if a.index == a.bad {
				throwError()
			}
			return 1
		}
		x, y := t.Join(arg{a.depth - 1, 2 * a.index, a.bad}, arg{a.depth - 1, 2*a.index + 1, a.bad})
		return x + y
	})
	const depth = 10
	everywhere(t, func(t *testing.T, p place) {
		within(t, 30*time.Second, func() {
			for bad := 0; bad < 1<<depth; bad += 1 + 1000/scale(200) {
				wantPanic(t, outcomeOf(func() { p.run(func() { tree(arg{depth, 0, bad}) }) }), ordeals[1], fmt.Sprintf("leaf %d", bad))
			}
			p.run(func() {
				if got := tree(arg{depth, 0, -1}); got != 1<<depth {
					t.Errorf("afterwards: %d, want %d", got, 1<<depth)
				}
			})
		})
	})
}

// A panic that passes many joins takes time in proportion to them: if each looked
// at all of its stack, these would take minutes.
func TestPanicThroughDeepJoins(t *testing.T) {
	if build.wasm {
		t.Skip("the engine's own stack is too small")
	}
	typed := forkjoin.Recursive(func(ta *forkjoin.Task[int, int], n int) int {
		if n == 0 {
			throwStruct()
		}
		if n < 0 {
			return 0
		}
		a, b := ta.Join(n-1, -1)
		return a + b
	})
	var left, right, runs func(n int)
	runs = func(n int) {
		if n == 0 {
			throwStruct()
		}
		forkjoin.Default().Run(func() { runs(n - 1) })
	}
	left = func(n int) {
		if n == 0 {
			throwStruct()
		}
		forkjoin.Join(func() { left(n - 1) }, nop)
	}
	right = func(n int) {
		if n == 0 {
			throwStruct()
		}
		forkjoin.Join2(func() int { return 0 }, func() int { right(n - 1); return 0 })
	}
	inPool(t, 2, func(t *testing.T, p place) {
		depth := scale(50_000)
		for name, f := range map[string]func(){
			"typed": func() { typed(depth) },
			"left":  func() { left(depth) },
			"right": func() { right(depth) },
			"runs":  func() { runs(depth) },
		} {
			within(t, time.Minute, func() {
				wantPanic(t, outcomeOf(func() { p.run(f) }), ordeals[3], name)
			})
		}
	})
}

// Panics in a recursion that has run often enough to be tuned, where most joins
// are not offered to anybody.
func TestPanicInWarmRecursion(t *testing.T) {
	type arg struct{ depth, index, bad int }
	tree := forkjoin.Recursive(func(ta *forkjoin.Task[arg, int], a arg) (r int) {
		if a.depth == 0 {
			if a.index == a.bad {
				throwStruct()
			}
			return 1
		}
		if a.depth == 6 && a.index<<6 <= a.bad && a.bad < (a.index+1)<<6 && a.bad%2 == 1 {
			defer func() {
				if pe, ok := recover().(*forkjoin.PanicError); !ok || pe.Value != (customPanic{7, "seven"}) {
					t.Errorf("recovered %v", pe)
				}
				r = -1000
			}()
		}
		x, y := ta.Join(arg{a.depth - 1, 2 * a.index, a.bad}, arg{a.depth - 1, 2*a.index + 1, a.bad})
		return x + y
	})
	const depth = 13
	everywhere(t, func(t *testing.T, p place) {
		within(t, 30*time.Second, func() {
			p.run(func() {
				for range scale(20) {
					if got := tree(arg{depth, 0, -1}); got != 1<<depth {
						t.Fatalf("got %d, want %d", got, 1<<depth)
					}
				}
			})
			for round := range scale(60) {
				bad := round * 7919 % (1 << depth)
				got := 0
				o := outcomeOf(func() { p.run(func() { got = tree(arg{depth, 0, bad}) }) })
				if bad%2 == 0 {
					wantPanic(t, o, ordeals[3], fmt.Sprint("leaf ", bad))
				} else if want := 1<<depth - 64 - 1000; !o.returned || got != want {
					t.Fatalf("leaf %d: %v with %d, want %d", bad, o, got, want)
				}
			}
		})
	})
}

// Neither the closures of a join that panicked nor those that it skipped stay
// behind, nor does the value once the panic is over.
func TestPanicLetsGo(t *testing.T) {
	everywhere(t, func(t *testing.T, p place) {
		within(t, 30*time.Second, func() {
			const count = 20
			var gone atomic.Int64
			for range count {
				func() {
					v := new([1 << 10]byte)
					a, b := new([1 << 10]byte), new([1 << 10]byte)
					for _, x := range []*[1 << 10]byte{v, a, b} {
						runtime.AddCleanup(x, func(int) { gone.Add(1) }, 0)
					}
					outcomeOf(func() {
						p.run(func() {
							forkjoin.Join(func() { a[0]++; fib(5); panic(v) }, func() { b[0]++; seqFib(12) })
						})
					})
				}()
			}
			soon(t, 10*time.Second, "what took part in panics is collected", func() bool {
				runtime.GC()
				return gone.Load() == 3*count
			})
		})
	})
}

// A recursion that panics before any join behaves the same as one behind a
// join: what comes out holds the value.
func TestPanicInRoot(t *testing.T) {
	f := forkjoin.Recursive(func(t *forkjoin.Task[int, int], n int) int {
		throwStruct()
		return n
	})
	everywhere(t, func(t *testing.T, p place) {
		within(t, 10*time.Second, func() {
			wantPanic(t, outcomeOf(func() { p.run(func() { f(1) }) }), ordeals[3], "root")
			wantPanic(t, outcomeOf(func() { p.run(func() { forkjoin.JoinAll(throwStruct) }) }), ordeals[3], "row of one")
		})
	})
}

// Deferred calls between two joins see their own subtree at rest.
func TestPanicUnwindsInOrder(t *testing.T) {
	needsThreads(t)
	type arg struct{ depth, index int }
	var running [12]atomic.Int32
	var active atomic.Int32
	tree := forkjoin.Recursive(func(ta *forkjoin.Task[arg, int], a arg) int {
		active.Add(1)
		defer active.Add(-1)
		if a.depth == 0 {
			if a.index%32 == 31 {
				throwError()
			}
			linger()
			return 1
		}
		// below counts the calls in progress in this node's subtree only.
		if a.depth == 6 {
			defer func() {
				if n := running[a.index].Load(); n != 0 {
					t.Errorf("%d leaves of subtree %d still run while it unwinds", n, a.index)
				}
			}()
		}
		if a.depth < 6 {
			k := a.index >> (6 - a.depth)
			running[k].Add(1)
			defer running[k].Add(-1)
		}
		x, y := ta.Join(arg{a.depth - 1, 2 * a.index}, arg{a.depth - 1, 2*a.index + 1})
		return x + y
	})
	everywhere(t, func(t *testing.T, p place) {
		within(t, 30*time.Second, func() {
			for range scale(50) {
				o := outcomeOf(func() { p.run(func() { tree(arg{8, 0}) }) })
				wantPanic(t, o, ordeals[1], "tree")
				if n := active.Load(); n != 0 {
					t.Fatalf("%d calls in progress after the run", n)
				}
			}
		})
	})
}

// errors.As reaches a typed error through the PanicError.
func TestPanicErrorsAs(t *testing.T) {
	within(t, 10*time.Second, func() {
		for _, f := range forms {
			o := f.inline(place{workers: 1, run: func(g func()) { g() }}, nop, throwWrapped)
			err, ok := o.panicked.(error)
			if !ok {
				t.Errorf("%s: %v is no error", f.name, o)
				continue
			}
			var path *fs.PathError
			var pe *forkjoin.PanicError
			if !errors.As(err, &path) || path.Path != "p" || !errors.As(err, &pe) || !errors.Is(err, errOrdeal) {
				t.Errorf("%s: %v hides what it holds", f.name, err)
			}
		}
	})
}

// Panics of every form, thousands of times, and the library is none the worse.
func TestPanicThousands(t *testing.T) {
	everywhere(t, func(t *testing.T, p place) {
		within(t, 60*time.Second, func() {
			before := forkjoin.Default().Stats()
			goroutines := runtime.NumGoroutine()
			for round := range scale(1500) {
				f := forms[round%len(forms)]
				o := ordeals[(round/3)%len(ordeals)]
				var got outcome
				if round%2 == 0 {
					got = f.inline(p, func() { fib(8); o.throw() }, func() { fib(6) })
				} else {
					got = f.inline(p, func() { fib(6) }, func() { joinFib(5); o.throw() })
				}
				if err := o.checkPanic(got); err != nil {
					t.Fatalf("round %d, %s: %v", round, f.name, err)
				}
				if round%50 == 0 {
					p.run(func() { sane(t) })
				}
			}
			after := forkjoin.Default().Stats()
			if after.Forks < before.Forks || after.Steals-before.Steals > after.Forks-before.Forks+after.Tasks-before.Tasks {
				t.Errorf("stats %+v after %+v", after, before)
			}
			soon(t, 20*time.Second, "the number of goroutines is back", func() bool {
				return runtime.NumGoroutine() <= goroutines+16
			})
		})
	})
}

func TestPanicErrorText(t *testing.T) {
	for _, c := range []struct {
		value any
		inner error
		text  string
	}{
		{"text", nil, "text"},
		{errOrdeal, errOrdeal, errOrdeal.Error()},
		{customPanic{1, "one"}, nil, "{1 one}"},
		{42, nil, "42"},
	} {
		pe := &forkjoin.PanicError{Value: c.value}
		if text := pe.Error(); !strings.HasPrefix(text, "forkjoin: ") || !strings.Contains(text, c.text) {
			t.Errorf("text of %v is %q", c.value, text)
		}
		if pe.Unwrap() != c.inner {
			t.Errorf("Unwrap of %v is %v", c.value, pe.Unwrap())
		}
	}
}
