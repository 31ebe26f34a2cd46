package forkjoin_test

import (
	"fmt"
	"iter"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/forkjoin-go/forkjoin"
)

// leafBound is one combination of MinLeaf and MaxLeaf; 0 leaves it out.
type leafBound struct{ min, max int }

func (b leafBound) options() (opts []forkjoin.Option) {
	if b.min > 0 {
		opts = append(opts, forkjoin.MinLeaf(b.min))
	}
	if b.max > 0 {
		opts = append(opts, forkjoin.MaxLeaf(b.max))
	}
	return opts
}

// check says what is wrong with the pieces that [lo, hi) was cut into: that
// they do not cover it exactly once, or break the bound. No piece is longer
// than MaxLeaf. None is shorter than MinLeaf, unless the range is, or the two
// bounds are so close that not every length can be cut within both.
func (b leafBound) check(lo, hi int, pieces [][2]int) error {
	if lo == hi {
		if len(pieces) > 0 {
			return fmt.Errorf("empty range ran %v", pieces)
		}
		return nil
	}
	slices.SortFunc(pieces, func(p, q [2]int) int {
		if p[0] < q[0] {
			return -1
		}
		return 1
	})
	at, short := lo, 0
	for i, p := range pieces {
		if p[0] != at || p[1] <= p[0] || p[1] > hi {
			return fmt.Errorf("piece %d of %d is %v, want it to begin at %d", i, len(pieces), p, at)
		}
		at = p[1]
		n := p[1] - p[0]
		if b.max > 0 && n > b.max {
			return fmt.Errorf("piece %v is longer than MaxLeaf %d", p, b.max)
		}
		if n < b.min {
			short++
		}
	}
	if at != hi {
		return fmt.Errorf("pieces end at %d, want %d", at, hi)
	}
	if short > 0 && hi-lo >= b.min && (b.max == 0 || b.max >= 2*b.min-1) {
		return fmt.Errorf("%d pieces of [%d, %d) are shorter than MinLeaf %d: %v", short, lo, hi, b.min, pieces)
	}
	if short > 0 && hi-lo < b.min && len(pieces) > 1 {
		return fmt.Errorf("[%d, %d) is shorter than MinLeaf %d but was cut into %v", lo, hi, b.min, pieces)
	}
	return nil
}

func leafBounds(n int) []leafBound {
	return []leafBound{
		{}, {1, 0}, {2, 0}, {7, 0}, {64, 0}, {1000, 0}, {max(n-1, 1), 0}, {max(n, 1), 0}, {n + 1, 0}, {math.MaxInt, 0},
		{0, 1}, {0, 2}, {0, 7}, {0, 64}, {0, max(n, 1)}, {0, n + 1}, {0, math.MaxInt},
		{1, 1}, {2, 3}, {3, 5}, {4, 4}, {4, 7}, {10, 100}, {n + 1, n + 1}, {math.MaxInt, math.MaxInt},
	}
}

func loopSizes(w int) []int {
	sizes := []int{0, 1, 2, w - 1, w, w + 1, 2*w + 1, 63, 64, 65, scale(20_011)}
	slices.Sort(sizes)
	return slices.Compact(sizes)
}

// tally counts how often each index ran.
type tally []atomic.Int32

func (c tally) check(t testing.TB, what any) {
	t.Helper()
	for i := range c {
		if k := c[i].Load(); k != 1 {
			t.Fatalf("%v: index %d ran %d times, want 1", what, i, k)
		}
	}
}

func TestLoopRunsEachIndexOnce(t *testing.T) {
	eachPool(t, []int{1, 2, 3, 16}, func(t *testing.T, w int) {
		for _, n := range loopSizes(w) {
			for _, b := range leafBounds(n) {
				seen := make(tally, n)
				forkjoin.ParallelFor(n, func(i int) { seen[i].Add(1) }, b.options()...)
				seen.check(t, fmt.Sprintf("n=%d %+v", n, b))
			}
		}
	})
}

