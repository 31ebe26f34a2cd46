//go:build explore

package forkjoin

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"testing"
	"unsafe"

	"github.com/forkjoin-go/forkjoin/internal/atomic"
	"github.com/forkjoin-go/forkjoin/internal/explore"
	"github.com/forkjoin-go/forkjoin/internal/joint"
)

// The schedule explorer's programs: small uses of the scheduler, each run under
// every schedule within its bounds. See docs/VERIFICATION.md.
//
//	verify/explore -run TestExplore/deque
//	verify/explore -run TestExplore/deque/NAME -explore.replay "TRACE"
//
// A program's main goroutine is its body. All that it checks is checked in each
// schedule, and in addition that somebody can always go on (with timers off, so
// neither the watchdog nor an end of idleTime helps), and at the end that the pool
// is at rest: see rests.

var (
	exploreLong   = flag.Bool("explore.long", false, "explore further")
	exploreRandom = flag.Int("explore.random", -1, "schedules at random for each program")
	exploreMost   = flag.Int("explore.most", 0, "schedules for each program, but for those at random; 0: 3,000, or 1,000,000 if long")
	exploreSeed   = flag.Uint64("explore.seed", 1, "of those at random")
	exploreTrace  = flag.String("explore.replay", "", "follow this trace instead of exploring, and tell it step by step")
)

// A program is explored with all schedules of up to short preemptions, or long
// ones with -explore.long; unbounded means any number.
type program struct {
	protocol, name string
	short, long    int
	timers         explore.Timers
	timeouts       explore.Timers
	body           func(x *explore.X)
}

const unbounded = -1

var programs []program

func TestExplore(t *testing.T) {
	ran, schedules, steps, all := 0, 0, 0, 0
	for _, p := range programs {
		t.Run(p.protocol+"/"+p.name, func(t *testing.T) {
			r := p.explore(t)
			ran, schedules, steps = ran+1, schedules+r.Schedules, steps+r.Steps
			if r.Exhaustive {
				all++
			}
		})
	}
	fmt.Printf("explore: %d programs (%d exhaustive), %d schedules, %d steps\n", ran, all, schedules, steps)
}

func (p *program) explore(t *testing.T) explore.Report {
	e := explore.Program{
		Name: p.protocol + "/" + p.name, Bound: p.short, Timers: p.timers, Timeouts: p.timeouts, Body: p.body,
		Random: 200, Seed: *exploreSeed, Most: 3_000,
	}
	if *exploreLong {
		e.Bound, e.Random, e.Most = p.long, 20_000, 1_000_000
	}
	if *exploreMost > 0 {
		e.Most = *exploreMost
	}
	if *exploreRandom >= 0 {
		e.Random = *exploreRandom
	}
	if p.short == unbounded && !*exploreLong || p.long == unbounded && *exploreLong {
		e.Random = 0
	}
	if *exploreTrace != "" {
		r, err := explore.Replay(e, *exploreTrace)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Print(r.Story)
		if r.Failure != "" {
			t.Fatal(r.Failure)
		}
		return r
	}
	r := explore.Explore(e)
	fmt.Fprintln(os.Stdout, r)
	if r.Failure != "" {
		t.Errorf("%s\nafter %d schedules; replay with\n  verify/explore -run '^TestExplore$/^%s$/^%s$' -explore.replay %q\n%s",
			r.Failure, r.Schedules, p.protocol, p.name, r.Trace, r.Story)
	}
	return r
}

// anew makes the package as it is when the program starts, with a default pool
// of n workers.
func anew(n int) {
	for i := range firstBindings {
		firstBindings[i] = binding{kept: true}
	}
	bindings.next.Store(nil)
	for i := range sites {
		sites[i] = site{}
	}
	noSite = site{}
	std = newPool(Config{Name: "default", Workers: n}, false)
}

// bare returns a pool of n workers that never starts one, for programs that play
// the workers themselves.
func bare(n int) *Pool {
	p := newPool(Config{Workers: n}, true)
	p.stopped = true
	return p
}

// player returns a worker for a goroutine that acts by hand.
func player(p *Pool) *worker {
	p.mu.Lock()
	defer p.mu.Unlock()
	w := p.newVisitor(p.claimSlot())
	w.bubble = no
	return w
}

// A tally sees to it that each task runs once, and no more at a time than slots.
type tally struct {
	x       *explore.X
	limit   int // of tasks; 0: none; below 0: none of background workers either
	runs    [16]int
	running int
	acting  [16]*worker
}

// task is what a program runs as task i. It lets others run in the middle.
func (y *tally) task(i int) {
	w := current()
	y.begin(i, w)
	joint.Gosched()
	y.end(i)
}

