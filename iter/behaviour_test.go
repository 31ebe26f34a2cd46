package iter_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/forkjoin-go/forkjoin"
	"github.com/forkjoin-go/forkjoin/iter"
)

// everyConsumer has each consumer read s, and ends early where that has a say.
var everyConsumer = map[string]func(s iter.Seq[int]){
	"ForEach":     func(s iter.Seq[int]) { s.ForEach(func(int) {}) },
	"Collect":     func(s iter.Seq[int]) { s.Collect() },
	"AppendTo":    func(s iter.Seq[int]) { s.AppendTo([]int{1}) },
	"CollectInto": func(s iter.Seq[int]) { s.CollectInto(make([]int, 100_000)) },
	"CollectMap":  func(s iter.Seq[int]) { iter.CollectMap(iter.Enumerate(s)) },
	"All, in order": func(s iter.Seq[int]) {
		for range s.All() {
		}
	},
	"GroupBy":   func(s iter.Seq[int]) { iter.GroupBy(s, func(v int) int { return v % 3 }) },
	"CountBy":   func(s iter.Seq[int]) { iter.CountBy(s, func(v int) int { return v % 3 }) },
	"Partition": func(s iter.Seq[int]) { iter.Partition(s, func(v int) bool { return v%2 == 0 }) },
	"Unzip":     func(s iter.Seq[int]) { iter.Unzip(iter.Zip(s, s)) },
	"Reduce":    func(s iter.Seq[int]) { iter.Reduce(s, 0, func(a, b int) int { return a + b }) },
	"Fold": func(s iter.Seq[int]) {
		iter.Fold(s, func() int { return 0 }, func(a, v int) int { return a + v }, func(a, b int) int { return a + b })
	},
	"Sum":       func(s iter.Seq[int]) { iter.Sum(s) },
	"Product":   func(s iter.Seq[int]) { iter.Product(s) },
	"Count":     func(s iter.Seq[int]) { iter.Count(s) },
	"Min":       func(s iter.Seq[int]) { iter.Min(s) },
	"Max":       func(s iter.Seq[int]) { iter.Max(s) },
	"MinMax":    func(s iter.Seq[int]) { iter.MinMax(s) },
	"MinFunc":   func(s iter.Seq[int]) { iter.MinFunc(s, func(a, b int) int { return a - b }) },
	"MaxFunc":   func(s iter.Seq[int]) { iter.MaxFunc(s, func(a, b int) int { return a - b }) },
	"Any":       func(s iter.Seq[int]) { iter.Any(s, func(int) bool { return false }) },
	"All":       func(s iter.Seq[int]) { iter.All(s, func(int) bool { return true }) },
	"None":      func(s iter.Seq[int]) { iter.None(s, func(int) bool { return false }) },
	"FindFirst": func(s iter.Seq[int]) { iter.FindFirst(s, func(int) bool { return false }) },
	"FindLast":  func(s iter.Seq[int]) { iter.FindLast(s, func(int) bool { return false }) },
	"FindAny":   func(s iter.Seq[int]) { iter.FindAny(s, func(int) bool { return false }) },
	"Position":  func(s iter.Seq[int]) { iter.Position(s, func(int) bool { return false }) },
	"Contains":  func(s iter.Seq[int]) { iter.Contains(s, -1) },
	"Equal":     func(s iter.Seq[int]) { iter.Equal(s, iter.Range(0, 10_000)) },
	"Compare":   func(s iter.Seq[int]) { iter.Compare(s, iter.Range(0, 10_000)) },
	"IsSorted":  func(s iter.Seq[int]) { iter.IsSorted(s) },
	"TopK":      func(s iter.Seq[int]) { iter.TopK(s, 3) },
	"Take":      func(s iter.Seq[int]) { iter.Count(iter.Take(s, 50_000)) },
	"TakeWhile": func(s iter.Seq[int]) { iter.Count(iter.TakeWhile(s, func(int) bool { return true })) },
	"SkipWhile": func(s iter.Seq[int]) { iter.Count(iter.SkipWhile(s, func(int) bool { return true })) },
	"Scan":      func(s iter.Seq[int]) { iter.Scan(s, func(a, b int) int { return a + b }).Collect() },
	"Windowed":  func(s iter.Seq[int]) { iter.Count(iter.Windowed(s, 2)) },
	"Dedup":     func(s iter.Seq[int]) { iter.Count(iter.Dedup(s)) },
	"Chunked":   func(s iter.Seq[int]) { iter.Chunked(s, 7).Collect() },
	"ForEachErr, failing": func(s iter.Seq[int]) {
		if err := s.ForEachErr(func(int) error { return nil }); err != nil {
			panic(&forkjoin.PanicError{Value: err, Stack: []byte("returned")})
		}
	},
	"TryReduce, failing": func(s iter.Seq[int]) {
		if _, err := iter.TryReduce(s, 0, func(a, b int) (int, error) { return a + b, nil }); err != nil {
			panic(&forkjoin.PanicError{Value: err, Stack: []byte("returned")})
		}
	},
}

