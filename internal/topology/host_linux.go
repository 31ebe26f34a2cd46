package topology

import (
	"math/bits"
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

// Leave has the calling thread run on another CPU than the given one, if it may run
// on at least so many. Where it may run is as before afterwards, unless somebody
// changes that meanwhile. The thread must be locked to the calling goroutine.
func Leave(id, least int) {
	var all cpuSet
	if _, _, e := syscall.RawSyscall(syscall.SYS_SCHED_GETAFFINITY, 0, unsafe.Sizeof(all), uintptr(unsafe.Pointer(&all))); e != 0 {
		return
	}
	count := 0
	for _, word := range all {
		count += bits.OnesCount64(uint64(word))
	}
	if count < max(2, least) || id < 0 || id >= maxCPU {
		return
	}
	others := all
	others[id/setBits] &^= 1 << (id % setBits)
	for _, set := range []*cpuSet{&others, &all} {
		syscall.RawSyscall(syscall.SYS_SCHED_SETAFFINITY, 0, unsafe.Sizeof(*set), uintptr(unsafe.Pointer(set)))
	}
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
