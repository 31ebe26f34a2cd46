package forkjoin_test

import (
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"github.com/forkjoin-go/forkjoin"
)

func TestRecursiveResults(t *testing.T) {
	everywhere(t, func(t *testing.T, p place) {
		within(t, 20*time.Second, func() {
			p.run(func() {
				for n := range 20 {
					if got, want := fib(n), seqFib(n); got != want {
						t.Errorf("fib(%d) = %d, want %d", n, got, want)
					}
				}
			})
		})
	})
}

// The first result is that of the first argument, whoever ran it.
func TestRecursiveOrder(t *testing.T) {
	letters := forkjoin.Recursive(func(t *forkjoin.Task[[2]int, string], r [2]int) string {
		lo, hi := r[0], r[1]
		if hi-lo == 1 {
			return string(rune('a' + lo%26))
		}
		mid := (lo + hi) / 2
		x, y := t.Join([2]int{lo, mid}, [2]int{mid, hi})
		return x + y
	})
	want := strings.Repeat("abcdefghijklmnopqrstuvwxyz", 40)
	everywhere(t, func(t *testing.T, p place) {
		within(t, 20*time.Second, func() {
			p.run(func() {
				for range scale(20) {
					if got := letters([2]int{0, len(want)}); got != want {
						t.Fatalf("got %q", got)
					}
				}
			})
		})
	})
}

type bigArg struct {
	depth int
	pad   [32]int64
	name  string
}

type bigResult struct {
	count int
	hash  [40]uint64
	names []string
}

// Arguments and results of every make arrive whole.
func TestRecursiveTypes(t *testing.T) {
	big := forkjoin.Recursive(func(t *forkjoin.Task[bigArg, bigResult], a bigArg) (r bigResult) {
		if a.depth == 0 {
			r.count = 1
			for i := range r.hash {
				r.hash[i] = uint64(a.pad[i%len(a.pad)])
			}
			r.names = []string{a.name}
			return r
		}
		l, m := a, a
		l.depth, m.depth = a.depth-1, a.depth-1
		for i := range l.pad {
			l.pad[i] = l.pad[i]*3 + int64(i)
			m.pad[i] = m.pad[i]*5 - int64(i)
		}
		l.name, m.name = a.name+"0", a.name+"1"
		x, y := t.Join(l, m)
		r.count = x.count + y.count
		for i := range r.hash {
			r.hash[i] = x.hash[i]*31 + y.hash[i]
		}
		r.names = append(x.names, y.names...)
		return r
	})
	var bigSeq func(a bigArg) bigResult
	bigSeq = func(a bigArg) (r bigResult) {
		if a.depth == 0 {
			r.count = 1
			for i := range r.hash {
				r.hash[i] = uint64(a.pad[i%len(a.pad)])
			}
			r.names = []string{a.name}
			return r
		}
		l, m := a, a
		l.depth, m.depth = a.depth-1, a.depth-1
		for i := range l.pad {
			l.pad[i] = l.pad[i]*3 + int64(i)
			m.pad[i] = m.pad[i]*5 - int64(i)
		}
		l.name, m.name = a.name+"0", a.name+"1"
		x, y := bigSeq(l), bigSeq(m)
		r.count = x.count + y.count
		for i := range r.hash {
			r.hash[i] = x.hash[i]*31 + y.hash[i]
		}
		r.names = append(x.names, y.names...)
		return r
	}
	start := bigArg{depth: 7, name: "n"}
	for i := range start.pad {
		start.pad[i] = int64(i * i)
	}
	want := bigSeq(start)

	none := forkjoin.Recursive(func(t *forkjoin.Task[int, struct{}], n int) struct{} {
		if n > 0 {
			t.Join(n-1, n-1)
		}
		return struct{}{}
	})
	var zeroArgs atomic.Int64
	noArg := forkjoin.Recursive(func(t *forkjoin.Task[struct{}, int64], _ struct{}) int64 {
		n := zeroArgs.Add(1)
		if n < 100 {
			a, b := t.Join(struct{}{}, struct{}{})
			return a + b + 1
		}
		return 1
	})
	failing := forkjoin.Recursive(func(t *forkjoin.Task[int, error], n int) error {
		if n == 0 {
			return nil
		}
		if n%7 == 0 {
			return fmt.Errorf("%d", n)
		}
		a, b := t.Join(n-1, n/2)
		if a != nil {
			return a
		}
		return b
	})
	anys := forkjoin.Recursive(func(t *forkjoin.Task[any, any], v any) any {
		switch v := v.(type) {
		case int:
			if v == 0 {
				return nil
			}
			a, b := t.Join(v-1, fmt.Sprint(v))
			return []any{a, b}
		case string:
			return v
		}
		return nil
	})

	everywhere(t, func(t *testing.T, p place) {
		within(t, 30*time.Second, func() {
			p.run(func() {
				for range scale(20) {
					if got := big(start); !reflect.DeepEqual(got, want) {
						t.Fatal("big structs: result differs from the sequential one")
					}
					none(8)
					zeroArgs.Store(0)
					if got := noArg(struct{}{}); got != zeroArgs.Load() {
						t.Fatalf("no arguments: %d calls counted as %d", zeroArgs.Load(), got)
					}
					if err := failing(6); err != nil {
						t.Fatalf("nil error came back as %v", err)
					}
					if err := failing(10); err == nil || err.Error() != "7" {
						t.Fatalf("error came back as %v, want 7", err)
					}
					if got := fmt.Sprint(anys(5)); got != "[[[[[<nil> 1] 2] 3] 4] 5]" {
						t.Fatalf("interfaces: %s", got)
					}
				}
			})
		})
	})
}

