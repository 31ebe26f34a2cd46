package forkjoin_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/forkjoin-go/forkjoin"
)

// Groups in groups on small pools.
func TestNestedGroups(t *testing.T) {
	for _, workers := range []int{1, 2, 16} {
		inPool(t, workers, func(t *testing.T, p place) {
			within(t, 30*time.Second, func() {
				p.run(func() {
					var n atomic.Int64
					var outer forkjoin.WaitGroup
					for range 100 {
						outer.Go(func() {
							var inner forkjoin.Group
							for range 10 {
								inner.Go(func() error { n.Add(1); return nil })
							}
							if err := inner.Wait(); err != nil {
								t.Error(err)
							}
						})
					}
					outer.Wait()
					if n.Load() != 1000 {
						t.Errorf("%d inner tasks ran, want 1000", n.Load())
					}
				})
			})
		})
	}
}

func TestNestedLoops(t *testing.T) {
	for _, workers := range []int{1, 2, 16} {
		inPool(t, workers, func(t *testing.T, p place) {
			within(t, 30*time.Second, func() {
				p.run(func() {
					var n atomic.Int64
					forkjoin.ParallelFor(100, func(int) {
						forkjoin.ParallelFor(10, func(int) { n.Add(1) }, forkjoin.MaxLeaf(1))
					}, forkjoin.MaxLeaf(1))
					if n.Load() != 1000 {
						t.Errorf("%d inner iterations ran, want 1000", n.Load())
					}
				})
			})
		})
	}
}

// Groups twelve deep, each waiting for the next.
func TestNestedGroupsDeep(t *testing.T) {
	everywhere(t, func(t *testing.T, p place) {
		within(t, 30*time.Second, func() {
			var leaves atomic.Int64
			var down func(depth int)
			down = func(depth int) {
				if depth == 0 {
					leaves.Add(1)
					return
				}
				var wg forkjoin.WaitGroup
				wg.Go(func() { down(depth - 1) })
				wg.Go(func() { down(depth - 1) })
				wg.Wait()
			}
			depth := 10
			if slow() {
				depth = 7
			}
			p.run(func() { down(depth) })
			if leaves.Load() != 1<<depth {
				t.Errorf("%d leaves, want %d", leaves.Load(), 1<<depth)
			}
		})
	})
}

// Broadcasts in broadcasts: of the own pool, and of two pools to each other.
func TestNestedBroadcast(t *testing.T) {
	pools := map[int]*forkjoin.Pool{}
	for _, n := range []int{1, 3, 7} {
		pool, err := forkjoin.New(forkjoin.Config{Workers: n})
		if err != nil {
			t.Fatal(err)
		}
		pools[n] = pool
	}
	within(t, 60*time.Second, func() {
		for a, pa := range pools {
			for b, pb := range pools {
				for range scale(10) {
					var outer, inner atomic.Int64
					pa.Broadcast(func(int) {
						outer.Add(1)
						pb.Broadcast(func(int) { inner.Add(1) })
					})
					if outer.Load() != int64(a) || inner.Load() != int64(a*b) {
						t.Errorf("%d in %d workers: %d outer and %d inner calls", b, a, outer.Load(), inner.Load())
					}
					outer.Store(0)
					inner.Store(0)
					pa.Run(func() {
						pb.Broadcast(func(int) {
							outer.Add(1)
							pa.Broadcast(func(int) { inner.Add(1); fib(4) })
						})
					})
					if outer.Load() != int64(b) || inner.Load() != int64(a*b) {
						t.Errorf("from %d workers through %d: %d outer and %d inner calls", a, b, outer.Load(), inner.Load())
					}
				}
			}
		}
		for _, pool := range pools {
			if err := pool.Close(); err != nil {
				t.Error(err)
			}
		}
	})
}

