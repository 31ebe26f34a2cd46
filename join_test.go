package forkjoin_test

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/forkjoin-go/forkjoin"
)

// The tests of Join, Join2 and JoinAll.

func TestJoinResults(t *testing.T) {
	everywhere(t, func(t *testing.T, p place) {
		within(t, 20*time.Second, func() {
			n := 18
			if slow() {
				n = 12
			}
			want := seqFib(n)
			p.run(func() {
				if got := joinFib(n); got != want {
					t.Errorf("joinFib(%d) = %d, want %d", n, got, want)
				}
				if got := join2Fib(n); got != want {
					t.Errorf("join2Fib(%d) = %d, want %d", n, got, want)
				}
			})
		})
	})
}

// Each branch runs exactly once, and what it wrote without synchronisation is
// there after the call.
func TestFormsRunEachOnce(t *testing.T) {
	eachForm(t, forms, func(t *testing.T, f form, p place) {
		p.run(func() {
			for i := range scale(1000) {
				var a, b int
				f.run(func() { a++ }, func() { b++ })
				if a != 1 || b != 1 {
					t.Errorf("round %d: a ran %d times, b %d times", i, a, b)
					return
				}
			}
		})
	})
}

// Branches that take long run at the same time where there are processors for
// them, also when there are only two and nothing is known of them.
func TestFormsOverlap(t *testing.T) {
	needsThreads(t)
	for _, f := range forms {
		t.Run(f.name, func(t *testing.T) {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
			within(t, 30*time.Second, func() {
				for range 10 {
					var in atomic.Int32
					var met atomic.Bool
					meet := func() {
						in.Add(1)
						defer in.Add(-1)
						if waitFor(func() bool { return met.Load() || in.Load() == 2 }, 100*time.Millisecond) {
							met.Store(true)
						}
					}
					if f.run(meet, meet); met.Load() {
						return
					}
				}
				t.Error("two branches of 100 ms each ran one after the other, 10 times")
			})
		})
	}
}

// What was written before the call is seen in both branches, and a stolen
// branch's writes are seen after it.
func TestFormsStolenSeeWrites(t *testing.T) {
	eachStolen(t, func(t *testing.T, f form, p place) {
		for range scale(40) {
			before, a, b := 7, 0, 0
			o := f.stolen(t, p, func() { a = before + 1 }, func() { b = before + 2 })
			if !o.returned || a != 8 || b != 9 {
				t.Fatalf("%v, a = %d, b = %d", o, a, b)
			}
		}
	})
}

// The left branch runs on the caller's goroutine, and so does the right one, after
// it, unless it was stolen.
func TestJoinCallerTakesPart(t *testing.T) {
	eachProcs(t, func(t *testing.T) {
		for _, f := range forms {
			if !f.join {
				continue
			}
			within(t, 10*time.Second, func() {
				for range scale(100) {
					me := gnum()
					var ga, gb int64
					var order atomic.Int64
					var posA, posB int64
					f.run(func() { ga, posA = gnum(), order.Add(1) }, func() { gb, posB = gnum(), order.Add(1) })
					if ga != me {
						t.Errorf("%s: a ran on goroutine %d, the caller is %d", f.name, ga, me)
					}
					if gb == me && posB < posA {
						t.Errorf("%s: b ran on the caller before a", f.name)
					}
				}
			})
		}
	})
}

func TestJoinSequentialAtOneProcessor(t *testing.T) {
	inPool(t, 1, func(t *testing.T, p place) {
		within(t, 10*time.Second, func() {
			p.run(func() {
				me := gnum()
				for range scale(1000) {
					var trace []string
					note := func(s string) func() {
						return func() {
							if gnum() != me {
								t.Errorf("%s ran on another goroutine of a pool of one", s)
							}
							trace = append(trace, s)
						}
					}
					forkjoin.Join(
						func() { forkjoin.Join(note("1"), note("2")) },
						func() { forkjoin.JoinAll(note("3"), note("4"), note("5")) },
					)
					if got := strings.Join(trace, ""); got != "12345" {
						t.Fatalf("order %s, want 12345", got)
					}
				}
			})
		})
	})
}