func TestLoopRangePiecesKeepTheirBounds(t *testing.T) {
	eachPool(t, []int{1, 2, 3, 16}, func(t *testing.T, w int) {
		for _, n := range loopSizes(w) {
			for _, b := range leafBounds(n) {
				for _, lo := range []int{0, -n / 2, 1000, math.MaxInt - n, math.MinInt} {
					pieces := rangePieces(lo, lo+n, b, nil)
					if err := b.check(lo, lo+n, pieces); err != nil {
						t.Fatalf("[%d, %d) %+v: %v", lo, lo+n, b, err)
					}
				}
			}
		}
	})
}

// rangePieces runs a loop and returns the pieces it was cut into.
func rangePieces(lo, hi int, b leafBound, work func()) [][2]int {
	var mu sync.Mutex
	var pieces [][2]int
	forkjoin.ParallelForRange(lo, hi, func(lo, hi int) {
		if work != nil {
			work()
		}
		mu.Lock()
		pieces = append(pieces, [2]int{lo, hi})
		mu.Unlock()
	}, b.options()...)
	return pieces
}

// With work in the pieces there is time to split them.
func TestLoopRangePiecesKeepTheirBoundsWhenStolen(t *testing.T) {
	threads(t, 4)
	within(t, patience, func() {
		for _, b := range []leafBound{{}, {7, 0}, {0, 5}, {3, 5}, {4, 4}, {10, 30}} {
			for _, n := range []int{97, 300, 1023} {
				pieces := rangePieces(0, n, b, func() { spin(5 * time.Microsecond) })
				if err := b.check(0, n, pieces); err != nil {
					t.Fatalf("n=%d %+v: %v", n, b, err)
				}
			}
		}
	})
}

// A loop of one leaf runs on the caller alone.
func TestLoopOneLeafStaysWithTheCaller(t *testing.T) {
	threads(t, 2)
	within(t, patience, func() {
		me, n := gnum(), 200
		for range 20 {
			forkjoin.ParallelFor(n, func(int) {
				if id := gnum(); id != me {
					t.Errorf("one leaf, but goroutine %d took part beside the caller %d", id, me)
				}
				spin(time.Microsecond)
			}, forkjoin.MinLeaf(n))
		}
	})
}

// Callers take part: a call runs on the caller's goroutine at once.
func TestLoopCallerTakesPart(t *testing.T) {
	within(t, patience, func() {
		for range 20 {
			var who ids
			forkjoin.ParallelFor(500, func(int) { who.add() })
			if !who.has(gnum()) {
				t.Fatal("the caller ran no iteration")
			}
		}
	})
}

// A long loop is shared, whatever its bounds allow. The loop goes on until as
// many goroutines as asked for have taken part.
func TestLoopIsShared(t *testing.T) {
	threads(t, 4)
	for _, b := range []leafBound{{}, {0, 1}, {16, 0}, {16, 64}} {
		t.Run(fmt.Sprintf("%+v", b), func(t *testing.T) {
			within(t, patience, func() {
				var who ids
				panicsWith(t, "enough", func() {
					forkjoin.ParallelFor(math.MaxInt, func(int) {
						who.add()
						if who.len() >= 3 {
							panic("enough")
						}
					}, b.options()...)
				})
			})
		})
	}
}

func TestLoopRangeNearTheEndsOfInt(t *testing.T) {
	eachPool(t, []int{1, 3}, func(t *testing.T, _ int) {
		for _, r := range [][2]int{
			{math.MaxInt - 10, math.MaxInt}, {math.MaxInt - 1, math.MaxInt}, {math.MaxInt, math.MaxInt},
			{math.MinInt, math.MinInt + 10}, {math.MinInt, math.MinInt + 1}, {math.MinInt, math.MinInt},
			{-5, 6}, {math.MaxInt - 5000, math.MaxInt}, {math.MinInt, math.MinInt + 5000},
		} {
			for _, b := range []leafBound{{}, {1, 1}, {3, 0}, {0, 3}, {math.MaxInt, 0}, {0, math.MaxInt}} {
				if err := b.check(r[0], r[1], rangePieces(r[0], r[1], b, nil)); err != nil {
					t.Fatalf("%v %+v: %v", r, b, err)
				}
			}
		}
	})
}

