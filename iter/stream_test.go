package iter_test

import (
	"context"
	"errors"
	"fmt"
	stditer "iter"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/forkjoin-go/forkjoin"
	"github.com/forkjoin-go/forkjoin/iter"
)

// forever yields the numbers from 0 on, and notes how many.
func forever(yielded *atomic.Int64) stditer.Seq[int] {
	return func(yield func(int) bool) {
		for i := 0; ; i++ {
			yielded.Add(1)
			if !yield(i) {
				return
			}
		}
	}
}

// As with append, appending little by little does not copy everything each time.
func TestAppendingLittleByLittle(t *testing.T) {
	var dst []int
	moves, n := 0, pick(20_000, 2000)
	for i := range n {
		before := cap(dst)
		if dst = iter.Once(i).AppendTo(dst); cap(dst) != before {
			moves++
		}
	}
	if !slices.Equal(dst, upTo(n)) || moves > 200 {
		t.Errorf("%d elements were moved %d times", len(dst), moves)
	}
}

func TestFromSeqOfEverySize(t *testing.T) {
	onWorkers(t, func(t *testing.T) {
		for _, n := range append(sizes, 10_000) {
			same(t, "FromSeq", iter.FromSeq(slices.Values(upTo(n))), upTo(n))
			if n > 0 {
				if sum := iter.Sum(iter.FromSeq(slices.Values(upTo(n)))); sum != n*(n-1)/2 {
					t.Errorf("the sum of %d elements is %d", n, sum)
				}
			}
		}
	})
}

func TestFromSeqWithoutEnd(t *testing.T) {
	onWorkers(t, func(t *testing.T) {
		for name, use := range map[string]func(s iter.Seq[int]) any{
			"FindFirst": func(s iter.Seq[int]) any {
				v, _ := iter.FindFirst(s, func(v int) bool { return v >= 1000 })
				return v
			},
			"Position": func(s iter.Seq[int]) any { return iter.Position(s, func(v int) bool { return v >= 1000 }) },
			"Position, unnumbered": func(s iter.Seq[int]) any {
				return 2 * iter.Position(iter.Filter(s, func(v int) bool { return v%2 == 0 }), func(v int) bool { return v >= 1000 })
			},
			"Contains":  func(s iter.Seq[int]) any { return map[bool]int{true: 1000}[iter.Contains(s, 1000)] },
			"Take":      func(s iter.Seq[int]) any { return len(iter.Take(s, 1000).Collect()) },
			"Take, Sum": func(s iter.Seq[int]) any { return iter.Sum(iter.Take(s, 1000)) - 499500 + 1000 },
			"Take, unnumbered": func(s iter.Seq[int]) any {
				all := iter.Take(iter.Filter(s, func(v int) bool { return v%2 == 0 }), 501).Collect()
				return all[len(all)-1]
			},
			"Skip": func(s iter.Seq[int]) any { return iter.Take(iter.Skip(s, 1000), 5).Collect()[0] },
			"TakeWhile": func(s iter.Seq[int]) any {
				return len(iter.TakeWhile(s, func(v int) bool { return v < 1000 }).Collect())
			},
			"Zip": func(s iter.Seq[int]) any {
				pairs := iter.Zip(iter.Skip(s, 1), iter.Range(0, 1000)).Collect()
				return pairs[999].First
			},
			"All": func(s iter.Seq[int]) any {
				for v := range iter.Map(s, func(v int) int { return v }).All() {
					if v == 1000 {
						return v
					}
				}
				return nil
			},
			"ForEachErr": func(s iter.Seq[int]) any {
				err := s.ForEachErr(func(v int) error {
					if v == 1000 {
						return errors.New("1000")
					}
					return nil
				})
				return err
			},
		} {
			var yielded atomic.Int64
			if got := use(iter.FromSeq(forever(&yielded))); fmt.Sprint(got) != "1000" {
				t.Errorf("%s: got %v, want 1000", name, got)
			}
			if n := yielded.Load(); n > 30_000 {
				t.Errorf("%s: %d elements were pulled", name, n)
			}
			before := yielded.Load()
			time.Sleep(time.Millisecond)
			if yielded.Load() != before {
				t.Errorf("%s: the source goes on", name)
			}
		}
	})
}

func TestTakePullsNoMore(t *testing.T) {
	var yielded atomic.Int64
	iter.Take(iter.FromSeq(forever(&yielded)), 10).ForEach(func(int) {})
	if n := yielded.Load(); n != 10 {
		t.Errorf("%d elements were pulled for 10", n)
	}
	iter.Count(iter.Take(iter.FromSeq(forever(&yielded)), 0))
	if n := yielded.Load(); n != 10 {
		t.Error("an element was pulled for none")
	}
}

