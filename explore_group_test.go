//go:build explore

package forkjoin

import (
	"errors"

	"github.com/forkjoin-go/forkjoin/internal/explore"
	"github.com/forkjoin-go/forkjoin/internal/joint"
)

func init() {
	add := func(name string, short, long int, body func(x *explore.X)) {
		programs = append(programs, program{protocol: "queues", name: name, short: short, long: long, body: body})
	}

	// Who sees a job counted may rely on it, or else a sleeper that looks once more
	// would look again and again.
	add("a job that is counted is there", unbounded, unbounded, func(x *explore.X) {
		var q injector
		giver := x.Go(func() { q.push(thunk(func() {})) })
		for range 3 {
			if q.length() == 0 {
				continue
			}
			if _, ok := q.pop(0); !ok {
				x.Fatalf("a job is counted that is not there")
			}
			if q.length() != 0 {
				x.Fatalf("a job is counted that was taken")
			}
			break
		}
		giver()
	})

	add("Close beside Submit", 2, 3, func(x *explore.X) {
		s := newScene(x, 1)
		s.submit(0)
		given := 1
		other := x.Go(func() {
			switch err := s.p.Submit(func() { s.task(1) }); err {
			case nil:
				given = 2
			case ErrClosed:
			default:
				x.Fatalf("Submit: %v", err)
			}
		})
		s.p.Close()
		if n := s.p.live; n != 0 {
			x.Fatalf("%d workers live after Close", n)
		}
		other()
		s.ran(given)
		if err := s.p.Submit(func() {}); err != ErrClosed {
			x.Fatalf("Submit after Close: %v", err)
		}
	})

	add("Close beside Run", 2, 3, func(x *explore.X) {
		s := newScene(x, 1)
		done := false
		other := x.Go(func() {
			defer func() { recover() }() // it may come too late
			s.p.Run(func() { Join(func() { s.task(0) }, func() { s.task(1) }) })
			done = true
		})
		s.p.Close()
		other()
		if done {
			s.ran(2)
		} else {
			s.ran(0)
		}
	})

	// The second task runs on the goroutine that gives it, which Close must wait for.
	add("Close beside a task beyond the cap", 2, 3, func(x *explore.X) {
		s := newScene(x, 1)
		s.limit = 0
		s.p.config.MaxTasks = 1
		other := x.Go(func() {
			for i := range 2 {
				s.p.Submit(func() { s.task(i) })
			}
		})
		s.p.Close()
		s.still()
		other()
	})

	add("Close twice", 2, 3, func(x *explore.X) {
		s := newScene(x, 1)
		s.submit(0)
		other := x.Go(func() { s.p.Close(); s.ran(1) })
		s.p.Close()
		s.ran(1)
		other()
	})

	add("tasks and a Wait", 2, 3, func(x *explore.X) {
		s := newHall(x, 2)
		var g WaitGroup
		g.Go(func() { s.task(0) })
		g.Go(func() { s.task(1) })
		g.Wait()
		s.ran(2)
		s.finish(2)
	})

	add("two who add", 2, 2, func(x *explore.X) {
		s := newHall(x, 2)
		var g WaitGroup
		other := x.Go(func() { g.Go(func() { s.task(0) }) })
		g.Go(func() { s.task(1) })
		other()
		g.Wait()
		s.ran(2)
	})

	add("a group's tasks without a Wait", 2, 3, func(x *explore.X) {
		s := newHall(x, 2)
		var g WaitGroup
		for i := range 3 {
			g.Go(func() { s.task(i) })
		}
		s.finish(3)
	})

	add("a task adds a task", 2, 3, func(x *explore.X) {
		s := newHall(x, 2)
		var g WaitGroup
		g.Go(func() {
			g.Go(func() { s.task(0) })
			s.task(1)
		})
		g.Wait()
		s.ran(2)
	})

	add("two Waits", 2, 2, func(x *explore.X) {
		s := newHall(x, 2)
		var g WaitGroup
		g.Go(func() { s.task(0) })
		other := x.Go(func() { g.Wait(); s.ran(1) })
		g.Wait()
		s.ran(1)
		other()
	})

	add("used again", 2, 3, func(x *explore.X) {
		s := newHall(x, 2)
		var g WaitGroup
		for i := range 2 {
			g.Go(func() { s.task(i) })
			g.Wait()
			s.ran(i + 1)
		}
	})

	// Each of two tasks waits until the other has begun.
	add("tasks that wait for each other", 2, 2, func(x *explore.X) {
		s := newHall(x, 2)
		var g WaitGroup
		one, oneBegins := signal()
		two, twoBegins := signal()
		g.Go(func() { s.begin(0, nil); oneBegins(); two(); s.end(0) })
		g.Go(func() { s.begin(1, nil); twoBegins(); one(); s.end(1) })
		g.Wait()
		s.ran(2)
	})

	add("tasks that wait for each other, and no Wait", 2, 3, func(x *explore.X) {
		s := newHall(x, 2)
		var g WaitGroup
		one, oneBegins := signal()
		two, twoBegins := signal()
		g.Go(func() { s.begin(0, nil); oneBegins(); two(); s.end(0) })
		g.Go(func() { s.begin(1, nil); twoBegins(); one(); s.end(1) })
		s.finish(2)
	})

	add("a limit of one", 2, 2, func(x *explore.X) {
		s := newHall(x, 2)
		s.limit = 1
		var g Group
		g.SetLimit(1)
		for i := range 3 {
			g.Go(func() error { s.task(i); return nil })
		}
		if err := g.Wait(); err != nil {
			x.Fatalf("Wait: %v", err)
		}
		s.ran(3)
	})

	add("a limit of one, and nobody waits", 2, 2, func(x *explore.X) {
		s := newHall(x, 2)
		s.limit = 1
		var g Group
		g.SetLimit(1)
		other := x.Go(func() { g.Go(func() error { s.task(0); return nil }) })
		g.Go(func() error { s.task(1); return nil })
		other()
		s.finish(2)
	})

	add("the first error", 2, 2, func(x *explore.X) {
		s := newHall(x, 2)
		var g Group
		one, two := errors.New("1"), errors.New("2")
		g.Go(func() error { s.task(0); return one })
		g.Go(func() error { s.task(1); return two })
		if err := g.Wait(); err != one && err != two {
			x.Fatalf("Wait: %v", err)
		}
		s.ran(2)
	})

	add("a group on a pool of one", 2, 3, func(x *explore.X) {
		s := newScene(x, 1)
		s.p.Run(func() {
			var g WaitGroup
			for i := range 3 {
				g.Go(func() { s.task(i) })
			}
			g.Wait()
			s.ran(3)
		})
		s.finish(3)
	})

	add("more than MaxTasks", 2, 3, func(x *explore.X) {
		s := newScene(x, 1)
		s.p.config.MaxTasks = 1
		s.limit = 0
		s.p.Run(func() {
			var g WaitGroup
			other := x.Go(func() { g.Go(func() { s.task(0) }) })
			g.Go(func() { s.task(1) })
			g.Go(func() { s.task(2) })
			other()
			g.Wait()
			s.ran(3)
		})
		x.Ended(func() {
			if n := s.p.outstanding.Load(); n != 0 {
				x.Fatalf("%d tasks are outstanding at the end", n)
			}
		})
	})

	add("a list that is full", 1, 2, func(x *explore.X) {
		s := newHall(x, 2)
		s.limit = 1
		var g Group
		g.SetLimit(1)
		for i := range 5 {
			g.Go(func() error { s.task(i); return nil })
		}
		g.Wait()
		s.ran(5)
	})

	add("Goexit where one may run at a time", 2, 2, func(x *explore.X) {
		s := newHall(x, 2)
		s.limit = 1
		var g Group
		g.SetLimit(1)
		g.Go(func() error { s.task(0); exit(); return nil })
		g.Go(func() error { s.task(1); return nil })
		s.finish(2)
	})

	add("a task with Goexit", 2, 3, func(x *explore.X) {
		s := newScene(x, 1)
		s.p.Submit(func() { s.task(0); joint.Gosched(); exit() })
		s.submit(1)
		s.finish(2)
	})
}