// A huge range in a few huge leaves: the lengths add up, nothing overflows.
func TestLoopMaxIntInFewLeaves(t *testing.T) {
	eachPool(t, []int{1, 3}, func(t *testing.T, _ int) {
		for _, lo := range []int{0, -1, math.MinInt + 1, -math.MaxInt / 2} {
			for _, min := range []int{math.MaxInt, math.MaxInt/2 + 1, math.MaxInt / 2, math.MaxInt / 8} {
				b := leafBound{min: min}
				hi := lo + math.MaxInt
				if err := b.check(lo, hi, rangePieces(lo, hi, b, nil)); err != nil {
					t.Errorf("[%d, %d) %+v: %v", lo, hi, b, err)
				}
			}
		}
	})
}

// A range longer than MaxInt is either run properly or refused clearly.
func TestLoopRangeLongerThanMaxInt(t *testing.T) {
	for _, r := range [][2]int{{math.MinInt, math.MaxInt}, {-2, math.MaxInt}, {math.MinInt, 1}} {
		within(t, patience, func() {
			var calls atomic.Int64
			v := caught(func() {
				forkjoin.ParallelForRange(r[0], r[1], func(lo, hi int) {
					if lo >= hi || lo < r[0] || hi > r[1] || uint(hi)-uint(lo) > 8 {
						t.Errorf("leaf [%d, %d) of %v with MaxLeaf 8", lo, hi, r)
					}
					if calls.Add(1) >= 1000 {
						panic("enough")
					}
				}, forkjoin.MaxLeaf(8))
			})
			if pe, ok := v.(*forkjoin.PanicError); !ok || pe.Value != "enough" {
				checkText(t, v, "ParallelForRange")
			}
		})
	}
}

func TestLoopMaxIntEndsEarly(t *testing.T) {
	eachPool(t, []int{1, 2, 16}, func(t *testing.T, _ int) {
		for _, b := range []leafBound{{}, {0, 1}, {1000, 0}, {math.MaxInt, 0}} {
			var mu sync.Mutex
			seen := make(map[int]bool)
			panicsWith(t, "enough", func() {
				forkjoin.ParallelFor(math.MaxInt, func(i int) {
					mu.Lock()
					defer mu.Unlock()
					if i < 0 || i == math.MaxInt || seen[i] {
						t.Errorf("index %d is out of range or ran twice", i)
					}
					seen[i] = true
					if len(seen) >= 2000 {
						panic("enough")
					}
				}, b.options()...)
			})
		}
	})
}

// A range that ends where it begins, or before, is empty.
func TestLoopEmptyRange(t *testing.T) {
	eachPool(t, []int{1, 2}, func(t *testing.T, _ int) {
		for _, r := range [][2]int{{0, 0}, {5, 5}, {5, 3}, {0, -1}, {math.MaxInt, math.MinInt}, {1, math.MinInt}, {math.MaxInt, -1}} {
			for _, b := range []leafBound{{}, {1, 1}, {0, 5}, {math.MaxInt, 0}} {
				if pieces := rangePieces(r[0], r[1], b, nil); len(pieces) > 0 {
					t.Errorf("%v %+v: ran %v", r, b, pieces)
				}
			}
		}
	})
}