// kindsOf are sequences of 0 to n-1 that are read in the different ways there are.
func kindsOf(n int) map[string]iter.Seq[int] {
	return map[string]iter.Seq[int]{
		"numbered":   iter.Range(0, n),
		"unnumbered": iter.Filter(iter.Range(-n, n), func(v int) bool { return v >= 0 }),
		"sequential": iter.FromSeq(slices.Values(upTo(n))),
	}
}

func TestPanicsReachTheCaller(t *testing.T) {
	onWorkers(t, func(t *testing.T) {
		for kind, s := range kindsOf(10_000) {
			for name, consume := range everyConsumer {
				var after atomic.Bool
				var running atomic.Int32
				passedOn(t, func() {
					defer func() {
						after.Store(true)
						if n := running.Load(); n != 0 {
							t.Errorf("%s of %s: %d calls run on", name, kind, n)
						}
					}()
					consume(iter.Map(s, func(v int) int {
						if after.Load() {
							t.Errorf("%s of %s: work goes on after the panic", name, kind)
						}
						running.Add(1)
						defer running.Add(-1)
						if v == 7000 {
							panic("seven")
						}
						return v
					}))
				}, "seven")
			}
		}
	})
}

func TestEachElementAtMostOnceWhenAConsumerPanics(t *testing.T) {
	for kind, s := range kindsOf(10_000) {
		for name, consume := range everyConsumer {
			if name == "Unzip" {
				continue // reads its source twice
			}
			times := make([]atomic.Int32, 10_000)
			panics(t, func() {
				consume(iter.Map(s, func(v int) int {
					times[v].Add(1)
					if v == 9_000 {
						panic("now")
					}
					return v
				}))
			})
			for v := range times {
				if n := times[v].Load(); n > 1 {
					t.Fatalf("%s of %s: element %d was computed %d times", name, kind, v, n)
				}
			}
		}
	}
}

func TestEachElementOnce(t *testing.T) {
	onWorkers(t, func(t *testing.T) {
		for kind, s := range kindsOf(10_000) {
			for name, consume := range everyConsumer {
				if name == "Unzip" {
					continue // reads its source twice
				}
				times := make([]atomic.Int32, 10_000)
				consume(iter.Map(s, func(v int) int { times[v].Add(1); return v }))
				for v := range times {
					if n := times[v].Load(); n != 1 {
						t.Fatalf("%s of %s: element %d was computed %d times", name, kind, v, n)
					}
				}
			}
		}
	})
}

