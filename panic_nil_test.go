package forkjoin_test

import (
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/forkjoin-go/forkjoin"
)

// Where GODEBUG has panicnil=1, recover returns nil for a panic with nil, as it does
// while a goroutine ends. It must not be taken for that, and not for a return.
func TestPanicNil(t *testing.T) {
	t.Setenv("GODEBUG", strings.TrimPrefix(os.Getenv("GODEBUG")+",panicnil=1", ","))
	throw := func() { var nothing any; panic(nothing) }
	want := func(t *testing.T, got outcome, where string) {
		t.Helper()
		if e, ok := got.panicked.(*forkjoin.PanicError); !ok || e.Value != nil || !strings.Contains(string(e.Stack), "TestPanicNil") {
			t.Errorf("%s: %v, want a *PanicError of nil", where, got)
		}
	}
	eachForm(t, forms, func(t *testing.T, f form, p place) {
		want(t, f.inline(p, throw, nop), "left")
		want(t, f.inline(p, nop, throw), "right")
		late := func() { defer throw(); runtime.Goexit() }
		want(t, f.inline(p, late, nop), "while ending")
		wantExit(t, f.inline(p, runtime.Goexit, nop), "Goexit")
	})
	if !build.wasm {
		t.Run("stolen", func(t *testing.T) {
			eachStolen(t, func(t *testing.T, f form, p place) {
				want(t, f.stolen(t, p, linger, throw), "right")
				want(t, f.stolen(t, p, throw, linger), "left")
			})
		})
	}
	t.Run("deep", func(t *testing.T) {
		deep := forkjoin.Recursive(func(t *forkjoin.Task[int, int], n int) int {
			if n == 0 {
				throw()
			}
			a, b := t.Join(n-1, n-1)
			return a + b
		})
		want(t, outcomeOf(func() { deep(300) }), "recursion")
	})
	t.Run("pool", func(t *testing.T) {
		failures := make(chan *forkjoin.PanicError, 1)
		p := newPool(t, forkjoin.Config{Workers: 1, PanicHandler: func(e *forkjoin.PanicError) { failures <- e }})
		want(t, outcomeOf(func() { p.Run(throw) }), "Run")
		p.Submit(throw)
		want(t, outcome{panicked: <-failures}, "Submit")
	})
}
