package forkjoin_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/forkjoin-go/forkjoin"
)

// How calls end.

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

// caught runs f and returns the value it panicked with, or nil.
func caught(f func()) (value any) {
	defer func() { value = recover() }()
	f()
	return nil
}

// refuses checks that f panics with a text of the package itself, which
// contains every one of words.
func refuses(t testing.TB, f func(), words ...string) {
	t.Helper()
	checkText(t, caught(f), words...)
}

// refusesWithin is refuses for a mistake inside a task.
func refusesWithin(t testing.TB, f func(), words ...string) {
	t.Helper()
	v := caught(f)
	e, ok := v.(*forkjoin.PanicError)
	if !ok {
		t.Errorf("panic value is a %T (%v), want a *PanicError", v, v)
		return
	}
	checkText(t, e.Value, words...)
}

func checkText(t testing.TB, v any, words ...string) {
	t.Helper()
	var text string
	switch v := v.(type) {
	case string:
		text = v
	case *forkjoin.PanicError:
		t.Errorf("value is a *PanicError, want a plain text: %v", v)
		return
	case error:
		text = v.Error()
	default:
		t.Errorf("value is a %T (%v), want a string or an error that mentions %q", v, v, words)
		return
	}
	if !strings.HasPrefix(text, "forkjoin: ") {
		t.Errorf("text %q does not begin with \"forkjoin: \"", text)
	}
	for _, w := range words {
		if !strings.Contains(text, w) {
			t.Errorf("text %q does not mention %q", text, w)
		}
	}
}

// panicsWith checks that f panics with a *PanicError that carries want.
func panicsWith(t testing.TB, want any, f func()) *forkjoin.PanicError {
	t.Helper()
	v := caught(f)
	pe, ok := v.(*forkjoin.PanicError)
	if !ok {
		t.Errorf("panic value is %T (%v), want a *PanicError", v, v)
		return nil
	}
	if pe.Value != want {
		t.Errorf("PanicError.Value is %v, want %v", pe.Value, want)
	}
	if len(pe.Stack) == 0 {
		t.Errorf("PanicError.Stack is empty")
	}
	return pe
}
