package forkjoin

import (
	"github.com/forkjoin-go/forkjoin/internal/clock"
	"github.com/forkjoin-go/forkjoin/internal/joint"
)

// Submit has f called by one of p's workers, soon, and does not wait. It returns
// [ErrClosed] if p is closed. f may block or wait for other tasks, as a goroutine
// may; see [WaitGroup].
//
// Cost: about two allocations. Submit panics if f is nil. If f panics, that goes
// to Config.PanicHandler, or else crashes the program; if it calls
// [runtime.Goexit], the task just ends.
//
// What was done before Submit is synchronized before f starts.
func (p *Pool) Submit(f func()) error {
	p.mustBeMade("Submit")
	if f == nil {
		badUse("Pool.Submit: f is nil")
	}
	if !p.begin() {
		return ErrClosed
	}
	w := current()
	if recordings.Load() != 0 {
		if w == nil && recordsAll() {
			w, _ = enter()
			defer w.leave()
		}
		if w != nil && w.tape != nil {
			f = w.tape.spawn(codeOf(f), 0, f)
			defer w.tape.Resume()
		}
	}
	s := &submitted{pool: p, f: f}
	if w != nil {
		s.labels = w.labels
	}
	switch limit := p.config.MaxTasks; {
	case (w == nil || w.bubble != no) && clock.InBubble():
		s.alone = true
		joint.Go(s.call) // a goroutine of the bubble
	case limit > 0 && p.outstanding.Add(1) > int64(limit):
		s.call()
	default:
		p.inject(s)
	}
	return nil
}

// A submitted task is detached from who gave it.
type submitted struct {
	pool   *Pool
	f      func()
	labels *labels
	alone  bool // in a synctest bubble
}

func (s *submitted) run(w *worker, _ *frame) {
	before := w.begin(s.labels, true)
	defer w.end(before)
	s.call()
}

func (s *submitted) site() *site { return &noSite }

func (s *submitted) call() {
	returned := false
	defer func() {
		defer s.pool.finish()
		s.pool.tasks.Add(1)
		if s.pool.config.MaxTasks > 0 && !s.alone {
			s.pool.outstanding.Add(-1)
		}
		if returned {
			return
		}
		if handler := s.pool.config.PanicHandler; handler != nil {
			if failure := failureOf(recover()); failure != goexit {
				handler(failure)
			}
		}
	}()
	s.f()
	returned = true
}
