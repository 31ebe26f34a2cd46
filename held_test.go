package forkjoin

import (
	"testing"
	"time"
)

// A group whose ticket is held back may be in the queue that the watchdog looks at
// first, with a ticket from an earlier use.
func TestHeldGroupWithAnOldTicket(t *testing.T) {
	p := newPool(Config{Workers: 1}, true)
	g := &taskGroup{open: true, pool: p, runners: 1, pace: 1} // tasks that are not worth another runner
	p.injected.push(g)
	done := make(chan struct{})
	g.list.add(task{f: func() { close(done) }}, nil)
	go func() {
		g.mu.Lock()
		g.unlockWithTicket(p)
	}()
	// The runner does not go on, so the watchdog sees to the task.
	select {
	case <-done:
	case <-time.After(30 * time.Second):
		t.Fatal("the task does not run")
	}
	p.Close()
}