func TestLoopRefusesBadInput(t *testing.T) {
	ran := func() { t.Error("a task has run") }
	one := func(int) { ran() }
	two := func(int, int) { ran() }
	four := func(int, int, int, int) { ran() }
	type O = forkjoin.Option
	refuses(t, func() { forkjoin.ParallelFor(-1, one) }, "ParallelFor", "-1")
	refuses(t, func() { forkjoin.ParallelFor(math.MinInt, one) }, "ParallelFor", fmt.Sprint(math.MinInt))
	refuses(t, func() { forkjoin.ParallelFor(10, nil) }, "ParallelFor", "body", "nil")
	refuses(t, func() { forkjoin.ParallelFor(0, nil) }, "ParallelFor", "body", "nil")
	refuses(t, func() { forkjoin.ParallelForRange(5, 3, nil) }, "ParallelForRange", "body", "nil")
	refuses(t, func() { forkjoin.ParallelForRange(0, 10, nil) }, "ParallelForRange", "body", "nil")
	refuses(t, func() { forkjoin.ParallelFor2D(-2, 3, four) }, "ParallelFor2D", "rows", "-2")
	refuses(t, func() { forkjoin.ParallelFor2D(2, -3, four) }, "ParallelFor2D", "cols", "-3")
	refuses(t, func() { forkjoin.ParallelFor2D(0, -3, four) }, "ParallelFor2D", "cols", "-3")
	refuses(t, func() { forkjoin.ParallelFor2D(2, 3, nil) }, "ParallelFor2D", "body", "nil")

	for _, call := range []func(...O){
		func(o ...O) { forkjoin.ParallelFor(10, one, o...) },
		func(o ...O) { forkjoin.ParallelFor(0, one, o...) },
		func(o ...O) { forkjoin.ParallelForRange(0, 10, two, o...) },
		func(o ...O) { forkjoin.ParallelFor2D(2, 3, four, o...) },
		func(o ...O) {
			forkjoin.ParallelForWith(5, func() int { ran(); return 0 }, func(int, int) { ran() }, o...)
		},
	} {
		refuses(t, func() { call(forkjoin.MinLeaf(9), forkjoin.MaxLeaf(8)) }, "MinLeaf", "9", "8")
		refuses(t, func() { call(forkjoin.MaxLeaf(8), forkjoin.MinLeaf(9)) }, "MinLeaf", "9", "8")
		refuses(t, func() { call(forkjoin.MinLeaf(-1)) }, "MinLeaf", "-1")
		refuses(t, func() { call(forkjoin.MaxLeaf(-1)) }, "MaxLeaf", "-1")
		refuses(t, func() { call(forkjoin.MinLeaf(0)) }, "MinLeaf", "0")
		refuses(t, func() { call(forkjoin.MaxLeaf(0)) }, "MaxLeaf", "0")
	}
}

// A loop costs no goroutine per element.
func TestLoopKeepsGoroutinesFew(t *testing.T) {
	const w = 4
	p := newPool(t, forkjoin.Config{Workers: w})
	within(t, patience, func() {
		before := runtime.NumGoroutine()
		var most atomic.Int64
		p.Run(func() {
			forkjoin.ParallelFor(1_000_000, func(i int) {
				if i%512 == 0 {
					n := int64(runtime.NumGoroutine())
					for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
					}
				}
			})
		})
		if n := int(most.Load()); n > before+w+4 {
			t.Errorf("%d goroutines during the loop, %d before it, %d workers", n, before, w)
		}
	})
}

func TestLoopSkewedWork(t *testing.T) {
	eachPool(t, []int{2, 4}, func(t *testing.T, _ int) {
		n := 1200
		for _, heavy := range []func(i int) bool{
			func(i int) bool { return i < 8 },
			func(i int) bool { return i >= n-8 },
			func(i int) bool { return i%150 == 0 },
		} {
			seen := make(tally, n)
			forkjoin.ParallelFor(n, func(i int) {
				if heavy(i) {
					spin(300 * time.Microsecond)
				}
				seen[i].Add(1)
			})
			seen.check(t, "skewed")
		}
	})
}

