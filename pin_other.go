//go:build !linux

package forkjoin

import "runtime"

// pin ties the calling goroutine, a background worker's, to a thread. The thread
// ends with the goroutine.
func (w *worker) pin() {
	if w.pool.config.Pin == PinCores {
		runtime.LockOSThread()
	}
}
