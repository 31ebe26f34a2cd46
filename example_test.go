package forkjoin_test

import (
	"context"
	"errors"
	"fmt"
	"runtime/pprof"
	"slices"
	"sync/atomic"
	"time"

	"github.com/forkjoin-go/forkjoin"
	"github.com/forkjoin-go/forkjoin/sim"
)

// A quicksort whose two halves are sorted at the same time.
func ExampleJoin() {
	var quicksort func(v []int)
	quicksort = func(v []int) {
		if len(v) < 2 {
			return
		}
		pivot, mid := v[0], 0
		for i, x := range v[1:] {
			if x < pivot {
				mid++
				v[mid], v[i+1] = v[i+1], v[mid]
			}
		}
		v[0], v[mid] = v[mid], v[0]
		forkjoin.Join(
			func() { quicksort(v[:mid]) },
			func() { quicksort(v[mid+1:]) },
		)
	}
	v := []int{5, 2, 8, 1, 9, 3}
	quicksort(v)
	fmt.Println(v)
	// Output: [1 2 3 5 8 9]
}

func ExampleJoin2() {
	words := []string{"fork", "join", "steal", "publish"}
	longest, total := forkjoin.Join2(
		func() string {
			return slices.MaxFunc(words, func(a, b string) int { return len(a) - len(b) })
		},
		func() (n int) {
			for _, w := range words {
				n += len(w)
			}
			return n
		},
	)
	fmt.Println(longest, total)
	// Output: publish 20
}

func ExampleJoinAll() {
	var users, orders, prices int
	forkjoin.JoinAll(
		func() { users = 3 },
		func() { orders = 14 },
		func() { prices = 15 },
	)
	fmt.Println(users, orders, prices)
	// Output: 3 14 15
}

// Keep the function that Recursive returns and call it as often as you like.
func ExampleRecursive() {
	fib := forkjoin.Recursive(func(t *forkjoin.Task[int, int], n int) int {
		if n < 2 {
			return n
		}
		a, b := t.Join(n-1, n-2)
		return a + b
	})
	fmt.Println(fib(10), fib(20))
	// Output: 55 6765
}

// The depth of a binary tree.
func ExampleTask_Join() {
	type node struct{ left, right *node }
	depth := forkjoin.Recursive(func(t *forkjoin.Task[*node, int], n *node) int {
		if n == nil {
			return 0
		}
		l, r := t.Join(n.left, n.right)
		return 1 + max(l, r)
	})
	tree := &node{left: &node{right: &node{}}, right: &node{}}
	fmt.Println(depth(tree))
	// Output: 3
}

// The size of a directory tree, whose nodes have any number of children.
func ExampleTask_JoinAll() {
	type dir struct {
		size int
		subs []dir
	}
	total := forkjoin.Recursive(func(t *forkjoin.Task[dir, int], d dir) int {
		sizes := make([]int, len(d.subs))
		t.JoinAll(d.subs, sizes)
		sum := d.size
		for _, s := range sizes {
			sum += s
		}
		return sum
	})
	fmt.Println(total(dir{1, []dir{{2, nil}, {3, []dir{{4, nil}}}, {5, nil}}}))
	// Output: 15
}

func ExampleWaitGroup() {
	var squares [5]int
	var wg forkjoin.WaitGroup
	for i := range squares {
		wg.Go(func() { squares[i] = i * i })
	}
	wg.Wait()
	fmt.Println(squares)
	// Output: [0 1 4 9 16]
}

func ExampleGroup() {
	fetch := func(name string) error {
		if name == "b" {
			return errors.New("no b")
		}
		return nil
	}
	var g forkjoin.Group
	for _, name := range []string{"a", "b", "c"} {
		g.Go(func() error { return fetch(name) })
	}
	fmt.Println(g.Wait())
	// Output: no b
}

func ExampleGroup_SetLimit() {
	var g forkjoin.Group
	g.SetLimit(2)
	var active, over atomic.Int32
	for range 10 {
		g.Go(func() error {
			if active.Add(1) > 2 {
				over.Add(1)
			}
			active.Add(-1)
			return nil
		})
	}
	fmt.Println(g.Wait(), over.Load())
	// Output: <nil> 0
}

