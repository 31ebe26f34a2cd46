//go:build linux && !explore

package joint

import (
	"syscall"
	"time"
	"unsafe"
)

const (
	futexWait = 0 | 128 // private
	futexWake = 1 | 128
)

// FutexWait sleeps in a system call of its own if the 32-bit word holds value,
// until FutexWake, at most for d unless that is negative. It may return without a
// reason.
func FutexWait(word unsafe.Pointer, value uint32, d time.Duration) {
	var timeout *syscall.Timespec
	if d >= 0 {
		t := syscall.NsecToTimespec(d.Nanoseconds())
		timeout = &t
	}
	syscall.Syscall6(syscall.SYS_FUTEX, uintptr(word), futexWait, uintptr(value), uintptr(unsafe.Pointer(timeout)), 0, 0)
}

// FutexWake ends one FutexWait on the word.
func FutexWake(word unsafe.Pointer) {
	syscall.Syscall6(syscall.SYS_FUTEX, uintptr(word), futexWake, 1, 0, 0, 0)
}
