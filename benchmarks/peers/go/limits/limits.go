// What the primitives of Go cost on this machine: the budget of a Go fork-join library.
// Prints `workload peer workers metric value unit`.
//
//	go run ./limits
package main

import (
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

func report(what string, workers int, v []float64) {
	slices.Sort(v)
	fmt.Printf("%s go %d med %.2f ns\n", what, workers, v[len(v)/2])
	fmt.Printf("%s go %d min %.2f ns\n", what, workers, v[0])
	fmt.Printf("%s go %d max %.2f ns\n", what, workers, v[len(v)-1])
}

// cost runs f(n) five times and reports the time of one of n.
func cost(what string, workers, n int, f func(n int)) {
	runtime.GOMAXPROCS(workers)
	f(n / 10)
	v := make([]float64, 5)
	for r := range v {
		t := time.Now()
		f(n)
		v[r] = float64(time.Since(t)) / float64(n)
	}
	report(what, workers, v)
}

type pair struct {
	a atomic.Int64
	_ [56]byte
	b atomic.Int64
}

var (
	cell   pair
	plain  int64
	call   = func(x int64) int64 { return x + 1 }
	escape any
	ptr    atomic.Pointer[pair]
)

//go:noinline
func add(x int64) int64 { return x + 1 }

type adder interface{ add(x int64) int64 }
type one struct{}

//go:noinline
func (one) add(x int64) int64 { return x + 1 }

func main() {
	const n = 50_000_000
	cost("cost_atomic_load", 1, n, func(n int) {
		for range n {
			plain += cell.a.Load()
		}
	})
	cost("cost_atomic_store", 1, n, func(n int) {
		for i := range n {
			cell.a.Store(int64(i))
		}
	})
	cost("cost_atomic_add", 1, n, func(n int) {
		for range n {
			cell.a.Add(1)
		}
	})
	cost("cost_atomic_cas", 1, n, func(n int) {
		x := cell.a.Load()
		for range n {
			cell.a.CompareAndSwap(x, x+1)
			x++
		}
	})
	cost("cost_atomic_pointer_store", 1, n, func(n int) {
		for range n {
			ptr.Store(nil)
		}
	})
	cost("cost_call_direct_noinline", 1, n, func(n int) {
		x := int64(0)
		for range n {
			x = add(x)
		}
		plain = x
	})
	cost("cost_call_func_value", 1, n, func(n int) {
		x := int64(0)
		for range n {
			x = call(x)
		}
		plain = x
	})
	var a adder = one{}
	cost("cost_call_interface", 1, n, func(n int) {
		x := int64(0)
		for range n {
			x = a.add(x)
		}
		plain = x
	})
	cost("cost_defer", 1, n, func(n int) {
		for range n {
			func() { defer func() { plain++ }() }()
		}
	})
	cost("cost_defer_recover", 1, n, func(n int) {
		for range n {
			func() {
				defer func() { _ = recover() }()
				plain++
			}()
		}
	})
	cost("cost_alloc_closure_32B", 1, n/5, func(n int) {
		for i := range n {
			x, y, z := i, i+1, i+2
			f := func() int { return x + y + z }
			escape = f
		}
	})
	var pool sync.Pool
	pool.Put(new(pair))
	cost("cost_sync_pool_get_put", 1, n/5, func(n int) {
		for range n {
			pool.Put(pool.Get())
		}
	})
	var mu sync.Mutex
	cost("cost_mutex", 1, n/5, func(n int) {
		for range n {
			mu.Lock()
			mu.Unlock()
		}
	})
	cost("cost_time_now", 1, n/10, func(n int) {
		for range n {
			_ = time.Now()
		}
	})
	for w := 1; w <= 2; w++ {
		cost("cost_gosched_alone", w, n/100, func(n int) {
			for range n {
				runtime.Gosched()
			}
		})
		cost("cost_go_and_wait", w, n/200, func(n int) {
			var wg sync.WaitGroup
			for range n {
				wg.Add(1)
				go wg.Done()
				wg.Wait()
			}
		})
		cost("cost_go_1000_and_wait", w, n/200, func(n int) {
			var wg sync.WaitGroup
			for k := 0; k < n; k += 1000 {
				wg.Add(1000)
				for range 1000 {
					go wg.Done()
				}
				wg.Wait()
			}
		})
		cost("cost_channel_roundtrip", w, n/200, func(n int) {
			there, back := make(chan int), make(chan int)
			go func() {
				for x := range there {
					back <- x
				}
			}()
			for i := range n {
				there <- i
				<-back
			}
			close(there)
		})
	}
	cost("pingpong_atomic_oneway", 2, n/50, func(n int) {
		done := make(chan bool)
		cell.a.Store(0)
		go func() {
			for i := 1; i <= n; i++ {
				for cell.a.Load() != int64(2*i-1) {
				}
				cell.a.Store(int64(2 * i))
			}
			done <- true
		}()
		for i := 1; i <= n; i++ {
			cell.a.Store(int64(2*i - 1))
			for cell.a.Load() != int64(2*i) {
			}
		}
		<-done
	})

	// A goroutine asleep on a channel for 5 ms while the waker stays busy: another thread has to wake
	// up and steal it.  With a second `go` behind it the woken goroutine leaves the slot `runnext`,
	// which thieves touch last and only after a sleep (runqgrab in runtime/proc.go).
	runtime.GOMAXPROCS(2)
	wakeCold("wake_cold_channel_busy_waker", func() {})
	wakeCold("wake_cold_channel_then_go_busy_waker", func() { go func() {}() })
}

func wakeCold(what string, then func()) {
	wake, call := make([]float64, 200), make([]float64, 200)
	var awake atomic.Int64
	base := time.Now()
	start := make(chan int, 1)
	go func() {
		for range start {
			awake.Store(int64(time.Since(base)))
		}
	}()
	for i := range wake {
		time.Sleep(5 * time.Millisecond)
		awake.Store(0)
		t := time.Since(base)
		start <- 1
		then()
		call[i] = float64(time.Since(base) - t)
		for time.Since(base) < t+time.Millisecond {
		}
		for awake.Load() == 0 {
			runtime.Gosched()
		}
		wake[i] = float64(awake.Load() - int64(t))
	}
	close(start)
	report(what, 2, wake)
	report(what+"_call", 2, call)
}
