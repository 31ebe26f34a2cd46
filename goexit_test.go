package forkjoin_test

import (
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/forkjoin-go/forkjoin"
)

// wantExit fails unless the caller ended by Goexit.
func wantExit(t testing.TB, got outcome, where string) {
	t.Helper()
	if !got.exited {
		t.Errorf("%s: %v, want Goexit", where, got)
	}
}

// A branch that exits takes the caller with it, whose deferred calls run and
// whose statements after the call do not.
func TestGoexitInline(t *testing.T) {
	eachForm(t, forms, func(t *testing.T, f form, p place) {
		for _, left := range []bool{true, false} {
			deferred, after, other := false, false, false
			exit, rest := runtime.Goexit, func() { other = true }
			g := form{f.name, func(a, b func()) {
				defer func() { deferred = true }()
				f.run(a, b)
				after = true
			}, f.join}
			if left {
				wantExit(t, g.inline(p, exit, rest), "left")
			} else {
				wantExit(t, g.inline(p, rest, exit), "right")
				if f.join && !other {
					t.Error("the left branch did not run")
				}
			}
			if !deferred || after {
				t.Errorf("left %v: deferred call ran = %v, statement after ran = %v", left, deferred, after)
			}
		}
		p.run(func() { sane(t) })
	})
}

// The same where the right branch runs elsewhere. The branch that does not exit
// has finished when the caller's deferred calls run.
func TestGoexitStolen(t *testing.T) {
	eachStolen(t, func(t *testing.T, f form, p place) {
		for round := range scale(10) {
			var finished, deferred atomic.Bool
			rest := func() { linger(); finished.Store(true) }
			g := form{f.name, func(a, b func()) {
				defer func() { deferred.Store(finished.Load()) }()
				f.run(a, b)
			}, f.join}
			check := func(got outcome, where string) {
				t.Helper()
				wantExit(t, got, where)
				if !deferred.Load() {
					t.Errorf("%s: the caller unwound before the other branch had finished", where)
				}
				finished.Store(false)
				deferred.Store(false)
			}
			check(g.stolen(t, p, runtime.Goexit, rest), fmt.Sprint("left, round ", round))
			check(g.stolen(t, p, rest, runtime.Goexit), fmt.Sprint("right, round ", round))
			check(g.stolen(t, p, rest, func() { linger(); runtime.Goexit() }), fmt.Sprint("right late, round ", round))
			wantExit(t, g.stolen(t, p, runtime.Goexit, runtime.Goexit), "both")
		}
		p.run(func() { sane(t) })
	})
}

// With a panic on one side and an exit on the other the left branch decides.
func TestGoexitAgainstPanic(t *testing.T) {
	needsThreads(t)
	eachForm(t, movable(), func(t *testing.T, f form, p place) {
		if !f.join {
			return
		}
		wantPanic(t, f.inline(p, throwError, runtime.Goexit), ordeals[1], "inline")
		wantExit(t, f.inline(p, runtime.Goexit, throwError), "inline")
		if !p.canSteal() {
			return
		}
		for range scale(10) {
			wantPanic(t, f.stolen(t, p, throwError, runtime.Goexit), ordeals[1], "stolen")
			wantExit(t, f.stolen(t, p, runtime.Goexit, throwError), "stolen")
			wantExit(t, f.stolen(t, p, func() { linger(); runtime.Goexit() }, throwError), "stolen, panic first")
		}
	})
}

