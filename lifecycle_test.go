package forkjoin_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/forkjoin-go/forkjoin"
)

// A program that imports the package and calls nothing has one goroutine. It is
// built for the purpose, as the variables of a test binary may well have used
// the package before any test runs.
func TestLifecycleImportStartsNothing(t *testing.T) {
	if build.wasm {
		t.Skip("no processes")
	}
	dir := t.TempDir()
	source, program := filepath.Join(dir, "main.go"), filepath.Join(dir, "program.exe")
	err := os.WriteFile(source, []byte(`package main

import (
	"fmt"
	"runtime"

	"github.com/forkjoin-go/forkjoin"
)

var use = forkjoin.Default // keeps the import

func main() {
	fmt.Println("goroutines:", runtime.NumGoroutine())
	buf := make([]byte, 1<<16)
	fmt.Printf("%s", buf[:runtime.Stack(buf, true)])
}
`), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	within(t, 3*patience, func() {
		build := exec.Command("go", "build", "-o", program, source)
		if out, err := build.CombinedOutput(); err != nil {
			if errors.Is(err, exec.ErrNotFound) {
				t.Skip(err)
			}
			t.Fatalf("go build: %v\n%s", err, out)
		}
		out, err := exec.Command(program).CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		if !strings.HasPrefix(string(out), "goroutines: 1\n") {
			t.Errorf("importing has started goroutines:\n%s", out)
		}
	})
}

// Making pools and asking about them starts nothing either.
func TestLifecycleNewStartsNothing(t *testing.T) {
	before := settled(t)
	var pools []*forkjoin.Pool
	for range 20 {
		p := openPool(t, forkjoin.Config{Workers: 4})
		p.Workers()
		p.Stats()
		pools = append(pools, p)
	}
	forkjoin.ParallelFor(0, func(int) {})
	forkjoin.WorkerIndex()
	forkjoin.Migrated()
	if n := runtime.NumGoroutine(); n > before {
		t.Errorf("%d goroutines before, %d after pools were made", before, n)
	}
	for _, p := range pools {
		closeNow(t, p)
	}
}

// settled waits until the goroutines of earlier tests have gone, and returns
// how many remain.
func settled(t testing.TB) int {
	n := runtime.NumGoroutine()
	for end := time.Now().Add(5 * time.Second); time.Now().Before(end); {
		time.Sleep(100 * time.Millisecond)
		now := runtime.NumGoroutine()
		if now <= 3 { // this test, its parent, the deadline's
			return now
		}
		n = min(n, now)
	}
	return n
}

// everyKind makes calls of every kind; use is called inside each of them.
func everyKind(p *forkjoin.Pool, use func()) {
	bg := context.Background()
	err := func() error { use(); return nil }
	forkjoin.Join(use, use)
	forkjoin.Join2(func() int { use(); return 1 }, func() string { use(); return "" })
	forkjoin.JoinAll(use, use, use)
	forkjoin.Recursive(func(t *forkjoin.Task[int, int], n int) int {
		use()
		if n > 0 {
			t.Join(n-1, n-1)
			t.JoinAll([]int{n - 1, n - 1, n - 1}, make([]int, 3))
		}
		return n
	})(2)
	forkjoin.ParallelFor(20, func(int) { use() }, forkjoin.MaxLeaf(1))
	forkjoin.ParallelForRange(0, 20, func(int, int) { use() }, forkjoin.MaxLeaf(1))
	forkjoin.ParallelFor2D(5, 5, func(_, _, _, _ int) { use() }, forkjoin.MaxLeaf(1))
	forkjoin.ParallelForWith(20, func() int { use(); return 0 }, func(int, int) { use() }, forkjoin.MaxLeaf(1))
	forkjoin.ParallelForErr(bg, 20, func(context.Context, int) error { return err() }, forkjoin.MaxLeaf(1))
	forkjoin.ParallelReduce(20, 0, func(int, int) int { use(); return 0 }, add, forkjoin.MaxLeaf(1))
	forkjoin.ParallelReduceErr(bg, 20, 0, func(context.Context, int, int) (int, error) { return 0, err() }, add, forkjoin.MaxLeaf(1))
	var wg forkjoin.WaitGroup
	var g forkjoin.Group
	h, _ := forkjoin.WithContext(bg)
	h.SetLimit(2)
	for range 5 {
		wg.Go(use)
		g.Go(err)
		h.Go(err)
		h.TryGo(err)
	}
	wg.Wait()
	g.Wait()
	h.Wait()
	forkjoin.Blocking(use)
	forkjoin.Do(bg, use)
	var done sync.WaitGroup
	done.Add(3)
	for range 3 {
		p.Submit(func() { defer done.Done(); use() })
	}
	p.Run(use)
	p.Broadcast(func(int) { use() })
	done.Wait()
}

func TestLifecycleGoroutinesGoWhenIdle(t *testing.T) {
	within(t, 2*patience, func() {
		before := settled(t)
		p := openPool(t, forkjoin.Config{Workers: 4}) // stays open
		for range 20 {
			everyKind(p, func() { spin(3 * time.Microsecond) })
			p.Run(func() { everyKind(forkjoin.Default(), func() { spin(time.Microsecond) }) })
		}
		if !eventually(8*time.Second, func() bool { return runtime.NumGoroutine() <= before }) {
			t.Errorf("%d goroutines before, %d long after the last call\n%s", before, runtime.NumGoroutine(), stacks())
		}
		// And they come back.
		everyKind(p, func() {})
		closeNow(t, p)
	})
}

// An idle pool uses no processor time, be its workers asleep or gone. The
// bound is on use, not speed: other programs do not count.
func TestLifecycleIdleUsesNoCPU(t *testing.T) {
	if _, ok := cpuTime(); !ok {
		t.Skip("processor time is not known here")
	}
	threads(t, 4)
	p := newPool(t, forkjoin.Config{Workers: 4})
	for range 10 {
		everyKind(p, func() { spin(20 * time.Microsecond) })
	}
	runtime.GC()
	idle := func(d time.Duration) time.Duration {
		from, _ := cpuTime()
		time.Sleep(d)
		to, _ := cpuTime()
		return to - from
	}
	// The best of several spans: the garbage collector and the test's own
	// runtime have something to do now and then.
	least := time.Hour
	for range 6 {
		least = min(least, idle(200*time.Millisecond))
	}
	if least > 4*time.Millisecond {
		t.Errorf("an idle pool used at least %v of processor time in each 200ms", least)
	}
	time.Sleep(100 * time.Millisecond)
	least = time.Hour
	for try := 0; try < 3 && least > 50*time.Millisecond; try++ {
		least = min(least, idle(time.Second))
	}
	if least > 50*time.Millisecond {
		t.Errorf("an idle pool used at least %v of processor time in each second", least)
	}
}

// Nor does waiting: callers whose tasks sleep, declared or not, are parked.
func TestLifecycleWaitingUsesNoCPU(t *testing.T) {
	if _, ok := cpuTime(); !ok {
		t.Skip("processor time is not known here")
	}
	threads(t, 2)
	nap := func() { time.Sleep(100 * time.Millisecond) }
	for _, w := range []int{1, 2} {
		p := newPool(t, forkjoin.Config{Workers: w})
		for _, c := range []struct {
			name string
			f    func()
		}{
			{"Join", func() { forkjoin.Join(nap, nap) }},
			{"ParallelFor", func() { forkjoin.ParallelFor(2, func(int) { nap() }, forkjoin.MaxLeaf(1)) }},
			{"WaitGroup", func() {
				var wg forkjoin.WaitGroup
				for range 6 {
					wg.Go(nap)
				}
				wg.Wait()
			}},
			{"Group of blocking tasks", func() {
				var g forkjoin.Group
				for range 6 {
					g.Go(func() error { forkjoin.Blocking(nap); return nil })
				}
				g.Wait()
			}},
			{"Group with a limit", func() {
				var g forkjoin.Group
				g.SetLimit(2)
				for range 3 {
					g.Go(func() error { forkjoin.Blocking(nap); return nil })
				}
				g.Wait()
			}},
			{"Blocking", func() { forkjoin.Blocking(nap) }},
		} {
			within(t, patience, func() {
				from, _ := cpuTime()
				begin := time.Now()
				p.Run(c.f)
				to, _ := cpuTime()
				if used, span := to-from, time.Since(begin); used > span/6 {
					t.Errorf("%d workers, %s: waiting for %v used %v of processor time", w, c.name, span, used)
				}
			})
		}
	}
}

// A lightly loaded pool uses little more than its tasks do.
func TestLifecycleLightLoadUsesLittleCPU(t *testing.T) {
	if _, ok := cpuTime(); !ok {
		t.Skip("processor time is not known here")
	}
	threads(t, 4)
	p := newPool(t, forkjoin.Config{Workers: 4})
	from, _ := cpuTime()
	begin := time.Now()
	for range 50 {
		done := make(chan struct{})
		p.Submit(func() { close(done) })
		<-done
		forkjoin.ParallelFor(1000, func(int) {})
		p.Run(func() { forkjoin.Join(func() {}, func() {}) })
		time.Sleep(10 * time.Millisecond)
	}
	to, _ := cpuTime()
	if used, span := to-from, time.Since(begin); used > span/4 {
		t.Errorf("50 small tasks over %v used %v of processor time", span, used)
	}
}

// A cargo is something of the user's whose end can be seen.
type cargo struct{ pad [64]byte }

func (c *cargo) touch() { c.pad[0]++ }

// hold counts cargos that live.
type hold struct{ made, gone atomic.Int64 }

func (h *hold) load() *cargo {
	c := new(cargo)
	h.made.Add(1)
	runtime.AddCleanup(c, func(h *hold) { h.gone.Add(1) }, h)
	return c
}

// empty reports whether all cargos become garbage within some collections: on a
// machine that is not busy, long before workers that idle would end.
func (h *hold) empty() bool {
	return inSomeLooks(200, func() bool {
		runtime.GC()
		return h.gone.Load() == h.made.Load()
	})
}

// After a run and a collection nothing that the user gave is reachable, while
// the pool and its workers are there. Each case runs until others have taken
// part, so that what thieves touched counts too.
func TestLifecycleLetsGo(t *testing.T) {
	type T = forkjoin.Task[*cargo, *cargo]
	bg := context.Background()
	parent, cancel := context.WithCancel(bg)
	defer cancel()
	type key struct{}
	steals := forkjoin.Default().Stats().Steals
	work := func(c *cargo) { churn.Add(int64(c.pad[1])); spin(5 * time.Microsecond) }
	for _, c := range []struct {
		name string
		run  func(h *hold)
	}{
		{"Join", func(h *hold) { a, b := h.load(), h.load(); forkjoin.Join(func() { work(a) }, func() { work(b) }) }},
		{"Join2", func(h *hold) {
			forkjoin.Join2(func() *cargo { c := h.load(); work(c); return c }, func() *cargo { c := h.load(); work(c); return c })
		}},
		{"JoinAll", func(h *hold) {
			var fns []func()
			for range 5 {
				c := h.load()
				fns = append(fns, func() { work(c) })
			}
			forkjoin.JoinAll(fns...)
		}},
		{"Recursive", func(h *hold) {
			var depth atomic.Int64
			mine := h.load()
			forkjoin.Recursive(func(t *T, c *cargo) *cargo {
				work(mine)
				if depth.Add(1) < 30 {
					t.Join(h.load(), h.load())
				}
				return h.load()
			})(h.load())
		}},
		{"Recursive JoinAll", func(h *hold) {
			var depth atomic.Int64
			forkjoin.Recursive(func(t *T, c *cargo) *cargo {
				work(c)
				if depth.Add(1) < 5 {
					t.JoinAll([]*cargo{h.load(), h.load(), h.load()}, make([]*cargo, 3))
				}
				return h.load()
			})(h.load())
		}},
		{"Recursive panic", func(h *hold) {
			var depth atomic.Int64
			caught(func() {
				forkjoin.Recursive(func(t *T, c *cargo) *cargo {
					work(c)
					if depth.Add(1) > 15 {
						panic(h.load())
					}
					t.Join(h.load(), h.load())
					return c
				})(h.load())
			})
		}},
		{"For", func(h *hold) {
			c := h.load()
			forkjoin.ParallelFor(20, func(int) { work(c) }, forkjoin.MaxLeaf(1))
		}},
		{"ForRange", func(h *hold) {
			c := h.load()
			forkjoin.ParallelForRange(0, 20, func(int, int) { work(c) }, forkjoin.MaxLeaf(1))
		}},
		{"For2D", func(h *hold) {
			c := h.load()
			forkjoin.ParallelFor2D(5, 5, func(_, _, _, _ int) { work(c) }, forkjoin.MaxLeaf(1))
		}},
		{"ForWith", func(h *hold) {
			forkjoin.ParallelForWith(20, h.load, func(c *cargo, _ int) { work(c) }, forkjoin.MaxLeaf(1))
		}},
		{"ForErr", func(h *hold) {
			c := h.load()
			forkjoin.ParallelForErr(context.WithValue(parent, key{}, h.load()), 20, func(context.Context, int) error { work(c); return nil }, forkjoin.MaxLeaf(1))
		}},
		{"ForErr error", func(h *hold) {
			forkjoin.ParallelForErr(parent, 20, func(_ context.Context, i int) error {
				c := h.load()
				work(c)
				if i == 7 {
					return &cargoErr{c}
				}
				return nil
			}, forkjoin.MaxLeaf(1))
		}},
		{"Reduce", func(h *hold) {
			forkjoin.ParallelReduce(20, h.load(), func(int, int) *cargo { c := h.load(); work(c); return c },
				func(a, b *cargo) *cargo { return h.load() }, forkjoin.MaxLeaf(1))
		}},
		{"ReduceErr", func(h *hold) {
			forkjoin.ParallelReduceErr(parent, 20, h.load(), func(_ context.Context, lo, _ int) (*cargo, error) {
				c := h.load()
				work(c)
				if lo == 15 {
					return c, &cargoErr{c}
				}
				return c, nil
			}, func(a, b *cargo) *cargo { return h.load() }, forkjoin.MaxLeaf(1))
		}},
		{"Reduce panic", func(h *hold) {
			caught(func() {
				forkjoin.ParallelReduce(20, h.load(), func(lo, _ int) *cargo {
					c := h.load()
					work(c)
					if lo == 15 {
						panic(c)
					}
					return c
				}, func(a, b *cargo) *cargo { return h.load() }, forkjoin.MaxLeaf(1))
			})
		}},
		{"panic in a loop", func(h *hold) {
			caught(func() {
				forkjoin.ParallelFor(20, func(i int) {
					if c := h.load(); i == 9 {
						panic(c)
					} else {
						work(c)
					}
				}, forkjoin.MaxLeaf(1))
			})
		}},
		{"panic in both branches", func(h *hold) {
			caught(func() { forkjoin.Join(func() { panic(h.load()) }, func() { panic(h.load()) }) })
		}},
		{"Goexit in a branch", func(h *hold) {
			done := make(chan struct{})
			go func() {
				defer close(done)
				a, b := h.load(), h.load()
				forkjoin.Join(func() { work(a) }, func() { work(b); runtime.Goexit() })
			}()
			<-done
		}},
		{"WaitGroup", func(h *hold) {
			var wg forkjoin.WaitGroup
			for range 5 {
				c := h.load()
				wg.Go(func() { work(c) })
			}
			wg.Wait()
		}},
		{"WaitGroup panic", func(h *hold) {
			caught(func() {
				var wg forkjoin.WaitGroup
				for range 5 {
					c := h.load()
					wg.Go(func() { panic(c) })
				}
				wg.Wait()
			})
		}},
		{"Group", func(h *hold) {
			g, ctx := forkjoin.WithContext(context.WithValue(parent, key{}, h.load()))
			g.SetLimit(3)
			for range 6 {
				c := h.load()
				g.Go(func() error { work(c); return ctx.Err() })
			}
			g.Go(func() error { return &cargoErr{h.load()} })
			g.Wait()
		}},
		{"Submit", func(h *hold) {
			var done sync.WaitGroup
			for range 5 {
				done.Add(1)
				c := h.load()
				forkjoin.Default().Submit(func() { defer done.Done(); work(c) })
			}
			done.Wait()
		}},
		{"Run", func(h *hold) {
			c := h.load()
			forkjoin.Default().Run(func() { work(c) })
		}},
		{"Broadcast", func(h *hold) {
			c := h.load()
			forkjoin.Default().Broadcast(func(int) { work(c) })
		}},
		{"Blocking", func(h *hold) {
			c := h.load()
			forkjoin.ParallelFor(4, func(int) { forkjoin.Blocking(func() { work(c) }) }, forkjoin.MaxLeaf(1))
		}},
		{"Do and Join", func(h *hold) {
			nop := func() {}
			forkjoin.Do(context.WithValue(parent, key{}, h.load()), func() {
				forkjoin.Join(func() { forkjoin.Join(nop, nop) }, nop)
			})
			forkjoin.Do(bg, func() {})
		}},
		{"Do and ParallelFor", func(h *hold) {
			c := h.load()
			ctx := context.WithValue(parent, key{}, h.load())
			forkjoin.Do(ctx, func() {
				forkjoin.ParallelFor(20, func(int) { work(c) }, forkjoin.MaxLeaf(1))
			})
			forkjoin.Do(bg, func() {})
		}},
	} {
		for _, p := range []*forkjoin.Pool{forkjoin.Default(), newPool(t, forkjoin.Config{Workers: 2, Name: "own"})} {
			t.Run(c.name+" in "+p.String(), func(t *testing.T) {
				if !build.wasm {
					threads(t, 2)
				}
				within(t, patience, func() {
					var h hold
					before := p.Stats()
					for end := time.Now().Add(50 * time.Millisecond); time.Now().Before(end); {
						inItsOwnFrame(func() { p.Run(func() { c.run(&h) }) })
					}
					s := p.Stats()
					if !h.empty() {
						t.Errorf("%d of %d things are still reachable (%d steals, %d tasks)", h.made.Load()-h.gone.Load(), h.made.Load(), s.Steals-before.Steals, s.Tasks-before.Tasks)
					}
				})
			})
		}
	}
	if !build.wasm && forkjoin.Default().Stats().Steals == steals {
		t.Error("nothing was stolen, so nothing was learned about what thieves keep")
	}
}

var churn atomic.Int64

// inItsOwnFrame keeps f's variables out of the caller's frame.
//
//go:noinline
func inItsOwnFrame(f func()) { f() }

type cargoErr struct{ c *cargo }

func (e *cargoErr) Error() string { return "an error with cargo" }

// What waits in a pool that is closed, and what its handler saw, goes too.
func TestLifecyclePrivatePoolLetsGo(t *testing.T) {
	within(t, patience, func() {
		var h hold
		p := newPool(t, forkjoin.Config{Workers: 2, PanicHandler: func(*forkjoin.PanicError) {}})
		inItsOwnFrame(func() {
			for range 100 {
				c := h.load()
				p.Submit(func() { c.touch(); panic(c) })
				d := h.load()
				caught(func() { p.Run(func() { d.touch(); panic(d) }) })
				e := h.load()
				p.Run(func() { forkjoin.ParallelFor(10, func(int) { spin(time.Duration(e.pad[2])) }, forkjoin.MaxLeaf(1)) })
				caught(func() { p.Broadcast(func(int) { panic(h.load()) }) })
			}
		})
		if !h.empty() {
			t.Errorf("%d of %d things are still reachable in an open pool", h.made.Load()-h.gone.Load(), h.made.Load())
		}
		closeNow(t, p)
		inItsOwnFrame(func() {
			c := h.load()
			if err := p.Submit(func() { c.touch() }); !errors.Is(err, forkjoin.ErrClosed) {
				t.Errorf("Submit: %v", err)
			}
			caught(func() { p.Run(func() { c.touch() }) })
		})
		if !h.empty() {
			t.Errorf("%d of %d things are still reachable in a closed pool", h.made.Load()-h.gone.Load(), h.made.Load())
		}
		runtime.KeepAlive(p)
	})
}

// A caller's goroutine that ends leaves nothing behind: many short goroutines
// that each call in once do not add up.
func TestLifecycleManyShortCallers(t *testing.T) {
	within(t, 2*patience, func() {
		before := settled(t)
		var n atomic.Int64
		call := func() { forkjoin.Join(func() { n.Add(1) }, func() { n.Add(1) }) }
		burst := func(size int) {
			var wg sync.WaitGroup
			for range size {
				wg.Go(call)
			}
			wg.Wait()
		}
		size := scale(2000)
		burst(size)
		var from, to runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&from)
		for range 20 {
			burst(size)
		}
		runtime.GC()
		runtime.ReadMemStats(&to)
		if want := int64(21 * 2 * size); n.Load() != want {
			t.Errorf("%d branches ran, want %d", n.Load(), want)
		}
		if grown := int64(to.HeapInuse) - int64(from.HeapInuse); grown > 16<<20 {
			t.Errorf("the heap grew by %d bytes over %d callers", grown, 20*size)
		}
		if !eventually(8*time.Second, func() bool { return runtime.NumGoroutine() <= before }) {
			t.Errorf("%d goroutines before, %d after", before, runtime.NumGoroutine())
		}
	})
}