type node struct {
	left, right *node
	value       int
}

func makeTree(depth, value int) *node {
	if depth == 0 {
		return nil
	}
	return &node{makeTree(depth-1, 2*value), makeTree(depth-1, 2*value+1), value}
}

// Pointers as arguments keep what they point to alive through a collection in
// the middle of the run.
func TestRecursivePointers(t *testing.T) {
	mirror := forkjoin.Recursive(func(t *forkjoin.Task[*node, *node], n *node) *node {
		if n == nil {
			return nil
		}
		if n.value%397 == 0 {
			runtime.GC()
		}
		l, r := t.Join(n.left, n.right)
		return &node{r, l, n.value}
	})
	var same func(a, b *node) bool
	same = func(a, b *node) bool {
		if a == nil || b == nil {
			return a == b
		}
		return a.value == b.value && same(a.left, b.right) && same(a.right, b.left)
	}
	everywhere(t, func(t *testing.T, p place) {
		within(t, 30*time.Second, func() {
			tree := makeTree(11, 1)
			p.run(func() {
				for range scale(3) {
					if !same(tree, mirror(tree)) {
						t.Fatal("the mirror image differs")
					}
				}
			})
		})
	})
}

func TestRecursiveJoinAll(t *testing.T) {
	const width = 101
	squares := forkjoin.Recursive(func(t *forkjoin.Task[int, int], n int) int {
		if n >= 0 {
			return n * n
		}
		args := make([]int, -n-1)
		for i := range args {
			args[i] = i
		}
		results := make([]int, len(args)+3)
		for i := range results {
			results[i] = -7
		}
		t.JoinAll(args, results)
		sum := 0
		for i, r := range results {
			if want := i * i; i < len(args) && r != want || i >= len(args) && r != -7 {
				return -1 - i
			}
			if i < len(args) {
				sum += r
			}
		}
		return sum
	})
	everywhere(t, func(t *testing.T, p place) {
		within(t, 20*time.Second, func() {
			p.run(func() {
				want := 0
				for n := range width {
					if got := squares(-n - 1); got != want {
						t.Errorf("%d arguments: got %d, want %d", n, got, want)
					}
					want += n * n
				}
			})
		})
	})
}

