package forkjoin

// JoinAll computes f for each argument, perhaps at the same time, and stores
// the result of args[i] into results[i].
//
// It is a loop: the caller goes through args in order and idle workers take
// from the far end, half of what is left at a time.
//
// Panics, Goexit and synchronization are as for the function [JoinAll]. It
// panics if results is shorter than args, or t is another goroutine's.
func (t *Task[A, R]) JoinAll(args []A, results []R) {
	if len(results) < len(args) {
		badUse("Task.JoinAll: len(results) is %d, want >= len(args), which is %d", len(results), len(args))
	}
	t.check("JoinAll")
	t.spend()
	defer t.spend()
	var failure *PanicError
	all, l := &argList[A, R]{t.r, args, results}, newLimits(1, 0)
	if t.w.tape != nil {
		failure = t.w.recordLoop(0, len(args), all, t.r.code, true, l, new(site), 0)
	} else {
		failure = t.w.runLoop(0, len(args), all, l, new(site), nil, 0)
	}
	if failure != nil {
		panic(failure)
	}
}

type argList[A, R any] struct {
	r       *recursion[A, R]
	args    []A
	results []R
}

func (l *argList[A, R]) chunk(w *worker, lo, hi int) bool {
	t := l.r.task(w)
	t.taped = w.tape != nil
	for i := lo; i < hi; i++ {
		l.results[i] = t.f(t, l.args[i])
	}
	return true
}