func TestContextEndsConsumers(t *testing.T) {
	reason := errors.New("enough")
	for kind, s := range kindsOf(10_000) {
		for name, consume := range everyConsumer {
			// Before.
			ctx, cancel := context.WithCancelCause(context.Background())
			cancel(reason)
			if text := fmt.Sprint(panics(t, func() { consume(s.WithContext(ctx)) })); !strings.HasPrefix(text, "forkjoin: panic: enough\n") && !strings.Contains(name, "failing") {
				t.Errorf("%s of %s: the text is %q", name, kind, text)
			}
			passedOn(t, func() {
				consume(iter.Map(s.WithContext(ctx), func(int) int { t.Errorf("%s of %s: it began", name, kind); return 0 }))
			}, reason)
			// During.
			ctx, cancel = context.WithCancelCause(context.Background())
			var calls atomic.Int32
			passedOn(t, func() {
				consume(iter.Map(s, func(v int) int {
					if calls.Add(1) == 20 {
						cancel(reason)
					}
					time.Sleep(50 * time.Microsecond) // so that few are read at a time
					return v
				}).WithContext(ctx))
			}, reason)
			if n := calls.Load(); n > 5000 {
				t.Errorf("%s of %s: %d elements were computed after all", name, kind, n)
			}
			// Not at all.
			ctx, cancel = context.WithCancelCause(context.Background())
			consume(s.WithContext(ctx))
			cancel(nil)
		}
	}
	refuses(t, func() { iter.Range(0, 1).WithContext(nil) }, "WithContext", "ctx is nil") //lint:ignore SA1012 that is what is tested
}

func TestErrorsEndConsumers(t *testing.T) {
	reason := errors.New("bad element")
	onWorkers(t, func(t *testing.T) {
		for kind, s := range kindsOf(10_000) {
			var calls atomic.Int32
			err := s.ForEachErr(func(v int) error {
				calls.Add(1)
				time.Sleep(20 * time.Microsecond)
				if v == 3 {
					return fmt.Errorf("%d: %w", v, reason)
				}
				return nil
			})
			if !errors.Is(err, reason) || calls.Load() > 5000 {
				t.Errorf("%s: ForEachErr returned %v after %d calls", kind, err, calls.Load())
			}
			sum, err := iter.TryReduce(s, -1, func(a, b int) (int, error) {
				if b == 9000 {
					return 0, reason
				}
				return a + b, nil
			})
			if err != reason || sum != -1 {
				t.Errorf("%s: TryReduce returned %d, %v", kind, sum, err)
			}
			sum, err = iter.TryReduce(s, -1, func(a, b int) (int, error) { return a + b, nil })
			if err != nil || sum != 10_000*9_999/2 {
				t.Errorf("%s: TryReduce returned %d, %v", kind, sum, err)
			}
		}
		if v, err := iter.TryReduce(iter.Empty[int](), 5, func(a, b int) (int, error) { return 0, reason }); v != 5 || err != nil {
			t.Errorf("TryReduce of nothing returned %d, %v", v, err)
		}
	})
}

func TestGoexitReachesTheCaller(t *testing.T) {
	for kind, s := range kindsOf(10_000) {
		for name, consume := range everyConsumer {
			var returned atomic.Bool
			done := make(chan struct{})
			go func() {
				defer close(done)
				consume(iter.Map(s, func(v int) int {
					if v == 4000 {
						runtime.Goexit()
					}
					return v
				}))
				returned.Store(true)
			}()
			<-done
			if returned.Load() {
				t.Errorf("%s of %s: returned after Goexit", name, kind)
			}
		}
	}
}

