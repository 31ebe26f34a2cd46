package forkjoin

import (
	"testing"
	"unsafe"
)

// No two workers' tasks lie in the same 128 bytes, which processors fetch together:
// each join writes to its own.
func TestTasksLieApart(t *testing.T) {
	const reach = 128
	r := &recursion[int, int]{known: new(site)}
	p := newPool(Config{Workers: 1}, true)
	owner := make(map[uintptr]int)
	var tasks []*Task[int, int]
	for i := range 100 {
		task := r.newTask(p.add())
		tasks = append(tasks, task)
		first := uintptr(unsafe.Pointer(task))
		last := first + unsafe.Offsetof(task.unlooked) + unsafe.Sizeof(task.unlooked) - 1
		for block := first / reach; block <= last/reach; block++ {
			if other, taken := owner[block]; taken {
				t.Fatalf("tasks %d and %d, at %p and %p, share a block of %d bytes", other, i, tasks[other], task, reach)
			}
			owner[block] = i
		}
	}
}