// The same in the branch that the caller waits for, two levels below it, where
// the user recovers the panic. A caller that helped with the branch that exits
// cannot be kept from exiting; otherwise it goes on. Either way all ends, and
// what comes after is sound.
func TestGoexitUnderRecoveredPanic(t *testing.T) {
	needsThreads(t)
	everywhere(t, func(t *testing.T, p place) {
		if !p.canSteal() {
			return
		}
		within(t, 60*time.Second, func() {
			exits := 0
			for range scale(100) {
				var outer, inner atomic.Bool
				caught := false
				o := outcomeOf(func() {
					p.run(func() {
						forkjoin.Join(func() { waitFor(outer.Load, 20*time.Millisecond) }, func() {
							outer.Store(true)
							defer func() { caught = recover() != nil }()
							forkjoin.Join(func() {
								waitFor(inner.Load, 20*time.Millisecond)
								linger()
								throwStruct()
							}, func() {
								inner.Store(true)
								runtime.Goexit()
							})
						})
					})
				})
				if !caught || o.panicked != nil || o.exited && !inner.Load() {
					t.Fatalf("%v, caught = %v", o, caught)
				}
				if inner.Load() {
					exits++
				}
			}
			if exits == 0 {
				t.Error("the inner right branch never ran")
			}
			p.run(func() { sane(t) })
		})
	})
}

// An exit deep in a recursion runs the deferred calls of every level.
func TestGoexitDeep(t *testing.T) {
	var deferred atomic.Int64
	tree := forkjoin.Recursive(func(ta *forkjoin.Task[int, int], n int) int {
		if n == 0 {
			runtime.Goexit()
		}
		if n < 0 {
			return 1
		}
		defer func() {
			if joinFib(4) == 3 && fib(4) == 3 { // forking goes on while it unwinds
				deferred.Add(1)
			}
		}()
		a, b := ta.Join(-1, n-1)
		return a + b
	})
	everywhere(t, func(t *testing.T, p place) {
		within(t, 30*time.Second, func() {
			for range scale(50) {
				deferred.Store(0)
				wantExit(t, outcomeOf(func() { p.run(func() { tree(50) }) }), "spine")
				if n := deferred.Load(); n != 50 {
					t.Fatalf("%d of 50 deferred calls ran", n)
				}
			}
		})
	})
}

func TestGoexitInLoops(t *testing.T) {
	const n = 100
	loops := map[string]func(at int){
		"For": func(at int) {
			forkjoin.ParallelFor(n, func(i int) {
				if i == at {
					runtime.Goexit()
				}
			}, forkjoin.MaxLeaf(1))
		},
		"Reduce": func(at int) {
			forkjoin.ParallelReduce(n, 0, func(lo, hi int) int {
				if lo <= at && at < hi {
					runtime.Goexit()
				}
				return 0
			}, func(a, b int) int { return 0 })
		},
		"Broadcast": func(at int) {
			forkjoin.Default().Broadcast(func(w int) {
				if w == 0 {
					runtime.Goexit()
				}
			})
		},
	}
	for name, loop := range loops {
		t.Run(name, func(t *testing.T) {
			everywhere(t, func(t *testing.T, p place) {
				within(t, 20*time.Second, func() {
					for _, at := range []int{0, n / 2, n - 1} {
						wantExit(t, outcomeOf(func() { p.run(func() { loop(at) }) }), fmt.Sprint("at ", at))
					}
					p.run(func() { sane(t) })
				})
			})
		})
	}
}

// A stolen iteration exits while the caller is inside another.
func TestGoexitInStolenIteration(t *testing.T) {
	needsThreads(t)
	eachProcs(t, func(t *testing.T) {
		if runtime.GOMAXPROCS(0) == 1 {
			return
		}
		within(t, 60*time.Second, func() {
			for range scale(15) {
				var left atomic.Bool
				for end := time.Now().Add(20 * time.Second); !left.Load(); {
					if time.Now().After(end) {
						t.Fatal("no iteration was ever stolen from a caller that waited in each")
					}
					got := outcomeOf(func() {
						caller := gnum()
						forkjoin.ParallelFor(64, func(i int) {
							if gnum() == caller {
								waitFor(left.Load, 2*time.Millisecond)
							} else {
								left.Store(true)
								runtime.Goexit()
							}
						}, forkjoin.MaxLeaf(1))
					})
					if left.Load() {
						wantExit(t, got, "stolen iteration")
					} else if !got.returned {
						t.Fatalf("%v although nothing exited", got)
					}
				}
			}
			sane(t)
		})
	})
}

