package forkjoin_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/forkjoin-go/forkjoin"
)

// loopForms runs the same body through every kind of loop.
var loopForms = []struct {
	name string
	run  func(n int, body func(i int), opts ...forkjoin.Option)
}{
	{"For", forkjoin.ParallelFor},
	{"Range", func(n int, body func(i int), opts ...forkjoin.Option) {
		forkjoin.ParallelForRange(0, n, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				body(i)
			}
		}, opts...)
	}},
	{"2D", func(n int, body func(i int), opts ...forkjoin.Option) {
		forkjoin.ParallelFor2D(n, 1, func(r0, r1, _, _ int) {
			for i := r0; i < r1; i++ {
				body(i)
			}
		}, opts...)
	}},
	{"With", func(n int, body func(i int), opts ...forkjoin.Option) {
		forkjoin.ParallelForWith(n, func() int { return 7 }, func(s, i int) {
			if s != 7 {
				panic("scratch is not what init returned")
			}
			body(i)
		}, opts...)
	}},
	{"Err", func(n int, body func(i int), opts ...forkjoin.Option) {
		err := forkjoin.ParallelForErr(context.Background(), n, func(_ context.Context, i int) error { body(i); return nil }, opts...)
		if err != nil {
			panic(err)
		}
	}},
	{"Reduce", func(n int, body func(i int), opts ...forkjoin.Option) {
		forkjoin.ParallelReduce(n, 0, func(lo, hi int) int {
			for i := lo; i < hi; i++ {
				body(i)
			}
			return 0
		}, func(a, b int) int { return 0 }, opts...)
	}},
	{"ReduceErr", func(n int, body func(i int), opts ...forkjoin.Option) {
		_, err := forkjoin.ParallelReduceErr(context.Background(), n, 0, func(_ context.Context, lo, hi int) (int, error) {
			for i := lo; i < hi; i++ {
				body(i)
			}
			return 0, nil
		}, func(a, b int) int { return 0 }, opts...)
		if err != nil {
			panic(err)
		}
	}},
}

var errBody = errors.New("body failed")

func panickingBody(i int) { panic(errBody) }

func TestLoopPanicReachesTheCaller(t *testing.T) {
	for _, form := range loopForms {
		t.Run(form.name, func(t *testing.T) {
			eachPool(t, []int{1, 3}, func(t *testing.T, _ int) {
				for _, n := range []int{1, 2, 1000} {
					for _, at := range []int{0, n / 2, n - 1} {
						pe := panicsWith(t, errBody, func() {
							form.run(n, func(i int) {
								if i == at {
									panickingBody(i)
								}
							})
						})
						if pe == nil {
							t.FailNow()
						}
						if !errors.Is(pe, errBody) {
							t.Errorf("errors.Is does not see the value in %v", pe)
						}
						if !strings.Contains(string(pe.Stack), "panickingBody") {
							t.Errorf("the stack does not show where it happened:\n%s", pe.Stack)
						}
					}
				}
			})
		})
	}
}

// The rest is skipped: of a loop that would take long, little runs.
func TestLoopPanicSkipsTheRest(t *testing.T) {
	for _, form := range loopForms {
		t.Run(form.name, func(t *testing.T) {
			threads(t, 2)
			within(t, patience, func() {
				n := 100_000 // 10 s of work on one processor
				var ran, inside, late atomic.Int64
				panicsWith(t, "stop", func() {
					form.run(n, func(i int) {
						inside.Add(1)
						defer inside.Add(-1)
						if ran.Add(1) == 20 {
							panic("stop")
						}
						spin(100 * time.Microsecond)
					}, forkjoin.MaxLeaf(8))
				})
				if k := inside.Load(); k != 0 {
					t.Errorf("%d bodies still run after the loop panicked", k)
				}
				at := ran.Load()
				if at > int64(n)/4 {
					t.Errorf("%d of %d iterations ran although the 20th panicked", at, n)
				}
				time.Sleep(2 * time.Millisecond)
				if late.Store(ran.Load() - at); late.Load() != 0 {
					t.Errorf("%d iterations began after the loop panicked", late.Load())
				}
			})
		})
	}
}

