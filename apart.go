package forkjoin

import (
	"runtime"
	"sync/atomic"
	"time"

	"github.com/forkjoin-go/forkjoin/internal/clock"
	"github.com/forkjoin-go/forkjoin/internal/cpunum"
	"github.com/forkjoin-go/forkjoin/internal/topology"
)

// Keeping thieves off the processors of their victims. While other programs keep
// all processors busy, at however low a priority, Linux leaves the thread of a woken
// worker where it was last, and that may be where the owner of the work runs. They
// then take turns, until the kernel balances its queues, which on a busy machine
// takes some tens of milliseconds: two workers take as long as one.
//
// So who shows work notes the processor it runs on (note), and a thief that finds
// itself on the same one has the kernel move its thread, at the price of a wake.
// Where the thread may run is as before then. Threads inherit that from the one that
// starts them; Go has none start from a thread that is locked to a goroutine, as this
// one is meanwhile. The note may be out of date, and the thread may be moved back; that
// costs time and nothing else.

// apartTime is the time between two moves of a worker, at least, so that they take
// little of it should they be of no use.
const apartTime = time.Millisecond

// processor tells where the caller runs. It is nil as long as no worker needs to
// know.
var processor atomic.Pointer[func() int]

// lookForProcessor sets processor, if the system tells, which may take a while. It
// is called on goroutines of background workers.
func lookForProcessor() {
	if read := cpunum.Reader(); read != nil && processor.Load() == nil {
		processor.Store(&read)
	}
}

// keepApart has w leave the processor on which the owner of what it stole runs.
func (w *worker) keepApart(owner *worker) {
	read := processor.Load()
	if read == nil || w.pool.config.Pin != PinNone {
		return
	}
	if here := (*read)(); here < 0 || here != int(owner.cpu.Load()) {
		return
	}
	now := clock.Now()
	if now < w.apart {
		return
	}
	w.apart = now + clock.Ticks(apartTime)
	runtime.LockOSThread()
	topology.Leave((*read)(), w.pool.size())
	runtime.UnlockOSThread()
}