// JoinAll in a tree whose nodes have 0, 1, 2, odd and many children.
func TestRecursiveJoinAllTree(t *testing.T) {
	type arg struct{ depth, seed int }
	children := func(a arg) []arg {
		if a.depth == 0 {
			return nil
		}
		out := make([]arg, []int{0, 1, 2, 3, 5, 8}[uint(a.seed)%6])
		for i := range out {
			out[i] = arg{a.depth - 1, a.seed*31 + i*17 + 1}
		}
		return out
	}
	var seq func(a arg) int
	seq = func(a arg) int {
		h := a.seed
		for _, c := range children(a) {
			h = h*1_000_003 + seq(c)
		}
		return h
	}
	par := forkjoin.Recursive(func(t *forkjoin.Task[arg, int], a arg) int {
		args := children(a)
		results := make([]int, len(args))
		t.JoinAll(args, results)
		h := a.seed
		for _, r := range results {
			h = h*1_000_003 + r
		}
		return h
	})
	everywhere(t, func(t *testing.T, p place) {
		within(t, 20*time.Second, func() {
			p.run(func() {
				for seed := range scale(60) {
					a := arg{7, seed}
					if got, want := par(a), seq(a); got != want {
						t.Fatalf("seed %d: got %d, want %d", seed, got, want)
					}
				}
			})
		})
	})
}

func TestRecursiveBadInput(t *testing.T) {
	within(t, 10*time.Second, func() {
		refuses(t, func() { forkjoin.Recursive[int, int](nil) }, "forkjoin: Recursive: f is nil")
		for _, size := range [][2]int{{1, 0}, {2, 1}, {5, 3}} {
			ran := false
			f := forkjoin.Recursive(func(t *forkjoin.Task[int, int], n int) int {
				if n == 0 {
					ran = true
					return 1
				}
				t.JoinAll(make([]int, size[0]), make([]int, size[1]))
				return 0
			})
			refusesWithin(t, func() { f(1) }, "JoinAll", "results", fmt.Sprint(size[1]), fmt.Sprint(size[0]))
			if ran {
				t.Error("a task ran although results was too short")
			}
		}
		// A nil results is long enough for no arguments.
		empty := forkjoin.Recursive(func(t *forkjoin.Task[int, int], n int) int { t.JoinAll(nil, nil); return n })
		if got := empty(3); got != 3 {
			t.Errorf("got %d, want 3", got)
		}
		sane(t)
	})
}

// A Task is refused on another goroutine, after its call, and if no call made it.
func TestTaskOfAnother(t *testing.T) {
	type task = forkjoin.Task[int, int]
	for name, join := range map[string]func(ta *task){
		"Task.Join":    func(ta *task) { ta.Join(0, 0) },
		"Task.JoinAll": func(ta *task) { ta.JoinAll(make([]int, 2), make([]int, 2)) },
	} {
		within(t, 10*time.Second, func() {
			join := func(ta *task) {
				t.Helper()
				refuses(t, func() { join(ta) }, "forkjoin: "+name+": the Task is")
			}
			join(new(task))
			var kept *task
			f := forkjoin.Recursive(func(ta *task, n int) int {
				if n == 0 {
					return 1
				}
				kept = ta
				done := make(chan bool)
				go func() {
					defer close(done)
					join(ta)
					forkjoin.Join(func() { join(ta) }, nop)
				}()
				<-done
				x, y := ta.Join(0, 0)
				return x + y
			})
			if got := f(1); got != 2 {
				t.Errorf("got %d, want 2", got)
			}
			join(kept)
		})
	}
	sane(t)
}

// spineDepth is what the goroutine's stack of this build has room for.
func spineDepth(t *testing.T) int {
	switch {
	case build.wasm:
		t.Skip("the engine's own stack is too small")
	case unsafe.Sizeof(uintptr(0)) == 4 || build.race:
		return 100_000
	case build.purego:
		return 300_000
	}
	return 1_000_000
}

