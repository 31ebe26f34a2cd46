package forkjoin

import (
	"testing"
	"time"
)

// Who was lent does not count as running in place of one that is blocked while it waits
// itself.
func TestLentWorkerThatWaits(t *testing.T) {
	p := newPool(Config{Workers: 1}, true)
	waits, release := make(chan struct{}), make(chan struct{})
	p.Submit(func() { <-release })
	var during int
	p.Submit(func() {
		lent := func() int { p.mu.Lock(); defer p.mu.Unlock(); return p.lentNow }
		if n := lent(); n != 1 {
			t.Errorf("%d are lent, want 1", n)
		}
		Blocking(func() { during = lent(); close(waits); <-release })
		if n := lent(); n != 1 {
			t.Errorf("%d are lent after the wait, want 1", n)
		}
	})
	<-waits
	if during != 0 {
		t.Errorf("%d count as lent while the one waits, want 0", during)
	}
	close(release)
	p.Close()
	if p.lentNow != 0 || p.live != 0 {
		t.Errorf("%d lent, %d live at the end", p.lentNow, p.live)
	}
}

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
