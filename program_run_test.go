package forkjoin_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/forkjoin-go/forkjoin"
)

// A runner runs programs in parallel.
type runner struct {
	other *forkjoin.Pool
	rec   func(work) uint64
	all   func(work) uint64
	bad   atomic.Pointer[string] // something that no node does
}

// work is a node of a program, or its children as a row to be joined, and the
// mutex of its parent.
type work struct {
	p   *program
	mu  *sync.Mutex
	row bool
}

func newRunner(other *forkjoin.Pool) *runner {
	r := &runner{other: other}
	r.rec = forkjoin.Recursive(func(t *forkjoin.Task[work, uint64], w work) uint64 {
		if !w.row {
			return r.node(w.p, w.mu)
		}
		x, y := t.Join(work{p: w.p.children[0], mu: w.mu}, work{p: w.p.children[1], mu: w.mu})
		return mixIn(mixIn(w.p.value, x), y)
	})
	r.all = forkjoin.Recursive(func(t *forkjoin.Task[work, uint64], w work) uint64 {
		if !w.row {
			return r.node(w.p, w.mu)
		}
		args := make([]work, len(w.p.children))
		for i, c := range w.p.children {
			args[i] = work{p: c, mu: w.mu}
		}
		results := make([]uint64, len(args))
		t.JoinAll(args, results)
		return fold(w.p.value, results)
	})
	return r
}

// check runs p somewhere and returns what is wrong with how that went.
func (r *runner) check(p *program, where func(func())) error {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	var got uint64
	o := outcomeOf(func() { where(func() { got = r.run(p) }) })
	if bad := r.bad.Load(); bad != nil {
		return errors.New(*bad)
	}
	switch f := p.fails(); {
	case o.returned && f.any():
		return fmt.Errorf("returned, want %+v", f)
	case o.returned:
		if want := p.meaning(); got != want {
			return fmt.Errorf("the value is %d, want %d", got, want)
		}
	case o.exited && !f.exits, !o.exited && !f.panics:
		return fmt.Errorf("%v, want %+v", o, f)
	case o.exited:
	default:
		v := o.panicked
		if pe, is := v.(*forkjoin.PanicError); is {
			v = pe.Value
		}
		if _, is := v.(thrown); !is {
			return fmt.Errorf("%v, want a value that the program throws", o)
		}
	}
	return nil
}

func (r *runner) fault(format string, args ...any) {
	s := fmt.Sprintf(format, args...)
	r.bad.CompareAndSwap(nil, &s)
}

// run runs a whole program.
func (r *runner) run(p *program) uint64 { return r.node(p, new(sync.Mutex)) }