// Depth on either side costs stack only as the program's own recursion does.
func TestRecursiveSpines(t *testing.T) {
	type arg struct{ n, kind int } // kind 0: leaf, 1: left, 2: right, 3: zigzag
	spine := forkjoin.Recursive(func(t *forkjoin.Task[arg, int], a arg) int {
		if a.n == 0 || a.kind == 0 {
			return 1
		}
		deep, flat := arg{a.n - 1, a.kind}, arg{}
		var x, y int
		if a.kind == 1 || a.kind == 3 && a.n%2 == 0 {
			x, y = t.Join(deep, flat)
		} else {
			x, y = t.Join(flat, deep)
		}
		return x + y
	})
	check := func(t *testing.T, p place, depth int) {
		for kind, name := range []string{1: "left", 2: "right", 3: "zigzag"} {
			if kind == 0 {
				continue
			}
			within(t, 30*time.Second, func() {
				p.run(func() {
					if got := spine(arg{depth, kind}); got != depth+1 {
						t.Errorf("%s: got %d, want %d", name, got, depth+1)
					}
				})
			})
			runtime.GC()
		}
	}
	t.Run("full", func(t *testing.T) {
		depth := spineDepth(t)
		check(t, place{workers: runtime.GOMAXPROCS(0), run: func(f func()) { f() }}, depth)
	})
	everywhere(t, func(t *testing.T, p place) { check(t, p, min(spineDepth(t), scale(20_000))) })
}

// A spine whose flat branches are slow enough to be stolen: waiting joins pile
// up all along it.
func TestRecursiveSpineWithWork(t *testing.T) {
	type arg struct {
		n    int
		leaf bool
	}
	spine := forkjoin.Recursive(func(t *forkjoin.Task[arg, int], a arg) int {
		switch {
		case a.leaf:
			return seqFib(12) - 143
		case a.n == 0:
			return 0
		}
		x, y := t.Join(arg{n: a.n - 1}, arg{leaf: true})
		return x + y
	})
	everywhere(t, func(t *testing.T, p place) {
		within(t, 30*time.Second, func() {
			p.run(func() {
				n := scale(10_000)
				if build.wasm {
					n = 100
				}
				if got := spine(arg{n: n}); got != n {
					t.Errorf("got %d, want %d", got, n)
				}
			})
		})
	})
}

func TestRecursiveBalanced(t *testing.T) {
	count := forkjoin.Recursive(func(t *forkjoin.Task[int, int], depth int) int {
		if depth == 0 {
			return 1
		}
		a, b := t.Join(depth-1, depth-1)
		return a + b
	})
	everywhere(t, func(t *testing.T, p place) {
		within(t, 30*time.Second, func() {
			depth := 17
			if slow() {
				depth = 12
			}
			p.run(func() {
				if got := count(depth); got != 1<<depth {
					t.Errorf("got %d, want %d", got, 1<<depth)
				}
			})
		})
	})
}

// The function that Recursive returns is called from inside its own recursion,
// instead of through t.
func TestRecursiveInsideItself(t *testing.T) {
	var f func(n int) int
	f = forkjoin.Recursive(func(t *forkjoin.Task[int, int], n int) int {
		switch {
		case n < 2:
			return n
		case n%3 == 0:
			return f(n-1) + f(n-2)
		case n%3 == 1:
			a, b := t.Join(n-1, n-2)
			return a + b
		}
		x := f(n - 1)
		y, z := t.Join(n-2, 0)
		return x + y + z
	})
	everywhere(t, func(t *testing.T, p place) {
		within(t, 20*time.Second, func() {
			p.run(func() {
				for n := range 18 {
					if got, want := f(n), seqFib(n); got != want {
						t.Fatalf("f(%d) = %d, want %d", n, got, want)
					}
				}
			})
		})
	})
}

