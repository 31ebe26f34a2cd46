package topology

import (
	"os"
	"syscall"
	"unsafe"
)

func readMachine() *Map { return Parse(os.DirFS("/sys"), nil) }

func (m *Map) restrict() *Map {
	r := m.Restrict(Affinity())
	r.Quota = Quota(os.DirFS("/"))
	return r
}

// A cpuSet is a set of CPUs as the kernel has it.
type cpuSet [maxCPU / setBits]uintptr

const setBits = 8 * int(unsafe.Sizeof(uintptr(0)))

// Affinity returns the CPUs that the calling thread may run on, or nil if the
// system does not tell.
func Affinity() (ids []int) {
	var set cpuSet
	if _, _, e := syscall.RawSyscall(syscall.SYS_SCHED_GETAFFINITY, 0, unsafe.Sizeof(set), uintptr(unsafe.Pointer(&set))); e != 0 {
		return nil
	}
	for i := range maxCPU {
		if set[i/setBits]>>(i%setBits)&1 != 0 {
			ids = append(ids, i)
		}
	}
	return ids
}

// Pin has the calling thread run on one CPU only, if the system lets it.
func Pin(id int) {
	if id < 0 || id >= maxCPU {
		return
	}
	var set cpuSet
	set[id/setBits] = 1 << (id % setBits)
	syscall.RawSyscall(syscall.SYS_SCHED_SETAFFINITY, 0, unsafe.Sizeof(set), uintptr(unsafe.Pointer(&set)))
}