// Exits use up workers. The pool makes new ones: afterwards as many tasks run
// at the same time as before, and goroutines do not pile up.
func TestGoexitRestoresWorkers(t *testing.T) {
	needsThreads(t)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	const workers = 4
	pool, err := forkjoin.New(forkjoin.Config{Workers: workers})
	if err != nil {
		t.Fatal(err)
	}
	p := place{workers, pool.Run, true}
	within(t, 60*time.Second, func() {
		baseline := runtime.NumGoroutine()
		for round := range scale(300) {
			f := movable()[round%len(movable())]
			got := f.stolen(t, p, func() { fib(5) }, runtime.Goexit)
			if !got.exited {
				t.Fatalf("round %d, %s: %v", round, f.name, got)
			}
		}
		if n := pool.Workers(); n != workers {
			t.Errorf("%d workers, want %d", n, workers)
		}
		soon(t, 10*time.Second, "goroutines of exited tasks are gone", func() bool {
			return runtime.NumGoroutine() <= baseline+2*workers
		})
		// All workers meet: each branch waits until every one of them is in.
		met := false
		for attempt := 0; attempt < 100 && !met; attempt++ {
			var in atomic.Int32
			arrive := func() {
				in.Add(1)
				waitFor(func() bool { return in.Load() == workers }, 100*time.Millisecond)
			}
			pool.Run(func() { forkjoin.JoinAll(arrive, arrive, arrive, arrive) })
			met = in.Load() == workers
		}
		if !met {
			t.Error("four branches never ran at the same time")
		}
		var seen [workers]atomic.Int32
		pool.Broadcast(func(w int) { seen[w].Add(1) })
		for w := range seen {
			if n := seen[w].Load(); n != 1 {
				t.Errorf("broadcast ran %d times on worker %d", n, w)
			}
		}
		pool.Run(func() { sane(t) })
		if err := pool.Close(); err != nil {
			t.Error(err)
		}
	})
}

// A test that is skipped, and so would be one that fails, from a task on
// another goroutine: SkipNow and FailNow end the test by Goexit.
func TestGoexitOfTheTestingPackage(t *testing.T) {
	for _, f := range forms {
		var sub *testing.T
		var after bool
		ok := t.Run(f.name, func(s *testing.T) {
			sub = s
			for attempt := range 5 {
				var started, gaveUp atomic.Bool
				f.run(func() { gaveUp.Store(!waitFor(started.Load, 20*time.Millisecond)) }, func() {
					started.Store(true)
					if !gaveUp.Load() || attempt == 4 {
						s.SkipNow()
					}
				})
			}
			after = true
		})
		if !ok || !sub.Skipped() || after {
			t.Errorf("%s: ok = %v, skipped = %v, went on = %v", f.name, ok, sub.Skipped(), after)
		}
	}
	within(t, 10*time.Second, func() { sane(t) })
}

// Many callers, some of whose tasks exit: the others do not notice.
func TestGoexitHurtsNobodyElse(t *testing.T) {
	eachProcs(t, func(t *testing.T) {
		within(t, 30*time.Second, func() {
			const callers = 40
			done := make(chan error, callers)
			for c := range callers {
				go func() {
					for round := range scale(40) {
						f := forms[(c+round)%len(forms)]
						if c%2 == 0 {
							if o := outcomeOf(func() { f.run(func() { fib(6) }, func() { fib(4); runtime.Goexit() }) }); !o.exited {
								done <- fmt.Errorf("%s: %v, want Goexit", f.name, o)
								return
							}
							continue
						}
						x, y := 0, 0
						if o := outcomeOf(func() { f.run(func() { x = fib(9) }, func() { y = joinFib(6) }) }); !o.returned || x != 34 || y != 8 {
							done <- fmt.Errorf("%s: %v, results %d and %d", f.name, o, x, y)
							return
						}
					}
					done <- nil
				}()
			}
			for range callers {
				if err := <-done; err != nil {
					t.Error(err)
				}
			}
			sane(t)
		})
	})
}
