package forkjoin_test

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"github.com/forkjoin-go/forkjoin"
	"github.com/forkjoin-go/forkjoin/internal/topology"
)

// The default number of workers is that of the CPUs that the process may run on,
// also when that changes while it runs, down and up again: the pool follows
// GOMAXPROCS, and Go has GOMAXPROCS follow the affinity mask (and the quota of the
// control group). With one CPU, however many goroutines call, nobody else runs a
// part of what they do; with more, somebody does.
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
	for _, some := range [][]int{cpus[:1], cpus, cpus[1:2], cpus} {
		if err := restrict(some); err != nil {
			fmt.Println("the system does not let a process be restricted:", err)
			return
		}
		if !eventually(20*time.Second, func() bool {
			forkjoin.ParallelFor(1000, func(int) {})
			return forkjoin.Default().Workers() == len(some)
		}) {
			t.Fatalf("%d workers on %d CPUs, GOMAXPROCS %d", forkjoin.Default().Workers(), len(some), runtime.GOMAXPROCS(0))
		}
		if len(some) > 1 {
			if !eventually(20*time.Second, func() bool { return stolen(1) > 0 }) {
				t.Errorf("nothing is stolen on %d CPUs", len(some))
			}
			continue
		}
		var n uint64
		if !eventually(20*time.Second, func() bool { n = stolen(4); return n <= 2 }) { // workers notice one by one
			t.Errorf("%d pieces of four callers' loops are stolen on one CPU, again and again", n)
		}
	}
}

// stolen returns how many pieces are stolen from that many callers.
func stolen(callers int) uint64 {
	before := forkjoin.Default().Stats().Steals
	var wg sync.WaitGroup
	for range callers {
		wg.Go(func() {
			forkjoin.ParallelFor(2000, func(int) { spin(500 * time.Nanosecond) }, forkjoin.MaxLeaf(1))
		})
	}
	wg.Wait()
	return uint64(forkjoin.Default().Stats().Steals - before)
}

// restrict has all threads of the process run on some CPUs only, and those that
// they start.
func restrict(cpus []int) error {
	var set [128]uintptr
	const bits = 8 * int(unsafe.Sizeof(set[0]))
	for _, id := range cpus {
		set[id/bits] |= 1 << (id % bits)
	}
	for range 2 { // some may have been started meanwhile
		tasks, err := os.ReadDir("/proc/self/task")
		if err != nil {
			return err
		}
		for _, task := range tasks {
			id, err := strconv.Atoi(task.Name())
			if err != nil {
				return err
			}
			_, _, e := syscall.RawSyscall(syscall.SYS_SCHED_SETAFFINITY, uintptr(id), unsafe.Sizeof(set), uintptr(unsafe.Pointer(&set)))
			if e != 0 && e != syscall.ESRCH {
				return e
			}
		}
	}
	return nil
}
