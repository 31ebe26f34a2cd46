//go:build explore

package forkjoin

import (
	"context"
	"errors"
	"time"

	"github.com/forkjoin-go/forkjoin/internal/explore"
	"github.com/forkjoin-go/forkjoin/internal/gkey"
	"github.com/forkjoin-go/forkjoin/internal/joint"
)

func init() {
	add := func(name string, short, long int, body func(x *explore.X)) {
		programs = append(programs, program{protocol: "loops", name: name, short: short, long: long, body: body})
	}

	// loop runs n iterations with thieves that take so many parts each.
	loop := func(n int, thieves ...int) func(x *explore.X) {
		return func(x *explore.X) {
			r := newRing(x, 1+len(thieves))
			joins := r.thieves(thieves...)
			r.returns(func() { ParallelFor(n, r.iterate) })
			r.over(n, joins...)
		}
	}
	add("two iterations, one thief", unbounded, unbounded, loop(2, 1))
	add("a part for a thief", 4, unbounded, loop(3, 1))
	add("parts for a thief", 3, 5, loop(5, 2))
	add("two thieves", 3, 4, loop(4, 1, 1))
	add("parts of parts", 2, 3, loop(7, 2, 3))
	add("three thieves", 2, 3, loop(5, 1, 1, 1))

	// Who is hungry gets a part before the caller begins.
	add("a part for who is hungry", 2, 4, func(x *explore.X) {
		r := newRing(x, 2)
		thief := r.thief(1)
		r.returns(func() {
			ParallelFor(3, func(i int) {
				if i == 0 {
					r.await(1)
				}
				r.iterate(i)
			})
		})
		r.over(3, thief)
	})

	// The frame of an outer join is older, and was shown before.
	add("two for who is hungry", 2, 4, func(x *explore.X) {
		r := newRing(x, 2)
		thief := r.thief(2)
		r.returns(func() {
			Join(func() {
				r.await(1)
				ParallelFor(3, func(i int) {
					if i == 0 {
						r.await(2)
					}
					r.iterate(1 + i)
				})
			}, func() { r.iterate(0) })
		})
		r.over(4, thief)
	})

	add("leaves of at least two", 2, 4, func(x *explore.X) {
		r := newRing(x, 2)
		thief := r.thief(2)
		r.returns(func() {
			ParallelForRange(0, 7, func(lo, hi int) {
				if hi-lo < 2 {
					x.Fatalf("[%d, %d) is a leaf", lo, hi)
				}
				for i := lo; i < hi; i++ {
					r.iterate(i)
				}
			}, MinLeaf(2))
		})
		r.over(7, thief)
	})

	add("all functions", 2, 4, func(x *explore.X) {
		r := newRing(x, 2)
		thief := r.thief(2)
		r.returns(func() { JoinAll(func() { r.iterate(0) }, func() { r.iterate(1) }, func() { r.iterate(2) }) })
		r.over(3, thief)
	})

	add("a loop in a loop", 2, 3, func(x *explore.X) {
		r := newRing(x, 2)
		thief := r.thief(2)
		r.returns(func() {
			ParallelFor(2, func(i int) { ParallelFor(2, func(j int) { r.iterate(2*i + j) }) })
		})
		r.over(4, thief)
	})

	add("a join in a loop", 2, 3, func(x *explore.X) {
		r := newRing(x, 3)
		joins := r.thieves(1, 1)
		r.returns(func() {
			ParallelFor(2, func(i int) { Join(func() { r.iterate(2 * i) }, func() { r.iterate(2*i + 1) }) })
		})
		r.over(4, joins...)
	})

	add("a part fails", 3, 4, func(x *explore.X) {
		r := newRing(x, 2)
		thief := r.thief(1)
		r.panics(func() {
			ParallelFor(6, func(i int) {
				if i == 3 {
					r.fail(i)
				}
				r.iterate(i)
			})
		}, 3)
		r.over(0, thief)
	})

	add("the caller's part fails", 3, 4, func(x *explore.X) {
		r := newRing(x, 2)
		thief := r.thief(1)
		r.panics(func() {
			ParallelFor(6, func(i int) {
				if i == 0 {
					r.fail(i)
				}
				r.iterate(i)
			})
		}, 0)
		r.over(0, thief)
	})

	add("both parts fail", 2, 4, func(x *explore.X) {
		r := newRing(x, 2)
		thief := r.thief(2)
		r.panics(func() { ParallelFor(4, r.fail) }, 0, 1, 2, 3)
		r.over(0, thief)
	})

	// A part of the part that fails has been given away in turn.
	add("a part fails that has parts", 2, 3, func(x *explore.X) {
		r := newRing(x, 3)
		joins := r.thieves(1, 1)
		r.panics(func() {
			ParallelFor(8, func(i int) {
				if i == 4 {
					r.fail(i)
				}
				r.iterate(i)
			})
		}, 4)
		r.over(0, joins...)
	})

	add("a part ends its goroutine", 2, 4, func(x *explore.X) {
		r := newRing(x, 3)
		w := r.join()
		owner := x.Go(func() {
			w.attach(gkey.Get())
			defer w.detach()
			defer r.rest()
			ParallelFor(4, func(i int) {
				r.iterate(i)
				if i == 2 {
					r.fails()
					exit()
				}
			})
			x.Fatalf("the caller goes on after Goexit")
		})
		thief := r.thief(1)
		r.over(0, owner, thief)
	})

	// A scratch value is one goroutine's at a time.
	add("scratch", 2, 3, func(x *explore.X) {
		r := newRing(x, 3)
		joins := r.thieves(1, 1)
		r.returns(func() {
			ParallelForWith(4, func() *bool { explore.Step(explore.Private, nil, nil); return new(bool) }, func(busy *bool, i int) {
				if *busy {
					x.Fatalf("iteration %d gets a value that another one uses", i)
				}
				*busy = true
				r.iterate(i)
				*busy = false
			})
		})
		r.over(4, joins...)
	})

	add("disorder is found", 2, 4, func(x *explore.X) {
		r := newRing(x, 2)
		thief := r.thief(2)
		r.returns(func() {
			s := []int{0, 1, 2, 4, 3}
			if IsSortedFunc(s, func(a, b int) int { explore.Tick(5 * time.Microsecond); return a - b }) {
				x.Fatalf("%v is taken for sorted", s)
			}
		})
		r.over(0, thief)
	})

	one, two := errors.New("1"), errors.New("2")

	add("errors", 2, 4, func(x *explore.X) {
		r := newRing(x, 2)
		thief := r.thief(2)
		r.returns(func() {
			var within [4]context.Context
			err := ParallelForErr(context.Background(), 4, func(ctx context.Context, i int) error {
				within[i] = ctx
				r.iterate(i)
				return [...]error{nil, one, two, nil}[i]
			})
			if err != one && err != two {
				x.Fatalf("the error is %v", err)
			}
			for _, ctx := range within {
				if ctx != nil && context.Cause(ctx) != err {
					x.Fatalf("the error is %v, the context's is %v", err, context.Cause(ctx))
				}
			}
		})
		r.over(0, thief)
	})

	// The first iteration waits until another one fails, which a thief runs.
	cancels := func(fail func(r *ring) error) func(x *explore.X) {
		return func(x *explore.X) {
			r := newRing(x, 2)
			thief := r.thief(1)
			var err error
			failure := r.outcome(func() {
				err = ParallelForErr(context.Background(), 4, func(ctx context.Context, i int) error {
					if i > 1 {
						r.begin(i, nil)
						defer r.end(i)
						return fail(r)
					}
					r.iterate(i)
					explore.Step(explore.Join, nil, overdue{ctx})
					return joint.Err(ctx)
				})
			})
			if err != one && (failure == nil || failure.Value != two) {
				x.Fatalf("the loop ends with %v, %v", err, failure)
			}
			r.over(0, thief)
		}
	}
	add("an error ends the others' context", 3, 4, cancels(func(*ring) error { return one }))
	add("a panic ends the others' context", 3, 4, cancels(func(r *ring) error { r.fails(); panic(two) }))

	// When the context has been canceled, each goroutine begins no more than the
	// iteration that it was about to.
	add("the context ends", 2, 3, func(x *explore.X) {
		r := newRing(x, 2)
		ctx, cancel := context.WithCancelCause(context.Background())
		other := x.Go(func() {
			joint.Cancel(cancel, one)
			r.note()
		})
		thief := r.thief(1)
		r.returns(func() {
			ran := 0
			err := ParallelForErr(ctx, 6, func(_ context.Context, i int) error {
				r.iterate(i)
				return nil
			})
			for i := range 6 {
				ran += r.runs[i]
			}
			if err != one && (err != nil || ran != 6) {
				x.Fatalf("%d iterations have run, the error is %v", ran, err)
			}
		})
		r.over(0, other, thief)
	})

	// Two loops of the same place learn from each other, and disturb nothing.
	add("two callers", 2, 3, func(x *explore.X) {
		r := newRing(x, 3)
		body := func(lo int) func(int) { return func(i int) { r.iterate(lo + i) } }
		w := r.join()
		other := x.Go(func() {
			w.attach(gkey.Get())
			defer w.detach()
			ParallelFor(3, body(3))
		})
		thief := r.thief(2)
		ParallelFor(3, body(0))
		other()
		r.returns(func() {})
		r.over(6, thief)
	})

	// With workers, who fall asleep and are woken.
	add("a loop wakes", 2, 3, func(x *explore.X) {
		s := newScene(x, 2)
		s.p.Run(func() {
			ParallelFor(3, s.iteration)
			s.ran(3)
		})
		s.finish(3)
	})

	add("a loop beside a task", 1, 2, func(x *explore.X) {
		s := newHall(x, 2)
		s.submit(3)
		ParallelFor(3, s.iteration)
		s.finish(4)
	})

	add("two loops, one slot", 2, 3, func(x *explore.X) {
		s := newScene(x, 1)
		other := x.Go(func() { s.p.Run(func() { ParallelFor(2, s.iteration) }) })
		s.p.Run(func() { ParallelFor(2, func(i int) { s.iteration(2 + i) }) })
		other()
		s.finish(4)
	})
}

func (s *scene) iteration(i int) {
	explore.Tick(5 * time.Microsecond)
	s.task(i)
}

// overdue is ready when its context has ended.
type overdue struct{ ctx context.Context }

func (o overdue) Ready() bool { return o.ctx.Err() != nil }
