//go:build explore

package forkjoin

import (
	"context"
	"errors"

	"github.com/forkjoin-go/forkjoin/internal/explore"
	"github.com/forkjoin-go/forkjoin/internal/joint"
)

// Groups that are used again, overwritten or given up: the variable is the user's
// when Wait has returned, though a worker may still hold a ticket.

func init() {
	add := func(name string, short, long int, body func(x *explore.X)) {
		programs = append(programs, program{protocol: "queues", name: name, short: short, long: long, body: body})
	}

	add("two who make a group's tasks", unbounded, unbounded, func(x *explore.X) {
		var t groupTasks
		var got [3]*taskGroup
		one := x.Go(func() { got[1] = t.get(true) })
		two := x.Go(func() { got[2] = t.get(true) })
		got[0] = t.get(true)
		one()
		two()
		if got[0] == nil || got[1] != got[0] || got[2] != got[0] {
			x.Fatalf("a group has more than one list of tasks")
		}
	})

	// The worker that the first round wakes may come in any later one.
	add("overwritten after Wait", 2, 3, func(x *explore.X) {
		s := newHall(x, 2)
		var g WaitGroup
		for i := range 2 {
			g.Go(func() { s.task(i) })
			g.Wait()
			s.ran(i + 1)
			g = WaitGroup{}
		}
		s.finish(2)
	})

	add("overwritten after Wait, with errors", 2, 3, func(x *explore.X) {
		s := newScene(x, 2)
		fault := errors.New("fault")
		s.p.Run(func() {
			var g Group
			for i := range 2 {
				g.Go(func() error { s.task(2 * i); return fault })
				g.Go(func() error { s.task(2*i + 1); return nil })
				if err := g.Wait(); err != fault {
					x.Fatalf("Wait: %v", err)
				}
				s.ran(2*i + 2)
				g = Group{}
			}
		})
		s.finish(4)
	})

	add("used again without a Wait at the end", 2, 3, func(x *explore.X) {
		s := newHall(x, 2)
		var g WaitGroup
		g.Go(func() { s.task(0) })
		g.Wait()
		s.ran(1)
		g.Go(func() { s.task(1) })
		s.finish(2)
	})

	// The ticket of the first round is in the default pool's queue, that of the
	// second in another one's.
	add("used again on another pool", 1, 3, func(x *explore.X) {
		s := newHall(x, 2)
		q := newPool(Config{Workers: 1}, true)
		rests(x, q)
		var g WaitGroup
		g.Go(func() { s.task(0) })
		g.Wait()
		q.Run(func() { g.Go(func() { s.task(1) }) })
		s.finish(2)
	})

	add("a panic is raised once", 2, 3, func(x *explore.X) {
		s := newHall(x, 2)
		var g WaitGroup
		g.Go(func() { s.task(0); panic("0") })
		func() {
			defer func() {
				if e, ok := recover().(*PanicError); !ok || e.Value != "0" {
					x.Fatalf("Wait panicked with %v", e)
				}
			}()
			g.Wait()
		}()
		g.Go(func() { s.task(1) })
		g.Wait()
		s.ran(2)
	})

	// The first task waits until the second one has failed.
	add("a group's context", 2, 3, func(x *explore.X) {
		s := newHall(x, 2)
		fault := errors.New("fault")
		g, ctx := WithContext(context.Background())
		g.Go(func() error { s.begin(0, nil); explore.Step(explore.Join, nil, overdue{ctx}); s.end(0); return nil })
		g.Go(func() error { s.task(1); return fault })
		if err := g.Wait(); err != fault || context.Cause(ctx) != fault {
			x.Fatalf("Wait: %v, the context's cause is %v", err, context.Cause(ctx))
		}
		if s.runs[1] != 1 || s.running != 0 {
			x.Fatalf("the second task has run %d times, %d tasks run", s.runs[1], s.running)
		}
	})

	// What has not started when a task has failed or the context has ended is
	// skipped.
	add("tasks of a group that has failed", 2, 3, func(x *explore.X) {
		s := newHall(x, 2)
		fault := errors.New("fault")
		g, _ := WithContext(context.Background())
		g.SetLimit(1)
		g.Go(func() error { return fault })
		g.Go(func() error { x.Fatalf("a task starts after one has failed"); return nil })
		if err := g.Wait(); err != fault {
			x.Fatalf("Wait: %v", err)
		}
		s.finish(0)
	})

	add("tasks of a group whose context has ended", 2, 3, func(x *explore.X) {
		s := newHall(x, 2)
		fault := errors.New("fault")
		ctx, cancel := context.WithCancelCause(context.Background())
		g, _ := WithContext(ctx)
		other := x.Go(func() { g.Go(func() error { s.task(0); return nil }) })
		joint.Cancel(cancel, fault)
		g.Go(func() error { x.Fatalf("a task starts after its context has ended"); return nil })
		other()
		if err := g.Wait(); err != fault {
			x.Fatalf("Wait: %v", err)
		}
	})
}