// TestSameBits compares folds of floating-point numbers on different numbers of
// workers. Elements that take different times make sure that splits differ.
func TestSameBits(t *testing.T) {
	n := 30_000
	v := floats(n)
	for i := range v {
		v[i] = math.Sin(float64(i)) * math.Pow(10, float64(i%13))
	}
	slowly := func(x float64) float64 {
		if x > 9e11 {
			runtime.Gosched()
		}
		return x * 1.1
	}
	kinds := map[string]iter.Seq[float64]{
		"plain":      iter.Slice(v),
		"numbered":   iter.Map(iter.Slice(v), slowly),
		"unnumbered": iter.Filter(iter.Map(iter.Slice(v), slowly), func(x float64) bool { return x < 5e10 }),
		"sequential": iter.Map(iter.FromSeq(slices.Values(v)), slowly),
		"flat":       iter.FlatMap(iter.Range(0, n/10), func(i int) []float64 { return v[i*10 : i*10+i%10] }),
	}
	folds := map[string]func(s iter.Seq[float64]) uint64{
		"Sum": func(s iter.Seq[float64]) uint64 { return math.Float64bits(iter.Sum(s)) },
		"Product": func(s iter.Seq[float64]) uint64 {
			return math.Float64bits(iter.Product(iter.Map(s, func(x float64) float64 { return 1 + x*1e-16 })))
		},
		"Reduce": func(s iter.Seq[float64]) uint64 {
			return math.Float64bits(iter.Reduce(s, 0, func(a, b float64) float64 { return a + b }))
		},
		"Fold": func(s iter.Seq[float64]) uint64 {
			return math.Float64bits(iter.Fold(s, func() float64 { return 0 }, func(a, b float64) float64 { return a + b }, func(a, b float64) float64 { return a + b }))
		},
		"Scan": func(s iter.Seq[float64]) uint64 {
			all := iter.Scan(s, func(a, b float64) float64 { return a + b }).Collect()
			return math.Float64bits(all[len(all)-1])
		},
	}
	before := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(before)
	for kind, s := range kinds {
		for name, fold := range folds {
			runtime.GOMAXPROCS(1)
			want := fold(s)
			for _, workers := range []int{1, 2, 3, 8, 64} {
				runtime.GOMAXPROCS(workers)
				for range 3 {
					if got := fold(s); got != want {
						t.Errorf("%s of %s on %d workers is %x, want %x", name, kind, workers, got, want)
					}
				}
			}
		}
	}
}

func TestReduceKeepsTheOrder(t *testing.T) {
	for kind, s := range kindsOf(3000) {
		want := strings.Join(mappedStrings(upTo(3000)), "")
		got := iter.Reduce(iter.Map(s, func(v int) string { return fmt.Sprint(v) }), "", func(a, b string) string { return a + b })
		if got != want {
			t.Errorf("%s: Reduce changes the order", kind)
		}
	}
	if got := iter.Reduce(iter.Empty[int](), 42, nil2[int]()); got != 42 {
		t.Errorf("Reduce of nothing is %d", got)
	}
	if got := iter.Reduce(iter.Range(0, 1000), 42, func(a, b int) int { return a + b }); got != 999*1000/2 {
		t.Errorf("Reduce uses identity: %d", got)
	}
}

func mappedStrings(v []int) (out []string) {
	for _, w := range v {
		out = append(out, fmt.Sprint(w))
	}
	return out
}

// nil2 is an operation that must not be called.
func nil2[T any]() func(a, b T) T { return func(T, T) T { panic("called") } }

func TestMapWithSharesNoState(t *testing.T) {
	onWorkers(t, func(t *testing.T) {
		type state struct{ used atomic.Bool }
		var made atomic.Int32
		iter.MapWith(iter.Range(0, 2000), func() *state { made.Add(1); return new(state) }, func(s *state, v int) int {
			if s.used.Swap(true) {
				t.Error("a state is used twice at the same time")
			}
			time.Sleep(10 * time.Microsecond)
			s.used.Store(false)
			return v
		}).ForEach(func(int) {})
		if n := int(made.Load()); n > 4*runtime.GOMAXPROCS(0)+4 {
			t.Errorf("%d states were made", n)
		}
	})
}

func TestNestedAndUnderALock(t *testing.T) {
	onWorkers(t, func(t *testing.T) {
		var mu sync.Mutex
		total := iter.Sum(iter.Map(iter.Range(0, 100), func(i int) int {
			mu.Lock()
			defer mu.Unlock()
			return iter.Sum(iter.Map(iter.Range(0, 100), func(j int) int { return i * j }))
		}))
		if want := 4950 * 4950; total != want {
			t.Errorf("the total is %d, want %d", total, want)
		}
	})
}

