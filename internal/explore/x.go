package explore

import (
	"fmt"
	"math/bits"
	"runtime/debug"
	"unsafe"
)

// An X is how a program talks to the explorer.
type X struct{ r *run }

// main runs the program's main goroutine.
func (r *run) main(p *proc) {
	defer func() {
		if v := recover(); v != nil {
			r.fail(fmt.Sprintf("the main goroutine panicked: %v\n%s", v, debug.Stack()))
		}
		r.end(p)
	}()
	r.program.Body(&X{r})
}

// Fatalf ends the run as failed. The calling goroutine does not go on.
//
//go:norace
func (x *X) Fatalf(format string, args ...any) {
	x.r.fail(fmt.Sprintf(format, args...))
	if !x.r.aside {
		x.r.handOver(x.r.cur, false)
	}
}

// Go starts f on a goroutine of the program. The function that it returns waits
// until that has ended.
func (x *X) Go(f func()) (join func()) {
	child := Go(f, false)
	return func() {
		Step(Join, unsafe.Pointer(child), child)
		child.mark.Load() // for the race detector
	}
}

// Ready reports whether p has ended.
//
//go:norace
func (p *proc) Ready() bool { return p.ended }

// Quiet has f called when the main goroutine has ended and no other one can go on
// without a timer. Steps that f takes are none.
func (x *X) Quiet(f func()) { x.r.quiet = append(x.r.quiet, f) }

// Ended has f called when all goroutines have ended.
func (x *X) Ended(f func()) { x.r.ended = append(x.r.ended, f) }

// Fires returns how often a timer went off because nothing else could happen.
func (x *X) Fires() int { return x.r.fires }

// Able returns how many goroutines can go on beside the caller.
func Able() int {
	r, p := current()
	if r == nil {
		return 0
	}
	return bits.OnesCount32(uint32(r.others(p)))
}

//go:norace
func (r *run) others(p *proc) set { return r.able &^ one(p) }
