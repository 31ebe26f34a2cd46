package forkjoin

import (
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
)

// A PanicError is what a call of this package panics with when a function that
// it ran for the caller panicked, on whatever goroutine that was.
type PanicError struct {
	// Value is the value of the first panic.
	Value any
	// Stack is the stack of the goroutine that panicked, as from debug.Stack.
	Stack []byte
}

// Error returns the panic's value and the stack where it happened.
func (e *PanicError) Error() string {
	if e == goexit {
		return e.Unwrap().Error()
	}
	return fmt.Sprintf("forkjoin: panic: %v\n\n%s", e.Value, e.Stack)
}

// Unwrap returns the panic's value if that is an error, and nil otherwise.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// goexit stands in a failure for a task that called runtime.Goexit. Users never get
// hold of it: they might panic with it.
var goexit = &PanicError{Value: errGoexit}

// errGoexit is what users get as an error then, such as the cause of a context.
var errGoexit = errors.New("forkjoin: a task called runtime.Goexit")

// asPanicError returns the error for a recovered value, which it does not wrap
// twice. It must run before the deferred call that recovered returns: until
// then the stack still shows where the panic happened.
func asPanicError(recovered any) *PanicError {
	if e, ok := recovered.(*PanicError); ok && e != nil {
		return e
	}
	return &PanicError{Value: recovered, Stack: debug.Stack()}
}

// failureOf returns what a function that did not return failed with, given what
// its guard recovered: nothing means that it is ending its goroutine, or, where
// GODEBUG has panicnil=1, that it panicked with nil. As asPanicError it must run before
// the guard's deferred call returns.
func failureOf(recovered any) *PanicError {
	if recovered == nil && !panicking() {
		return goexit
	}
	return asPanicError(recovered)
}

// panicking reports whether a panic, and not runtime.Goexit, runs the calling guard.
func panicking() bool {
	pcs := make([]uintptr, 8) // the guard is near
	for frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)]); ; {
		f, more := frames.Next()
		if f.Function == "runtime.gopanic" || f.Function == "runtime.Goexit" || !more {
			return f.Function == "runtime.gopanic"
		}
	}
}

// raise makes a failure of a task the caller's own.
func (e *PanicError) raise() {
	if e == goexit {
		runtime.Goexit()
	}
	panic(e)
}

// guard calls f so that a panic of it becomes a *PanicError. Like those of forks
// (unwind) its guard does not panic anew itself: calls of it may be nested deeply.
func guard(f func()) {
	if failure := guarded(f); failure != nil {
		panic(failure)
	}
}

func guarded(f func()) (failure *PanicError) {
	returned := false
	defer func() {
		if !returned {
			failure = failureOf(recover()).orExit()
		}
	}()
	f()
	returned = true
	return nil
}

// orExit is for a guard that has its function return a failure, which is what orExit
// returns: nil if the goroutine is ending. If it is ending because of a call deferred
// by what called runtime.Goexit, and that call panicked, the function will not return,
// although the panic has been recovered. Then orExit panics anew.
func (e *PanicError) orExit() *PanicError {
	if e == goexit {
		return nil
	}
	if exiting() {
		panic(e)
	}
	return e
}

// exiting reports whether the panic that the calling guard has recovered came
// while the goroutine was ending. Nothing but the stack tells:
//
//	the guard ← runtime.gopanic ← a deferred call ← runtime.Goexit ← … ← the function with the guard
func exiting() bool {
	for size := 64; ; size *= 4 { // mostly the function is near, on however deep a stack
		pcs := make([]uintptr, size)
		n := runtime.Callers(2, pcs)
		if ending, known := endingIn(pcs[:n]); known || n < size {
			return ending
		}
	}
}

// endingIn is exiting for the stack of a guard, or the upper part of it, which may
// be too little to know.
func endingIn(pcs []uintptr) (ending, known bool) {
	guard, panicked := "", false
	for frames := runtime.CallersFrames(pcs); ; {
		f, more := frames.Next()
		switch {
		case f.Function == "runtime.gopanic":
			panicked = true
		case !panicked:
			guard = f.Function
		case f.Function == "runtime.Goexit":
			return true, true
		case strings.HasPrefix(guard, f.Function+".func"):
			return false, true
		}
		if !more {
			return false, false
		}
	}
}

// rethrow continues a panic that a guard recovered, as a *PanicError. A goroutine
// that is ending goes on with that.
func rethrow(recovered any) {
	if failure := failureOf(recovered); failure != goexit {
		panic(failure)
	}
}

// badUse reports a mistake in a call.
func badUse(format string, args ...any) {
	panic("forkjoin: " + fmt.Sprintf(format, args...))
}
