package forkjoin_test

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/forkjoin-go/forkjoin"
)

// Where tests call from.

// atProcs runs f as a subtest with GOMAXPROCS n.
func atProcs(t *testing.T, n int, f func(t *testing.T)) {
	t.Run(fmt.Sprintf("procs=%d", n), func(t *testing.T) {
		if build.wasm && n > 1 {
			t.Skip("one thread")
		}
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(n))
		f(t)
	})
}

// eachProcs runs f as subtests over several values of GOMAXPROCS. Such tests are
// never parallel.
func eachProcs(t *testing.T, f func(t *testing.T)) {
	for _, n := range []int{1, 2, 3, 8} {
		atProcs(t, n, f)
	}
}

// A place is somewhere a call can be made from: a pool and a GOMAXPROCS.
type place struct {
	workers int
	run     func(f func())
	private bool // a pool of the test's own, in which no other worker lingers
}

// canSteal reports whether a task of this place can be made to move to another
// goroutine.
func (p place) canSteal() bool { return p.workers > 1 && runtime.GOMAXPROCS(0) > 1 && !build.wasm }

// inPool runs f as a subtest in a pool of n workers.
func inPool(t *testing.T, n int, f func(t *testing.T, p place)) {
	t.Run(fmt.Sprintf("workers=%d", n), func(t *testing.T) {
		pool, err := forkjoin.New(forkjoin.Config{Workers: n, Name: t.Name()})
		if err != nil {
			t.Fatal(err)
		}
		f(t, place{n, pool.Run, true})
		within(t, 20*time.Second, func() {
			if err := pool.Close(); err != nil {
				t.Errorf("Close: %v", err)
			}
		})
	})
}

// everywhere runs f as subtests with the default pool over several values of
// GOMAXPROCS, and in private pools.
func everywhere(t *testing.T, f func(t *testing.T, p place)) {
	t.Run("default", func(t *testing.T) {
		eachProcs(t, func(t *testing.T) {
			f(t, place{workers: runtime.GOMAXPROCS(0), run: func(g func()) { g() }})
		})
	})
	for _, n := range []int{1, 2, 8} {
		inPool(t, n, f)
	}
	t.Run("narrow", func(t *testing.T) {
		atProcs(t, 1, func(t *testing.T) { inPool(t, 3, f) })
	})
}

// setProcs sets GOMAXPROCS for the rest of the test.
func setProcs(t testing.TB, n int) {
	t.Helper()
	old := runtime.GOMAXPROCS(n)
	t.Cleanup(func() { runtime.GOMAXPROCS(old) })
}

// threads makes sure that n goroutines can run at the same time, or skips.
func threads(t testing.TB, n int) {
	t.Helper()
	needsThreads(t)
	if runtime.GOMAXPROCS(0) < n {
		setProcs(t, n)
	}
}

// newPool makes a pool that is closed when the test ends.
func newPool(t testing.TB, cfg forkjoin.Config) *forkjoin.Pool {
	t.Helper()
	p, err := forkjoin.New(cfg)
	if err != nil {
		t.Fatalf("New(%+v): %v", cfg, err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			return // Close would wait for whatever hangs
		}
		within(t, patience, func() {
			if err := p.Close(); err != nil {
				t.Errorf("Close: %v", err)
			}
		})
	})
	return p
}

// eachPool runs f as a subtest in the default pool and in private pools.
func eachPool(t *testing.T, workers []int, f func(t *testing.T, w int)) {
	t.Run("default", func(t *testing.T) {
		within(t, patience, func() { f(t, runtime.GOMAXPROCS(0)) })
	})
	for _, w := range workers {
		t.Run(fmt.Sprintf("workers=%d", w), func(t *testing.T) {
			p := newPool(t, forkjoin.Config{Workers: w})
			within(t, patience, func() { p.Run(func() { f(t, w) }) })
		})
	}
}
