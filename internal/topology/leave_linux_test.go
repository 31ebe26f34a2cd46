package topology

import (
	"runtime"
	"slices"
	"testing"

	"github.com/forkjoin-go/forkjoin/internal/cpunum"
)

// A thread leaves its CPU, and may run where it could before.
func TestLeave(t *testing.T) {
	read, before := cpunum.Reader(), Affinity()
	if read == nil || len(before) < 2 {
		t.Skip("there is one CPU, or its number is not known")
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	left := 0
	for range 100 { // the kernel may move it back at once
		here := read()
		Leave(here, 2)
		if read() != here {
			left++
		}
		if now := Affinity(); !slices.Equal(now, before) {
			t.Fatalf("the thread may run on %v, before on %v", now, before)
		}
	}
	if left == 0 {
		t.Error("the thread has never left its CPU")
	}
	for _, c := range []struct{ id, least int }{{read(), len(before) + 1}, {-1, 2}, {maxCPU, 2}} {
		Leave(c.id, c.least)
		if now := Affinity(); !slices.Equal(now, before) {
			t.Fatalf("Leave(%d, %d): the thread may run on %v, before on %v", c.id, c.least, now, before)
		}
	}
}
