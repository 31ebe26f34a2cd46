package forkjoin

import (
	"runtime"

	"github.com/forkjoin-go/forkjoin/internal/atomic"
	"github.com/forkjoin-go/forkjoin/internal/joint"
)

// A Pool is a set of workers that share work by stealing. Most programs need
// none but the default one, which all functions of this package use by
// themselves. Make one to bound how many goroutines a part of a program keeps
// busy.
//
// A Pool's methods may be called by several goroutines at once. They panic if the
// Pool is not one that [New] or [Default] returned.
type Pool struct {
	id      int // orders pools
	config  Config
	private bool // made by New

	reorderer *reorderer // decides on the order of everything; nil but in reordered runs (reorder.go)

	// Read at each fork.
	idle    idleWord
	workers atomic.Pointer[[]*worker] // grows under mu; elements never change
	_       [128]byte                 // each injected job changes what follows

	injected injector
	held     heldGroups

	procs       atomic.Int32  // what limit was when it was set
	resumers    atomic.Int32  // len(resuming)
	resumed     atomic.Uint64 // workers that got their slot from another
	excess      atomic.Int32  // used - limit
	reserved    atomic.Bool   // a slot is set aside for guests (slots.go)
	fruitless   atomic.Int32  // wakes in a row that found nothing
	lastWake    atomic.Int64  // ticks
	price       atomic.Int64  // of a wake, in ticks; 0: not measured
	pending     atomic.Int64  // submitted tasks and Runs that have not ended, and closing
	outstanding atomic.Int64  // tasks that have not ended; counted if Config.MaxTasks is set
	tasks       atomic.Uint64
	wakes       atomic.Uint64
	lentOut     atomic.Uint64

	watchdog watchdog

	mu       joint.Mutex
	limit    int // slots
	used     int
	spare    int            // what idle says
	resuming queue[*worker] // wait for a slot
	sleepers []*worker      // in sleep, the last one sleeps shortest
	resting  []*worker      // without a goroutine
	visitors []*worker      // guests without a goroutine
	indices  []int          // of workers that are no more
	dropped  Stats          // their counts
	live     int            // background workers with a goroutine
	lentNow  int            // of these, lent, and not waiting in a join or in Blocking
	stopped  bool           // Close has waited for all tasks
	drained  milestone      // pending is 0 and the pool closing
	ended    milestone      // live is 0 and the pool stopped
}

// closing is set in Pool.pending when the pool takes no more.
const closing = 1 << 62

var pools atomic.Int32 // made so far

// std is the default pool.
var std = newPool(Config{Name: "default"}, false)

func newPool(cfg Config, private bool) *Pool {
	p := &Pool{id: int(pools.Add(1)), config: cfg, private: private}
	p.workers.Store(new([]*worker))
	p.drained.channel, p.ended.channel = make(joint.Signal), make(joint.Signal)
	p.limit = p.size()
	p.procs.Store(int32(p.limit))
	if !private {
		p.reserved.Store(true)
		p.used = 1
	}
	p.publishSlots()
	return p
}

// Default returns the pool that everything uses that is not called inside
// [Pool.Run] of another. It has GOMAXPROCS workers, and any number of goroutines
// may call into it at once.
func Default() *Pool { return std }

// String returns what error texts call the pool: Config.Name behind the word pool.
func (p *Pool) String() string {
	if p.config.Name == "" {
		return "pool"
	}
	return "pool " + p.config.Name
}

// mustBeMade refuses a Pool that neither New nor Default returned.
func (p *Pool) mustBeMade(method string) {
	if p == nil || p.id == 0 {
		badUse("Pool.%s: the Pool is not one that New or Default returned", method)
	}
}

// Workers returns how many goroutines may run on the pool at once: what
// Config.Workers says, or GOMAXPROCS.
func (p *Pool) Workers() int {
	p.mustBeMade("Workers")
	return p.size()
}

func (p *Pool) size() int {
	if p.config.Workers > 0 {
		return p.config.Workers
	}
	return runtime.GOMAXPROCS(0)
}

// resize follows a change of GOMAXPROCS and reports whether there was one.
func (p *Pool) resize() bool {
	if int(p.procs.Load()) == p.size() {
		return false
	}
	p.mu.Lock()
	p.follow()
	p.mu.Unlock()
	return true
}

// follow is resize for a caller that holds mu.
func (p *Pool) follow() {
	if n := p.size(); n != p.limit {
		p.limit = n
		p.procs.Store(int32(n))
		p.publishSlots()
		p.serveResumers()
	}
}

// all returns the pool's workers.
func (p *Pool) all() []*worker { return *p.workers.Load() }

// add makes a worker and lists it. The caller holds mu.
func (p *Pool) add() *worker {
	all := p.all()
	w := &worker{pool: p, index: len(all), last: -1}
	if n := len(p.indices); n > 0 {
		w.index = p.indices[n-1]
		p.indices = p.indices[:n-1]
	}
	w.cpu.Store(-1)
	w.rng = uint64(w.index+1) * 0x9E3779B97F4A7C15
	all = append(all, w)
	p.workers.Store(&all)
	return w
}

// keep keeps a guest worker for the next guest. After a burst of guests, most
// are dropped. The caller holds mu.
func (p *Pool) keep(w *worker) {
	p.visitors = append(p.visitors, w)
	if len(p.visitors) <= keptVisitors || 2*len(p.visitors) < len(p.all()) {
		return
	}
	drop := make(map[*worker]bool)
	for _, v := range p.visitors[keptVisitors/2:] {
		drop[v] = true
		p.indices = append(p.indices, v.index)
		p.dropped.add(v)
	}
	p.visitors = append([]*worker(nil), p.visitors[:keptVisitors/2]...)
	var rest []*worker
	for _, v := range p.all() {
		if !drop[v] {
			rest = append(rest, v)
		}
	}
	p.workers.Store(&rest)
}

const keptVisitors = 128

// hire returns a background worker without a goroutine. The caller holds mu.
func (p *Pool) hire() *worker {
	p.live++
	learn()
	var w *worker
	if n := len(p.resting); n > 0 {
		w = p.resting[n-1]
		p.resting = p.resting[:n-1]
	} else {
		w = p.add()
	}
	w.background, w.slot, w.fresh, w.lent = true, true, true, false
	return w
}

// part ends a background worker's goroutine.
func (p *Pool) part(w *worker) {
	p.mu.Lock()
	p.resting = append(p.resting, w)
	p.live--
	if w.lent {
		p.lentNow--
	}
	if p.live == 0 {
		p.ended.reach()
	}
	p.mu.Unlock()
}
