package forkjoin

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/forkjoin-go/forkjoin/internal/clock"
	"github.com/forkjoin-go/forkjoin/internal/gkey"
)

// Config says what a pool is to be. The zero Config is a pool of as many workers
// as GOMAXPROCS, at any time.
type Config struct {
	// Workers is how many goroutines may run on the pool at once. 0 means as
	// many as GOMAXPROCS, also when that changes.
	Workers int

	// Name names the pool in error texts.
	Name string

	// Pin says whether background workers stay on a processor.
	Pin Pinning

	// OnStart and OnExit are called on the goroutine of a background worker
	// when it starts and ends, with the worker's index. Workers start when there
	// is something to do, and end after about a second without.
	OnStart, OnExit func(worker int)

	// PanicHandler is called when a function given to Submit panics, on the
	// goroutine that ran it. If it is nil, the panic crashes the program, as
	// that of a goroutine does.
	PanicHandler func(*PanicError)

	// MaxTasks caps the tasks that wait or run, given to Submit and to the Go
	// of groups used on this pool; beyond it, they run at once on the goroutine
	// that gives them. 0 means no cap.
	MaxTasks int
}

// Pinning says whether workers stay on a processor.
type Pinning int

const (
	// PinNone lets Go and the operating system place workers.
	PinNone Pinning = iota
	// PinCores locks each background worker to a thread and, on Linux, that
	// thread to one of the processors that the process may use.
	PinCores
)

// ErrClosed is what Submit returns when the pool is closed.
var ErrClosed = errors.New("forkjoin: pool is closed")

// A Pool is a set of workers that share work by stealing. Most programs need
// none but the default one, which all functions of this package use by
// themselves. Make one to bound how many goroutines a part of a program keeps
// busy.
//
// A Pool's methods may be called by several goroutines at once.
type Pool struct {
	config  Config
	private bool // made by New

	// Read at each fork.
	idle    idleWord
	workers atomic.Pointer[[]*worker] // grows under mu; elements never change

	injected injector

	procs     atomic.Int32 // what limit was when it was set
	resumers  atomic.Int32 // len(resuming)
	excess    atomic.Int32 // used - limit
	reserved  atomic.Bool  // a slot is set aside for guests (slots.go)
	fruitless atomic.Int32 // wakes in a row that found nothing
	lastWake  atomic.Int64 // ticks
	price     atomic.Int64 // of a wake, in ticks; 0: not measured
	pending   atomic.Int64 // submitted tasks and Runs that have not ended, and closing
	grouped   atomic.Int64 // tasks of groups that have not ended; counted if there is a cap
	tasks     atomic.Uint64
	wakes     atomic.Uint64
	lentOut   atomic.Uint64

	watchdog watchdog

	mu       sync.Mutex
	limit    int // slots
	used     int
	spare    int             // what idle says
	resuming queue[*worker]  // wait for a slot
	sleepers []*worker       // in sleep, the last one sleeps shortest
	resting  []*worker       // without a goroutine
	visitors []*worker       // guests without a goroutine
	live     int             // background workers with a goroutine
	lentNow  int             // of these, lent
	stopped  bool            // Close has waited for all tasks
	ended    []chan struct{} // closed when live is 0
	drained  chan struct{}   // closed when pending is 0 and the pool closing
}

// closing is set in Pool.pending when the pool takes no more.
const closing = 1 << 62

// std is the default pool.
var std = newPool(Config{Name: "default"}, false)

// New returns a pool. It starts nothing: workers start when there is work. A
// pool should be closed, but one that is just dropped costs nothing once its
// workers have been idle for a second. New returns an error if cfg.Workers or
// cfg.MaxTasks is negative or cfg.Pin unknown.
func New(cfg Config) (*Pool, error) {
	switch {
	case cfg.Workers < 0:
		return nil, fmt.Errorf("forkjoin: New: Workers is %d, want >= 0", cfg.Workers)
	case cfg.Workers > idleField/2:
		return nil, fmt.Errorf("forkjoin: New: Workers is %d, want <= %d", cfg.Workers, idleField/2)
	case cfg.MaxTasks < 0:
		return nil, fmt.Errorf("forkjoin: New: MaxTasks is %d, want >= 0", cfg.MaxTasks)
	case cfg.Pin != PinNone && cfg.Pin != PinCores:
		return nil, fmt.Errorf("forkjoin: New: Pin is %d, want PinNone or PinCores", cfg.Pin)
	}
	return newPool(cfg, true), nil
}

func newPool(cfg Config, private bool) *Pool {
	p := &Pool{config: cfg, private: private, drained: make(chan struct{})}
	p.workers.Store(new([]*worker))
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

func (p *Pool) String() string {
	if p.config.Name == "" {
		return "pool"
	}
	return "pool " + p.config.Name
}

// Workers returns how many goroutines may run on the pool at once: what
// Config.Workers says, or GOMAXPROCS.
func (p *Pool) Workers() int { return p.size() }

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
	}
}

// all returns the pool's workers.
func (p *Pool) all() []*worker { return *p.workers.Load() }

// newWorker makes a worker that serves guests on b, or with b nil wherever it
// is attached.
func (p *Pool) newWorker(b *binding) *worker {
	p.mu.Lock()
	defer p.mu.Unlock()
	w := p.add()
	if b != nil {
		w.binding = b
		w.host.Store(b)
	}
	return w
}

// add makes a worker and lists it. The caller holds mu.
func (p *Pool) add() *worker {
	all := p.all()
	w := &worker{pool: p, index: len(all), last: -1, wakeup: make(chan struct{}, 1)}
	w.rng = uint64(w.index+1) * 0x9E3779B97F4A7C15
	all = append(all, w)
	p.workers.Store(&all)
	return w
}

