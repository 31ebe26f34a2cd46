package explore

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"sync/atomic"
	"time"
	"unsafe"
)

// maxProcs bounds the goroutines of a program, those that have ended included.
const maxProcs = 32

// A Kind is what a step does.
type Kind uint8

const (
	Start   Kind = iota // of a goroutine
	Load                // of an atomic
	Change              // of an atomic
	Lock                // of a mutex
	Chan                // send, receive, close
	Yield               // lets others run
	Futex               // wait, blocked, wake
	Timer               // goes off
	Join                // with a goroutine of the program
	Private             // of the goroutine alone
)

var kindNames = [...]string{"start", "load", "change", "lock", "channel", "yield", "futex", "timer", "join", "private"}

func (k Kind) String() string { return kindNames[k] }

// A Gate says whether a step that may have to wait can be taken now. It is asked
// while no goroutine of the program runs.
type Gate interface{ Ready() bool }

// An op is a step that a goroutine is about to take.
type op struct {
	kind   Kind
	object unsafe.Pointer
	gate   Gate // nil: need not wait
	where  [8]uintptr
}

func (o *op) writes() bool { return o.kind != Load }

// commutes reports whether two steps of different goroutines can be swapped.
func (o *op) commutes(b *op) bool {
	return o.object != b.object || o.object == nil || !o.writes() && !b.writes()
}

// A proc is a goroutine of the program.
type proc struct {
	id      int
	name    string
	parent  *proc
	forks   int               // goroutines that it has started
	left    [8]unsafe.Pointer // objects released since its last step
	leaving int
	wake    chan struct{} // its turn
	next    op
	ended   bool
	timer   bool

	bed     unsafe.Pointer // the futex that it sleeps on
	roused  bool
	elapsed time.Duration // in sleeps that nobody ended
	ticks   time.Duration // its clock
	mark    atomic.Bool

	born  int   // length of the trace when it was started
	last  int   // in the trace, of its last step
	clock clock // of what happened before its next step, but for that step's object
}

// clock says for each goroutine how much of the trace has happened before: the
// index of its latest step, plus one.
type clock [maxProcs]int32

func (c *clock) join(b *clock) {
	for i, n := range b {
		if n > c[i] {
			c[i] = n
		}
	}
}

// current is the run that goes on, nil if there is none.
var active *run

//go:norace
func current() (*run, *proc) {
	r := active
	if r == nil || r.aside {
		return nil, nil
	}
	return r, r.cur
}

// Active reports whether the caller runs in a program that is being explored.
func Active() bool { r, _ := current(); return r != nil }

// Key returns a number for the calling goroutine, 1 outside of a run.
func Key() uintptr {
	if _, p := current(); p != nil {
		return uintptr(p.id + 2)
	}
	return 1
}

// Step gives the explorer a choice before something that others may see. It
// returns when it is the caller's turn and gate is ready. object names what the
// step is on, nil for nothing.
func Step(kind Kind, object unsafe.Pointer, gate Gate) {
	r, p := current()
	if r == nil {
		return
	}
	p.announce(op{kind: kind, object: object, gate: gate}, r)
	r.handOver(p, false)
}

//go:norace
func (p *proc) announce(o op, r *run) {
	if r.tracing {
		runtime.Callers(3, o.where[:])
	}
	p.next = o
}

// Result notes what the step that was just taken has found, for traces.
//
//go:norace
func Result(n uint64) {
	if r, p := current(); r != nil && r.tracing && r.depth > 0 {
		r.note(p, n)
	}
}

// Release makes what the caller has done so far happen before whoever takes the
// next step on object, without being a step: leaving a lock.
//
//go:norace
func Release(object unsafe.Pointer) {
	if r, p := current(); r != nil {
		p.left[p.leaving] = object
		p.leaving++
	}
}

// Go starts a goroutine of the program. With timer, it begins when it is due.
func Go(f func(), timer bool) *proc {
	r, p := current()
	if r == nil {
		panic("explore: Go outside of a run")
	}
	child := r.spawn(p, timer)
	go func() {
		raceHide()
		<-child.wake
		raceShow()
		defer func() {
			if v := recover(); v != nil {
				r.fail(fmt.Sprintf("%s panicked: %v\n%s", child.label(), v, debug.Stack()))
			}
			r.end(child)
		}()
		f()
	}()
	return child
}

//go:norace
func (r *run) end(p *proc) {
	p.ended = true
	r.handOver(p, true)
}

func (p *proc) label() string { return fmt.Sprintf("goroutine %d (%s)", p.id, p.name) }

// handOver asks for a decision, and returns when p has its turn again, or at once
// if it ends.
func (r *run) handOver(p *proc, ends bool) {
	if raceEnabled {
		p.mark.Store(true) // shows what it did to checks, and to nobody else
	}
	raceHide()
	defer raceShow()
	if raceEnabled {
		r.decider <- struct{}{}
	} else {
		switch next := r.decide(); {
		case next == nil:
			close(r.over)
			if ends {
				return
			}
		case next == p:
			return
		default:
			next.wake <- struct{}{}
		}
	}
	if !ends {
		<-p.wake
	}
}

// decideApart makes the decisions when the race detector is on.
func (r *run) decideApart() {
	for {
		raceHide()
		<-r.decider
		next := r.decide()
		if next != nil {
			next.wake <- struct{}{}
		}
		raceShow()
		if next == nil {
			close(r.over)
			return
		}
	}
}