// A task of one pool runs something in another, which comes back to the first.
func TestNestedPools(t *testing.T) {
	eachProcs(t, func(t *testing.T) {
		one, err1 := forkjoin.New(forkjoin.Config{Workers: 1})
		two, err2 := forkjoin.New(forkjoin.Config{Workers: 2})
		if err1 != nil || err2 != nil {
			t.Fatal(err1, err2)
		}
		within(t, 30*time.Second, func() {
			var down func(depth int) int
			down = func(depth int) int {
				if depth == 0 {
					return 1
				}
				here, there := one, two
				if depth%2 == 0 {
					here, there = two, one
				}
				var a, b int
				here.Run(func() {
					forkjoin.Join(func() { a = down(depth - 1) }, func() {
						there.Run(func() { b = down(depth - 1) })
					})
				})
				return a + b
			}
			if got := down(6); got != 64 {
				t.Errorf("got %d, want 64", got)
			}
			if err := one.Close(); err != nil {
				t.Error(err)
			}
			if err := two.Close(); err != nil {
				t.Error(err)
			}
		})
	})
}

// Random programs of every call in every call, compared with their sequential
// meaning. A program is a tree; its meaning is a number that depends on every
// node and on the order of each node's children, or a panic.
type program struct {
	kind     int
	value    uint64
	children []*program
}

const (
	progLeaf = iota
	progSeq
	progJoin
	progJoin2
	progJoinAll
	progRecursive
	progRecursiveAll
	progFor
	progForRange
	progForErr
	progReduce
	progWaitGroup
	progGroup
	progOtherPool
	progGoroutine
	progRangeFunc
	progPanic
	progRecover
	progBlocking
	progLock
	progKinds
)

func (p *program) String() string {
	var b strings.Builder
	names := strings.Fields("leaf seq join join2 joinall rec recall for range forerr reduce wg group pool go iter panic recover blocking lock")
	b.WriteString(names[p.kind])
	if len(p.children) > 0 {
		fmt.Fprint(&b, p.children)
	}
	return b.String()
}

// randomProgram draws a program of so many nodes at most.
func randomProgram(r *rand.Rand, size int, panics bool) *program {
	p := &program{value: r.Uint64() >> 1}
	if size <= 1 {
		if panics && r.IntN(30) == 0 {
			p.kind = progPanic
		}
		return p
	}
	for p.kind == progLeaf || p.kind == progPanic {
		p.kind = r.IntN(progKinds)
	}
	n := 1 + r.IntN(min(size-1, 5))
	switch p.kind {
	case progRecover, progGoroutine, progOtherPool, progBlocking, progLock:
		n = 1
	case progJoin, progJoin2, progRecursive:
		n = 2
	}
	for range n {
		p.children = append(p.children, randomProgram(r, (size-1)/n, panics))
	}
	return p
}

type thrown struct{ value uint64 }

func mixIn(h, v uint64) uint64 { return (h^v)*0x9E3779B97F4A7C15 + h>>7 }

// meaning runs p sequentially. ok is false if it panics.
func (p *program) meaning() (h uint64, ok bool) {
	if p.kind == progPanic {
		return 0, false
	}
	h = p.value
	all := true
	for _, c := range p.children {
		v, ok := c.meaning()
		if all = all && ok; ok {
			h = mixIn(h, v)
		}
	}
	if !all && p.kind == progRecover {
		return p.value + 1, true
	}
	return h, all
}

// A runner runs programs in parallel.
type runner struct {
	other *forkjoin.Pool
	rec   func(work) uint64
	all   func(work) uint64
	bad   atomic.Int64
}

// work is a node of a program, or its children as a row to be joined.
type work struct {
	p   *program
	row bool
}

func newRunner(other *forkjoin.Pool) *runner {
	r := &runner{other: other}
	r.rec = forkjoin.Recursive(func(t *forkjoin.Task[work, uint64], w work) uint64 {
		if !w.row {
			return r.run(w.p)
		}
		x, y := t.Join(work{p: w.p.children[0]}, work{p: w.p.children[1]})
		return mixIn(mixIn(w.p.value, x), y)
	})
	r.all = forkjoin.Recursive(func(t *forkjoin.Task[work, uint64], w work) uint64 {
		if !w.row {
			return r.run(w.p)
		}
		args := make([]work, len(w.p.children))
		for i, c := range w.p.children {
			args[i] = work{p: c}
		}
		results := make([]uint64, len(args))
		t.JoinAll(args, results)
		return fold(w.p.value, results)
	})
	return r
}

func fold(h uint64, vs []uint64) uint64 {
	for _, v := range vs {
		h = mixIn(h, v)
	}
	return h
}

