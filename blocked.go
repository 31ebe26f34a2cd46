//go:build !explore

package forkjoin

import (
	"reflect"
	"runtime"
	"runtime/metrics"
	"strings"
)

// blockedTasks returns how many goroutines of the program that run a task wait for
// something, judging by the stacks of all goroutines, unless these are too many to
// look. It costs about a microsecond for each, so it is asked only if nothing has been
// started for a while.
func (p *Pool) blockedTasks() (blocked int, known bool) {
	guests := p.private || p.procs.Load() == 1 // keep others from running while they are blocked
	n := runtime.NumGoroutine()
	if n > mostStacks {
		return 0, false
	}
	records := make([]runtime.StackRecord, n+n/8+16)
	n, ok := runtime.GoroutineProfile(records)
	if !ok {
		return 0, false
	}
	for i := range records[:n] {
		if stack := records[i].Stack(); blockedTask(stack, guests, len(stack) == len(records[i].Stack0)) {
			blocked++
		}
	}
	return blocked, true
}

const mostStacks = 10_000

var packagePrefix = reflect.TypeFor[Pool]().PkgPath() + "."

// blockedTask reports whether a stack is that of a goroutine that runs a task
// and waits, unless it waits in this package, where it has given its slot up: the
// innermost call that tells decides, as a worker that waits may run a task
// meanwhile. With guests, what goroutines do that called into this package counts
// as a task. Of a stack that is cut off the part that tells may be missing.
func blockedTask(stack []uintptr, guests, cutOff bool) bool {
	guest, frames := false, runtime.CallersFrames(stack)
	for first := true; ; first = false {
		f, more := frames.Next()
		if first && f.Function != "runtime.gopark" && !strings.Contains(f.Function, "syscall") {
			return false // it runs, or could
		}
		if own, ok := strings.CutPrefix(f.Function, packagePrefix); ok {
			generic, _, _ := strings.Cut(own, "[")
			switch generic {
			case "(*worker).await", "(*worker).blocking", "(*worker).resumeOwnSlot", "(*parker).park", "(*Pool).runElsewhere":
				return false
			case "(*worker).execute", "(*taskGroup).call", "(*submitted).call", "(*remoteRun).run":
				return true
			case "(*Pool).run", "(*worker).join", "join2", "(*worker).runLoop", "(*recursion":
				guest = guests
			}
		}
		if !more {
			return guest || cutOff
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