func TestOnAPoolOfOnesOwn(t *testing.T) {
	for _, workers := range []int{1, 2} {
		pool, err := forkjoin.New(forkjoin.Config{Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		pool.Run(func() {
			for kind, s := range kindsOf(5000) {
				for name, consume := range everyConsumer {
					consume(s)
					_, _ = kind, name
				}
			}
		})
		if err := pool.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestManyCallers(t *testing.T) {
	s := iter.Filter(iter.Map(iter.Range(0, 2000), func(v int) int { return v * 3 }), func(v int) bool { return v%2 == 0 })
	want := iter.Sum(s)
	var wg sync.WaitGroup
	for range 50 {
		wg.Go(func() {
			for range 10 {
				if got := iter.Sum(s); got != want {
					t.Errorf("one of many callers got %d, want %d", got, want)
				}
			}
		})
	}
	wg.Wait()
}

func TestNilFunctionsAreRefused(t *testing.T) {
	s := iter.Range(0, 10)
	p := func(f func(int) bool) []func() {
		return []func(){
			func() { iter.Filter(s, f) }, func() { iter.TakeWhile(s, f) }, func() { iter.SkipWhile(s, f) },
			func() { iter.Any(s, f) }, func() { iter.All(s, f) }, func() { iter.None(s, f) },
			func() { iter.FindFirst(s, f) }, func() { iter.FindLast(s, f) }, func() { iter.FindAny(s, f) },
			func() { iter.Position(s, f) }, func() { iter.Partition(s, f) },
		}
	}(nil)
	others := []func(){
		func() { iter.Map[int, int](s, nil) }, func() { iter.MapWith[int, int, int](s, nil, nil) },
		func() { iter.MapWith[int, int, int](s, func() int { return 0 }, nil) },
		func() { iter.Inspect(s, nil) }, func() { iter.FilterMap[int, int](s, nil) }, func() { iter.FlatMap[int, int](s, nil) },
		func() { iter.DedupFunc(s, nil) }, func() { iter.Scan(s, nil) }, func() { s.ForEach(nil) }, func() { s.ForEachErr(nil) },
		func() { iter.Reduce(s, 0, nil) }, func() { iter.TryReduce(s, 0, nil) }, func() { iter.MinFunc(s, nil) },
		func() { iter.MaxFunc(s, nil) }, func() { iter.IsSortedFunc(s, nil) }, func() { iter.TopKFunc(s, 1, nil) },
		func() { iter.GroupBy[int, int](s, nil) }, func() { iter.CountBy[int, int](s, nil) },
		func() { iter.FromSeq[int](nil) }, func() { iter.Channel[int](nil) },
		func() { iter.Fold[int, int](s, nil, nil, nil) },
	}
	for _, f := range append(p, others...) {
		refuses(t, f, "is nil")
	}
	refuses(t, func() { iter.Take(s, -1) }, "Take", "-1")
	refuses(t, func() { iter.Skip(s, -1) }, "Skip", "-1")
	refuses(t, func() { iter.StepBy(s, 0) }, "StepBy", "n is 0")
	refuses(t, func() { iter.TopK(s, -2) }, "TopK", "-2")
	refuses(t, func() { s.WithMinLeaf(0) }, "WithMinLeaf", "n is 0")
	refuses(t, func() { s.WithMaxLeaf(-3) }, "WithMaxLeaf", "-3")
	refuses(t, func() { s.WithMinLeaf(10).WithMaxLeaf(5) }, "WithMaxLeaf", "n is 5", "10")
	refuses(t, func() { s.WithMaxLeaf(5).WithMinLeaf(10) }, "WithMinLeaf", "n is 10", "5")
	refuses(t, func() { s.CollectInto(make([]int, 9)) }, "CollectInto", "9", "10")
	refuses(t, func() { iter.Filter(s, func(int) bool { return true }).CollectInto(make([]int, 9)) }, "CollectInto", "9", "10")
	refuses(t, func() { iter.Count(iter.Chain(iter.Range(0, math.MaxInt), iter.Range(0, 1))) }, "Chain")
	refuses(t, func() { iter.Count(iter.Intersperse(iter.Range(0, math.MaxInt), 1)) }, "Intersperse")
	refuses(t, func() { iter.Count(iter.Interleave(iter.Range(0, math.MaxInt), iter.Range(0, math.MaxInt))) }, "Interleave")
}

func TestMoreElementsThanAnIntCounts(t *testing.T) {
	most := iter.Repeat(1, math.MaxInt)
	half := iter.Repeat(2, math.MaxInt/2)
	refuses(t, func() { iter.Count(iter.Chain(most, iter.Once(1))) }, "iter.Chain", fmt.Sprint(math.MaxInt, " and 1 "))
	refuses(t, func() { iter.Count(iter.Interleave(most, half)) }, "iter.Interleave", fmt.Sprint(" and ", math.MaxInt/2))
	refuses(t, func() { iter.Count(iter.Intersperse(most, 0)) }, "iter.Intersperse", fmt.Sprint(math.MaxInt))
	for _, collect := range map[string]func(s numbers){
		"Collect":    func(s numbers) { s.Collect() },
		"AppendTo":   func(s numbers) { s.AppendTo(make([]int, 3)) },
		"Rev":        func(s numbers) { iter.Rev(s).Collect() },
		"Map":        func(s numbers) { iter.Map(s, func(v int) int { t.Errorf("%d was computed", v); return v }).Collect() },
		"Scan":       func(s numbers) { iter.Scan(s, func(a, b int) int { t.Error("op was called"); return a }).Collect() },
		"Windowed":   func(s numbers) { iter.Windowed(s, 2).Collect() },
		"Zip":        func(s numbers) { iter.Zip(s, s).Collect() },
		"Unzip":      func(s numbers) { iter.Unzip(iter.Zip(s, s)) },
		"CollectMap": func(s numbers) { iter.CollectMap(iter.Enumerate(s)) },
		"StepBy":     func(s numbers) { iter.StepBy(s, 2).Collect() },
	} {
		for _, s := range []numbers{most, half} {
			refuses(t, func() { collect(s) }, "elements")
		}
	}
	refuses(t, func() { iter.Repeat(struct{}{}, math.MaxInt).AppendTo(make([]struct{}, 1)) }, "AppendTo", fmt.Sprint(math.MaxInt))
	chunk := panics(t, func() { iter.Chunked(most, math.MaxInt).Collect() }) // by a worker
	if e, ok := chunk.(*forkjoin.PanicError); !ok || !strings.HasPrefix(fmt.Sprint(e.Value), "forkjoin: iter.") {
		t.Errorf("Chunked panics with %v", chunk)
	}
	if n := iter.Count(iter.Interleave(half, half)); n != math.MaxInt-1 {
		t.Errorf("%d elements interleaved, want %d", n, math.MaxInt-1)
	}
}

func TestMaxLeafIsKept(t *testing.T) {
	var most atomic.Int64
	iter.Fold(iter.Range(0, 10_000).WithMaxLeaf(7), func() int { return 0 }, func(a, _ int) int { return a + 1 }, func(a, b int) int {
		for _, v := range []int{a, b} {
			if v < 8 && int64(v) > most.Load() {
				most.Store(int64(v))
			}
		}
		return a + b
	})
	if most.Load() > 7 || most.Load() == 0 {
		t.Errorf("the largest leaf has %d elements, want 1 to 7", most.Load())
	}
}

func TestOptionsOfLoops(t *testing.T) {
	var calls atomic.Int32
	iter.Fold(iter.Range(0, 1000).WithMinLeaf(1000), func() int { calls.Add(1); return 0 }, func(a, _ int) int { return a }, func(a, b int) int { return a })
	if calls.Load() != 1 {
		t.Errorf("%d leaves, want one", calls.Load())
	}
}

// TestEachElementOnceBehindAdaptors has elements that take long enough for blocks
// of them to be worth computing ahead, which may be for nothing but not twice.
func TestEachElementOnceBehindAdaptors(t *testing.T) {
	const n = 5000
	before := func(v int) bool { return v < n/3 }
	cuts := map[string]func(s numbers) numbers{
		"Skip":      func(s numbers) numbers { return iter.Skip(s, n/3) },
		"SkipWhile": func(s numbers) numbers { return iter.SkipWhile(s, before) },
		"Take":      func(s numbers) numbers { return iter.Take(s, n/3) },
		"TakeWhile": func(s numbers) numbers { return iter.TakeWhile(s, before) },
		"Position":  func(s numbers) numbers { return iter.Once(iter.Position(s, func(v int) bool { return !before(v) })) },
		"Skip and Rev": func(s numbers) numbers {
			return iter.Rev(iter.Skip(s, n/3))
		},
		"SkipWhile twice": func(s numbers) numbers {
			return iter.SkipWhile(iter.SkipWhile(s, before), func(v int) bool { return v < n/2 })
		},
		"StepBy":     func(s numbers) numbers { return iter.StepBy(s, 3) },
		"Chain":      func(s numbers) numbers { return iter.Chain(iter.Range(0, 10), s, iter.Range(0, 10)) },
		"Interleave": func(s numbers) numbers { return iter.Interleave(s, iter.Range(0, 10)) },
		"Enumerate": func(s numbers) numbers {
			return iter.Map(iter.Enumerate(s), func(p iter.Pair[int, int]) int { return p.First })
		},
	}
	onWorkers(t, func(t *testing.T) {
		for name, cut := range cuts {
			for kind, s := range kindsOf(n) {
				for range pick(3, 1) {
					times := make([]atomic.Int32, n)
					cut(iter.Filter(iter.Map(s, func(v int) int {
						if times[v].Add(1); v%256 == 0 {
							time.Sleep(20 * time.Microsecond)
						}
						return v
					}), func(int) bool { return true })).Collect()
					for v := range times {
						if n := times[v].Load(); n > 1 {
							t.Fatalf("%s of %s: element %d was computed %d times", name, kind, v, n)
						}
					}
				}
			}
		}
	})
}

// Sequences that are valid each can be put together, whatever leaves they ask for:
// the first one counts.
func TestLeavesOfSequencesPutTogether(t *testing.T) {
	const n = 2000
	leaves := func(s numbers) int64 {
		var calls atomic.Int64
		iter.Fold(s, func() int { calls.Add(1); return 0 }, func(a, _ int) int { return a }, func(a, b int) int { return a })
		return calls.Load()
	}
	sum := func(s iter.Seq[iter.Pair[int, int]]) numbers {
		return iter.Map(s, func(p iter.Pair[int, int]) int { return p.First + p.Second })
	}
	put := map[string]func(a, b numbers) numbers{
		"Zip":        func(a, b numbers) numbers { return sum(iter.Zip(a, b)) },
		"ZipLongest": func(a, b numbers) numbers { return sum(iter.ZipLongest(a, b, 0, 0)) },
		"Chain":      func(a, b numbers) numbers { return iter.Chain(a, iter.Empty[int](), b) },
		"Interleave": iter.Interleave[int],
		"Equal":      func(a, b numbers) numbers { iter.Equal(a, b); return a },
		"Compare":    func(a, b numbers) numbers { iter.Compare(a, b); return a },
	}
	large, small := iter.Range(0, n).WithMinLeaf(2*n), iter.Range(0, n).WithMaxLeaf(10)
	between := iter.Range(0, n).WithMinLeaf(3).WithMaxLeaf(20)
	for name, put := range put {
		for _, b := range []numbers{small, between} {
			if got := leaves(put(large, b)); got != 1 {
				t.Errorf("%s: %d leaves, want 1", name, got)
			}
		}
		for _, b := range []numbers{large, between} {
			if got := leaves(put(small, b)); got < n/10 {
				t.Errorf("%s: %d leaves, want at least %d", name, got, n/10)
			}
		}
	}
}

// As [forkjoin.ParallelForErr] does, a consumer reports a context that is done before,
// also if there is nothing to consume.
func TestAContextThatIsDoneIsReported(t *testing.T) {
	cause := errors.New("cause")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(cause)
	for _, n := range []int{0, 1, 1000} {
		err := iter.Range(0, n).WithContext(ctx).ForEachErr(func(int) error { t.Error("f has run"); return nil })
		if err != cause {
			t.Errorf("%d elements: error %v, want %v", n, err, cause)
		}
	}
}