func (r *runner) run(p *program) uint64 {
	vs := make([]uint64, len(p.children))
	child := func(i int) { vs[i] = r.run(p.children[i]) }
	one := forkjoin.MaxLeaf(1)
	switch p.kind {
	case progLeaf:
		if p.value%5 == 0 {
			seqFib(int(p.value % 13))
		}
	case progSeq:
		for i := range vs {
			child(i)
		}
	case progJoin:
		forkjoin.Join(func() { child(0) }, func() { child(1) })
	case progJoin2:
		vs[0], vs[1] = forkjoin.Join2(
			func() uint64 { return r.run(p.children[0]) },
			func() uint64 { return r.run(p.children[1]) })
	case progJoinAll:
		fns := make([]func(), len(vs))
		for i := range fns {
			fns[i] = func() { child(i) }
		}
		forkjoin.JoinAll(fns...)
	case progRecursive:
		return r.rec(work{p, true})
	case progRecursiveAll:
		return r.all(work{p, true})
	case progFor:
		forkjoin.ParallelFor(len(vs), child, one)
	case progForRange:
		forkjoin.ParallelForRange(-3, len(vs)-3, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				child(i + 3)
			}
		})
	case progForErr:
		err := forkjoin.ParallelForErr(context.Background(), len(vs), func(ctx context.Context, i int) error {
			child(i)
			return nil
		}, one)
		if err != nil {
			r.bad.Add(1)
		}
	case progReduce:
		// The fold is not associative, so collect lists and fold at the end.
		vs = forkjoin.ParallelReduce(len(vs), nil, func(lo, hi int) []uint64 {
			var out []uint64
			for i := lo; i < hi; i++ {
				out = append(out, r.run(p.children[i]))
			}
			return out
		}, func(a, b []uint64) []uint64 { return append(a[:len(a):len(a)], b...) }, one)
	case progWaitGroup:
		var wg forkjoin.WaitGroup
		for i := range vs {
			wg.Go(func() { child(i) })
		}
		wg.Wait()
	case progGroup:
		g, _ := forkjoin.WithContext(context.Background())
		if p.value%2 == 0 {
			g.SetLimit(2)
		}
		for i := range vs {
			g.Go(func() error { child(i); return nil })
		}
		if err := g.Wait(); err != nil {
			r.bad.Add(1)
		}
	case progOtherPool:
		if p.value%2 == 0 {
			r.other.Run(func() { child(0) })
		} else {
			forkjoin.Default().Run(func() { child(0) })
		}
	case progGoroutine:
		if o := outcomeOf(func() { child(0) }); !o.returned {
			if o.exited {
				r.bad.Add(1)
			}
			panic(o.panicked)
		}
	case progRangeFunc:
		r.rangeFunc(len(vs), child)
	case progPanic:
		panic(thrown{p.value})
	case progRecover:
		return r.recovering(p)
	case progBlocking:
		forkjoin.Blocking(func() { child(0) })
	case progLock:
		var mu sync.Mutex
		mu.Lock()
		defer mu.Unlock()
		child(0)
	}
	return fold(p.value, vs)
}

// rangeFunc ranges over a sequence each of whose elements is yielded from
// within a join.
func (r *runner) rangeFunc(n int, body func(i int)) {
	for i := range func(yield func(int) bool) {
		for i := range n {
			more := false
			forkjoin.Join(func() { more = yield(i) }, nop)
			if !more {
				return
			}
		}
	} {
		body(i)
	}
}

func (r *runner) recovering(p *program) (h uint64) {
	defer func() {
		if v := recover(); v != nil {
			if pe, ok := v.(*forkjoin.PanicError); ok {
				v = pe.Value
			}
			if _, ok := v.(thrown); !ok {
				r.bad.Add(1)
			}
			h = p.value + 1
		}
	}()
	return mixIn(p.value, r.run(p.children[0]))
}

