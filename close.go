package forkjoin

import (
	"errors"
	"fmt"

	"github.com/forkjoin-go/forkjoin/internal/joint"
)

// begin counts a task or Run that the pool has to finish before it can close.
// It reports whether the pool still takes any.
func (p *Pool) begin() bool {
	if p.pending.Add(1)&closing == 0 {
		return true
	}
	p.finish()
	return false
}

// finish ends what begin counted.
func (p *Pool) finish() {
	if p.pending.Add(-1) == closing {
		p.drain()
	}
}

// drain lets Close go on.
func (p *Pool) drain() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.drained.reach()
}

// A milestone is something in the life of a pool that Close waits for. pool.mu protects
// it. Its channel is as old as the pool: one made by a Close in a synctest bubble could
// not be closed by workers, which are outside.
type milestone struct {
	channel joint.Signal
	awaited bool // somebody receives
	reached bool // and has been told
}

func (m *milestone) await() joint.Signal {
	m.awaited = true
	return m.channel
}

func (m *milestone) reach() {
	if m.awaited && !m.reached {
		m.reached = true
		joint.Close(m.channel)
	}
}

// awaitDrained returns when pending is 0.
func (p *Pool) awaitDrained() {
	p.mu.Lock()
	if p.pending.Load() == closing {
		p.mu.Unlock()
		return
	}
	c := p.drained.await()
	p.mu.Unlock()
	joint.Receive(c)
}

// Close ends the pool: it refuses new work, waits until everything submitted
// and every Run has ended, and until the workers' goroutines have. A second call
// waits for the same and does nothing. Close returns an error, and does nothing,
// for the default pool and when it is called by a task of the pool, which would
// wait for itself.
func (p *Pool) Close() error {
	p.mustBeMade("Close")
	if !p.private {
		return errors.New("forkjoin: Pool.Close: the default pool cannot be closed")
	}
	if w := current(); w != nil {
		for o := w; o != nil; o = o.outer {
			if o.pool == p {
				return fmt.Errorf("forkjoin: Pool.Close: called by a task of %v itself", p)
			}
		}
	}
	p.pending.Or(closing)
	p.awaitDrained()
	p.mu.Lock()
	p.stopped = true
	for _, w := range p.sleepers {
		w.retire = true
		w.parker.unpark()
	}
	p.sleepers = nil
	var ended joint.Signal
	if p.live > 0 {
		ended = p.ended.await()
	}
	p.mu.Unlock()
	if ended != nil {
		joint.Receive(ended)
	}
	return nil
}
