package gkey_test

import (
	"iter"
	"runtime"
	"sync"
	"testing"

	"github.com/forkjoin-go/forkjoin/internal/gkey"
)

// stays fails the test if the calling goroutine's key is no longer want.
func stays(t *testing.T, want uintptr, after string) {
	t.Helper()
	if got := gkey.Get(); got != want {
		t.Errorf("key after %s = %#x, want %#x as before", after, got, want)
	}
}

func TestNeverZero(t *testing.T) {
	if gkey.Get() == 0 {
		t.Fatal("key is 0")
	}
}

// TestDistinctAmongLive holds 1000 goroutines alive until each has told its
// key, then asks each a second time.
func TestDistinctAmongLive(t *testing.T) {
	const n = 1000
	first, second := make([]uintptr, n), make([]uintptr, n)
	var told, done sync.WaitGroup
	release := make(chan struct{})
	for i := range n {
		told.Add(1)
		done.Go(func() {
			first[i] = gkey.Get()
			told.Done()
			<-release
			second[i] = gkey.Get()
		})
	}
	told.Wait()
	owner := map[uintptr]int{gkey.Get(): -1} // -1: the test's own goroutine
	for i, k := range first {
		if j, taken := owner[k]; taken {
			t.Fatalf("goroutines %d and %d, both alive, have key %#x", j, i, k)
		}
		owner[k] = i
	}
	close(release)
	done.Wait()
	for i := range n {
		if first[i] != second[i] {
			t.Errorf("goroutine %d: key was %#x, then %#x", i, first[i], second[i])
		}
	}
}

func TestStableWhileStackMoves(t *testing.T) {
	// A new goroutine starts on a small stack, which a thousand frames of
	// 512 bytes outgrow several times; the collector then shrinks it.
	done := make(chan struct{})
	go func() {
		defer close(done)
		key := gkey.Get()
		descend(t, key, 1000)
		stays(t, key, "return from deep recursion")
		for range 3 {
			runtime.GC()
		}
		stays(t, key, "collections that shrink the stack")
	}()
	<-done
}

//go:noinline
func descend(t *testing.T, key uintptr, depth int) (sum byte) {
	var pad [512]byte
	pad[depth%len(pad)] = byte(depth)
	if depth > 0 {
		sum = descend(t, key, depth-1)
	}
	if depth%100 == 0 {
		stays(t, key, "stack growth")
	}
	return sum + pad[depth%len(pad)]
}

func TestStableAcrossThreads(t *testing.T) {
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			key := gkey.Get()
			for range 200 {
				runtime.Gosched()
				stays(t, key, "Gosched")
			}
			runtime.LockOSThread()
			stays(t, key, "LockOSThread")
			runtime.Gosched()
			stays(t, key, "Gosched of a locked thread")
			runtime.UnlockOSThread()
			stays(t, key, "UnlockOSThread")
			runtime.GC()
			stays(t, key, "GC")
		})
	}
	wg.Wait()
}

func TestStableAcrossHandoffs(t *testing.T) {
	ping, pong := make(chan uintptr), make(chan uintptr)
	go func() {
		defer close(pong)
		key := gkey.Get()
		for other := range ping {
			stays(t, key, "a receive")
			if other == key {
				t.Errorf("both ends of a channel have key %#x", key)
			}
			pong <- key
			stays(t, key, "a send")
		}
	}()
	key := gkey.Get()
	var partner uintptr
	for range 500 {
		ping <- key
		got := <-pong
		stays(t, key, "a round trip")
		if partner == 0 {
			partner = got
		}
		if got != partner {
			t.Fatalf("the partner's key was %#x, then %#x", partner, got)
		}
	}
	close(ping)
	<-pong
}

func TestStableAcrossPanic(t *testing.T) {
	key := gkey.Get()
	func() {
		defer func() {
			recover()
			stays(t, key, "recover")
		}()
		defer func() { stays(t, key, "panic") }()
		panic("expected")
	}()
	stays(t, key, "a recovered panic")
}

// TestPullIsAnotherGoroutine pins down what callers of iter.Pull get: the
// sequence runs under a key of its own, although on the caller's thread.
func TestPullIsAnotherGoroutine(t *testing.T) {
	next, stop := iter.Pull(func(yield func(uintptr) bool) {
		for yield(gkey.Get()) {
		}
	})
	defer stop()
	key := gkey.Get()
	first, _ := next()
	for range 10 {
		got, _ := next()
		if got != first || got == key {
			t.Fatalf("sequence's key %#x, want %#x as before, and not the caller's %#x", got, first, key)
		}
		stays(t, key, "a switch to the sequence and back")
	}
}

// TestOtherCallRoutes reaches Get through a function value and a
// defer, where the compiler calls the stub by other routes.
func TestOtherCallRoutes(t *testing.T) {
	key := gkey.Get()
	get := gkey.Get
	if got := get(); got != key {
		t.Errorf("through a function value: %#x, want %#x", got, key)
	}
	c := make(chan uintptr)
	go func() { c <- get() }()
	if got := <-c; got == key {
		t.Errorf("another goroutine has key %#x too", got)
	}
	defer gkey.Get()
}

func TestAllocatesNothing(t *testing.T) {
	if !gkey.Fast {
		t.Skip("the portable Get may refill its buffer pool")
	}
	if n := testing.AllocsPerRun(100, func() { gkey.Get() }); n != 0 {
		t.Errorf("Get allocates %v times, want 0", n)
	}
}

var sink uintptr

func BenchmarkGet(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		sink = gkey.Get()
	}
}

// BenchmarkGetDeep asks from 100 frames further down.
func BenchmarkGetDeep(b *testing.B) {
	var at func(depth int)
	at = func(depth int) {
		if depth > 0 {
			at(depth - 1)
			return
		}
		for b.Loop() {
			sink = gkey.Get()
		}
	}
	at(100)
}
