package forkjoin

import (
	"testing"
	"time"

	"github.com/forkjoin-go/forkjoin/internal/clock"
)

// A thief that runs where its victim does is moved, but not again at once; one that
// runs elsewhere, or that the user has pinned, is not.
func TestThievesKeepApart(t *testing.T) {
	defer processor.Store(processor.Swap(nil))
	defer nearby.Store(nearby.Swap(nil))
	here := 5
	read := func() int { return here }
	p := newPool(Config{}, true)
	owner, thief := p.add(), p.add()
	owner.note()
	if thief.keepApart(owner); owner.cpu.Load() != -1 || thief.apart != 0 {
		t.Error("something is done although the processor is not known")
	}
	processor.Store(&read)
	if thief.keepApart(owner); thief.apart != 0 {
		t.Error("moved, although it is not known where the owner runs")
	}
	owner.note()
	if got := owner.cpu.Load(); got != 5 {
		t.Errorf("the owner is on processor %d, want 5", got)
	}
	here = 6
	if thief.keepApart(owner); thief.apart != 0 {
		t.Error("moved from another processor")
	}
	here = 5
	thief.keepApart(owner)
	if thief.apart == 0 {
		t.Error("not moved from the owner's processor")
	}
	later := clock.Now() + clock.Ticks(time.Hour) // what a busy machine may let pass is more than apartTime
	thief.apart = later
	if thief.keepApart(owner); thief.apart != later {
		t.Error("moved again before its time")
	}
	pinned := newPool(Config{Pin: PinCores}, true)
	owner, thief = pinned.add(), pinned.add()
	owner.note()
	if thief.keepApart(owner); thief.apart != 0 {
		t.Error("a pinned worker is moved")
	}
	here = -1
	owner.note()
	if owner.cpu.Load() != -1 {
		t.Error("an unknown processor has a number")
	}
	if thief.keepApart(owner); thief.apart != 0 {
		t.Error("moved, although the processor could not be read")
	}
}