// What had started elsewhere ends before the caller unwinds.
func TestLoopPanicWaitsForStartedBodies(t *testing.T) {
	for _, form := range loopForms {
		t.Run(form.name, func(t *testing.T) {
			threads(t, 2)
			within(t, patience, func() {
				var first atomic.Int64
				var started, ended atomic.Bool
				var once sync.Once
				panicsWith(t, "stop", func() {
					form.run(1<<20, func(i int) {
						id := gnum()
						first.CompareAndSwap(0, id)
						switch {
						case id != first.Load():
							once.Do(func() {
								started.Store(true)
								time.Sleep(20 * time.Millisecond)
								ended.Store(true)
							})
						case started.Load():
							panic("stop")
						default:
							spin(time.Microsecond)
						}
					}, forkjoin.MaxLeaf(1))
				})
				if !started.Load() || !ended.Load() {
					t.Errorf("body on the other goroutine: started %v, ended %v, want both", started.Load(), ended.Load())
				}
			})
		})
	}
}

// Several panics: exactly one arrives, and it is one of those thrown.
func TestLoopManyPanics(t *testing.T) {
	for _, form := range loopForms {
		t.Run(form.name, func(t *testing.T) {
			eachPool(t, []int{1, 4}, func(t *testing.T, _ int) {
				for range 20 {
					v := caught(func() { form.run(300, func(i int) { panic(i) }, forkjoin.MaxLeaf(1)) })
					pe, ok := v.(*forkjoin.PanicError)
					if !ok {
						t.Fatalf("panic value %T (%v)", v, v)
					}
					if i, ok := pe.Value.(int); !ok || i < 0 || i >= 300 {
						t.Fatalf("Value is %v, want an index", pe.Value)
					}
				}
			})
		})
	}
}

// A panic that crosses nested loops is wrapped once, and the outer loop's
// deferred calls see it in the middle.
func TestLoopPanicThroughNestedLoops(t *testing.T) {
	eachPool(t, []int{1, 2, 16}, func(t *testing.T, _ int) {
		var recovered atomic.Int64
		pe := panicsWith(t, errBody, func() {
			forkjoin.ParallelFor(4, func(i int) {
				defer func() {
					if v := recover(); v != nil {
						recovered.Add(1)
						panic(v)
					}
				}()
				forkjoin.ParallelFor(4, func(j int) {
					forkjoin.ParallelFor(4, panickingBody)
				})
			}, forkjoin.MaxLeaf(1))
		})
		if pe != nil {
			if _, twice := pe.Value.(*forkjoin.PanicError); twice {
				t.Error("the PanicError was wrapped again")
			}
		}
		if recovered.Load() == 0 {
			t.Error("the outer body's deferred call saw no panic")
		}
		// A body that recovers lets the outer loop go on.
		seen := make(tally, 8)
		forkjoin.ParallelFor(8, func(i int) {
			caught(func() { forkjoin.ParallelFor(4, panickingBody) })
			seen[i].Add(1)
		})
		seen.check(t, "recovering body")
	})
}

// After panics the pool is as good as before.
func TestLoopWorksAfterPanics(t *testing.T) {
	eachPool(t, []int{1, 2}, func(t *testing.T, _ int) {
		for k := range 200 {
			panicsWith(t, k, func() {
				forkjoin.ParallelFor(64, func(i int) {
					if i == k%64 {
						panic(k)
					}
				}, forkjoin.MaxLeaf(2))
			})
			seen := make(tally, 64)
			forkjoin.ParallelFor(64, func(i int) { seen[i].Add(1) }, forkjoin.MaxLeaf(2))
			seen.check(t, k)
		}
	})
}

func TestLoopGoexitEndsTheCaller(t *testing.T) {
	for _, form := range loopForms {
		t.Run(form.name, func(t *testing.T) {
			for _, at := range []int{0, 500, 999} {
				within(t, patience, func() {
					done := make(chan string, 1)
					go func() {
						how := "Goexit"
						defer func() {
							if v := recover(); v != nil {
								how = "panic"
							}
							done <- how
						}()
						form.run(1000, func(i int) {
							if i == at {
								runtime.Goexit()
							}
						}, forkjoin.MaxLeaf(4))
						how = "return"
					}()
					if how := <-done; how != "Goexit" {
						t.Errorf("at %d: the caller ended by %s, want Goexit", at, how)
					}
				})
			}
		})
	}
}

