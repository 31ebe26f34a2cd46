//go:build explore

package forkjoin

import (
	"context"
	"errors"

	"github.com/forkjoin-go/forkjoin/internal/explore"
	"github.com/forkjoin-go/forkjoin/internal/gkey"
	"github.com/forkjoin-go/forkjoin/internal/joint"
)

// A strand is what leaves of a range have made and how it was put together.
type strand struct {
	lo, hi int
	how    string
}

// how is how [lo, hi) is put together.
func how(lo, hi int) string {
	if hi-lo == 1 {
		return string(rune('0' + lo))
	}
	mid := lo + (hi-lo)/2
	return "(" + how(lo, mid) + how(mid, hi) + ")"
}

// leaf makes a strand of one iteration, which runs once.
func (r *ring) leaf(lo, hi int) strand {
	if hi != lo+1 {
		r.x.Fatalf("[%d, %d) is a leaf", lo, hi)
	}
	r.iterate(lo)
	return strand{lo, hi, how(lo, hi)}
}

func (r *ring) combine(a, b strand) strand {
	if a.lo >= a.hi || a.hi != b.lo || b.lo >= b.hi {
		r.x.Fatalf("%v and %v are combined", a, b)
	}
	explore.Step(explore.Private, nil, nil)
	return strand{a.lo, b.hi, "(" + a.how + b.how + ")"}
}

// reduce reduces [0, n) by single iterations.
func (r *ring) reduce(n int) {
	r.wants(ParallelReduce(n, strand{}, r.leaf, r.combine, MaxLeaf(1)), 0, n)
	if t, ok := r.w.reducer.(*Task[span, strand]); ok && t.top != 0 {
		r.x.Fatalf("%d cells are in use after a reduction", t.top)
	}
}

// strands returns a recursion that makes what a reduction would.
func (r *ring) strands() func([2]int) strand {
	return Recursive(func(t *Task[[2]int, strand], s [2]int) strand {
		if s[1]-s[0] == 1 {
			return r.leaf(s[0], s[1])
		}
		mid := s[0] + (s[1]-s[0])/2
		return r.combine(t.Join([2]int{s[0], mid}, [2]int{mid, s[1]}))
	})
}

func (r *ring) wants(got strand, lo, hi int) {
	if want := (strand{lo, hi, how(lo, hi)}); got != want {
		r.x.Fatalf("the result is %v, want %v", got, want)
	}
}

