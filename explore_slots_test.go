//go:build explore

package forkjoin

import (
	"github.com/forkjoin-go/forkjoin/internal/explore"
	"github.com/forkjoin-go/forkjoin/internal/joint"
)

// newHall is a scene on the default pool.
func newHall(x *explore.X, workers int) *scene {
	anew(workers)
	rests(x, std)
	return &scene{&tally{x: x}, std}
}

// lend runs task i in a part of a task that blocks.
func (s *scene) lend(i int) { Blocking(func() { s.begin(i, nil); joint.Gosched(); s.end(i) }) }

func init() {
	add := func(name string, short, long int, body func(x *explore.X)) {
		programs = append(programs, program{protocol: "slots", name: name, short: short, long: long, body: body})
	}
	timers := func(t explore.Timers) { programs[len(programs)-1].timers = t }

	// Task 0 lends its slot, for task 1 to end its wait.
	add("a slot is lent", 2, 4, func(x *explore.X) {
		s := newScene(x, 1)
		wait, set := signal()
		s.p.Submit(func() { Blocking(wait); s.task(0) })
		s.submit(1, set)
		s.finish(2)
	})

	add("hand-over beside completion", 2, 3, func(x *explore.X) {
		s := newScene(x, 2)
		s.p.Run(func() { Join(func() { s.task(0) }, func() { s.task(1) }) })
		s.submit(2)
		s.finish(3)
	})

	add("blocked on both sides of a join", 2, 3, func(x *explore.X) {
		s := newScene(x, 1)
		s.limit = 0
		s.p.Run(func() {
			Join(func() { s.lend(0); s.task(1) }, func() { s.lend(2); s.task(3) })
		})
		s.finish(4)
	})

	// No more than one runs, though each blocks while the other does.
	add("one slot, two that block", 2, 3, func(x *explore.X) {
		s := newScene(x, 1)
		for i := range 2 {
			s.p.Submit(func() { Blocking(joint.Gosched); s.task(i) })
		}
		s.finish(2)
	})

	add("a wait inside a wait", 2, 3, func(x *explore.X) {
		s := newScene(x, 1)
		wait, set := signal()
		s.p.Submit(func() {
			Blocking(func() { Blocking(wait); joint.Gosched() })
			s.task(0)
		})
		s.submit(1, set)
		s.submit(2)
		s.finish(3)
	})

	add("two calls of Run, one slot", 2, 3, func(x *explore.X) {
		s := newScene(x, 1)
		other := x.Go(func() { s.p.Run(func() { s.task(0) }) })
		s.p.Run(func() { s.task(1) })
		other()
		s.finish(2)
	})

	add("Run that joins beside a task that blocks", 2, 2, func(x *explore.X) {
		s := newScene(x, 1)
		s.submit(0)
		s.p.Run(func() {
			Join(func() { Blocking(joint.Gosched); s.task(1) }, func() { s.task(2) })
		})
		s.finish(3)
	})

	// The default pool of one: the slot that is set aside for guests.
	add("a guest leaves beside Submit", 2, 4, func(x *explore.X) {
		s := newHall(x, 1)
		guest := x.Go(func() { Join(func() { s.task(0) }, func() { s.task(1) }) })
		s.submit(2)
		guest()
		s.finish(3)
	})

	// The guest has a worker from an earlier call, so it meets no lock on its way in.
	add("a guest comes again and leaves beside Submit", 2, 3, func(x *explore.X) {
		s := newHall(x, 1)
		wait, set := signal()
		guest := x.Go(func() {
			Join(func() {}, func() {})
			set()
			joint.Gosched()
			Join(func() { s.task(0) }, func() {})
		})
		wait()
		s.submit(1)
		guest()
		s.finish(2)
	})

	// One comes back to its slot while another has begun on it.
	add("a guest and a worker come back beside a task", 1, 2, func(x *explore.X) {
		s := newHall(x, 1)
		other := x.Go(func() { s.submit(0) })
		Join(func() { Blocking(joint.Gosched) }, func() { Blocking(joint.Gosched); s.task(1) })
		other()
		s.finish(2)
	})

	add("a guest leaves beside a task that comes back", 2, 3, func(x *explore.X) {
		s := newHall(x, 1)
		s.p.Submit(func() { Blocking(joint.Gosched); s.task(0) })
		Join(func() { s.task(1) }, func() { s.task(2) })
		s.finish(3)
	})

	add("two guests and a task", 2, 2, func(x *explore.X) {
		s := newHall(x, 1)
		guest := x.Go(func() { Join(func() { s.task(0) }, func() { s.task(1) }) })
		s.submit(2)
		Join(func() { s.task(3) }, func() { s.task(4) })
		guest()
		s.finish(5)
	})

	add("a guest that blocks on both sides of a join", 2, 2, func(x *explore.X) {
		s := newHall(x, 1)
		Join(func() { s.lend(0); s.task(1) }, func() { s.lend(2); s.task(3) })
		s.finish(4)
	})

	// A guest of the default pool that runs on another pool needs no slot here.
	add("a guest that is away", 2, 3, func(x *explore.X) {
		s := newHall(x, 1)
		q := newPool(Config{Workers: 1}, true)
		rests(x, q)
		wait, set := signal()
		s.submit(2, set)
		Join(func() { q.Run(wait); s.task(0) }, func() { s.task(1) })
		s.finish(3)
	})

	add("guests of two pools", 1, 2, func(x *explore.X) {
		s := newScene(x, 1)
		q := newPool(Config{Workers: 1}, true)
		rests(x, q)
		s.limit = 0
		other := x.Go(func() {
			q.Run(func() { s.p.Run(func() { Blocking(joint.Gosched); s.task(0) }) })
		})
		s.p.Run(func() { q.Run(func() { Blocking(joint.Gosched); s.task(1) }) })
		other()
		s.finish(2)
	})

	// Tasks that wait for each other without saying so: only the watchdog helps.
	add("the watchdog lends a goroutine", 1, 3, func(x *explore.X) {
		s := newScene(x, 1)
		s.limit = 0
		wait, set := signal()
		s.p.Submit(func() { s.begin(0, nil); wait(); s.end(0) })
		s.submit(1, set)
		s.finish(2)
	})
	timers(explore.WhenIdle)

	add("the watchdog lets a resumer go on", 1, 2, func(x *explore.X) {
		s := newScene(x, 1)
		s.limit = -1
		one, oneEnds := signal()
		two, twoEnds := signal()
		s.p.Submit(func() { Blocking(one); twoEnds(); s.task(0) })
		s.p.Submit(func() { oneEnds(); two(); s.task(1) })
		s.finish(2)
	})
	timers(explore.WhenIdle)
}