func TestRandomPrograms(t *testing.T) {
	other, err := forkjoin.New(forkjoin.Config{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	everywhere(t, func(t *testing.T, p place) {
		r := newRunner(other)
		for seed := range uint64(scale(120)) {
			src := rand.New(rand.NewPCG(seed, 7))
			prog := randomProgram(src, 1+src.IntN(300), seed%3 == 0)
			want, ok := prog.meaning()
			within(t, 20*time.Second, func() {
				for range 3 {
					var got uint64
					o := outcomeOf(func() { p.run(func() { got = r.run(prog) }) })
					if r.bad.Load() != 0 {
						t.Fatalf("seed %d: an error, exit or value that no node produces: %v", seed, prog)
					}
					if o.returned != ok || ok && got != want {
						t.Fatalf("seed %d: %v with %x, want returned = %v with %x: %v", seed, o, got, ok, want, prog)
					}
					if v := o.panicked; !ok {
						if pe, is := v.(*forkjoin.PanicError); is {
							v = pe.Value
						}
						if _, is := v.(thrown); !is {
							t.Fatalf("seed %d: %v", seed, o)
						}
					}
				}
			})
		}
		within(t, 10*time.Second, func() { p.run(func() { sane(t) }) })
	})
}

// Random recursions: every node of one tree of calls joins its children through
// the same task, some of them as a row, some through closures or a call anew,
// some with a recover around them.
func TestRandomRecursions(t *testing.T) {
	var again func(p *program) uint64
	var node func(ta *forkjoin.Task[*program, uint64], p *program) uint64
	join := func(ta *forkjoin.Task[*program, uint64], p *program) uint64 {
		n := len(p.children)
		vs := make([]uint64, n)
		switch kind := p.value % 8; {
		case n == 0:
		case kind < 2:
			ta.JoinAll(p.children, vs)
		case kind == 2:
			fns := make([]func(), n)
			for i, c := range p.children {
				fns[i] = func() { vs[i] = again(c) }
			}
			forkjoin.JoinAll(fns...)
		case kind == 3:
			for i, c := range p.children {
				vs[i] = node(ta, c)
			}
		default:
			i := 0
			for ; i+1 < n; i += 2 {
				vs[i], vs[i+1] = ta.Join(p.children[i], p.children[i+1])
			}
			if i < n {
				vs[i] = node(ta, p.children[i])
			}
		}
		return fold(p.value, vs)
	}
	recovering := func(ta *forkjoin.Task[*program, uint64], p *program) (h uint64) {
		defer func() {
			if v := recover(); v != nil {
				h = p.value + 1
			}
		}()
		return join(ta, p)
	}
	node = func(ta *forkjoin.Task[*program, uint64], p *program) uint64 {
		switch p.kind {
		case progPanic:
			panic(thrown{p.value})
		case progRecover:
			return recovering(ta, p)
		}
		return join(ta, p)
	}
	again = forkjoin.Recursive(node)
	everywhere(t, func(t *testing.T, p place) {
		for seed := range uint64(scale(150)) {
			src := rand.New(rand.NewPCG(seed, 13))
			prog := randomProgram(src, 1+src.IntN(1500), seed%2 == 0)
			want, ok := prog.meaning()
			within(t, 20*time.Second, func() {
				for range 3 {
					var got uint64
					o := outcomeOf(func() { p.run(func() { got = again(prog) }) })
					if o.returned != ok || ok && got != want {
						t.Fatalf("seed %d: %v with %x, want returned = %v with %x: %v", seed, o, got, ok, want, prog)
					}
					if !ok {
						pe, is := o.panicked.(*forkjoin.PanicError)
						if !is {
							t.Fatalf("seed %d: %v", seed, o)
						}
						if _, is := pe.Value.(thrown); !is {
							t.Fatalf("seed %d: %v", seed, o)
						}
					}
				}
			})
		}
	})
}

// Many random programs at the same time.
func TestRandomProgramsTogether(t *testing.T) {
	other, err := forkjoin.New(forkjoin.Config{Workers: 3})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	eachProcs(t, func(t *testing.T) {
		within(t, 60*time.Second, func() {
			r := newRunner(other)
			done := make(chan string)
			const callers = 32
			for c := range uint64(callers) {
				go func() {
					src := rand.New(rand.NewPCG(c, 11))
					for range scale(10) {
						prog := randomProgram(src, 1+src.IntN(150), c%2 == 0)
						want, ok := prog.meaning()
						var got uint64
						if o := outcomeOf(func() { got = r.run(prog) }); o.returned != ok || ok && got != want {
							done <- fmt.Sprintf("caller %d: %v with %x, want returned = %v with %x: %v", c, o, got, ok, want, prog)
							return
						}
					}
					done <- ""
				}()
			}
			for range callers {
				if s := <-done; s != "" {
					t.Error(s)
				}
			}
			if r.bad.Load() != 0 {
				t.Error("an error, exit or value that no node produces")
			}
		})
	})
}

// A loop body over a sequence that forks: break, return, continue and a panic
// in the body do what they do for any sequence.
func TestRangeOverFunc(t *testing.T) {
	// left and right yield from the one or the other branch of a join.
	left := func(yield func(int) bool) {
		for i := 0; ; i++ {
			more := false
			forkjoin.Join(func() { more = yield(i) }, func() { fib(3) })
			if !more {
				return
			}
		}
	}
	right := func(yield func(int) bool) {
		for i := 0; ; i++ {
			more := false
			forkjoin.Join(func() { fib(3) }, func() { more = yield(i) })
			if !more {
				return
			}
		}
	}
	rec := forkjoin.Recursive(func(t *forkjoin.Task[func() bool, bool], f func() bool) bool {
		if f == nil {
			return true
		}
		return f()
	})
	typed := func(yield func(int) bool) {
		for i := 0; rec(func() bool { return yield(i) }); i++ {
		}
	}
	everywhere(t, func(t *testing.T, p place) {
		within(t, 20*time.Second, func() {
			p.run(func() {
				for name, seq := range map[string]func(func(int) bool){"left": left, "right": right, "typed": typed} {
					sum := 0
					for i := range seq {
						if i%2 == 1 {
							continue
						}
						if i > 20 {
							break
						}
						var a, b int
						forkjoin.Join(func() { a = i }, func() { b = 1 })
						sum += a + b
					}
					if sum != 121 {
						t.Errorf("%s: sum %d, want 121", name, sum)
					}
					find := func() int {
						for i := range seq {
							for j := range seq {
								if i*j == 42 {
									return 100*i + j
								}
								if j > i {
									break
								}
							}
						}
						return -1
					}
					if got := find(); got != 607 && got != 706 {
						t.Errorf("%s: returned %d", name, got)
					}
					got := outcomeOf(func() {
						for i := range seq {
							if i == 5 {
								throwStruct()
							}
						}
					})
					pe, ok := got.panicked.(*forkjoin.PanicError)
					if !ok || pe.Value != (customPanic{7, "seven"}) {
						t.Errorf("%s: %v", name, got)
					}
				}
				sane(t)
			})
		})
	})
}

// Goroutines that tasks start are callers of their own.
func TestGoroutinesInsideTasks(t *testing.T) {
	everywhere(t, func(t *testing.T, p place) {
		within(t, 30*time.Second, func() {
			p.run(func() {
				var n atomic.Int64
				forkjoin.ParallelFor(20, func(i int) {
					var wait sync.WaitGroup
					for range 3 {
						wait.Go(func() {
							if fib(8) == 21 && joinFib(5) == 5 {
								n.Add(1)
							}
							forkjoin.ParallelFor(10, func(int) { n.Add(1) })
						})
					}
					if i%2 == 0 {
						forkjoin.Blocking(wait.Wait)
					} else {
						wait.Wait()
					}
				}, forkjoin.MaxLeaf(1))
				if n.Load() != 20*3*11 {
					t.Errorf("%d, want %d", n.Load(), 20*3*11)
				}
			})
		})
	})
}

// Goroutines that a task started go on after its call has returned.
func TestGoroutinesOutliveTasks(t *testing.T) {
	everywhere(t, func(t *testing.T, p place) {
		within(t, 30*time.Second, func() {
			var wait sync.WaitGroup
			var n atomic.Int64
			p.run(func() {
				forkjoin.JoinAll(
					func() { wait.Go(func() { runtime.Gosched(); n.Add(int64(fib(10))) }) },
					func() { wait.Go(func() { runtime.Gosched(); n.Add(int64(joinFib(6))) }) },
					func() {
						wait.Go(func() {
							var wg forkjoin.WaitGroup
							wg.Go(func() { n.Add(1) })
							wg.Wait()
						})
					},
				)
			})
			wait.Wait()
			if n.Load() != 64 {
				t.Errorf("%d, want 64", n.Load())
			}
		})
	})
}
