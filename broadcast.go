package forkjoin

import (
	"sync/atomic"
	"time"
)

// Broadcast calls f once for each number below p.Workers(), at the same time on
// as many goroutines while p has idle workers, and returns when all calls have
// returned. The calls may wait for each other. Use it to prepare or collect what
// is kept for each worker; the number is not [WorkerIndex].
//
// If calls panic, Broadcast panics with a [*PanicError] when all have ended.
// Goexit is as for [Join]. It panics if f is nil or p is closed.
//
// What was done before Broadcast is synchronized before each call of f, and each
// of those before Broadcast returns.
func (p *Pool) Broadcast(f func(worker int)) {
	p.mustBeMade("Broadcast")
	if f == nil {
		badUse("Pool.Broadcast: f is nil")
	}
	p.run("Broadcast", func() {
		n := p.Workers()
		var begun atomic.Int32
		all := make(chan struct{})
		var g WaitGroup
		g.tasks.get(false).uncapped = true
		for i := range n {
			g.Go(func() {
				if int(begun.Add(1)) == n {
					close(all)
				} else {
					// Wait for the others, so that no worker gets two.
					select {
					case <-all:
					case <-time.After(gatherTime):
					}
				}
				f(i)
			})
		}
		g.Wait()
	})
}

// gatherTime is how long the calls of a Broadcast wait for each other at most
// before they begin.
const gatherTime = time.Millisecond