func ExampleGroup_TryGo() {
	var g forkjoin.Group
	g.SetLimit(1)
	hold := make(chan struct{})
	wait := func() error { <-hold; return nil }
	fmt.Println(g.TryGo(wait), g.TryGo(wait))
	close(hold)
	fmt.Println(g.Wait())
	// Output:
	// true false
	// <nil>
}

// The first error cancels the context, so that the others can stop.
func ExampleWithContext() {
	g, ctx := forkjoin.WithContext(context.Background())
	g.Go(func() error {
		<-ctx.Done()
		return ctx.Err()
	})
	g.Go(func() error { return errors.New("disk full") })
	fmt.Println(g.Wait())
	fmt.Println(context.Cause(ctx))
	// Output:
	// disk full
	// disk full
}

func ExampleParallelFor() {
	celsius := []float64{-40, 0, 37, 100}
	fahrenheit := make([]float64, len(celsius))
	forkjoin.ParallelFor(len(celsius), func(i int) {
		fahrenheit[i] = celsius[i]*9/5 + 32
	})
	fmt.Println(fahrenheit)
	// Output: [-40 32 98.6 212]
}

// With a range at a time the inner loop is the compiler's.
func ExampleParallelForRange() {
	v := []int{1, 2, 3, 4, 5, 6, 7, 8}
	forkjoin.ParallelForRange(2, 6, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			v[i] = -v[i]
		}
	})
	fmt.Println(v)
	// Output: [1 2 -3 -4 -5 -6 7 8]
}

func ExampleParallelForErr() {
	urls := []string{"one", "two", "", "four"}
	err := forkjoin.ParallelForErr(context.Background(), len(urls), func(ctx context.Context, i int) error {
		if urls[i] == "" {
			return fmt.Errorf("url %d is empty", i)
		}
		return nil
	})
	fmt.Println(err)
	// Output: url 2 is empty
}

func ExampleParallelFor2D() {
	const rows, cols = 4, 6
	var table [rows][cols]int
	forkjoin.ParallelFor2D(rows, cols, func(r0, r1, c0, c1 int) {
		for r := r0; r < r1; r++ {
			for c := c0; c < c1; c++ {
				table[r][c] = r * c
			}
		}
	})
	fmt.Println(table[3])
	// Output: [0 3 6 9 12 15]
}

// Each goroutine that takes part has a buffer of its own.
func ExampleParallelForWith() {
	lengths := make([]int, 4)
	forkjoin.ParallelForWith(len(lengths),
		func() *[]byte { return new([]byte) },
		func(buf *[]byte, i int) {
			*buf = fmt.Appendf((*buf)[:0], "number %d", i*100)
			lengths[i] = len(*buf)
		})
	fmt.Println(lengths)
	// Output: [8 10 10 10]
}

func ExampleParallelReduce() {
	v := []int{3, 1, 4, 1, 5, 9, 2, 6}
	sum := forkjoin.ParallelReduce(len(v), 0, func(lo, hi int) int {
		s := 0
		for _, x := range v[lo:hi] {
			s += x
		}
		return s
	}, func(a, b int) int { return a + b })
	fmt.Println(sum)
	// Output: 31
}

func ExampleParallelReduceErr() {
	v := []int{3, 1, 4, -1, 5}
	_, err := forkjoin.ParallelReduceErr(context.Background(), len(v), 0,
		func(_ context.Context, lo, hi int) (int, error) {
			s := 0
			for i, x := range v[lo:hi] {
				if x < 0 {
					return 0, fmt.Errorf("element %d is negative", lo+i)
				}
				s += x
			}
			return s, nil
		}, func(a, b int) int { return a + b })
	fmt.Println(err)
	// Output: element 3 is negative
}

// Iterations that hold a lock or set something up are worth running several at
// a time.
func ExampleMinLeaf() {
	var leaves, items atomic.Int64
	forkjoin.ParallelForRange(0, 1000, func(lo, hi int) {
		leaves.Add(1)
		items.Add(int64(hi - lo))
	}, forkjoin.MinLeaf(100), forkjoin.Label("batch"))
	fmt.Println(leaves.Load() <= 10, items.Load())
	// Output: true 1000
}

