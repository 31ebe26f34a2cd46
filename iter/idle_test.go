package iter_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/forkjoin-go/forkjoin/iter"
)

// returns fails t unless f does.
func returns(t *testing.T, what string, f func()) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	select {
	case <-done:
	case <-time.After(30 * time.Second):
		t.Fatalf("%s does not return", what)
	}
}

var errIdle = errors.New("enough")

// endsEarly are consumers that end at the latest when they have met a one.
var endsEarly = map[string]func(t testing.TB, s numbers){
	"ForEachErr": func(t testing.TB, s numbers) {
		expect(t, errIdle, s.ForEachErr(func(v int) error {
			if v == 1 {
				return errIdle
			}
			return nil
		}))
	},
	"IsSorted": func(t testing.TB, s numbers) {
		expect(t, false, iter.IsSorted(iter.Map(s, func(v int) int { return -v })))
	},
	"IsSortedFunc": func(t testing.TB, s numbers) {
		expect(t, false, iter.IsSortedFunc(s, func(a, b int) int { return b - a }))
	},
	"Any":      func(t testing.TB, s numbers) { expect(t, true, iter.Any(s, isOne)) },
	"All":      func(t testing.TB, s numbers) { expect(t, false, iter.All(s, func(v int) bool { return v == 0 })) },
	"None":     func(t testing.TB, s numbers) { expect(t, false, iter.None(s, isOne)) },
	"Contains": func(t testing.TB, s numbers) { expect(t, true, iter.Contains(s, 1)) },
	"FindFirst": func(t testing.TB, s numbers) {
		_, ok := iter.FindFirst(s, isOne)
		expect(t, true, ok)
	},
	"FindAny": func(t testing.TB, s numbers) {
		_, ok := iter.FindAny(s, isOne)
		expect(t, true, ok)
	},
	"Position":  func(t testing.TB, s numbers) { expect(t, true, iter.Position(s, isOne) >= 0) },
	"TakeWhile": func(t testing.TB, s numbers) { iter.TakeWhile(s, func(v int) bool { return v == 0 }).Collect() },
	"Take":      func(t testing.TB, s numbers) { expect(t, 1, iter.Count(iter.Take(iter.Filter(s, isOne), 1))) },
	"Seq.All": func(t testing.TB, s numbers) {
		for v := range s.All() {
			if v == 1 {
				break
			}
		}
	},
	"a panic": func(t testing.TB, s numbers) {
		passedOn(t, func() {
			s.ForEach(func(v int) {
				if v == 1 {
					panic(errIdle)
				}
			})
		}, errIdle)
	},
	"a context": func(t testing.TB, s numbers) {
		ctx, cancel := context.WithCancelCause(context.Background())
		expect(t, errIdle, s.WithContext(ctx).ForEachErr(func(v int) error {
			if v == 1 {
				cancel(errIdle)
			}
			return nil
		}))
	},
}

func isOne(v int) bool { return v == 1 }

func expect[T comparable](t testing.TB, want, got T) {
	t.Helper()
	if got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestEndingEarlyWaitsForNoElement has a source of zeros and a one that falls
// silent then, in front of each consumer that has nothing to wait for, directly and
// behind adaptors.
func TestEndingEarlyWaitsForNoElement(t *testing.T) {
	between := map[string]func(s numbers) numbers{
		"directly": func(s numbers) numbers { return s },
		"Map":      func(s numbers) numbers { return iter.Map(s, func(v int) int { return v }) },
		"Filter":   func(s numbers) numbers { return iter.Filter(s, func(v int) bool { return v >= 0 }) },
		"FlatMap":  func(s numbers) numbers { return iter.FlatMap(s, func(v int) []int { return []int{v, v} }) },
		"Enumerate": func(s numbers) numbers {
			return iter.Map(iter.Enumerate(s), func(p iter.Pair[int, int]) int { return p.Second })
		},
		"WithContext": func(s numbers) numbers { return s.WithContext(context.Background()) },
		"WithMinLeaf": func(s numbers) numbers { return s.WithMinLeaf(100) },
	}
	onWorkers(t, func(t *testing.T) {
		for name, consume := range endsEarly {
			for way, through := range between {
				for _, n := range pick([]int{2, 3, 10, 65, 2049}, []int{2, 3, 65}) {
					what := fmt.Sprintf("%s, %s, of %d elements", name, way, n)
					c := make(chan int, n)
					for range n - 1 {
						c <- 0
					}
					c <- 1
					returns(t, what, func() { consume(t, through(iter.Channel(c))) })
				}
			}
		}
	})
}

// TestErrorsEndAnIdleFold is apart, since a fold waits for whole pieces: of one
// element at first.
func TestErrorsEndAnIdleFold(t *testing.T) {
	onWorkers(t, func(t *testing.T) {
		for _, n := range []int{2, 3, 4, 10, 100} {
			c := make(chan int, n)
			for range n {
				c <- 1
			}
			returns(t, fmt.Sprintf("TryReduce of %d elements", n), func() {
				v, err := iter.TryReduce(iter.Channel(c), -1, func(a, b int) (int, error) { return 0, errIdle })
				if v != -1 || err != errIdle {
					t.Errorf("TryReduce returned %d, %v", v, err)
				}
			})
		}
	})
}
