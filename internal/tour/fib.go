package tour

import "github.com/forkjoin-go/forkjoin"

// fib is the scheduling-only job: a few additions per call, so its parallel
// form measures what a fork costs.
func fib(n uint64) uint64 {
	if n < 2 {
		return n
	}
	return fib(n-1) + fib(n-2)
}

// fibParallel forks at every call, without a cutoff.
var fibParallel = forkjoin.Recursive(func(t *forkjoin.Task[uint64, uint64], n uint64) uint64 {
	if n < 2 {
		return n
	}
	a, b := t.Join(n-1, n-2)
	return a + b
})
