package forkjoin

import "github.com/forkjoin-go/forkjoin/internal/clock"

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
	if f == nil {
		badUse("Pool.Submit: f is nil")
	}
	if !p.begin() {
		return ErrClosed
	}
	w := current()
	s := &submitted{pool: p, f: f}
	if w != nil {
		s.labels = w.labels
	}
	switch limit := p.config.MaxTasks; {
	case (w == nil || w.bubble != no) && clock.InBubble():
		go s.call() // a goroutine of the bubble
	case limit > 0 && p.pending.Load()&^closing > int64(limit):
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
		if returned {
			return
		}
		if handler := s.pool.config.PanicHandler; handler != nil {
			if r := recover(); r != nil {
				handler(asPanicError(r))
			}
		}
	}()
	s.f()
	returned = true
}
