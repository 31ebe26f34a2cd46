//go:build linux

package forkjoin

import (
	"runtime"
	"syscall"
	"unsafe"
)

// pin ties the calling goroutine, a background worker's, to a thread, and the
// thread to one of the processors that the process may use. The thread ends with
// the goroutine. Where the system refuses, the worker runs unpinned.
func (w *worker) pin() {
	if w.pool.config.Pin != PinCores {
		return
	}
	runtime.LockOSThread()
	const bits = 8 * int(unsafe.Sizeof(uintptr(0)))
	var allowed [1024 / bits]uintptr
	size := unsafe.Sizeof(allowed)
	if _, _, e := syscall.RawSyscall(syscall.SYS_SCHED_GETAFFINITY, 0, size, uintptr(unsafe.Pointer(&allowed))); e != 0 {
		return
	}
	var cpus []int
	for i := range len(allowed) * bits {
		if allowed[i/bits]>>(i%bits)&1 != 0 {
			cpus = append(cpus, i)
		}
	}
	if len(cpus) == 0 {
		return
	}
	var one [1024 / bits]uintptr
	cpu := cpus[w.index%len(cpus)]
	one[cpu/bits] = 1 << (cpu % bits)
	syscall.RawSyscall(syscall.SYS_SCHED_SETAFFINITY, 0, size, uintptr(unsafe.Pointer(&one)))
}