// Two recursions of the same type that differ only in what they captured, each
// started from inside the other.
func TestRecursiveNestedInEachOther(t *testing.T) {
	const m = 1_000_003
	var fs [2]func(n int) int
	for k := range fs {
		fs[k] = forkjoin.Recursive(func(t *forkjoin.Task[int, int], n int) int {
			if n < 2 {
				return n + k
			}
			x, y := t.Join(n-1, n-2)
			if n%4 == 0 {
				x += fs[1-k](n - 3)
			}
			return (x*3 + y*5 + k) % m
		})
	}
	var seq func(k, n int) int
	seq = func(k, n int) int {
		if n < 2 {
			return n + k
		}
		x, y := seq(k, n-1), seq(k, n-2)
		if n%4 == 0 {
			x += seq(1-k, n-3)
		}
		return (x*3 + y*5 + k) % m
	}
	everywhere(t, func(t *testing.T, p place) {
		within(t, 20*time.Second, func() {
			p.run(func() {
				for n := range 17 {
					for k := range fs {
						if got, want := fs[k](n), seq(k, n); got != want {
							t.Fatalf("recursion %d of %d: got %d, want %d", k, n, got, want)
						}
					}
				}
			})
		})
	})
}

// Recursions of different types nested in each other, with other calls in
// between.
func TestRecursiveMixedTypes(t *testing.T) {
	var number func(n int) int
	var text func(s string) string
	number = forkjoin.Recursive(func(t *forkjoin.Task[int, int], n int) int {
		if n == 0 {
			return 1
		}
		a, b := t.Join(n-1, n/2)
		return (a + b + len(text(strings.Repeat("x", n/2)))) % 1009
	})
	text = forkjoin.Recursive(func(t *forkjoin.Task[string, string], s string) string {
		if len(s) < 2 {
			return s + "."
		}
		a, b := t.Join(s[:len(s)/2], s[len(s)/2:])
		var n int
		forkjoin.Join(func() { n = number(len(s) / 2) }, nop)
		return a + b + strings.Repeat("y", n%3)
	})
	var seqText func(s string) string
	var seqNumber func(n int) int
	seqNumber = func(n int) int {
		if n == 0 {
			return 1
		}
		return (seqNumber(n-1) + seqNumber(n/2) + len(seqText(strings.Repeat("x", n/2)))) % 1009
	}
	seqText = func(s string) string {
		if len(s) < 2 {
			return s + "."
		}
		a, b := seqText(s[:len(s)/2]), seqText(s[len(s)/2:])
		return a + b + strings.Repeat("y", seqNumber(len(s)/2)%3)
	}
	const n = 9
	want := seqNumber(n)
	everywhere(t, func(t *testing.T, p place) {
		within(t, 20*time.Second, func() {
			p.run(func() {
				for range scale(20) {
					if got := number(n); got != want {
						t.Fatalf("got %d, want %d", got, want)
					}
				}
			})
		})
	})
}

// One recursion at the same time in the default pool and in two private ones,
// from many goroutines.
func TestRecursiveManyCallers(t *testing.T) {
	eachProcs(t, func(t *testing.T) {
		var pools [2]*forkjoin.Pool
		for i := range pools {
			var err error
			if pools[i], err = forkjoin.New(forkjoin.Config{Workers: i + 2}); err != nil {
				t.Fatal(err)
			}
		}
		n := 14
		if slow() {
			n = 10
		}
		want := seqFib(n)
		within(t, 30*time.Second, func() {
			var callers sync.WaitGroup
			for c := range 64 {
				callers.Go(func() {
					for range 5 {
						got := 0
						if c%3 == 2 {
							got = fib(n)
						} else {
							pools[c%3].Run(func() { got = fib(n) })
						}
						if got != want {
							t.Errorf("caller %d: fib(%d) = %d, want %d", c, n, got, want)
						}
					}
				})
			}
			callers.Wait()
			for _, pool := range pools {
				if err := pool.Close(); err != nil {
					t.Error(err)
				}
			}
		})
	})
}

