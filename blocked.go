//go:build !explore

package forkjoin

import (
	"reflect"
	"runtime"
	"runtime/metrics"
	"strings"
)

// someTaskIsBlocked reports whether a goroutine of the program that runs a task
// waits for something, judging by the stacks of all goroutines. It costs about a
// microsecond for each, so it is asked only if nothing has been started for a
// while.
func someTaskIsBlocked() bool {
	n := runtime.NumGoroutine()
	if n > mostStacks {
		return true // too many to look
	}
	records := make([]runtime.StackRecord, n+n/8+16)
	n, ok := runtime.GoroutineProfile(records)
	if !ok {
		return true
	}
	for i := range records[:n] {
		if stack := records[i].Stack(); blockedTask(stack, len(stack) == len(records[i].Stack0)) {
			return true
		}
	}
	return false
}

const mostStacks = 10_000

var packagePrefix = reflect.TypeFor[Pool]().PkgPath() + "."

// blockedTask reports whether a stack is that of a goroutine that runs a task
// and waits, unless it waits in this package, where it has given its slot up.
// Of a stack that is cut off the part that says whether it runs a task may be
// missing.
func blockedTask(stack []uintptr, cutOff bool) bool {
	task := cutOff
	frames := runtime.CallersFrames(stack)
	for first := true; ; first = false {
		f, more := frames.Next()
		if first && f.Function != "runtime.gopark" && !strings.Contains(f.Function, "syscall") {
			return false // it runs, or could
		}
		if own, ok := strings.CutPrefix(f.Function, packagePrefix); ok {
			switch own {
			case "(*worker).await", "(*worker).blocking", "(*worker).resumeOwnSlot", "(*parker).park":
				return false
			case "(*taskGroup).call", "(*submitted).call", "(*remoteRun).run":
				task = true
			}
		}
		if !more {
			return task
		}
	}
}

// able returns how many goroutines of the program can run beside the caller.
func (d *watchdog) able() int {
	metrics.Read(d.samples[:])
	n := -1 // not the caller
	for _, s := range d.samples {
		if s.Value.Kind() == metrics.KindUint64 {
			n += int(s.Value.Uint64())
		}
	}
	return n
}
