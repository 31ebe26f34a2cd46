package forkjoin

import "github.com/forkjoin-go/forkjoin/internal/record"

// A recordedGroup is the number that a group has in a recording.
type recordedGroup struct {
	rec    *record.Recording
	number uint64
}

// record returns the group's number in a recording.
func (g *taskGroup) record(r *record.Recording) uint64 {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.recorded.rec != r {
		g.recorded = recordedGroup{r, r.NewID()}
	}
	return g.recorded.number
}

// recordAdd is add on a tape.
func (w *worker) recordAdd(g *taskGroup, t task, f any, worn *labels, try bool) bool {
	tape := w.tape
	defer tape.Resume()
	group := g.record(tape.Recording())
	code := codeOf(f)
	if try {
		tape.Stop() // the strand, in case the task is run here
	}
	number := tape.Recording().NewID()
	if !try {
		tape.Spawn(code, group, number)
	}
	given := t
	t.f = nil
	t.e = func() (err error) {
		recordTask(tape.Recording(), number, func() { err = given.run() })
		return err
	}
	added := g.addFrom(w, t, worn, try)
	if try && added {
		tape.Spawn(code, group, number)
	}
	return added
}

// recordTask runs a function given to a group or submitted, noting it.
func recordTask(r *record.Recording, number uint64, f func()) {
	w := current()
	if w == nil {
		w = &worker{} // in a synctest bubble the goroutine is no worker
	}
	defer w.segment(r, number)()
	f()
}

// spawn notes that f was given to a group, and returns what is to be run for it.
func (t *tape) spawn(code uintptr, group uint64, f func()) func() {
	r := t.Recording()
	number := r.NewID()
	t.Spawn(code, group, number)
	return func() { recordTask(r, number, f) }
}

// recordWait notes a wait for the group.
func (w *worker) recordWait(g *taskGroup) { w.tape.Wait(g.record(w.tape.Recording())) }