// A heavy iteration does not hold back those that were cheap enough to have
// been taken into its chunk: others take them over.
func TestLoopSharesWhatFollowsASlowIteration(t *testing.T) {
	threads(t, 2)
	within(t, patience, func() {
		n := 4096
		var others atomic.Int64
		me := gnum()
		forkjoin.ParallelFor(n, func(i int) {
			if gnum() != me {
				others.Add(1)
			}
			if i == 0 { // the caller's first: all the rest can be taken meanwhile
				eventually(5*time.Second, func() bool { return others.Load() > int64(n)/4 })
			}
		})
		if k := others.Load(); k < int64(n)/4 {
			t.Errorf("while iteration 0 ran others took %d of %d iterations", k, n)
		}
	})
}

func TestLoopNested(t *testing.T) {
	eachPool(t, []int{1, 2, 16}, func(t *testing.T, _ int) {
		for range scale(24) {
			seen := make(tally, 100*10)
			forkjoin.ParallelFor(100, func(i int) {
				forkjoin.ParallelFor(10, func(j int) { seen[10*i+j].Add(1) })
			}, forkjoin.MaxLeaf(1))
			seen.check(t, "100 x 10")
		}
	})
}

// Nested loops whose inner iterations are slow and cut to the smallest pieces,
// so that outer iterations wait for stolen inner ones.
func TestLoopNestedWaits(t *testing.T) {
	eachPool(t, []int{1, 2, 16}, func(t *testing.T, _ int) {
		seen := make(tally, 20*10*3)
		forkjoin.ParallelFor(20, func(i int) {
			forkjoin.ParallelFor(10, func(j int) {
				forkjoin.ParallelFor(3, func(k int) {
					spin(10 * time.Microsecond)
					seen[30*i+3*j+k].Add(1)
				}, forkjoin.MaxLeaf(1))
			}, forkjoin.MaxLeaf(1))
		}, forkjoin.MaxLeaf(1))
		seen.check(t, "20 x 10 x 3")
	})
}

func TestLoopBodyMayCallEverything(t *testing.T) {
	sum := func(lo, hi int) (s int) {
		for i := lo; i < hi; i++ {
			s += i
		}
		return s
	}
	add := func(a, b int) int { return a + b }
	fib := forkjoin.Recursive(func(t *forkjoin.Task[int, int], n int) int {
		if n < 2 {
			return n
		}
		a, b := t.Join(n-1, n-2)
		return a + b
	})
	eachPool(t, []int{1, 2, 16}, func(t *testing.T, _ int) {
		n := scale(200)
		var joined, tasks atomic.Int64
		forkjoin.ParallelFor(n, func(i int) {
			forkjoin.Join(func() { joined.Add(1) }, func() { joined.Add(1) })
			if got := forkjoin.ParallelReduce(100, 0, sum, add); got != 4950 {
				t.Errorf("reduce in a body: %d, want 4950", got)
			}
			if got := fib(10); got != 55 {
				t.Errorf("fib(10) in a body: %d, want 55", got)
			}
			var wg forkjoin.WaitGroup
			var g forkjoin.Group
			for range 3 {
				wg.Go(func() { tasks.Add(1) })
				g.Go(func() error { tasks.Add(1); return nil })
			}
			wg.Wait()
			if err := g.Wait(); err != nil {
				t.Error(err)
			}
		}, forkjoin.MaxLeaf(1))
		if joined.Load() != int64(2*n) || tasks.Load() != int64(6*n) {
			t.Errorf("%d branches and %d tasks ran, want %d and %d", joined.Load(), tasks.Load(), 2*n, 6*n)
		}
	})
}

