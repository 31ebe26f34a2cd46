package sim

import (
	"fmt"

	"github.com/forkjoin-go/forkjoin/internal/policy"
)

// Replay runs t on the virtual clock. The same tree and configuration give the
// same result on every machine. It takes about a tenth of a microsecond for each
// sequence of the tree, and for each chunk that a worker runs of a loop before it
// looks whether anybody wants work: for the library's loops, one for every few
// microseconds of their cost. The workers it needs are all that it allocates.
//
// It returns an error if cfg is not valid, or if pieces come to wait for each other:
// those of a tree that waits for a group within the group, or those that a policy
// has a worker begin while it waits.
func Replay(t *Tree, cfg Config) (*Result, error) {
	if err := t.check("Replay"); err != nil {
		return nil, err
	}
	if err := cfg.check(); err != nil {
		return nil, err
	}
	return replay(t, cfg, t.Measure(cfg.Costs.Burden()))
}

// replay is Replay for a tree that has been measured, and a valid configuration.
func replay(t *Tree, cfg Config, m Measures) (*Result, error) {
	e := newEngine(t, cfg)
	if err := e.run(); err != nil {
		return nil, err
	}
	return e.result(m), nil
}

// An engine is one run. It is a single loop over events: no goroutine, no clock
// and no floating-point number takes part in it, and all that is random comes
// from the seed.
//
// A worker's event is the end of what it is doing. What no other worker could
// see (most of what an owner does with its private frames) needs no event: the
// worker goes ahead of the clock up to the next thing that can be seen.
type engine struct {
	tree   *Tree
	cfg    Config
	prices prices
	times  policy.Times
	places places
	order  policy.Order // of the victims of the thief that looks last
	close  int          // the widest ring that is near, where some are nearer

	now     int64
	events  events
	workers []*worker // those that parked in a join have others in their place, so there may be more than slots
	slots   []slot
	free    []int32   // slots, of which the last is given out first
	asleep  []*worker // without a slot, the last one first to be woken
	resume  fifo[*worker]

	searchers int
	waiting   int // workers that help while they wait
	offering  int // workers with public frames
	spinners  []*worker
	rng       uint64

	price     int64
	lastWake  int64
	fruitless int

	sites  []site
	refs   []*ref
	unused []int32 // refs
	queue  fifo[central]
	waits  int // frames in queue that nobody has taken
	groups map[int]*group
	jobs   []job
	ready  fifo[int32] // jobs
	idle   int         // jobs that nobody has taken
	live   int         // jobs that have not ended, and the root

	totals totals
	load   load
	log    []Steal
	spans  []Span
}

// A site is what is known of a place in the program.
type site struct {
	pace   int64
	beat   int64
	probes uint32
}

// A slot is a worker of the report: the right of one worker to run.
type slot struct {
	busy, overhead, search int64
	worker                 int32 // who has it, or none
}

// totals are counted during a run.
type totals struct {
	forks, inline, publishes, steals, failures, parks, wakes int64
	moved                                                    int64
	distances                                                [distances]int64 // of steals
}

// A worker is a stack of frames, and what it is running.
type worker struct {
	deque
	index    int32
	slot     int32 // none while it has none
	event    int32 // place among the events
	spin     int32 // place among the spinners, or none
	phase    phase
	clock    int64 // may be ahead of the engine's
	debt     int64 // picoseconds of scheduling not yet passed
	until    int64 // when it stops spinning
	since    int64 // when it began to spin
	far      int64 // when it next looks at victims that are not near
	patience int64 // between two such looks
	fresh    bool  // it has not looked yet

	at    Pos // what to read next
	op    Op  // what comes at clock
	stack []activity
	loops []loop

	called  bool      // woken, and counted as a searcher
	waiter  bool      // counted among those that help while they wait
	thief   int32     // of the frame it waits for
	helpers []*worker // who wait for this worker, and help it

	fuel     int32
	granted  int32
	beat     policy.Beat
	beatSite int32
	haste    policy.Haste
	hasteOf  int32
	lastGave int
	pointer  int // of round robin

	moved  int64 // work done for the task it has stolen
	refill int64 // what that is still to lose because its data is elsewhere
	label  int32
}

type phase uint8

const (
	running   phase = iota // op comes at the event
	searching              // a worker without a task
	helping                // waits for a stolen frame, and looks for something to do
	parked                 // waits for a stolen frame or a group, or pauses, without a slot
	resuming               // is to go on, and waits for a slot
	sleeping
	waking
	lingering // waits for a group
)

func newEngine(t *Tree, cfg Config) *engine {
	e := &engine{
		tree: t, cfg: cfg, prices: cfg.Costs.prices(), times: policy.In(nanoseconds),
		places: cfg.Topology.places(cfg.Workers), close: cfg.Topology.near(),
		slots: make([]slot, cfg.Workers), sites: make([]site, t.Names()),
		groups: map[int]*group{}, rng: cfg.Seed*0x9E3779B97F4A7C15 | 1, live: 1,
	}
	e.load.every = 1
	for i := cfg.Workers - 1; i > 0; i-- {
		e.free = append(e.free, int32(i))
		e.slots[i].worker = none
	}
	root := e.hire()
	e.give(root, 0)
	root.stack = append(root.stack, activity{kind: aRoot})
	e.proceed(root)
	if cfg.Sleep == SleepNever {
		e.fillSlots()
	}
	return e
}

// run handles events until the tree has been run.
func (e *engine) run() error {
	for e.live > 0 {
		if len(e.events.heap) == 0 {
			return fmt.Errorf("forkjoin: sim.Replay: at %d ns all workers wait for each other, with %d pieces left", e.now, e.live)
		}
		next := &e.events.heap[0]
		w := next.w
		e.now = next.at
		if e.now >= e.load.next {
			e.sample()
		}
		e.step(w)
	}
	return nil
}

// step does what w's event is for.
func (e *engine) step(w *worker) {
	switch w.phase {
	case running:
		e.proceedFrom(w)
	case searching:
		e.search(w)
	case helping:
		e.help(w)
	case waking:
		e.awake(w)
	case resuming:
		e.resumed(w)
	case lingering:
		e.linger(w)
	case parked: // the end of a pause
		e.becomeReady(w)
	}
}

// random returns a number from the run's generator.
func (e *engine) random() (r uint64) {
	e.rng, r = policy.NextRandom(e.rng)
	return r
}

// hungry reports whether somebody awake wants work.
func (e *engine) hungry() bool { return e.searchers+e.waiting > 0 }

// spare returns how many more workers could be woken.
func (e *engine) spare() int { return len(e.free) }