type wide struct {
	a [64]int
	s string
	p *int
}

func TestJoin2Types(t *testing.T) {
	everywhere(t, func(t *testing.T, p place) {
		within(t, 10*time.Second, func() {
			p.run(func() {
				for i := range scale(500) {
					s, e := forkjoin.Join2(
						func() string { return strconv.Itoa(i) },
						func() error { return os.ErrExist })
					if s != strconv.Itoa(i) || !errors.Is(e, os.ErrExist) {
						t.Fatalf("got %q, %v", s, e)
					}
					w, z := forkjoin.Join2(
						func() wide { w := wide{s: "w", p: &i}; w.a[63] = i; return w },
						func() struct{} { return struct{}{} })
					if w.a[63] != i || w.s != "w" || w.p != &i || z != (struct{}{}) {
						t.Fatalf("wide result lost: %v", w)
					}
					e2, m := forkjoin.Join2(
						func() error { return nil },
						func() map[int]string { return map[int]string{i: "m"} })
					if e2 != nil || m[i] != "m" {
						t.Fatalf("got %v, %v", e2, m)
					}
				}
			})
		})
	})
}

func TestJoinAllCounts(t *testing.T) {
	everywhere(t, func(t *testing.T, p place) {
		within(t, 20*time.Second, func() {
			p.run(func() {
				forkjoin.JoinAll()
				forkjoin.JoinAll([]func(){}...)
				for n := range 101 {
					counts := make([]int, n)
					fns := make([]func(), n)
					for i := range fns {
						fns[i] = func() { counts[i]++ }
					}
					forkjoin.JoinAll(fns...)
					for i, c := range counts {
						if c != 1 {
							t.Fatalf("n = %d: function %d ran %d times", n, i, c)
						}
					}
				}
			})
		})
	})
}

// Results do not depend on how long either side takes.
func TestJoinUneven(t *testing.T) {
	everywhere(t, func(t *testing.T, p place) {
		within(t, 20*time.Second, func() {
			var rec func(n int, left bool) int
			rec = func(n int, left bool) int {
				if n == 0 {
					return 1
				}
				x, y := 0, 0
				deep := func() { x = rec(n-1, !left) }
				flat := func() { y = seqFib(n%10+3) - seqFib(n%10+2) - seqFib(n%10+1) + 1 }
				if left {
					forkjoin.Join(deep, flat)
				} else {
					forkjoin.Join(flat, deep)
				}
				return x + y
			}
			p.run(func() {
				for range scale(20) {
					if got := rec(300, true); got != 301 {
						t.Errorf("got %d, want 301", got)
					}
				}
			})
		})
	})
}

func TestJoinDeep(t *testing.T) {
	depth := 10_000
	if build.purego {
		depth = 1000 // finding the goroutine takes longer the deeper it is
	}
	left := func() int {
		var rec func(n int) int
		rec = func(n int) (sum int) {
			if n == 0 {
				return 0
			}
			var a, b int
			forkjoin.Join(func() { a = rec(n - 1) }, func() { b = 1 })
			return a + b
		}
		return rec(depth)
	}
	right := func() int {
		var rec func(n int) int
		rec = func(n int) int {
			if n == 0 {
				return 0
			}
			a, b := forkjoin.Join2(func() int { return 1 }, func() int { return rec(n - 1) })
			return a + b
		}
		return rec(depth)
	}
	all := func() int {
		var rec func(n int) int
		rec = func(n int) int {
			if n == 0 {
				return 0
			}
			var a, b, c int
			forkjoin.JoinAll(func() { a = 1 }, func() { b = rec(n - 1) }, func() { c = 0 })
			return a + b + c
		}
		return rec(depth)
	}
	everywhere(t, func(t *testing.T, p place) {
		if build.wasm {
			t.Skip("the engine's own stack is too small")
		}
		within(t, 20*time.Second, func() {
			p.run(func() {
				for name, f := range map[string]func() int{"left": left, "right": right, "all": all} {
					if got := f(); got != depth {
						t.Errorf("%s: %d, want %d", name, got, depth)
					}
				}
			})
		})
	})
}

