package forkjoin_test

import (
	"bytes"
	"context"
	"runtime/pprof"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/forkjoin-go/forkjoin"
)

// labelled returns a context with the label job=value.
func labelled(value string) context.Context {
	return pprof.WithLabels(context.Background(), pprof.Labels("job", value))
}

// records returns those parts of a goroutine profile that show a function of
// this name, each with its labels.
func records(function string) (found []string) {
	var buf bytes.Buffer
	if err := pprof.Lookup("goroutine").WriteTo(&buf, 1); err != nil {
		panic(err)
	}
	for r := range strings.SplitSeq(buf.String(), "\n\n") {
		if strings.Contains(r, function) {
			found = append(found, r)
		}
	}
	return found
}

// labelLine is the line of a record that shows its labels, empty if it has none.
func labelLine(record string) string {
	for line := range strings.Lines(record) {
		if strings.HasPrefix(line, "# labels:") {
			return line
		}
	}
	return ""
}

// A stage waits until a body runs away from the goroutine that made the stage,
// stops that body, and looks at the labels it runs with.
type stage struct {
	home    int64
	once    sync.Once
	reached chan struct{}
	seen    chan struct{}
	away    atomic.Bool
}

func newStage() *stage {
	return &stage{home: gnum(), reached: make(chan struct{}), seen: make(chan struct{})}
}

// heldAwayFromHome blocks the first body that runs elsewhere; its name is what
// profiles are searched for.
//
//go:noinline
func (s *stage) heldAwayFromHome() {
	close(s.reached)
	<-s.seen
}

// body is what the call under test runs. It reports whether the stage is over.
func (s *stage) body() bool {
	if gnum() != s.home {
		s.once.Do(func() {
			s.away.Store(true)
			s.heldAwayFromHome()
		})
	}
	return s.away.Load()
}

// labels waits for the held body and returns its labels.
func (s *stage) labels(t testing.TB) string {
	t.Helper()
	defer close(s.seen)
	select {
	case <-s.reached:
	case <-time.After(patience / 2):
		t.Error("no body ran on another goroutine")
		return ""
	}
	r := records("heldAwayFromHome")
	if len(r) != 1 {
		t.Errorf("%d goroutines in the held body: %q", len(r), r)
		return ""
	}
	return labelLine(r[0])
}

// onStage starts call on a goroutine of its own with a body that is held, and
// returns the labels with which it runs.
func onStage(t testing.TB, call func(s *stage)) (line string) {
	t.Helper()
	made := make(chan *stage)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		s := newStage()
		made <- s
		call(s)
	}()
	line = (<-made).labels(t)
	<-ended
	return line
}

// until runs f until the stage is over.
func (s *stage) until(f func()) {
	for !s.away.Load() {
		f()
	}
}