// A caller that is locked to its thread, and one in a coroutine, are callers
// like others. A coroutine may even stop in the middle of a loop, in the only
// slot of a pool that is used meanwhile.
func TestLoopOddCallers(t *testing.T) {
	within(t, patience, func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		for range 20 {
			seen := make(tally, 200)
			forkjoin.ParallelFor(200, func(i int) { seen[i].Add(1); spin(time.Microsecond) }, forkjoin.MaxLeaf(1))
			seen.check(t, "locked to a thread")
		}
	})
	p := newPool(t, forkjoin.Config{Workers: 1})
	within(t, patience, func() {
		next, stop := iter.Pull(func(yield func(int) bool) {
			p.Run(func() {
				forkjoin.ParallelFor(3, func(i int) { yield(i) }, forkjoin.MinLeaf(3))
			})
		})
		defer stop()
		for want := range 3 {
			if v, ok := next(); !ok || v != want {
				t.Fatalf("the coroutine gave %d, %v, want %d", v, ok, want)
			}
			seen := make(tally, 50)
			p.Run(func() { forkjoin.ParallelFor(50, func(i int) { seen[i].Add(1) }, forkjoin.MaxLeaf(1)) })
			seen.check(t, "while a coroutine has stopped in the pool")
		}
		if _, ok := next(); ok {
			t.Error("the coroutine did not end")
		}
	})
}

func TestLoop2DCoversEveryCellOnce(t *testing.T) {
	eachPool(t, []int{1, 3, 16}, func(t *testing.T, _ int) {
		for _, d := range [][2]int{{0, 0}, {0, 5}, {5, 0}, {1, 1}, {1, 300}, {300, 1}, {17, 23}, {64, 64}, {3, 2000}, {213, 97}} {
			rows, cols := d[0], d[1]
			for _, b := range []leafBound{{}, {1, 1}, {2, 3}, {10, 0}, {0, 10}, {10, 10}, {37, 40}, {0, 100}, {math.MaxInt, 0}, {0, math.MaxInt}} {
				seen := make(tally, rows*cols)
				forkjoin.ParallelFor2D(rows, cols, func(r0, r1, c0, c1 int) {
					if r0 >= r1 || c0 >= c1 {
						t.Errorf("%v %+v: empty tile [%d,%d)x[%d,%d)", d, b, r0, r1, c0, c1)
					}
					if cells := (r1 - r0) * (c1 - c0); b.max > 0 && cells > b.max {
						t.Errorf("%v %+v: tile [%d,%d)x[%d,%d) has %d cells", d, b, r0, r1, c0, c1, cells)
					}
					for r := r0; r < r1; r++ {
						for c := c0; c < c1; c++ {
							seen[r*cols+c].Add(1)
						}
					}
				}, b.options()...)
				seen.check(t, fmt.Sprintf("%v %+v", d, b))
			}
		}
	})
}

// Rows times columns may exceed any int: the tiles stay inside all the same.
func TestLoop2DHuge(t *testing.T) {
	for _, d := range [][2]int{{math.MaxInt, math.MaxInt}, {math.MaxInt, 2}, {3, math.MaxInt}} {
		within(t, patience, func() {
			var calls atomic.Int64
			v := caught(func() {
				forkjoin.ParallelFor2D(d[0], d[1], func(r0, r1, c0, c1 int) {
					if r0 < 0 || r1 <= r0 || r1 > d[0] || c0 < 0 || c1 <= c0 || c1 > d[1] {
						t.Errorf("tile [%d,%d)x[%d,%d) of %v", r0, r1, c0, c1, d)
					}
					if calls.Add(1) >= 100 {
						panic("enough")
					}
				}, forkjoin.MaxLeaf(16))
			})
			if pe, ok := v.(*forkjoin.PanicError); v != nil && (!ok || pe.Value != "enough") {
				checkText(t, v, "ParallelFor2D")
			}
		})
	}
	within(t, patience, func() {
		forkjoin.ParallelFor2D(0, math.MaxInt, func(_, _, _, _ int) { t.Error("no rows, but a tile ran") })
		forkjoin.ParallelFor2D(math.MaxInt, 0, func(_, _, _, _ int) { t.Error("no columns, but a tile ran") })
	})
}
