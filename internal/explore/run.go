package explore

import (
	"fmt"
	"math/bits"
	"sync"
	"unsafe"
)

// A set is a set of goroutines.
type set uint32

func one(p *proc) set          { return 1 << p.id }
func (s set) has(p *proc) bool { return s>>p.id&1 != 0 }
func (s set) first() int       { return bits.TrailingZeros32(uint32(s)) }
func (s set) after(id int) int { // the first member behind id, going round
	if above := s >> (id + 1) << (id + 1); above != 0 {
		return above.first()
	}
	return s.first()
}

// A node is a point of the current schedule where somebody was chosen.
type node struct {
	enabled   set
	choice    int
	backtrack set  // to be tried
	done      set  // tried
	sleep     set  // need not be tried
	before    int  // who took the step before, -1 at the begin
	goesOn    bool // that one could have gone on, and did not yield
	preempted int  // preemptions before this node
}

// preempts reports whether choosing id at n is a preemption.
func (n *node) preempts(id int) bool { return n.goesOn && n.before != id }

// An object is what is known of something that steps are on.
type object struct {
	change int             // last step that wrote, in the trace, plus one
	loads  [maxProcs]int32 // last load of each since then, plus one
	steps  []int32         // with a bound: all steps, in the trace
	wrote  clock           // what happens before whoever loads it next
	read   clock           // and in addition before whoever writes it next
}

// An event is a step that was taken.
type event struct {
	proc   *proc
	op     op
	result uint64
	noted  bool
}

// A run is one schedule of a program.
type run struct {
	*exploration
	cur    *proc
	aside  bool // a check is made: no steps
	procs  [maxProcs]*proc
	trace  []event
	depth  int
	alive  int
	able   set // who could go on when the last step was taken
	sleep  set
	idle   bool // nothing else can happen: timers go off
	ending bool // the main goroutine is done and all is quiet
	free   bool // choices are not recorded any more
	turns  int  // steps that the same goroutine has taken in a row
	fires  int  // timers that went off because nothing else could happen

	decider chan struct{}
	over    chan struct{}

	mu      sync.Mutex
	failure string
	quiet   []func()
	ended   []func()
}

//go:norace
func (r *run) spawn(parent *proc, timer bool) *proc {
	id, name := 0, "0"
	if parent != nil {
		k := parent.forks
		parent.forks++
		if k >= len(r.ids[0]) {
			panic("explore: a goroutine starts too many")
		}
		if r.ids[parent.id][k] == 0 {
			if r.known++; r.known >= maxProcs {
				panic("explore: too many goroutines")
			}
			r.ids[parent.id][k] = int8(r.known)
		}
		id = int(r.ids[parent.id][k])
	}
	p := &proc{id: id, name: name, parent: parent, wake: make(chan struct{}, 1), timer: timer, last: -1, born: r.depth}
	if parent != nil {
		p.clock = parent.clock
		if parent.last >= 0 {
			p.clock[parent.id] = int32(parent.last + 1)
		}
		p.name = parent.name + "." + string(rune('0'+parent.forks))
	}
	p.next = op{kind: Start}
	if timer {
		p.next = op{kind: Timer, gate: timerGate{r}}
	}
	r.procs[id] = p
	r.alive++
	return p
}

// ready returns the goroutines that can take their next step.
func (r *run) ready() (s set) {
	for _, p := range &r.procs {
		if p != nil && !p.ended && (p.next.gate == nil || p.next.gate.Ready()) {
			s |= one(p)
		}
	}
	return s
}

// fail ends the run.
//
//go:norace
func (r *run) fail(text string) {
	r.mu.Lock()
	if r.failure == "" {
		r.failure = text
	}
	r.mu.Unlock()
}

//go:norace
func (r *run) failed() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.failure != ""
}

// beside calls checks, in which steps are none.
func (r *run) beside(checks *[]func()) {
	r.aside = true
	raceShow()
	for _, p := range &r.procs {
		if p != nil {
			p.mark.Load()
		}
	}
	for _, f := range *checks {
		f()
	}
	raceHide()
	r.aside = false
}

// decide chooses who takes the next step, and notes what that means. It returns
// nil when the run is over.
func (r *run) decide() *proc {
	if last := r.cur; last != nil {
		if last.ended {
			r.alive--
			last.clock[last.id] = int32(last.last + 1)
			r.object(unsafe.Pointer(last)).wrote.join(&last.clock)
		}
		for _, o := range last.left[:last.leaving] {
			obj := r.object(o)
			obj.wrote.join(&last.clock)
			obj.wrote[last.id] = int32(last.last + 1)
		}
		last.leaving = 0
	}
	enabled := r.ready()
	for enabled == 0 && !r.failed() {
		switch {
		case r.alive == 0:
			r.beside(&r.ended)
			return nil
		case !r.idle && (r.ending || r.program.Timers == WhenIdle):
			r.idle = true
			if !r.ending {
				r.fires++
			}
		case r.procs[0].ended && !r.ending:
			r.idle = false
			r.beside(&r.quiet)
			r.ending, r.free = true, true
		default:
			r.fail("nobody can go on")
		}
		enabled = r.ready()
	}
	if r.depth > maxSteps && !r.failed() {
		r.fail("no end after so many steps")
	}
	if r.failed() {
		return nil
	}
	r.able = enabled
	p := r.procs[r.choose(enabled)]
	r.idle = false
	if p == r.cur {
		r.turns++
	} else {
		r.turns = 0
	}
	r.take(p)
	r.cur = p
	return p
}

const (
	maxSteps = 20_000
	maxTurns = 400 // steps in a row, after which others come first
)

// choose returns who takes the next step.
func (r *run) choose(enabled set) int {
	n := node{enabled: enabled, before: -1, sleep: r.sleep}
	if r.cur != nil {
		n.before = r.cur.id
		n.goesOn = enabled.has(r.cur) && r.cur.next.kind != Yield && r.turns < maxTurns
	}
	if r.free {
		return n.usual(enabled)
	}
	if r.guide != nil {
		choice := r.guide(r, &n)
		r.path = append(r.path, n)
		return choice
	}
	if r.depth < len(r.path) {
		old := &r.path[r.depth]
		if old.enabled != enabled || !r.has(old.choice, enabled) {
			r.fail(fmt.Sprintf("the program does not repeat itself: at step %d goroutines %b can go on, not %b", r.depth, enabled, old.enabled))
			return n.usual(enabled)
		}
		old.sleep = n.sleep
		r.slumber(old)
		return old.choice
	}
	if r.depth > 0 {
		prev := &r.path[r.depth-1]
		n.preempted = prev.preempted
		if prev.preempts(prev.choice) {
			n.preempted++
		}
	}
	awake := enabled &^ n.sleep
	if awake == 0 {
		r.free = true // what follows has been seen elsewhere
		r.cut++
		return n.usual(enabled)
	}
	n.choice = n.usual(awake)
	n.backtrack = 1 << n.choice
	r.path = append(r.path, n)
	r.slumber(&r.path[r.depth])
	return n.choice
}

func (r *run) has(id int, s set) bool { return s>>id&1 != 0 }

// usual is the choice without a reason for another one: to go on.
func (n *node) usual(among set) int {
	if n.goesOn && among>>n.before&1 != 0 {
		return n.before
	}
	return among.after(n.before)
}

func (r *run) object(at unsafe.Pointer) *object {
	o := r.objects[at]
	if o == nil {
		o = new(object)
		r.objects[at] = o
	}
	return o
}