// From inside a recursion running in one pool, the same recursion in another.
func TestRecursiveAcrossPools(t *testing.T) {
	eachProcs(t, func(t *testing.T) {
		one, err1 := forkjoin.New(forkjoin.Config{Workers: 2})
		two, err2 := forkjoin.New(forkjoin.Config{Workers: 3})
		if err1 != nil || err2 != nil {
			t.Fatal(err1, err2)
		}
		var f func(n int) int
		f = forkjoin.Recursive(func(t *forkjoin.Task[int, int], n int) int {
			if n < 2 {
				return n
			}
			if n%4 == 0 {
				var a, b int
				one.Run(func() { a = f(n - 1) })
				two.Run(func() { b = f(n - 2) })
				return a + b
			}
			a, b := t.Join(n-1, n-2)
			return a + b
		})
		within(t, 30*time.Second, func() {
			for n := range 15 {
				if got, want := f(n), seqFib(n); got != want {
					t.Errorf("f(%d) = %d, want %d", n, got, want)
				}
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

// A recursion does not keep what it captured once nobody holds its function.
func TestRecursiveIsCollected(t *testing.T) {
	within(t, 30*time.Second, func() {
		const count = 50
		var gone atomic.Int64
		for range count {
			func() {
				buf := new([1 << 14]byte)
				runtime.AddCleanup(buf, func(int) { gone.Add(1) }, 0)
				f := forkjoin.Recursive(func(t *forkjoin.Task[int, int], n int) int {
					if n == 0 {
						return int(buf[0]) + 1
					}
					a, b := t.Join(n-1, n-1)
					return a + b
				})
				if got := f(8); got != 256 {
					t.Errorf("got %d, want 256", got)
				}
			}()
		}
		// The last one may still be at hand for its next call.
		soon(t, 10*time.Second, "recursions are collected", func() bool {
			runtime.GC()
			return gone.Load() >= count-4
		})
	})
}

// A finished run keeps neither arguments nor results alive, although the
// recursion itself lives on.
func TestRecursiveLetsGo(t *testing.T) {
	type blob = [1 << 12]byte
	f := forkjoin.Recursive(func(t *forkjoin.Task[[]*blob, *blob], s []*blob) *blob {
		if len(s) == 1 {
			seqFib(12)
			return s[0]
		}
		a, b := t.Join(s[:len(s)/2:len(s)/2], s[len(s)/2:])
		if a == nil {
			return b
		}
		return a
	})
	everywhere(t, func(t *testing.T, p place) {
		within(t, 30*time.Second, func() {
			const count = 64
			var gone atomic.Int64
			func() {
				blobs := make([]*blob, count)
				for i := range blobs {
					blobs[i] = new(blob)
					runtime.AddCleanup(blobs[i], func(int) { gone.Add(1) }, 0)
				}
				p.run(func() {
					if f(blobs) != blobs[0] {
						t.Error("wrong result")
					}
				})
			}()
			soon(t, 10*time.Second, "arguments and results of a finished run are collected", func() bool {
				runtime.GC()
				return gone.Load() == count
			})
		})
	})
	runtime.KeepAlive(f)
}

// Neither does one that ended in a panic or Goexit, whatever it had forked then.
func TestRecursiveLetsGoOfFailures(t *testing.T) {
	var h hold
	type arg struct {
		depth int
		*cargo
	}
	f := forkjoin.Recursive(func(t *forkjoin.Task[arg, *cargo], a arg) *cargo {
		switch a.depth {
		case 0:
			panic("bottom")
		case 1:
			runtime.Goexit()
		case 9:
			return a.cargo
		}
		t.Join(arg{a.depth - 2, h.load()}, arg{9, h.load()})
		return a.cargo
	})
	everywhere(t, func(t *testing.T, p place) {
		within(t, 30*time.Second, func() {
			for i := range 20 {
				done := make(chan struct{})
				go func() {
					defer close(done)
					caught(func() { p.run(func() { f(arg{100 + i, h.load()}) }) })
				}()
				<-done
			}
			soon(t, 10*time.Second, "arguments and results of failed runs are collected", func() bool {
				runtime.GC()
				return h.gone.Load() == h.made.Load()
			})
		})
	})
	runtime.KeepAlive(f)
}

// What a deep run needed is not kept, although the recursion itself lives on.
func TestRecursiveTrims(t *testing.T) {
	type large [1 << 8]byte // copied often at each level, on stacks that are smaller with 32 bits
	f := forkjoin.Recursive(func(t *forkjoin.Task[int, large], n int) (r large) {
		if n > 0 {
			spin(time.Microsecond) // too long for joins to be run inline
			t.Join(n-1, 0)
		}
		return r
	})
	inUse := func() int64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	const depth = 20_000
	within(t, 30*time.Second, func() {
		before := inUse()
		f(depth)
		if kept := inUse() - before; kept > depth/2*int64(len(large{})) {
			t.Errorf("a run of depth %d leaves %d bytes in use", depth, kept)
		}
	})
	runtime.KeepAlive(f)
}

// Typed forks allocate nothing once a recursion is warm.
func TestRecursiveAllocatesNothing(t *testing.T) {
	if build.race || build.wasm {
		t.Skip("counts differ")
	}
	within(t, 20*time.Second, func() {
		fib(15)
		if n := testing.AllocsPerRun(20, func() { fib(15) }); n > 4 {
			t.Errorf("%v allocations in a run of 986 joins", n)
		}
	})
}

// Results of several sizes at once, to catch frames of one recursion used for
// another.
func TestRecursiveManyKinds(t *testing.T) {
	kinds := []func() error{
		kindTest(func(i int) uint8 { return uint8(i) }),
		kindTest(func(i int) [3]uint16 { return [3]uint16{uint16(i), 1, 2} }),
		kindTest(func(i int) string { return fmt.Sprint(i) }),
		kindTest(func(i int) float64 { return float64(i) / 3 }),
		kindTest(func(i int) [2]string { return [2]string{fmt.Sprint(i), "z"} }),
		kindTest(func(i int) complex128 { return complex(float64(i), 1) }),
		kindTest(func(i int) any { return i }),
		kindTest(func(i int) struct{} { return struct{}{} }),
	}
	eachProcs(t, func(t *testing.T) {
		within(t, 30*time.Second, func() {
			var callers sync.WaitGroup
			for c := range 16 {
				callers.Go(func() {
					for round := range scale(20) {
						if err := kinds[(c+round)%len(kinds)](); err != nil {
							t.Error(err)
						}
					}
				})
			}
			callers.Wait()
		})
	})
}

// kindTest returns a check that a recursion over ranges collects the values of
// f in order.
func kindTest[V comparable](f func(i int) V) func() error {
	type span struct{ lo, hi int }
	type result struct {
		first, last V
		list        []V
	}
	rec := forkjoin.Recursive(func(t *forkjoin.Task[span, result], s span) result {
		if s.hi-s.lo == 1 {
			v := f(s.lo)
			return result{v, v, []V{v}}
		}
		mid := (s.lo + s.hi) / 2
		a, b := t.Join(span{s.lo, mid}, span{mid, s.hi})
		return result{a.first, b.last, slices.Concat(a.list, b.list)}
	})
	return func() error {
		got := rec(span{0, 200})
		if got.first != f(0) || got.last != f(199) || len(got.list) != 200 {
			return fmt.Errorf("%T: ends or length differ", got.first)
		}
		for i, v := range got.list {
			if v != f(i) {
				return fmt.Errorf("%T: element %d is %v, want %v", v, i, v, f(i))
			}
		}
		return nil
	}
}