func ExampleMaxLeaf() {
	var tooLong atomic.Int64
	forkjoin.ParallelForRange(0, 1000, func(lo, hi int) {
		if hi-lo > 64 {
			tooLong.Add(1)
		}
	}, forkjoin.MaxLeaf(64))
	fmt.Println(tooLong.Load())
	// Output: 0
}

func ExampleNew() {
	pool, err := forkjoin.New(forkjoin.Config{Workers: 2, Name: "index"})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer pool.Close()
	var a, b int
	pool.Run(func() {
		forkjoin.Join(func() { a = 1 }, func() { b = 2 })
	})
	fmt.Println(pool.Workers(), a+b)
	// Output: 2 3
}

// Whatever f calls, however deep, runs on the pool.
func ExamplePool_Run() {
	pool, err := forkjoin.New(forkjoin.Config{Workers: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer pool.Close()
	countBelow := func(n int) int {
		return forkjoin.ParallelReduce(n, 0,
			func(lo, hi int) int { return hi - lo },
			func(a, b int) int { return a + b })
	}
	var n int
	pool.Run(func() { n = countBelow(1000) })
	fmt.Println(n)
	// Output: 1000
}

func ExamplePool_Submit() {
	pool, err := forkjoin.New(forkjoin.Config{Workers: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	var n atomic.Int64
	for range 3 {
		if err := pool.Submit(func() { n.Add(1) }); err != nil {
			fmt.Println(err)
		}
	}
	pool.Close() // waits for what was submitted
	fmt.Println(n.Load())
	fmt.Println(errors.Is(pool.Submit(func() {}), forkjoin.ErrClosed))
	// Output:
	// 3
	// true
}

func ExamplePool_Broadcast() {
	pool, err := forkjoin.New(forkjoin.Config{Workers: 3})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer pool.Close()
	var visits [3]int
	pool.Broadcast(func(worker int) { visits[worker]++ })
	fmt.Println(visits)
	// Output: [1 1 1]
}

func ExampleDefault() {
	before := forkjoin.Default().Stats()
	forkjoin.Join(func() {}, func() {})
	after := forkjoin.Default().Stats()
	fmt.Println(after.Forks > before.Forks)
	// Output: true
}

// A task that is going to wait says so, and others run meanwhile.
func ExampleBlocking() {
	reply := make(chan string)
	go func() {
		time.Sleep(time.Millisecond)
		reply <- "pong"
	}()
	var got string
	forkjoin.Join(
		func() { forkjoin.Blocking(func() { got = <-reply }) },
		func() {},
	)
	fmt.Println(got)
	// Output: pong
}

// In a CPU profile the work shows under request=7, wherever it ran.
func ExampleDo() {
	ctx := pprof.WithLabels(context.Background(), pprof.Labels("request", "7"))
	var a, b int
	forkjoin.Do(ctx, func() {
		forkjoin.Join(func() { a = 6 * 7 }, func() { b = 6 + 7 })
	})
	fmt.Println(a, b)
	// Output: 42 13
}

// A panic arrives in the caller with its value and the stack of where it
// happened.
func ExamplePanicError() {
	errMissing := errors.New("missing")
	defer func() {
		err := recover().(error)
		var pe *forkjoin.PanicError
		if errors.As(err, &pe) {
			fmt.Println(pe.Value, len(pe.Stack) > 0)
		}
		fmt.Println(errors.Is(err, errMissing))
	}()
	forkjoin.Join(func() {}, func() { panic(errMissing) })
	// Output:
	// missing true
	// true
}

func ExampleLabeled() {
	tree, err := sim.Record(func() {
		forkjoin.Labeled("parse", func() { forkjoin.Charge(20) })
		forkjoin.Labeled("count", func() {
			forkjoin.ParallelFor(10, func(int) { forkjoin.Charge(8) }, forkjoin.Label("lines"))
		})
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for i := 1; i < tree.Names(); i++ {
		fmt.Println(tree.Name(i))
	}
	// Output:
	// parse
	// count
	// lines
}

func ExampleCharge() {
	tree, err := sim.Record(func() {
		forkjoin.Join(func() { forkjoin.Charge(70) }, func() { forkjoin.Charge(30) })
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(tree.Measure(0).Work, tree.Measure(0).Span)
	// Output: 100 70
}