// Loops, reductions and broadcasts wrap panics as joins do.
func TestPanicInLoops(t *testing.T) {
	const n = 200
	one := []forkjoin.Option{forkjoin.MaxLeaf(1)}
	add := func(a, b int) int { return a + b }
	loops := []struct {
		name string
		run  func(at int, throw func())
	}{
		{"For", func(at int, throw func()) {
			forkjoin.ParallelFor(n, func(i int) {
				if i == at {
					throw()
				}
			}, one...)
		}},
		{"ForRange", func(at int, throw func()) {
			forkjoin.ParallelForRange(-5, n, func(lo, hi int) {
				if lo <= at && at < hi {
					throw()
				}
			})
		}},
		{"For2D", func(at int, throw func()) {
			forkjoin.ParallelFor2D(n, 3, func(r0, r1, c0, c1 int) {
				if r0 <= at && at < r1 && c0 == 0 {
					throw()
				}
			})
		}},
		{"ForWith", func(at int, throw func()) {
			forkjoin.ParallelForWith(n, func() *int { return new(int) }, func(s *int, i int) {
				if *s++; i == at {
					throw()
				}
			}, one...)
		}},
		{"ForWith init", func(at int, throw func()) {
			forkjoin.ParallelForWith(n, func() int { throw(); return 0 }, func(int, int) {})
		}},
		{"ForErr", func(at int, throw func()) {
			forkjoin.ParallelForErr(context.Background(), n, func(_ context.Context, i int) error {
				if i == at {
					throw()
				}
				return nil
			}, one...)
		}},
		{"Reduce leaf", func(at int, throw func()) {
			forkjoin.ParallelReduce(n, 0, func(lo, hi int) int {
				if lo <= at && at < hi {
					throw()
				}
				return hi - lo
			}, add, one...)
		}},
		{"Reduce combine", func(at int, throw func()) {
			var count atomic.Int64
			forkjoin.ParallelReduce(n, 0, func(lo, hi int) int { return hi - lo }, func(a, b int) int {
				if count.Add(1) == 2 {
					throw()
				}
				return a + b
			}, forkjoin.MaxLeaf(1))
		}},
		{"ReduceErr leaf", func(at int, throw func()) {
			forkjoin.ParallelReduceErr(context.Background(), n, 0, func(_ context.Context, lo, hi int) (int, error) {
				if lo <= at && at < hi {
					throw()
				}
				return hi - lo, nil
			}, add, one...)
		}},
		{"Broadcast", func(at int, throw func()) {
			forkjoin.Default().Broadcast(func(w int) {
				if w == 0 {
					throw()
				}
			})
		}},
	}
	for _, l := range loops {
		t.Run(l.name, func(t *testing.T) {
			everywhere(t, func(t *testing.T, p place) {
				within(t, 30*time.Second, func() {
					for _, o := range ordeals {
						for _, at := range []int{0, 1, n / 2, n - 1} {
							var in atomic.Int32
							got := outcomeOf(func() {
								p.run(func() {
									defer func() {
										if k := in.Load(); k != 0 {
											t.Errorf("%d bodies still run", k)
										}
									}()
									l.run(at, func() { in.Add(1); defer in.Add(-1); o.throw() })
								})
							})
							wantPanic(t, got, o, fmt.Sprintf("at %d", at))
						}
					}
					p.run(func() { sane(t) })
				})
			})
		})
	}
}

// An iteration that runs on a thief panics while the caller is inside another.
func TestPanicInStolenIteration(t *testing.T) {
	needsThreads(t)
	eachProcs(t, func(t *testing.T) {
		if runtime.GOMAXPROCS(0) == 1 {
			return
		}
		within(t, 60*time.Second, func() {
			for round := range scale(50) {
				o := ordeals[round%len(ordeals)]
				hit := false
				for end := time.Now().Add(20 * time.Second); !hit && time.Now().Before(end); {
					var threw atomic.Bool
					var bodies atomic.Int32
					got := outcomeOf(func() {
						caller := gnum()
						defer func() {
							if n := bodies.Load(); n != 0 {
								t.Errorf("%d bodies still run while the caller unwinds", n)
							}
						}()
						forkjoin.ParallelFor(64, func(i int) {
							bodies.Add(1)
							defer bodies.Add(-1)
							if gnum() == caller {
								waitFor(threw.Load, 2*time.Millisecond)
								linger()
							} else {
								threw.Store(true)
								o.throw()
							}
						}, forkjoin.MaxLeaf(1))
					})
					if hit = threw.Load(); hit {
						wantPanic(t, got, o, "stolen iteration")
					} else if !got.returned {
						t.Fatalf("%v although nothing threw", got)
					}
				}
				if !hit {
					t.Fatal("no iteration was ever stolen from a caller that waited in each")
				}
			}
			sane(t)
		})
	})
}
