package explore

import (
	"time"
	"unsafe"
)

// Sleep is the step in which a goroutine wakes that has fallen asleep on word: when
// it is roused, or when d has passed unless that is negative.
func Sleep(word unsafe.Pointer, d time.Duration) {
	r, p := current()
	p.lie(word)
	var gate Gate = sleeping{p}
	if d >= 0 {
		gate = deadline{r, gate}
	}
	Step(Futex, word, gate)
	p.rise(d)
}

//go:norace
func (p *proc) lie(word unsafe.Pointer) { p.bed, p.roused = word, false }

//go:norace
func (p *proc) rise(d time.Duration) {
	if p.bed = nil; !p.roused {
		p.elapse(d + 1)
	}
}

// Rouse wakes one goroutine that sleeps on word.
//
//go:norace
func Rouse(word unsafe.Pointer) {
	r, _ := current()
	if r == nil {
		return
	}
	for _, p := range &r.procs {
		if p != nil && p.bed == word && !p.roused {
			p.roused = true
			return
		}
	}
}

// StepWithin is Step for a wait that ends when d has passed. It reports whether
// gate was ready before that.
func StepWithin(kind Kind, object unsafe.Pointer, gate Gate, d time.Duration) bool {
	if r, p := current(); r != nil {
		Step(kind, object, deadline{r, gate})
		if !gate.Ready() {
			p.elapse(d + 1)
		}
	}
	return gate.Ready()
}

//go:norace
func (p *proc) elapse(d time.Duration) { p.elapsed += d }

type sleeping struct{ p *proc }

//go:norace
func (s sleeping) Ready() bool { return s.p.roused }

// A deadline is the gate of a wait that may end when time is up.
type deadline struct {
	r       *run
	waiting Gate
}

//go:norace
func (d deadline) Ready() bool { return d.waiting.Ready() || d.r.due(d.r.program.Timeouts) }

// due reports whether time passes now.
//
//go:norace
func (r *run) due(t Timers) bool {
	return t == Anytime || r.idle && (r.ending || t == WhenIdle)
}

// A timerGate holds a timer's function back.
type timerGate struct{ r *run }

func (t timerGate) Ready() bool { return t.r.due(t.r.program.Timers) }

// Elapsed returns how much time has passed for the calling goroutine because it
// slept until a deadline.
//
//go:norace
func Elapsed() time.Duration {
	if _, p := current(); p != nil {
		return p.elapsed
	}
	return 0
}

// Tick lets d pass for the calling goroutine and returns its time.
//
//go:norace
func Tick(d time.Duration) time.Duration {
	if _, p := current(); p != nil {
		p.ticks += d
		return p.ticks
	}
	return 0
}
