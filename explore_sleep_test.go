//go:build explore

package forkjoin

import (
	"github.com/forkjoin-go/forkjoin/internal/explore"
	"github.com/forkjoin-go/forkjoin/internal/joint"
)

// A scene is a pool with its workers, as users make one.
type scene struct {
	*tally
	p *Pool
}

func newScene(x *explore.X, workers int) *scene {
	anew(2)
	p := newPool(Config{Workers: workers}, true)
	rests(x, p)
	return &scene{&tally{x: x, limit: workers}, p}
}

// submit gives the pool task i, which calls then in the end.
func (s *scene) submit(i int, then ...func()) {
	err := s.p.Submit(func() {
		s.task(i)
		for _, f := range then {
			f()
		}
	})
	if err != nil {
		s.x.Fatalf("Submit: %v", err)
	}
}

// finish checks, when all is quiet, that n tasks have run.
func (s *scene) finish(n int) { s.x.Quiet(func() { s.ran(n) }) }

// signal returns a wait and what ends it.
func signal() (wait, set func()) {
	c := make(joint.Signal)
	return func() { joint.Receive(c) }, func() { joint.Close(c) }
}

func init() {
	add := func(name string, short, long int, body func(x *explore.X)) {
		programs = append(programs, program{protocol: "sleep", name: name, short: short, long: long, body: body})
	}
	timeouts := func(t explore.Timers) { programs[len(programs)-1].timeouts = t }

	add("a task wakes the first worker", 3, unbounded, func(x *explore.X) {
		s := newScene(x, 1)
		s.submit(0)
		s.finish(1)
	})

	add("a task for a worker that falls asleep", 3, unbounded, func(x *explore.X) {
		s := newScene(x, 1)
		wait, set := signal()
		s.submit(0, set)
		wait()
		s.submit(1)
		s.finish(2)
	})

	add("two tasks, one worker", 3, unbounded, func(x *explore.X) {
		s := newScene(x, 1)
		s.submit(0)
		s.submit(1)
		s.finish(2)
	})

	add("two who submit, two workers", 2, 3, func(x *explore.X) {
		s := newScene(x, 2)
		other := x.Go(func() { s.submit(0) })
		s.submit(1)
		other()
		s.finish(2)
	})

	// The third goroutine uses another shard of the injection queue.
	add("a task in each shard", 2, 3, func(x *explore.X) {
		s := newScene(x, 1)
		x.Go(func() {})
		x.Go(func() {})
		other := x.Go(func() { s.submit(0) })
		s.submit(1)
		other()
		s.finish(2)
	})

	// Each task waits for the other to begin, so both must get a worker.
	add("two tasks at a time", 2, 3, func(x *explore.X) {
		s := newScene(x, 2)
		s.limit = 0
		one, oneBegins := signal()
		two, twoBegins := signal()
		s.p.Submit(func() { s.begin(0, nil); oneBegins(); two(); s.end(0) })
		s.p.Submit(func() { s.begin(1, nil); twoBegins(); one(); s.end(1) })
		s.finish(2)
	})

	// The same when a worker is about to sleep that has done something before.
	add("two tasks at a time, later", 2, 3, func(x *explore.X) {
		s := newScene(x, 2)
		s.limit = 0
		wait, set := signal()
		s.submit(2, set)
		wait()
		one, oneBegins := signal()
		two, twoBegins := signal()
		s.p.Submit(func() { s.begin(0, nil); oneBegins(); two(); s.end(0) })
		s.p.Submit(func() { s.begin(1, nil); twoBegins(); one(); s.end(1) })
		s.finish(3)
	})

	add("a task while sleepers leave", 2, 4, func(x *explore.X) {
		s := newScene(x, 1)
		wait, set := signal()
		s.submit(0, set)
		wait()
		s.submit(1)
		s.finish(2)
	})
	timeouts(explore.Anytime)

	add("two tasks while sleepers leave", 2, 3, func(x *explore.X) {
		s := newScene(x, 2)
		wait, set := signal()
		s.submit(0, set)
		other := x.Go(func() { s.submit(1) })
		wait()
		s.submit(2)
		other()
		s.finish(3)
	})
	timeouts(explore.Anytime)

	add("park beside unpark", unbounded, unbounded, func(x *explore.X) {
		var p parker
		waker := x.Go(func() { p.unpark() })
		if !p.park(-1) {
			x.Fatalf("a park without a deadline has timed out")
		}
		waker()
		p.rests(x)
	})

	add("park beside unpark, with a deadline", unbounded, unbounded, func(x *explore.X) {
		var p parker
		waker := x.Go(func() { p.unpark() })
		if !p.park(idleTime) && !p.park(-1) { // the second waits for what the first has missed
			x.Fatalf("a park without a deadline has timed out")
		}
		waker()
		p.rests(x)
	})
	timeouts(explore.Anytime)

	// Nobody waits for the sleeper to take a permit.
	add("two who unpark", unbounded, unbounded, func(x *explore.X) {
		var p parker
		one, two := x.Go(func() { p.unpark() }), x.Go(func() { p.unpark() })
		one()
		two()
		p.park(-1)
		p.rests(x)
	})

	// A guest forks, and a worker that sleeps is woken for it.
	add("a fork wakes", 2, 3, func(x *explore.X) {
		s := newScene(x, 2)
		s.p.Run(func() { Join(func() { s.task(0) }, func() { s.task(1) }) })
		s.finish(2)
	})

	add("a fork beside a task", 2, 3, func(x *explore.X) {
		s := newScene(x, 2)
		s.submit(0)
		s.p.Run(func() { Join(func() { s.task(1) }, func() { s.task(2) }) })
		s.finish(3)
	})

	// Hungry and publish: a searcher is about when the owner forks, and has given
	// up when the owner shows its frame.
	add("forks for a searcher", 2, 3, func(x *explore.X) {
		s := newScene(x, 2)
		s.submit(0)
		s.p.Run(func() {
			Join(func() {
				Join(func() { s.task(1) }, func() { s.task(2) })
			}, func() { s.task(3) })
		})
		s.finish(4)
	})
}