// hire returns a background worker without a goroutine. The caller holds mu.
func (p *Pool) hire() *worker {
	p.live++
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
		for _, c := range p.ended {
			close(c)
		}
		p.ended = nil
	}
	p.mu.Unlock()
}

// attach makes the goroutine with this key a guest, beyond what it was.
func (w *worker) attach(key uintptr) {
	b := lookup(key)
	if b == nil {
		b = bind(key)
	}
	w.binding, w.outer = b, b.worker
	b.worker = w
	w.host.Store(b)
	if !w.pool.private && !w.pool.reserved.Load() {
		w.pool.reserve()
	}
}

// detach ends attach.
func (w *worker) detach() {
	w.settle()
	b := w.binding
	b.worker = w.outer
	w.host.Store(nil)
	w.binding = nil
	if w.outer == nil {
		b.key.Store(0)
	}
	w.outer = nil
}

// Run calls f and returns when it has returned. Calls of this package that f
// makes, also on other goroutines that they bring in, use p; a goroutine that f
// starts with a go statement does not.
//
// f runs on the caller's goroutine if one of p's slots is free, or if it runs on
// p already. Otherwise f waits its turn in p's injection queue and runs on one
// of p's workers.
//
// If f panics, Run panics with a [*PanicError]; if it calls [runtime.Goexit], so
// does the caller. Run panics if f is nil or p is closed.
//
// What was done before Run is synchronized before f starts, and everything done
// in f before Run returns.
func (p *Pool) Run(f func()) {
	if f == nil {
		badUse("Pool.Run: f is nil")
	}
	p.run("Run", f)
}

func (p *Pool) run(name string, f func()) {
	key := gkey.Get()
	b := lookup(key)
	if b != nil && b.worker.pool == p {
		guard(f)
		return
	}
	if !p.begin() {
		badUse("Pool.%s: %v is closed", name, p)
	}
	defer p.finish()
	w := p.admit()
	if w == nil {
		p.runElsewhere(b, f)
		return
	}
	w.attach(key)
	defer p.dismissGuest(w)
	guard(f)
}

// guard calls f so that a panic of it becomes a *PanicError.
func guard(f func()) {
	returned := false
	defer func() {
		if !returned {
			rethrow(recover())
		}
	}()
	f()
	returned = true
}

// admit returns a worker for a guest, or nil if the pool has no free slot.
func (p *Pool) admit() *worker {
	bubble := p.private && clock.InBubble()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.follow()
	// In a synctest bubble everything runs on the caller's goroutine, which
	// therefore needs no slot and must not wait for one.
	slot := p.private && !bubble
	if slot && !p.claimSlot() {
		return nil
	}
	var w *worker
	if n := len(p.visitors); n > 0 {
		w = p.visitors[n-1]
		p.visitors = p.visitors[:n-1]
	} else {
		w = p.add()
	}
	w.slot, w.background = slot, false
	if bubble {
		w.bubble = yes
	}
	return w
}

// dismissGuest ends what admit and attach began.
func (p *Pool) dismissGuest(w *worker) {
	w.detach()
	slot := w.slot
	p.mu.Lock()
	p.visitors = append(p.visitors, w)
	p.mu.Unlock()
	if slot {
		p.releaseSlot()
	}
}

// runElsewhere has f run by one of p's workers and waits for that. b is the
// binding of the calling goroutine, if it has one.
func (p *Pool) runElsewhere(b *binding, f func()) {
	r := &remoteRun{f: f, done: make(chan struct{})}
	wait := func() {
		p.inject(r)
		<-r.done
	}
	if b != nil {
		b.worker.blocking(wait)
	} else {
		wait()
	}
	if r.failure != nil {
		r.failure.raise()
	}
}

// A remoteRun is a call of Run that waits in the injection queue.
type remoteRun struct {
	f       func()
	failure *PanicError
	done    chan struct{}
}

func (r *remoteRun) run(w *worker, _ *frame) {
	before := w.begin(nil, true)
	returned := false
	defer func() {
		if !returned {
			r.failure = failureOf(recover())
		}
		w.end(before)
		close(r.done)
	}()
	r.f()
	returned = true
}

func (r *remoteRun) site() *site { return &noSite }

// begin counts a task or Run that the pool has to finish before it can close.
// It reports whether the pool still takes any.
func (p *Pool) begin() bool {
	if p.pending.Add(1)&closing == 0 {
		return true
	}
	p.finish()
	return false
}

// finish ends what begin counted.
func (p *Pool) finish() {
	if p.pending.Add(-1) == closing {
		p.drain()
	}
}

// drain lets Close go on.
func (p *Pool) drain() {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-p.drained:
	default:
		close(p.drained)
	}
}

// Close ends the pool: it refuses new work, waits until everything submitted
// and every Run has ended, and until the workers' goroutines have. A second call
// waits for the same and does nothing. Close returns an error, and does nothing,
// for the default pool and when it is called by a task of the pool, which would
// wait for itself.
func (p *Pool) Close() error {
	if !p.private {
		return errors.New("forkjoin: Close: the default pool cannot be closed")
	}
	if w := current(); w != nil {
		for o := w; o != nil; o = o.outer {
			if o.pool == p {
				return fmt.Errorf("forkjoin: Close: called by a task of %v itself", p)
			}
		}
	}
	if old := p.pending.Or(closing); old == 0 {
		p.drain()
	}
	<-p.drained
	p.mu.Lock()
	p.stopped = true
	for _, w := range p.sleepers {
		w.retire = true
		w.parker.unpark()
	}
	p.sleepers = nil
	var ended chan struct{}
	if p.live > 0 {
		ended = make(chan struct{})
		p.ended = append(p.ended, ended)
	}
	p.mu.Unlock()
	if ended != nil {
		<-ended
	}
	return nil
}
