package forkjoin_test

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"github.com/forkjoin-go/forkjoin"
	"github.com/forkjoin-go/forkjoin/internal/topology"
)

// The default number of workers is that of the CPUs that the process may run on,
// also when that changes while it runs: the pool follows GOMAXPROCS, and Go has
// GOMAXPROCS follow the affinity mask (and the quota of the control group).
func TestWorkersFollowAffinity(t *testing.T) {
	const name = "TestWorkersFollowAffinity"
	if !isChild(name) {
		if len(topology.Affinity()) < 2 {
			t.Skip("the process may run on one CPU only")
		}
		os.Unsetenv("GOMAXPROCS")
		if out, err := child(t, name); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	runtime.SetDefaultGOMAXPROCS() // package testing has fixed it
	cpus := topology.Affinity()
	if n := forkjoin.Default().Workers(); n != len(cpus) {
		t.Fatalf("%d workers on %d CPUs", n, len(cpus))
	}
	tasks, err := os.ReadDir("/proc/self/task")
	if err != nil {
		t.Fatal(err)
	}
	var one [128]uintptr
	const bits = 8 * int(unsafe.Sizeof(one[0]))
	one[cpus[0]/bits] = 1 << (cpus[0] % bits)
	for _, task := range tasks {
		id, err := strconv.Atoi(task.Name())
		if err != nil {
			t.Fatal(err)
		}
		if _, _, e := syscall.RawSyscall(syscall.SYS_SCHED_SETAFFINITY, uintptr(id), unsafe.Sizeof(one), uintptr(unsafe.Pointer(&one))); e != 0 {
			fmt.Println("the system does not let a process be restricted:", e)
			return
		}
	}
	if !eventually(20*time.Second, func() bool {
		forkjoin.ParallelFor(1000, func(int) {})
		return forkjoin.Default().Workers() == 1
	}) {
		t.Errorf("%d workers on one CPU, GOMAXPROCS %d", forkjoin.Default().Workers(), runtime.GOMAXPROCS(0))
	}
}
