//go:build chaos && !explore

package forkjoin

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/forkjoin-go/forkjoin/internal/joint"
)

// TestChaosReachesTheJoints runs a mixture of everything until each function that
// takes numbered steps has been held up in the middle, which is what the build tag
// is for. See internal/joint/chaos.go.
func TestChaosReachesTheJoints(t *testing.T) {
	wanted := []string{
		"(*deque).publish", "(*deque).pop", "(*deque).steal", "(*deque).release", // D2 to D6
		"(*worker).complete", "(*worker).await", "(*worker).leapfrog", // L1 to L5
		"(*worker).sleep", "(*deque).shown", "(*injector).length", "(*Pool).recruit", "(*parker).park", "(*parker).unpark", // S1 to W3
		"(*worker).yieldOwnSlot", "(*worker).resumeOwnSlot", "(*Pool).unreserve", "(*Pool).guests", "enter", "(*worker).leave",
		"(*injector).push", "(*injector).pop",
		"(*taskGroup).addFrom", "(*taskGroup).run", "(*taskChunk).claim", "(*taskGroup).drain", "(*taskGroup).park", // G1 to G5
		"(*Pool).begin", "(*Pool).finish", "(*Pool).Close",
	}
	fib := Recursive(func(t *Task[int, int], n int) int {
		if n < 2 {
			return n
		}
		a, b := t.Join(n-1, n-2)
		return a + b
	})
	missing := wanted
	for end := time.Now().Add(2 * time.Minute); len(missing) > 0 && time.Now().Before(end); {
		var callers sync.WaitGroup
		for range 3 {
			callers.Go(func() {
				p, err := New(Config{Workers: 2})
				if err != nil {
					t.Error(err)
					return
				}
				var g WaitGroup
				for range 20 {
					g.Go(func() { Blocking(func() { time.Sleep(time.Microsecond) }) })
					p.Submit(func() { Join(func() { fib(8) }, func() { fib(9) }) })
				}
				g.Go(func() { time.Sleep(200 * time.Microsecond) })
				if got := fib(16); got != 987 {
					t.Errorf("fib(16) is %d, want 987", got)
				}
				p.Run(func() {
					Join(func() { fib(10) }, func() { Join(func() { fib(11) }, func() { fib(12) }) })
				})
				g.Wait()
				p.Close()
			})
		}
		callers.Wait()
		seen := joint.Delays()
		missing = nil
		for _, name := range wanted {
			if seen[packagePrefix+name] == 0 {
				missing = append(missing, name)
			}
		}
	}
	if len(missing) > 0 {
		t.Errorf("never held up in the middle: %s", strings.Join(missing, ", "))
	}
	for name, n := range joint.Delays() {
		t.Logf("%6d %s", n, strings.TrimPrefix(name, packagePrefix))
	}
}