func TestJoinBadInput(t *testing.T) {
	ran := false
	run := func() { ran = true }
	runInt := func() int { ran = true; return 0 }
	within(t, 10*time.Second, func() {
		refuses(t, func() { forkjoin.Join(nil, run) }, "forkjoin: Join: a is nil")
		refuses(t, func() { forkjoin.Join(run, nil) }, "forkjoin: Join: b is nil")
		refuses(t, func() { forkjoin.Join(nil, nil) }, "forkjoin: Join: ", "nil")
		refuses(t, func() { forkjoin.Join2[int, int](nil, runInt) }, "forkjoin: Join2: a is nil")
		refuses(t, func() { forkjoin.Join2[int, int](runInt, nil) }, "forkjoin: Join2: b is nil")
		refuses(t, func() { forkjoin.JoinAll(nil) }, "forkjoin: JoinAll: ", "nil")
		refuses(t, func() { forkjoin.JoinAll(run, run, nil, run) }, "forkjoin: JoinAll: ", "nil", "2")
		refuses(t, func() { forkjoin.JoinAll(nil, run) }, "forkjoin: JoinAll: ", "nil", "0")
		// The same inside a task, where it comes out through a join.
		refusesWithin(t, func() { forkjoin.Join(func() { forkjoin.Join(run, nil) }, nop) }, "forkjoin: Join: b is nil")
		refusesWithin(t, func() { forkjoin.Join(nop, func() { forkjoin.Join(run, nil) }) }, "forkjoin: Join: b is nil")
		if ran {
			t.Error("a task ran although an argument was bad")
		}
		sane(t)
	})
}

// A quicksort as users write it: two halves of one slice.
func TestJoinQuicksort(t *testing.T) {
	var quick func(v []int)
	quick = func(v []int) {
		if len(v) <= 1 {
			return
		}
		pivot, mid := v[len(v)-1], 0
		for i, x := range v[:len(v)-1] {
			if x <= pivot {
				v[i], v[mid] = v[mid], v[i]
				mid++
			}
		}
		v[mid], v[len(v)-1] = v[len(v)-1], v[mid]
		forkjoin.Join(func() { quick(v[:mid]) }, func() { quick(v[mid+1:]) })
	}
	everywhere(t, func(t *testing.T, p place) {
		within(t, 20*time.Second, func() {
			v := make([]int, scale(20_000))
			for i := range v {
				v[i] = (i*7919 + 13) % 10_007
			}
			want := slices.Sorted(slices.Values(v))
			p.run(func() { quick(v) })
			if !slices.Equal(v, want) {
				t.Error("not sorted")
			}
		})
	})
}

