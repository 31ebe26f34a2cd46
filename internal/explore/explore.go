package explore

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"time"
	"unsafe"
)

// Timers says when something that waits for time to pass may go on.
type Timers uint8

const (
	Never    Timers = iota // not before the program has ended and all is quiet
	WhenIdle               // when nothing else can happen
	Anytime                // at any step
)

// A Program is what is explored.
type Program struct {
	Name     string
	Bound    int        // most preemptions; below 0: any number
	Random   int        // schedules at random after those
	Seed     uint64     // of these
	Most     int        // schedules at most, but for those at random; 0: no limit
	Timers   Timers     // when functions of timers may start
	Timeouts Timers     // when waits with a deadline may end without a wake
	Body     func(x *X) // the main goroutine
}

// A Report is what an exploration found.
type Report struct {
	Program    string
	Schedules  int
	Cut        int  // of these, left because they had been seen
	Steps      int  // in all schedules
	Exhaustive bool // nothing was left out
	Bound      int  // preemptions up to which nothing was left out; -1 if not even that
	Random     int  // schedules at random
	Duration   time.Duration
	Failure    string // empty if none
	Trace      string // of the failure, for Replay
	Story      string // the same, step by step
}

func (r Report) String() string {
	extent := fmt.Sprintf("all with up to %d preemptions", r.Bound)
	switch {
	case r.Failure != "":
		extent = "FAILED"
	case r.Exhaustive:
		extent = "exhaustive"
	case r.Bound < 0:
		extent = "not complete"
	}
	if r.Random > 0 {
		extent += fmt.Sprintf(" and %d at random", r.Random)
	}
	return fmt.Sprintf("%-34s %8d schedules %9d steps %6.1f s  %s", r.Program, r.Schedules, r.Steps, r.Duration.Seconds(), extent)
}

// An exploration is the search over the schedules of a program.
type exploration struct {
	program *Program
	bound   int // of preemptions now, below 0: none
	path    []node
	ids     [maxProcs][24]int8 // of a goroutine's n-th child
	known   int
	cut     int
	beyond  bool // a choice was dropped because of the bound
	guide   func(r *run, n *node) int
	tracing bool
	objects map[unsafe.Pointer]*object
}

// Explore runs the program under each schedule within its bounds, until one
// fails.
func Explore(p Program) (report Report) {
	start := time.Now()
	// One goroutine runs at a time, and hands over faster on one processor.
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	report.Program, report.Bound = p.Name, -1
	defer func() { report.Duration = time.Since(start) }()
	first := min(p.Bound, 0)
explore:
	for bound := first; bound <= p.Bound; bound++ {
		x := &exploration{program: &p, bound: bound}
		for {
			r := x.run()
			report.Schedules++
			report.Steps += r.depth
			if r.failure != "" {
				report.fail(&p, r)
				return
			}
			if !x.next() {
				break
			}
			if p.Most > 0 && report.Schedules >= p.Most {
				report.Cut += x.cut
				break explore
			}
		}
		report.Cut += x.cut
		report.Bound = bound
		if !x.beyond {
			report.Exhaustive = true
			return
		}
	}
	for i := range p.Random {
		x := &exploration{program: &p}
		dice := rand.New(rand.NewPCG(p.Seed, uint64(i)))
		often := 2 + dice.IntN(30)
		x.guide = func(r *run, n *node) int {
			if n.goesOn && dice.IntN(often) > 0 {
				return n.before
			}
			k := dice.IntN(32)
			for range k {
				if n.enabled&(n.enabled-1) != 0 {
					n.enabled &= n.enabled - 1
				}
			}
			return n.enabled.first()
		}
		r := x.run()
		report.Schedules++
		report.Random++
		report.Steps += r.depth
		if r.failure != "" {
			report.fail(&p, r)
			return
		}
	}
	return
}

// next goes to the next schedule that is to be tried, and reports whether there
// is one.
func (x *exploration) next() bool {
	for len(x.path) > 0 {
		n := &x.path[len(x.path)-1]
		n.done |= 1 << n.choice
		for s := n.backtrack &^ n.done; s != 0; s &= s - 1 {
			id := s.first()
			if x.bound < 0 && n.sleep>>id&1 != 0 {
				continue
			}
			if x.bound >= 0 && n.preempts(id) && n.preempted >= x.bound {
				x.beyond = true
				continue
			}
			n.choice = id
			return true
		}
		x.path = x.path[:len(x.path)-1]
	}
	return false
}

// run runs the program once.
func (x *exploration) run() *run {
	if x.objects == nil {
		x.objects = make(map[unsafe.Pointer]*object)
	}
	clear(x.objects)
	if x.guide != nil {
		x.path = x.path[:0]
	}
	r := &run{exploration: x, over: make(chan struct{})}
	main := r.spawn(nil, false)
	races := raceErrors()
	if raceEnabled {
		r.decider = make(chan struct{})
		go r.decideApart()
	}
	go func() {
		raceHide()
		<-main.wake
		raceShow()
		r.main(main)
	}()
	active = r
	if raceEnabled {
		r.decider <- struct{}{}
	} else {
		r.decide().wake <- struct{}{}
	}
	<-r.over
	active = nil
	if r.failure == "" && raceErrors() > races {
		r.failure = "the race detector reported a data race"
	}
	return r
}

// label names a schedule: who took how many steps.
func (r *run) label() string {
	var b strings.Builder
	for i := 0; i < len(r.trace); {
		n := i
		for n < len(r.trace) && r.trace[n].proc == r.trace[i].proc {
			n++
		}
		fmt.Fprintf(&b, "%s*%d ", r.trace[i].proc.name, n-i)
		i = n
	}
	return strings.TrimSpace(b.String())
}