var labelCases = []struct {
	name string
	run  func(ctx context.Context, s *stage)
}{
	{"Do and ParallelFor", func(ctx context.Context, s *stage) {
		forkjoin.Do(ctx, func() {
			s.until(func() {
				forkjoin.ParallelFor(1000, func(int) { s.body(); spin(time.Microsecond) }, forkjoin.MaxLeaf(1))
			})
		})
	}},
	{"Do and Join", func(ctx context.Context, s *stage) {
		forkjoin.Do(ctx, func() {
			s.until(func() {
				forkjoin.Join(func() { spin(50 * time.Microsecond) }, func() { s.body() })
			})
		})
	}},
	{"Do and Recursive", func(ctx context.Context, s *stage) {
		tree := forkjoin.Recursive(func(t *forkjoin.Task[int, int], n int) int {
			s.body()
			if n == 0 {
				spin(time.Microsecond)
				return 1
			}
			a, b := t.Join(n-1, n-1)
			return a + b
		})
		forkjoin.Do(ctx, func() { s.until(func() { tree(8) }) })
	}},
	{"Do and ParallelReduce", func(ctx context.Context, s *stage) {
		forkjoin.Do(ctx, func() {
			s.until(func() {
				forkjoin.ParallelReduce(500, 0, func(int, int) int { s.body(); spin(2 * time.Microsecond); return 0 }, add, forkjoin.MaxLeaf(1))
			})
		})
	}},
	{"Do and WaitGroup", func(ctx context.Context, s *stage) {
		forkjoin.Do(ctx, func() {
			s.until(func() {
				var wg forkjoin.WaitGroup
				wg.Go(func() { s.body() })
				spin(50 * time.Microsecond)
				wg.Wait()
			})
		})
	}},
	{"Do and Group", func(ctx context.Context, s *stage) {
		forkjoin.Do(ctx, func() {
			s.until(func() {
				var g forkjoin.Group
				g.Go(func() error { s.body(); return nil })
				spin(50 * time.Microsecond)
				g.Wait()
			})
		})
	}},
	{"Do and Submit", func(ctx context.Context, s *stage) {
		forkjoin.Do(ctx, func() {
			s.until(func() {
				done := make(chan struct{})
				forkjoin.Default().Submit(func() { defer close(done); s.body() })
				<-done
			})
		})
	}},
	{"ParallelForErr", func(ctx context.Context, s *stage) {
		s.until(func() {
			forkjoin.ParallelForErr(ctx, 1000, func(context.Context, int) error { s.body(); spin(time.Microsecond); return nil }, forkjoin.MaxLeaf(1))
		})
	}},
	{"ParallelReduceErr", func(ctx context.Context, s *stage) {
		s.until(func() {
			forkjoin.ParallelReduceErr(ctx, 500, 0, func(context.Context, int, int) (int, error) {
				s.body()
				spin(2 * time.Microsecond)
				return 0, nil
			}, add, forkjoin.MaxLeaf(1))
		})
	}},
	{"WithContext", func(ctx context.Context, s *stage) {
		s.until(func() {
			g, _ := forkjoin.WithContext(ctx)
			g.Go(func() error { s.body(); return nil })
			spin(50 * time.Microsecond)
			g.Wait()
		})
	}},
	{"a join nested in a stolen body", func(ctx context.Context, s *stage) {
		forkjoin.Do(ctx, func() {
			s.until(func() {
				forkjoin.ParallelFor(200, func(int) {
					forkjoin.ParallelFor(20, func(int) { s.body(); spin(2 * time.Microsecond) }, forkjoin.MaxLeaf(1))
				}, forkjoin.MaxLeaf(1))
			})
		})
	}},
}

func TestLabelsFollowStolenWork(t *testing.T) {
	for _, c := range labelCases {
		t.Run(c.name, func(t *testing.T) {
			threads(t, 2)
			within(t, patience, func() {
				for _, value := range []string{"first", "second"} {
					line := onStage(t, func(s *stage) { c.run(labelled(value), s) })
					if !strings.Contains(line, `"job":"`+value+`"`) {
						t.Errorf("stolen work has the labels %q, want job=%s", line, value)
					}
				}
				// The labels do not stick to workers: work without any has none.
				line := onStage(t, func(s *stage) { c.run(context.Background(), s) })
				if line != "" {
					t.Errorf("work without labels runs with %q", line)
				}
			})
		})
	}
}

// Idle workers carry no labels, though they ran work that did.
func TestLabelsDoNotStickToIdleWorkers(t *testing.T) {
	threads(t, 4)
	p := newPool(t, forkjoin.Config{Workers: 4})
	within(t, patience, func() {
		for _, pool := range []*forkjoin.Pool{p, forkjoin.Default()} {
			ended := make(chan struct{})
			go func() { // its own goroutine: Do leaves its labels on the caller
				defer close(ended)
				pool.Run(func() {
					forkjoin.Do(labelled("sticky"), func() {
						for range 20 {
							forkjoin.ParallelFor(500, func(int) { spin(3 * time.Microsecond) }, forkjoin.MaxLeaf(1))
							var wg forkjoin.WaitGroup
							for range 10 {
								wg.Go(func() { spin(3 * time.Microsecond) })
							}
							wg.Wait()
						}
					})
				})
			}()
			<-ended
			ok := inSomeLooks(200, func() bool { return len(records(`"job":"sticky"`)) == 0 })
			if !ok {
				t.Errorf("after the work its labels are still on %q", records(`"job":"sticky"`))
			}
		}
	})
}

