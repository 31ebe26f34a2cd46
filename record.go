package forkjoin

import (
	"sync/atomic"

	"github.com/forkjoin-go/forkjoin/internal/record"
)

// Recording. While a task is recorded, its worker has a tape, and the calls of
// this package take a detour that notes what they do. Nothing else changes: a
// recorded program forks, steals and waits as it would without. A piece of work
// that may move to another worker is wrapped, so that whoever runs it notes it on
// a tape of its own (branch, recordedLoop, tape.spawn).
//
// Rejected: a check in the core at each push, steal and wait. The detours leave
// the code of unrecorded calls as it is, but for one look at worker.tape.

// A tape is what a worker notes on.
type tape struct {
	*record.Track
	branches []*branch // one for each recorded join in progress
	top      int
}

// recordings is how many recordings are being made.
var recordings atomic.Int32

func init() {
	record.Run = runRecorded
	if name := recordFile(); name != "" {
		everything = &recordToFile{name: name}
		recordings.Store(1)
	}
}

// Charge declares that the calling task has done work of so many units, where a
// recording would measure time. Once Charge has been called, all costs in the
// recording are what was charged, so it is the same each time the program is
// recorded on one worker. A program that begins with a loop may call Charge(0)
// first, so that it is known from the start. See package sim.
//
// Inside [Blocking] the units are time that passes without work. When nothing is
// being recorded Charge costs less than a function call. It panics if units is
// negative.
func Charge(units int64) {
	if units < 0 {
		badUse("Charge: units are %d, want >= 0", units)
	}
	if recordings.Load() != 0 {
		charge(units)
	}
}

func charge(units int64) {
	if w := current(); w != nil && w.tape != nil {
		w.tape.Charge(units)
	}
}

// Labeled calls f, and names everything that f does in recordings, also what it
// forks. It is for parts of a program; to name a loop or reduction, use [Label].
// In a program that is recorded as a whole, an outermost Labeled is one call, as if f
// were given to Run of the default pool: plain code in f is seen for what it is.
//
// When nothing is being recorded it costs about two function calls. Panics of f
// pass through. Labeled panics if f is nil.
func Labeled(name string, f func()) {
	if f == nil {
		badUse("Labeled: f is nil")
	}
	if recordings.Load() == 0 {
		f()
		return
	}
	w := current()
	if w == nil && recordsAll() { // the call begins here, so that code beside forks is noted, too
		w, _ = enter()
		defer w.leave()
	}
	if w != nil && w.tape != nil {
		w.tape.Enter(name)
		defer w.tape.Leave()
	}
	f()
}

// tapeFor returns w's tape of a recording.
func (w *worker) tapeFor(r *record.Recording) *tape {
	if w.tape != nil && w.tape.Recording() == r {
		return w.tape
	}
	if w.own == nil || w.own.Recording() != r {
		w.own = &tape{Track: r.NewTrack()}
	}
	return w.own
}

// runRecorded is what package sim makes recordings with: it runs f on one worker
// or, with parallel, on the default pool, and returns what was noted.
func runRecorded(f func(), parallel bool, program string) []byte {
	overhead.measure()
	recordings.Add(1)
	defer recordings.Add(-1)
	p := std
	if !parallel {
		p = newPool(Config{Name: "recording", Workers: 1}, true)
	}
	r := record.New(p.Workers(), program)
	p.Run(func() {
		w := current()
		before, own := w.tape, w.own
		defer func() { w.tape, w.own = before, own }()
		w.tape, w.own = nil, nil
		w.tape = w.tapeFor(r)
		w.tape.Call(w.index)
		defer w.tape.CallEnd()
		f()
	})
	if !parallel {
		p.Close() // waits for what f submitted
	}
	return r.Finish()
}

// beginCall begins an outermost call in a program that is recorded as a whole.
func (w *worker) beginCall() {
	r := everything.recording()
	if r == nil {
		return
	}
	w.tape = w.tapeFor(r)
	w.tape.Call(w.index)
}

// endCall ends it.
func (w *worker) endCall() {
	if w.tape == nil {
		return
	}
	ticks := w.tape.CallEnd()
	w.tape.letGo()
	w.tape = nil
	everything.flush(ticks)
}
