//go:build linux && !explore

package cpunum

import (
	"runtime"
	"syscall"
	"testing"
	"unsafe"
)

// A thread that may run on one CPU only is told the number of that one.
func TestPinned(t *testing.T) {
	read := Reader()
	if read == nil {
		t.Skip("the CPU's number is not known here")
	}
	const words = 8192 / 8 / unsafe.Sizeof(uintptr(0))
	const bits = 8 * int(unsafe.Sizeof(uintptr(0)))
	affinity := func(call uintptr, set *[words]uintptr) bool {
		_, _, e := syscall.RawSyscall(call, 0, unsafe.Sizeof(*set), uintptr(unsafe.Pointer(set)))
		return e == 0
	}
	var all [words]uintptr
	if !affinity(syscall.SYS_SCHED_GETAFFINITY, &all) {
		t.Skip("the system does not tell where a thread may run")
	}
	for i := range len(all) * bits {
		if all[i/bits]>>(i%bits)&1 == 0 {
			continue
		}
		done := make(chan struct{})
		go func() {
			defer close(done)
			runtime.LockOSThread() // the thread ends with the goroutine
			var one [words]uintptr
			one[i/bits] = 1 << (i % bits)
			if !affinity(syscall.SYS_SCHED_SETAFFINITY, &one) {
				t.Logf("the system does not let a thread be put on CPU %d", i)
				return
			}
			for range 100 {
				if cpu := read(); cpu != i {
					t.Errorf("on CPU %d the number is %d", i, cpu)
					return
				}
			}
		}()
		<-done
	}
}