// node runs p, whose siblings share outer.
func (r *runner) node(p *program, outer *sync.Mutex) uint64 {
	n := len(p.children)
	vs := make([]uint64, n)
	var mu sync.Mutex
	child := func(i int) { vs[i] = r.node(p.children[i], &mu) }
	safe := func(i int) { vs[i] = r.contained(p.children[i], &mu) }
	one := forkjoin.MaxLeaf(1)
	switch p.kind {
	case progLeaf:
		if p.value%5 == 0 {
			seqFib(int(p.value % 13))
		}
	case progPanic:
		panic(thrown{p.value})
	case progExit:
		runtime.Goexit()
	case progTrouble:
		trouble(p.value)
	case progSeq:
		for i := range n {
			child(i)
		}
	case progJoin:
		forkjoin.Join(func() { child(0) }, func() { child(1) })
	case progJoin2:
		vs[0], vs[1] = forkjoin.Join2(
			func() uint64 { return r.node(p.children[0], &mu) },
			func() uint64 { return r.node(p.children[1], &mu) })
	case progJoinAll:
		fns := make([]func(), n)
		for i := range fns {
			fns[i] = func() { child(i) }
		}
		forkjoin.JoinAll(fns...)
	case progRecursive:
		return r.rec(work{p, &mu, true})
	case progRecursiveAll:
		return r.all(work{p, &mu, true})
	case progFor:
		forkjoin.ParallelFor(n, child, one)
	case progForRange:
		forkjoin.ParallelForRange(-3, n-3, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				child(i + 3)
			}
		})
	case progForErr:
		if err := forkjoin.ParallelForErr(context.Background(), n, func(ctx context.Context, i int) error {
			child(i)
			return nil
		}, one); err != nil {
			r.fault("ParallelForErr: %v", err)
		}
	case progForWith:
		forkjoin.ParallelForWith(n, func() *bool { return new(bool) }, func(busy *bool, i int) {
			if *busy {
				r.fault("scratch is used by two at once")
			}
			*busy = true
			defer func() { *busy = false }()
			child(i)
		}, one)
	case progReduce:
		// The fold is not associative, so collect lists and fold at the end.
		vs = forkjoin.ParallelReduce(n, nil, func(lo, hi int) []uint64 {
			var out []uint64
			for i := lo; i < hi; i++ {
				out = append(out, r.node(p.children[i], &mu))
			}
			return out
		}, func(a, b []uint64) []uint64 { return append(a[:len(a):len(a)], b...) }, one)
	case progWaitGroup:
		var wg forkjoin.WaitGroup
		for i := range n {
			wg.Go(func() { child(i) })
		}
		wg.Wait()
	case progGroup:
		r.group(p, child)
	case progChannel:
		r.channel(p, safe)
	case progCancel:
		r.cancel(p, safe)
		return mixIn(p.value, vs[0])
	case progStop:
		r.stop(p, safe)
		return mixIn(p.value, vs[0])
	case progSubmit:
		r.submit(p, safe)
	case progBroadcast:
		r.other.Broadcast(func(worker int) {
			if worker == 0 {
				safe(0)
			}
		})
	case progOtherPool:
		pool := r.other
		if p.value%2 == 0 {
			pool = forkjoin.Default()
		}
		pool.Run(func() { child(0) })
	case progNewPool:
		r.newPool(p, child)
	case progGoroutine:
		if o := outcomeOf(func() { child(0) }); o.exited {
			runtime.Goexit()
		} else if !o.returned {
			panic(o.panicked)
		}
	case progRangeFunc:
		rangeFunc(n, child)
	case progRecover:
		if p.children[0].fails().panics {
			safe(0)
		} else {
			child(0)
		}
	case progBlocking:
		forkjoin.Blocking(func() { child(0) })
	case progLock:
		outer.Lock()
		defer outer.Unlock()
		child(0)
	}
	return fold(p.value, vs)
}

// contained runs p and deals with its failure. A panic is recovered in place. A
// Goexit can only be stopped by a goroutine that it ends.
func (r *runner) contained(p *program, mu *sync.Mutex) (h uint64) {
	if p.fails().exits {
		if o := outcomeOf(func() { h = r.node(p, mu) }); o.returned {
			r.fault("returned, want a Goexit")
		}
		return p.value + 1
	}
	defer func() {
		if v := recover(); v != nil {
			if pe, ok := v.(*forkjoin.PanicError); ok {
				v = pe.Value
			}
			if _, ok := v.(thrown); !ok {
				r.fault("recovered %v", v)
			}
			h = p.value + 1
		}
	}()
	return r.node(p, mu)
}