// A source that goes on although it is told not to gives no more than is wanted.
func TestSourceThatDoesNotListen(t *testing.T) {
	deaf := iter.FromSeq(func(yield func(int) bool) {
		for i := range 5000 {
			yield(i)
		}
	})
	for _, n := range []int{1, 2, 63, 64, 65, 3000} {
		same(t, fmt.Sprintf("%d", n), iter.Take(deaf, n), upTo(n))
		same(t, fmt.Sprintf("%d, behind 10", n), iter.Take(iter.Skip(deaf, 10), n), upTo(n + 10)[10:])
		pairs := iter.Zip(deaf, iter.Slice(upTo(n)))
		same(t, fmt.Sprintf("%d, zipped", n), iter.Map(pairs, func(p iter.Pair[int, int]) int { return p.Second }), upTo(n))
	}
}

func TestLookAheadIsBounded(t *testing.T) {
	onWorkers(t, func(t *testing.T) {
		for name, each := range map[string]func(s iter.Seq[int], f func(int)){
			"ForEach": func(s iter.Seq[int], f func(int)) {
				_ = s.ForEachErr(func(v int) error {
					f(v)
					if v == 20_000 {
						return errors.New("stop")
					}
					return nil
				})
			},
			"All": func(s iter.Seq[int], f func(int)) {
				for v := range s.All() {
					f(v)
					if v == 20_000 {
						break
					}
				}
			},
		} {
			var yielded, used, most atomic.Int64
			each(iter.FromSeq(forever(&yielded)), func(int) {
				used.Add(1)
				if ahead := yielded.Load() - used.Load(); ahead > most.Load() {
					most.Store(ahead)
				}
			})
			if most.Load() > 12_000 {
				t.Errorf("%s: the source was %d elements ahead", name, most.Load())
			}
		}
	})
}

// TestSourceMayWaitForItsElements has a source that yields one element after the
// other has been dealt with, which would hang if any were held back.
func TestSourceMayWaitForItsElements(t *testing.T) {
	onWorkers(t, func(t *testing.T) {
		source := func(done chan int) stditer.Seq[int] {
			return func(yield func(int) bool) {
				for i := range 300 {
					if !yield(i) {
						return
					}
					if i%7 == 6 { // after seven at full speed
						for range 7 {
							<-done
						}
					}
				}
			}
		}
		done := make(chan int, 7)
		iter.FromSeq(source(done)).ForEach(func(v int) { done <- v })
		done = make(chan int, 300)
		for v := range iter.Map(iter.FromSeq(source(done)), func(v int) int { return v }).All() {
			done <- v
		}
	})
}

func TestSourcesMayUseTheLibrary(t *testing.T) {
	onWorkers(t, func(t *testing.T) {
		var produce func(depth int) stditer.Seq[int]
		produce = func(depth int) stditer.Seq[int] {
			return func(yield func(int) bool) {
				for i := range 20 {
					a, b := forkjoin.Join2(func() int { return i }, func() int { return 1 })
					v := a + b
					if depth > 0 {
						v = iter.Sum(iter.Map(iter.FromSeq(produce(depth-1)), func(v int) int {
							forkjoin.ParallelFor(10, func(int) {})
							return v
						}))
					}
					if !yield(v) {
						return
					}
				}
			}
		}
		if got := iter.Sum(iter.FromSeq(produce(2))); got != 20*20*210 {
			t.Errorf("the sum is %d, want %d", got, 20*20*210)
		}
	})
}

func TestSourceThatPanics(t *testing.T) {
	for name, consume := range everyConsumer {
		passedOn(t, func() {
			consume(iter.FromSeq(func(yield func(int) bool) {
				for i := range 3000 {
					if !yield(i) {
						return
					}
				}
				panic("source of " + name)
			}))
		}, "source of "+name)
	}
}

func TestChannel(t *testing.T) {
	onWorkers(t, func(t *testing.T) {
		for _, n := range []int{0, 1, 2, 1000, 10_000} {
			for _, capacity := range []int{0, 1, 100} {
				send := func() chan int {
					c := make(chan int, capacity)
					go func() {
						for i := range n {
							c <- i
						}
						close(c)
					}()
					return c
				}
				if got := iter.Channel(send()).Collect(); !slices.Equal(got, upTo(n)) {
					t.Fatalf("Collect of %d from a channel of %d: %v", n, capacity, brief(got))
				}
				if got := iter.Sum(iter.Channel(send())); got != n*(n-1)/2 {
					t.Fatalf("Sum of %d from a channel of %d: %d", n, capacity, got)
				}
				if got := slices.Collect(iter.Channel(send()).All()); !slices.Equal(got, upTo(n)) {
					t.Fatalf("All of %d from a channel of %d: %v", n, capacity, brief(got))
				}
			}
		}
	})
}

func TestChannelThatFallsSilent(t *testing.T) {
	onWorkers(t, func(t *testing.T) {
		c := make(chan int, 3)
		c <- 1
		c <- 2
		c <- 3
		if v, ok := iter.FindFirst(iter.Channel(c), func(v int) bool { return v == 2 }); v != 2 || !ok {
			t.Errorf("FindFirst in an open channel: %d, %v", v, ok)
		}
		c <- 4
		for v := range iter.Channel(c).All() {
			if v >= 3 {
				break
			}
		}
		ctx, cancel := context.WithCancel(context.Background())
		go func() {
			time.Sleep(2 * time.Millisecond)
			cancel()
		}()
		passedOn(t, func() { iter.Channel(c).WithContext(ctx).ForEach(func(int) {}) }, context.Canceled)
		passedOn(t, func() { iter.Sum(iter.Channel(c).WithContext(ctx)) }, context.Canceled)
	})
}

