package forkjoin_test

import (
	"sync/atomic"
	"testing"

	"github.com/forkjoin-go/forkjoin"
)

func seqFib(n int) int {
	if n < 2 {
		return n
	}
	return seqFib(n-1) + seqFib(n-2)
}

func joinFib(n int) int {
	if n < 2 {
		return n
	}
	var a, b int
	forkjoin.Join(func() { a = joinFib(n - 1) }, func() { b = joinFib(n - 2) })
	return a + b
}

func join2Fib(n int) int {
	if n < 2 {
		return n
	}
	a, b := forkjoin.Join2(func() int { return join2Fib(n - 1) }, func() int { return join2Fib(n - 2) })
	return a + b
}

var fib = forkjoin.Recursive(func(t *forkjoin.Task[int, int], n int) int {
	if n < 2 {
		return n
	}
	a, b := t.Join(n-1, n-2)
	return a + b
})

// sane checks that the library still works: every form of call, small.
func sane(t testing.TB) {
	t.Helper()
	if got := fib(10); got != 55 {
		t.Errorf("afterwards: fib(10) = %d, want 55", got)
	}
	if got := joinFib(7); got != 13 {
		t.Errorf("afterwards: joinFib(7) = %d, want 13", got)
	}
	sum := forkjoin.ParallelReduce(100, 0, func(lo, hi int) int {
		s := 0
		for i := lo; i < hi; i++ {
			s += i
		}
		return s
	}, func(a, b int) int { return a + b })
	if sum != 4950 {
		t.Errorf("afterwards: sum = %d, want 4950", sum)
	}
	var n atomic.Int64
	forkjoin.ParallelFor(50, func(i int) { n.Add(int64(i)) })
	var wg forkjoin.WaitGroup
	wg.Go(func() { n.Add(1) })
	wg.Go(func() { n.Add(1) })
	wg.Wait()
	if n.Load() != 1227 {
		t.Errorf("afterwards: loop and group counted %d, want 1227", n.Load())
	}
}