// A caller keeps the labels that it came with, whatever the call's context
// carries and although it takes part in the work.
func TestLabelsOfTheCallerStay(t *testing.T) {
	own := func() string {
		r := records("TestLabelsOfTheCallerStay.func")
		for _, r := range r {
			if strings.Contains(r, "runtime/pprof.") { // who takes the profile
				return labelLine(r)
			}
		}
		return strings.Join(r, "\n\n")
	}
	call := labelled("call")
	nap := func() { spin(2 * time.Microsecond) }
	p := newPool(t, forkjoin.Config{Workers: 2})
	for _, c := range []struct {
		name string
		f    func()
	}{
		{"ParallelForErr", func() {
			forkjoin.ParallelForErr(call, 100, func(context.Context, int) error { nap(); return nil }, forkjoin.MaxLeaf(1))
		}},
		{"ParallelReduceErr", func() {
			forkjoin.ParallelReduceErr(call, 100, 0, func(context.Context, int, int) (int, error) { nap(); return 0, nil }, add, forkjoin.MaxLeaf(1))
		}},
		{"WithContext", func() {
			g, _ := forkjoin.WithContext(call)
			for range 50 {
				g.Go(func() error { nap(); return nil })
			}
			g.Wait()
		}},
		{"WithContext in Run", func() {
			p.Run(func() {
				g, _ := forkjoin.WithContext(call)
				for range 50 {
					g.Go(func() error { nap(); return nil })
				}
				g.Wait()
			})
		}},
		{"ParallelFor", func() { forkjoin.ParallelFor(100, func(int) { nap() }, forkjoin.MaxLeaf(1)) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			within(t, patience, func() {
				for range 20 {
					c.f()
				}
				if line := own(); line != "" {
					t.Errorf("the caller came without labels and left with %q", line)
				}
				pprof.Do(context.Background(), pprof.Labels("job", "mine"), func(context.Context) {
					for range 20 {
						c.f()
					}
					if line := own(); !strings.Contains(line, `"job":"mine"`) {
						t.Errorf("the caller's own labels are gone: it has %q", line)
					}
				})
			})
		})
	}
}

// Do nests: the inner labels hold inside, the outer ones again afterwards.
func TestLabelsNest(t *testing.T) {
	threads(t, 2)
	within(t, patience, func() {
		loop := func(s *stage) {
			s.until(func() {
				forkjoin.ParallelFor(1000, func(int) { s.body(); spin(time.Microsecond) }, forkjoin.MaxLeaf(1))
			})
		}
		inner := onStage(t, func(s *stage) {
			forkjoin.Do(labelled("outer"), func() { forkjoin.Do(labelled("inner"), func() { loop(s) }) })
		})
		if !strings.Contains(inner, `"job":"inner"`) {
			t.Errorf("inside the inner Do: %q", inner)
		}
		outer := onStage(t, func(s *stage) {
			forkjoin.Do(labelled("outer"), func() {
				forkjoin.Do(labelled("inner"), func() { forkjoin.Join(func() {}, func() {}) })
				loop(s)
			})
		})
		if !strings.Contains(outer, `"job":"outer"`) {
			t.Errorf("after the inner Do: %q", outer)
		}
		// A call with a context of its own inside Do, and after it.
		call := onStage(t, func(s *stage) {
			forkjoin.Do(labelled("outer"), func() {
				s.until(func() {
					forkjoin.ParallelForErr(labelled("call"), 1000, func(context.Context, int) error { s.body(); spin(time.Microsecond); return nil }, forkjoin.MaxLeaf(1))
				})
			})
		})
		if !strings.Contains(call, `"job":"call"`) {
			t.Errorf("in a call with a labelled context: %q", call)
		}
	})
}

// Do runs its function on the caller, with the labels, also where nothing is
// forked; panics pass through.
func TestLabelsDo(t *testing.T) {
	within(t, patience, func() {
		me := gnum()
		var line string
		forkjoin.Do(labelled("caller"), func() {
			if gnum() != me {
				t.Error("Do left the caller's goroutine")
			}
			for _, r := range records("TestLabelsDo") {
				line += labelLine(r)
			}
		})
		if !strings.Contains(line, `"job":"caller"`) {
			t.Errorf("inside Do the caller has the labels %q", line)
		}
		if v := caught(func() { forkjoin.Do(labelled("x"), func() { panic("through") }) }); v != "through" {
			if pe, ok := v.(*forkjoin.PanicError); !ok || pe.Value != "through" {
				t.Errorf("panic value %v", v)
			}
		}
		var none context.Context
		refuses(t, func() { forkjoin.Do(none, func() { t.Error("ran") }) }, "Do", "ctx", "nil")
		refuses(t, func() { forkjoin.Do(context.Background(), nil) }, "Do", "nil")
	})
}