func TestMigratedAndWorkerIndex(t *testing.T) {
	within(t, 5*time.Second, func() {
		if forkjoin.Migrated() {
			t.Error("Migrated outside any call")
		}
		if i := forkjoin.WorkerIndex(); i != -1 {
			t.Errorf("WorkerIndex outside any call is %d, want -1", i)
		}
	})
	t.Run("inline", func(t *testing.T) {
		inPool(t, 1, func(t *testing.T, p place) {
			within(t, 5*time.Second, func() {
				p.run(func() {
					check := func() {
						if forkjoin.Migrated() {
							t.Error("Migrated in a pool of one")
						}
						if forkjoin.WorkerIndex() < 0 {
							t.Error("no worker index inside a join")
						}
					}
					forkjoin.Join(check, check)
				})
			})
		})
	})
	t.Run("stolen", func(t *testing.T) {
		needsThreads(t)
		inPool(t, 2, func(t *testing.T, p place) {
			within(t, 10*time.Second, func() {
				for _, f := range movable() {
					if !f.join {
						continue
					}
					var ia, ib int
					var mb bool
					o := f.stolen(t, p, func() { ia = forkjoin.WorkerIndex() }, func() {
						ib, mb = forkjoin.WorkerIndex(), forkjoin.Migrated()
					})
					if !o.returned {
						t.Fatal(o)
					}
					if ia < 0 || ib < 0 || ia == ib {
						t.Errorf("%s: worker indices %d and %d of two tasks at the same time", f.name, ia, ib)
					}
					if !mb {
						t.Errorf("%s: the stolen branch does not know that it migrated", f.name)
					}
				}
				if forkjoin.Migrated() || forkjoin.WorkerIndex() != -1 {
					t.Error("inside a call although all have returned")
				}
			})
		})
	})
}

// Every join counts as a fork, the counters never go back, and what was stolen
// is no more than what was forked.
func TestStatsCountJoins(t *testing.T) {
	for _, n := range []int{1, 4} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			pool, err := forkjoin.New(forkjoin.Config{Workers: n})
			if err != nil {
				t.Fatal(err)
			}
			within(t, 20*time.Second, func() {
				before := pool.Stats()
				count := scale(1000)
				pool.Run(func() {
					for range count {
						forkjoin.Join(nop, nop)
					}
					fib(10) // 88 joins
				})
				after := pool.Stats()
				forks, steals := after.Forks-before.Forks, after.Steals-before.Steals
				if want := uint64(count + 88); forks < want || forks > 2*want {
					t.Errorf("%d forks counted, want %d", forks, want)
				}
				if steals > forks {
					t.Errorf("%d steals of %d forks", steals, forks)
				}
				if n == 1 && steals != 0 {
					t.Errorf("%d steals in a pool of one", steals)
				}
				if err := pool.Close(); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

func TestStatsMonotonic(t *testing.T) {
	within(t, 20*time.Second, func() {
		pool := forkjoin.Default()
		stop := make(chan struct{})
		var watching sync.WaitGroup
		watching.Go(func() {
			last := pool.Stats()
			for {
				select {
				case <-stop:
					return
				default:
				}
				s := pool.Stats()
				if s.Forks < last.Forks || s.Steals < last.Steals || s.Publishes < last.Publishes ||
					s.Wakes < last.Wakes || s.Parks < last.Parks || s.Tasks < last.Tasks || s.Lent < last.Lent {
					t.Errorf("a counter went back: %+v after %+v", s, last)
					return
				}
				last = s
				time.Sleep(20 * time.Microsecond)
			}
		})
		for range scale(200) {
			fib(12)
			joinFib(8)
			forkjoin.ParallelFor(100, func(int) {})
		}
		close(stop)
		watching.Wait()
	})
}

// What a finished join held can be collected, also when a thief ran it.
func TestJoinLetsGo(t *testing.T) {
	everywhere(t, func(t *testing.T, p place) {
		within(t, 30*time.Second, func() {
			const count = 20
			var gone atomic.Int64
			for range count {
				func() {
					a, b := new([1 << 12]byte), new([1 << 12]byte)
					runtime.AddCleanup(a, func(int) { gone.Add(1) }, 0)
					runtime.AddCleanup(b, func(int) { gone.Add(1) }, 0)
					use := func(m *[1 << 12]byte) func() { return func() { m[0]++; seqFib(15) } }
					p.run(func() { forkjoin.Join(use(a), use(b)) })
				}()
			}
			soon(t, 10*time.Second, "closures of finished joins are collected", func() bool {
				runtime.GC()
				return gone.Load() == 2*count
			})
		})
	})
}