//go:norace
func (y *tally) begin(i int, w *worker) {
	if y.runs[i]++; y.runs[i] > 1 {
		y.x.Fatalf("task %d is run again", i)
	}
	if y.running++; y.limit > 0 && y.running > y.limit {
		y.x.Fatalf("%d tasks run at the same time, the limit is %d", y.running, y.limit)
	}
	if w == nil {
		return
	}
	y.reserved(w)
	behind := 0 // background workers of the same pool that run tasks
	for j, other := range y.acting {
		if other == w {
			y.x.Fatalf("tasks %d and %d run on the same worker", i, j)
		}
		if other != nil && other.background && other.pool == w.pool {
			behind++
		}
	}
	y.acting[i] = w
	if w.background && !w.lent && y.limit >= 0 && behind >= w.pool.limit {
		y.x.Fatalf("%d background workers run tasks, the pool has %d slots", behind+1, w.pool.limit)
	}
}

//go:norace
func (y *tally) end(i int) {
	y.running--
	if w := y.acting[i]; w != nil {
		y.reserved(w)
	}
	y.acting[i] = nil
}

// reserved checks that while a guest of the default pool runs a slot is set aside.
//
//go:norace
func (y *tally) reserved(w *worker) {
	if !w.background && w.pool == std && std.mu.Ready() && !peek(&std.reserved) {
		y.x.Fatalf("a guest runs, and no slot is set aside for guests")
	}
}

// still checks that no task is running.
//
//go:norace
func (y *tally) still() {
	if y.running != 0 {
		y.x.Fatalf("%d tasks run after Close", y.running)
	}
}

// ran checks that the first n tasks have run.
//
//go:norace
func (y *tally) ran(n int) {
	for i := range n {
		if y.runs[i] != 1 {
			y.x.Fatalf("task %d has run %d times", i, y.runs[i])
		}
	}
}

// rests checks, when all goroutines have ended, that nothing of a pool is taken.
func rests(x *explore.X, p *Pool) {
	x.Quiet(func() {
		if n := p.injected.length(); n != 0 {
			x.Fatalf("%d jobs are left in the injection queue, and nobody runs", n)
		}
		if n := p.resuming.count; n != 0 {
			x.Fatalf("%d workers wait for a slot, and nobody runs", n)
		}
	})
	x.Ended(func() {
		used := 0
		if p.reserved.Load() {
			used = 1
		}
		idle := p.idle.load()
		switch {
		case p.used != used:
			x.Fatalf("%d slots are in use at the end, want %d", p.used, used)
		case idle.searchers() != 0:
			x.Fatalf("%d searchers are counted at the end", idle.searchers())
		case idle.hungry():
			x.Fatalf("joins that wait are counted at the end: %#x", idle)
		case idle.spare() != p.limit-used:
			x.Fatalf("%d slots are spare at the end, want %d", idle.spare(), p.limit-used)
		case p.excess.Load() != int32(p.used-p.limit):
			x.Fatalf("the excess is %d, want %d", p.excess.Load(), p.used-p.limit)
		case p.resumers.Load() != 0 || p.resuming.count != 0:
			x.Fatalf("%d resumers are counted at the end, %d wait", p.resumers.Load(), p.resuming.count)
		case p.live != 0 || p.lentNow != 0:
			x.Fatalf("%d background workers live at the end, %d are lent", p.live, p.lentNow)
		case len(p.sleepers) != 0:
			x.Fatalf("%d sleepers are listed at the end", len(p.sleepers))
		case p.watchdog.active.Load():
			x.Fatalf("the watchdog is on at the end")
		case p.pending.Load()&^closing != 0:
			x.Fatalf("%d pending at the end", p.pending.Load())
		}
		for _, w := range p.all() {
			tail, split := unpack(w.public.Load())
			if w.head != 0 || w.split != 0 || tail != split || split != 0 {
				x.Fatalf("worker %d has frames at the end: tail %d, split %d (%d), head %d", w.index, tail, split, w.split, w.head)
			}
			if w.parked.Load() || w.gave || w.granted || w.called || w.away != 0 {
				x.Fatalf("worker %d is left in the middle: parked %v, gave %v, granted %v, called %v, away %d", w.index, w.parked.Load(), w.gave, w.granted, w.called, w.away)
			}
		}
		for i := range firstBindings {
			if k := firstBindings[i].key.Load(); k != 0 {
				x.Fatalf("goroutine %d is bound at the end", k)
			}
		}
	})
}

// peek loads without a step.
//
//go:norace
func peek(b *atomic.Bool) bool { return *(*uint32)(unsafe.Pointer(b)) != 0 }

func exit() { runtime.Goexit() }
