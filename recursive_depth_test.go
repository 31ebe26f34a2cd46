package forkjoin

import "testing"

// What a recursion has taken of its cells is given back when a join, or a call
// within it, is left by a panic that the user recovers.
func TestRecursionDepthAfterPanic(t *testing.T) {
	caught := func(f func()) {
		defer func() {
			if recover() == nil {
				t.Error("no panic")
			}
		}()
		f()
	}
	var r *recursion[int, int]
	r = &recursion[int, int]{known: new(site), f: func(task *Task[int, int], n int) int {
		switch {
		case n < 0:
			panic("leaf")
		case n == 0:
			return 1
		case n == 10: // panics with a cell in use
			task.newCell()
			panic("with a cell")
		}
		before := task.top
		task.fuel = 0
		caught(func() { task.fork(-1, 0) })
		if task.top != before {
			t.Errorf("a join that panicked leaves %d cells in use, want %d", task.top, before)
		}
		caught(func() { r.call(10) })
		if task.top != before {
			t.Errorf("a call that panicked leaves %d cells in use, want %d", task.top, before)
		}
		a, b := task.fork(n-1, n-1)
		return a + b
	}}
	if got := r.call(3); got != 8 {
		t.Errorf("result is %d, want 8", got)
	}
}