func TestAllIsInOrder(t *testing.T) {
	onWorkers(t, func(t *testing.T) {
		for kind, s := range kindsOf(10_000) {
			slow := iter.Map(s, func(v int) int {
				if v%512 == 0 {
					time.Sleep(200 * time.Microsecond)
				}
				return v
			})
			next := 0
			for v := range slow.All() {
				if v != next {
					t.Fatalf("%s: got %d, want %d", kind, v, next)
				}
				next++
			}
			if next != 10_000 {
				t.Fatalf("%s: %d elements", kind, next)
			}
		}
	})
}

func TestLeavingAllEndsTheWork(t *testing.T) {
	onWorkers(t, func(t *testing.T) {
		for kind, s := range kindsOf(1_000_000) {
			for _, stop := range []int{0, 1, 17, 1000} {
				var calls, running atomic.Int64
				for v := range iter.Map(s, func(v int) int {
					running.Add(1)
					defer running.Add(-1)
					calls.Add(1)
					if v%100 == 0 {
						time.Sleep(100 * time.Microsecond)
					}
					return v
				}).All() {
					if v == stop {
						break
					}
				}
				if running.Load() != 0 {
					t.Errorf("%s: work goes on after the loop", kind)
				}
				if n := calls.Load(); n > 40_000 {
					t.Errorf("%s: left after %d, %d elements were computed", kind, stop, n)
				}
			}
		}
	})
}

// Who leaves the loop lacks nothing, so it does not matter whether the context has
// ended just then.
func TestLeavingAllWhenTheContextEnds(t *testing.T) {
	for kind, s := range kindsOf(3000) {
		ctx, cancel := context.WithCancel(context.Background())
		s := iter.Map(s, func(v int) int { time.Sleep(10 * time.Microsecond); return v })
		for v := range s.WithContext(ctx).All() {
			if v > 200 {
				cancel()
				time.Sleep(time.Millisecond) // so that those who work ahead notice
				break
			}
		}
		cancel()
		if got := panics(t, func() {
			for range s.WithContext(ctx).All() {
				t.Errorf("%s: an element after the end of the context", kind)
			}
		}); got == nil {
			t.Errorf("%s: elements that are missing are missed by nobody", kind)
		}
	}
}

func TestPanicInTheBodyOfAll(t *testing.T) {
	for kind, s := range kindsOf(100_000) {
		var calls atomic.Int64
		s := iter.Map(s, func(v int) int { calls.Add(1); time.Sleep(time.Microsecond); return v })
		got := panics(t, func() {
			for v := range s.All() {
				if v == 100 {
					panic("body")
				}
			}
		})
		if got != "body" {
			t.Errorf("%s: the body's panic arrives as %v", kind, got)
		}
		before := calls.Load()
		time.Sleep(time.Millisecond)
		if calls.Load() != before || before > 30_000 {
			t.Errorf("%s: work goes on after the panic, %d calls", kind, calls.Load())
		}
	}
}

func TestNoGoroutineIsLeftBehind(t *testing.T) {
	use := func() {
		for _, s := range kindsOf(3000) {
			for _, consume := range everyConsumer {
				consume(s)
			}
			for v := range s.All() {
				if v == 1000 {
					break
				}
			}
			iter.FindFirst(s, func(v int) bool { return v == 1500 })
		}
	}
	use()
	before := runtime.NumGoroutine()
	for range 20 {
		use()
	}
	deadline := time.Now().Add(10 * time.Second)
	for runtime.NumGoroutine() > before+8 && time.Now().Before(deadline) {
		time.Sleep(10 * time.Millisecond)
	}
	if n := runtime.NumGoroutine(); n > before+8 { // workers of the pool come and go
		buf := make([]byte, 1<<16)
		t.Errorf("%d goroutines, before it were %d\n%s", n, before, buf[:runtime.Stack(buf, true)])
	}
	buf := make([]byte, 1<<20)
	if stacks := string(buf[:runtime.Stack(buf, true)]); strings.Contains(stacks, "iter.(*queue") {
		t.Errorf("a source is left behind:\n%s", stacks)
	}
}

func TestInASynctestBubble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for kind, s := range kindsOf(3000) {
			slow := iter.Map(s, func(v int) int {
				if v%100 == 0 {
					time.Sleep(time.Second)
				}
				return v
			})
			if sum := iter.Sum(slow); sum != 3000*2999/2 {
				t.Errorf("%s: the sum is %d", kind, sum)
			}
			if n := len(slices.Collect(slow.All())); n != 3000 {
				t.Errorf("%s: All has %d elements", kind, n)
			}
		}
	})
}

func TestAFeedWithManyCallers(t *testing.T) {
	var wg sync.WaitGroup
	for range 30 {
		wg.Go(func() {
			if got := iter.Sum(iter.FromSeq(slices.Values(upTo(3000)))); got != 3000*2999/2 {
				t.Errorf("the sum is %d", got)
			}
		})
	}
	wg.Wait()
}
