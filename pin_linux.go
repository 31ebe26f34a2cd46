//go:build linux

package forkjoin

import (
	"runtime"

	"github.com/forkjoin-go/forkjoin/internal/topology"
)

// pin ties the calling goroutine, a background worker's, to a thread, and the
// thread to one of the processors that the process may use: one of each core
// first, the fastest before the others. The thread ends with the goroutine. Where
// the system refuses, the worker runs unpinned.
func (w *worker) pin() {
	if w.pool.config.Pin != PinCores {
		return
	}
	runtime.LockOSThread()
	cpus := topology.Host().Spread()
	topology.Pin(cpus[w.index%len(cpus)].ID)
}
