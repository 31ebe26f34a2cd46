package forkjoin_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/forkjoin-go/forkjoin"
)

// The user recovers in the middle of a recursion, and what comes through a join
// is a *PanicError there too.
func TestPanicRecoveredInTheMiddle(t *testing.T) {
	type arg struct{ depth, index int }
	tree := forkjoin.Recursive(func(ta *forkjoin.Task[arg, int], a arg) (r int) {
		if a.depth == 3 {
			defer func() {
				if v := recover(); v != nil {
					pe, ok := v.(*forkjoin.PanicError)
					if !ok || pe.Value != (customPanic{7, "seven"}) {
						t.Errorf("recovered %T %v", v, v)
					}
					r = 1000
				}
			}()
		}
		if a.depth == 0 {
			if a.index%24 == 7 {
				throwStruct()
			}
			return 1
		}
		x, y := ta.Join(arg{a.depth - 1, 2 * a.index}, arg{a.depth - 1, 2*a.index + 1})
		return x + y
	})
	want := 0
	for i := range 128 {
		bad := false
		for j := range 8 {
			bad = bad || (8*i+j)%24 == 7
		}
		if bad {
			want += 1000
		} else {
			want += 8
		}
	}
	everywhere(t, func(t *testing.T, p place) {
		within(t, 30*time.Second, func() {
			p.run(func() {
				for i := range scale(15) {
					if got := tree(arg{10, 0}); got != want {
						t.Fatalf("round %d: got %d, want %d", i, got, want)
					}
				}
			})
		})
	})
}

// After a recover the recursion goes on forking from the same frame.
func TestPanicRecoveredThenForksAgain(t *testing.T) {
	f := forkjoin.Recursive(func(ta *forkjoin.Task[int, int], n int) int {
		if n <= 0 {
			if n < 0 {
				panic(n)
			}
			return 1
		}
		attempt := func(a, b int) (x, y int) {
			defer func() {
				if v := recover(); v != nil {
					pe, ok := v.(*forkjoin.PanicError)
					if !ok || pe.Value != -5 {
						t.Errorf("recovered %T %v", v, v)
					}
					x, y = 10, 10
				}
			}()
			return ta.Join(a, b)
		}
		s := 0
		for _, pair := range [][2]int{{-5, n - 1}, {n - 1, -5}, {n - 1, 0}, {-5, -5}, {0, 0}} {
			x, y := attempt(pair[0], pair[1])
			s += x + y
		}
		return s
	})
	var seq func(n int) int
	seq = func(n int) int {
		if n == 0 {
			return 1
		}
		return 20 + 20 + seq(n-1) + 1 + 20 + 2
	}
	everywhere(t, func(t *testing.T, p place) {
		within(t, 30*time.Second, func() {
			p.run(func() {
				for n := range 7 {
					if got, want := f(n), seq(n); got != want {
						t.Fatalf("f(%d) = %d, want %d", n, got, want)
					}
				}
			})
		})
	})
}

// A recovered PanicError that is thrown again stays itself, and one that the
// user wraps in an error of their own can still be seen through it.
func TestPanicThrownAgain(t *testing.T) {
	everywhere(t, func(t *testing.T, p place) {
		within(t, 20*time.Second, func() {
			for _, f := range forms {
				o := f.inline(p, nop, func() {
					defer func() { panic(recover()) }()
					f.run(throwError, nop)
				})
				wantPanic(t, o, ordeals[1], f.name+", thrown again")

				o = f.inline(p, func() {
					defer func() { panic(fmt.Errorf("more: %w", recover().(error))) }()
					f.run(throwError, nop)
				}, nop)
				pe, ok := o.panicked.(*forkjoin.PanicError)
				if !ok || !errors.Is(pe, errOrdeal) || !strings.Contains(pe.Error(), "more: ") {
					t.Errorf("%s, wrapped by the user: %v", f.name, o)
				}
			}
		})
	})
}

// A deferred function that itself forks while a panic passes through.
func TestPanicForksWhileUnwinding(t *testing.T) {
	f := forkjoin.Recursive(func(ta *forkjoin.Task[int, int], n int) int {
		defer func() {
			if got := joinFib(5); got != 5 {
				t.Errorf("joinFib(5) = %d while unwinding", got)
			}
			if got := fib(6); got != 8 {
				t.Errorf("fib(6) = %d while unwinding", got)
			}
			if n < 0 {
				return
			}
			if x, y := ta.Join(-1, -2); x != -1 || y != -2 {
				t.Errorf("the same task's join gives %d and %d while unwinding", x, y)
			}
		}()
		if n < 0 {
			return n
		}
		if n == 0 {
			throwError()
		}
		a, b := ta.Join(n-1, n-1)
		return a + b
	})
	everywhere(t, func(t *testing.T, p place) {
		within(t, 30*time.Second, func() {
			for range scale(50) {
				wantPanic(t, outcomeOf(func() { p.run(func() { f(6) }) }), ordeals[1], "forking deferred calls")
			}
		})
	})
}

// A deferred call replaces one panic by another, and the last one is told.
func TestPanicReplaced(t *testing.T) {
	everywhere(t, func(t *testing.T, p place) {
		within(t, 20*time.Second, func() {
			for _, f := range forms {
				replace := func() {
					defer throwStruct()
					throwError()
				}
				wantPanic(t, f.inline(p, replace, nop), ordeals[3], f.name+", left")
				wantPanic(t, f.inline(p, nop, replace), ordeals[3], f.name+", right")
			}
		})
	})
}

// Many callers panic at once, each gets its own value.
func TestPanicToItsOwnCaller(t *testing.T) {
	eachProcs(t, func(t *testing.T) {
		within(t, 30*time.Second, func() {
			const callers = 50
			done := make(chan error, callers)
			for c := range callers {
				go func() {
					for round := range scale(40) {
						f := forms[(c+round)%len(forms)]
						value := customPanic{c, fmt.Sprint(round)}
						o := outcomeOf(func() { f.run(func() { fib(5) }, func() { fib(4); panic(value) }) })
						if pe, ok := o.panicked.(*forkjoin.PanicError); !ok || pe.Value != value {
							done <- fmt.Errorf("%s: %v, want %v", f.name, o, value)
							return
						}
					}
					done <- nil
				}()
			}
			for range callers {
				if err := <-done; err != nil {
					t.Error(err)
				}
			}
		})
	})
}