// rangeFunc ranges over a sequence each of whose elements is yielded from
// within a join.
func rangeFunc(n int, body func(i int)) {
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

func (r *runner) group(p *program, child func(i int)) {
	g, ctx := forkjoin.WithContext(context.Background())
	if p.value%2 == 0 {
		g.SetLimit(2)
	}
	for i := range p.children {
		g.Go(func() error { child(i); return nil })
	}
	if err := g.Wait(); err != nil {
		r.fault("Group: %v", err)
	}
	if ctx.Err() == nil {
		r.fault("the context of a group is not cancelled after Wait")
	}
}

// channel runs each child in a task that waits for the next one.
func (r *runner) channel(p *program, child func(i int)) {
	ready := make([]chan int, len(p.children)+1)
	for i := range ready {
		ready[i] = make(chan int, 1)
	}
	ready[len(p.children)] <- len(p.children)
	var wg forkjoin.WaitGroup
	for i := range p.children {
		wg.Go(func() {
			if p.value%2 == 0 {
				child(i)
			}
			var next int
			if p.value%3 == 0 {
				forkjoin.Blocking(func() { next = <-ready[i+1] })
			} else {
				next = <-ready[i+1]
			}
			if next != i+1 {
				r.fault("received %d, want %d", next, i+1)
			}
			if p.value%2 != 0 {
				child(i)
			}
			ready[i] <- i
		})
	}
	wg.Wait()
	if first := <-ready[0]; first != 0 {
		r.fault("received %d, want 0", first)
	}
}

var errCancelled = errors.New("cancelled by the program")

// cancel runs the first child in a task that then fails, and the others in tasks
// that wait for that.
func (r *runner) cancel(p *program, child func(i int)) {
	g, ctx := forkjoin.WithContext(context.Background())
	g.Go(func() error { child(0); return errCancelled })
	for i := range p.children[1:] {
		g.Go(func() error {
			<-ctx.Done()
			child(1 + i)
			return nil
		})
	}
	if err := g.Wait(); err != errCancelled || context.Cause(ctx) != errCancelled {
		r.fault("a group with an error: Wait is %v, the cause %v", err, context.Cause(ctx))
	}
}

// stop runs the first child in a loop that then ends with an error, or whose
// context is cancelled then.
func (r *runner) stop(p *program, child func(i int)) {
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	err := forkjoin.ParallelForErr(ctx, len(p.children), func(ctx context.Context, i int) error {
		child(i)
		switch {
		case i > 0:
			return nil
		case p.value%2 == 0:
			cancel(errCancelled)
			return ctx.Err()
		}
		return errCancelled
	}, forkjoin.MaxLeaf(1))
	if err != errCancelled && (p.value%2 != 0 || err != context.Canceled) {
		r.fault("a loop that is cancelled: %v", err)
	}
}

// submit has the child run by some pool and waits, declared or not.
func (r *runner) submit(p *program, child func(i int)) {
	pool := r.other
	if p.value%2 == 0 {
		pool = forkjoin.Default()
	}
	done := make(chan struct{})
	if err := pool.Submit(func() { defer close(done); child(0) }); err != nil {
		r.fault("Submit: %v", err)
		return
	}
	if p.value%3 == 0 {
		<-done
	} else {
		forkjoin.Blocking(func() { <-done })
	}
}

func (r *runner) newPool(p *program, child func(i int)) {
	cfg := forkjoin.Config{Workers: 1 + int(p.value%3)}
	if !p.waits() {
		cfg.MaxTasks = int(p.value / 3 % 4)
	}
	pool, err := forkjoin.New(cfg)
	if err != nil {
		r.fault("New: %v", err)
		return
	}
	defer func() {
		if err := pool.Close(); err != nil {
			r.fault("Close: %v", err)
		}
	}()
	pool.Run(func() { child(0) })
}

// trouble is what happens to programs.
func trouble(v uint64) {
	switch v % 12 {
	case 0:
		runtime.GC()
	case 1:
		if !build.wasm {
			runtime.GOMAXPROCS(1 + int(v/12%8))
		}
	case 2:
		for range 200 {
			runtime.Gosched()
		}
	case 3:
		for range 20 {
			forkjoin.Yield()
		}
	case 4:
		time.Sleep(time.Duration(v/12%200) * time.Microsecond)
	case 5:
		deep(int(v / 12 % 2000))
	case 6:
		var wg sync.WaitGroup // a storm
		for range 20 {
			wg.Go(func() { runtime.Gosched() })
		}
		wg.Wait()
	default:
		runtime.Gosched()
	}
}

// deep grows the stack, so that it moves.
func deep(n int) int {
	var pad [64]byte
	if n == 0 {
		return len(pad)
	}
	return deep(n-1) + int(pad[n%64])
}