func init() {
	add := func(name string, short, long int, body func(x *explore.X)) {
		programs = append(programs, program{protocol: "reductions", name: name, short: short, long: long, body: body})
	}

	reduction := func(n int, thieves ...int) func(x *explore.X) {
		return func(x *explore.X) {
			r := newRing(x, 1+len(thieves))
			joins := r.thieves(thieves...)
			r.returns(func() { r.reduce(n) })
			r.over(n, joins...)
		}
	}
	add("two leaves, one thief", unbounded, unbounded, reduction(2, 1))
	add("three leaves, one thief", 4, unbounded, reduction(3, 1))
	add("four leaves, one thief", 3, 5, reduction(4, 2))
	add("four leaves, two thieves", 2, 4, reduction(4, 1, 1))
	add("seven leaves, two thieves", 2, 3, reduction(7, 2, 2))
	add("three thieves", 2, 3, reduction(6, 1, 1, 1))

	add("on a pool of its own", 2, 3, func(x *explore.X) {
		anew(1)
		r := newRingOn(x, bare(3), 3)
		joins := r.thieves(2, 1)
		r.returns(func() { r.reduce(4) })
		r.over(4, joins...)
	})

	// The second one uses again what the first has left.
	add("one after the other", 2, 3, func(x *explore.X) {
		r := newRing(x, 2)
		thief := r.thief(2)
		r.returns(func() {
			r.reduce(3)
			*r.tally = tally{x: x}
			r.reduce(3)
		})
		r.over(3, thief)
	})

	add("of different types", 2, 3, func(x *explore.X) {
		r := newRing(x, 2)
		thief := r.thief(2)
		r.returns(func() {
			r.reduce(2)
			*r.tally = tally{x: x}
			sum := ParallelReduce(3, 0, func(lo, _ int) int { r.iterate(lo); return lo }, func(a, b int) int { return a + b }, MaxLeaf(1))
			if sum != 3 {
				x.Fatalf("the sum is %d", sum)
			}
			*r.tally = tally{x: x}
			r.reduce(2)
		})
		r.over(2, thief)
	})

	// An earlier one has left its task, which only one of the two may use.
	add("a reduction in a leaf", 2, 3, func(x *explore.X) {
		r := newRing(x, 3)
		joins := r.thieves(2, 1)
		r.returns(func() {
			r.reduce(2)
			*r.tally = tally{x: x}
			got := ParallelReduce(2, strand{}, func(lo, hi int) strand {
				inner := func(l, h int) strand { return r.leaf(2*lo+l, 2*lo+h) }
				return ParallelReduce(2, strand{}, inner, r.combine, MaxLeaf(1))
			}, r.combine, MaxLeaf(1))
			r.wants(got, 0, 4)
		})
		r.over(4, joins...)
	})

	// fails has one of n leaves panic.
	fails := func(n, which int, thieves ...int) func(x *explore.X) {
		return func(x *explore.X) {
			r := newRing(x, 1+len(thieves))
			joins := r.thieves(thieves...)
			r.panics(func() {
				ParallelReduce(n, strand{}, func(lo, hi int) strand {
					if lo == which {
						r.fail(lo)
					}
					return r.leaf(lo, hi)
				}, r.combine, MaxLeaf(1))
			}, which)
			// The next one must not mind.
			*r.tally = tally{x: x}
			r.failed, r.noted = false, false
			r.returns(func() { r.reduce(2) })
			r.over(2, joins...)
		}
	}
	add("the first leaf fails", 2, 4, fails(6, 0, 1))
	add("a leaf in the middle fails", 2, 3, fails(6, 3, 1))
	add("the last leaf fails", 2, 3, fails(6, 5, 1, 1))

	add("combine fails", 2, 4, func(x *explore.X) {
		r := newRing(x, 2)
		thief := r.thief(2)
		r.panics(func() {
			ParallelReduce(4, strand{}, r.leaf, func(a, b strand) strand {
				if a.lo == 2 {
					panic("combine")
				}
				return r.combine(a, b)
			}, MaxLeaf(1))
		}, "combine")
		r.over(0, thief)
	})

	add("a leaf ends its goroutine", 2, 3, func(x *explore.X) {
		r := newRing(x, 3)
		w := r.join()
		owner := x.Go(func() {
			w.attach(gkey.Get())
			defer w.detach()
			defer r.rest()
			ParallelReduce(4, strand{}, func(lo, hi int) strand {
				if lo == 2 {
					r.fails()
					exit()
				}
				return r.leaf(lo, hi)
			}, r.combine, MaxLeaf(1))
			x.Fatalf("the caller goes on after Goexit")
		})
		thief := r.thief(1)
		r.over(0, owner, thief)
	})

	one, two := errors.New("1"), errors.New("2")

	add("errors", 2, 4, func(x *explore.X) {
		r := newRing(x, 2)
		thief := r.thief(2)
		r.returns(func() {
			_, err := ParallelReduceErr(context.Background(), 4, strand{}, func(_ context.Context, lo, hi int) (strand, error) {
				if lo == 1 || lo == 3 {
					r.iterate(lo)
					return strand{}, [...]error{1: one, 3: two}[lo]
				}
				return r.leaf(lo, hi), nil
			}, r.combine, MaxLeaf(1))
			if err != one && err != two {
				x.Fatalf("the error is %v", err)
			}
		})
		r.over(0, thief)
	})

	add("the context ends", 2, 3, func(x *explore.X) {
		r := newRing(x, 2)
		ctx, cancel := context.WithCancelCause(context.Background())
		other := x.Go(func() {
			joint.Cancel(cancel, one)
			r.note()
		})
		thief := r.thief(1)
		r.returns(func() {
			got, err := ParallelReduceErr(ctx, 6, strand{}, func(_ context.Context, lo, hi int) (strand, error) {
				return r.leaf(lo, hi), nil
			}, r.combine, MaxLeaf(1))
			switch err {
			case nil:
				r.wants(got, 0, 6)
			case one:
			default:
				x.Fatalf("the error is %v", err)
			}
		})
		r.over(0, other, thief)
	})

	// The tasks of a recursion are made by those who come to run it.
	callers := func(ring func(x *explore.X) *ring) func(x *explore.X) {
		return func(x *explore.X) {
			r := ring(x)
			f := r.strands()
			w := r.join()
			other := x.Go(func() {
				w.attach(gkey.Get())
				defer w.detach()
				r.wants(f([2]int{3, 6}), 3, 6)
			})
			thief := r.thief(2)
			r.wants(f([2]int{0, 3}), 0, 3)
			other()
			r.returns(func() {})
			r.over(6, thief)
		}
	}
	add("a recursion with two callers", 2, 3, callers(func(x *explore.X) *ring { return newRing(x, 3) }))
	add("a recursion with two callers, on a pool of its own", 2, 3, callers(func(x *explore.X) *ring {
		anew(1)
		return newRingOn(x, bare(3), 3)
	}))

	add("a recursion with itself in a leaf", 2, 3, func(x *explore.X) {
		r := newRing(x, 2)
		f := r.strands()
		thief := r.thief(2)
		r.returns(func() {
			outer := Recursive(func(t *Task[int, strand], n int) strand {
				if n == 2 {
					return f([2]int{4, 6})
				}
				if n == 1 {
					return f([2]int{0, 4})
				}
				return r.combine(t.Join(1, 2))
			})
			if got := outer(0); got.how != "("+how(0, 4)+how(4, 6)+")" {
				x.Fatalf("the result is %v", got)
			}
		})
		r.over(6, thief)
	})

	// What a failure that is recovered leaves is as it was before: nothing of the
	// join runs any more.
	add("a failure that is recovered", 2, 4, func(x *explore.X) {
		r := newRing(x, 2)
		thief := r.thief(2)
		r.returns(func() {
			f := Recursive(func(t *Task[int, int], i int) int {
				switch i {
				case 0:
					func() {
						defer func() {
							if e, ok := recover().(*PanicError); !ok || e.Value != 1 {
								x.Fatalf("Join panicked with %v", e)
							}
						}()
						t.Join(1, 2)
					}()
					r.rest()
					r.done, r.failed, r.noted = false, false, false
					a, b := t.Join(3, 4)
					return a + b
				case 1:
					r.fail(1)
				}
				r.iterate(i)
				return i
			})
			if sum := f(0); sum != 7 {
				x.Fatalf("the sum is %d", sum)
			}
		})
		r.over(0, thief)
	})

	add("all arguments", 2, 3, func(x *explore.X) {
		r := newRing(x, 2)
		thief := r.thief(2)
		r.returns(func() {
			f := Recursive(func(t *Task[int, int], i int) int {
				switch {
				case i < 4:
					r.iterate(i)
					return 10 * i
				case i < 6:
					a, b := t.Join(2*i-8, 2*i-7)
					return a + b
				}
				args, results := []int{4, 5}, make([]int, 2)
				t.JoinAll(args, results)
				return results[0] + 2*results[1]
			})
			if sum := f(6); sum != 110 {
				x.Fatalf("the sum is %d", sum)
			}
		})
		r.over(4, thief)
	})

	// With workers, who fall asleep and are woken.
	add("a reduction wakes", 2, 3, func(x *explore.X) {
		s := newScene(x, 2)
		r := &ring{bench: &bench{s.tally, s.p}, w: new(worker)}
		s.p.Run(func() { r.reduce(3) })
		s.finish(3)
	})

	add("a reduction beside a task", 2, 3, func(x *explore.X) {
		s := newHall(x, 2)
		r := &ring{bench: &bench{s.tally, s.p}, w: new(worker)}
		s.submit(3)
		r.reduce(3)
		s.finish(4)
	})
}
