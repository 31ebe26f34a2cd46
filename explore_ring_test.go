//go:build explore

package forkjoin

import (
	"slices"
	"time"
	"unsafe"

	"github.com/forkjoin-go/forkjoin/internal/explore"
	"github.com/forkjoin-go/forkjoin/internal/gkey"
)

// A ring is where loops and reductions are played: on a pool, as a rule the default
// one, which starts no workers and believes that somebody is looking for work. The
// main goroutine is a guest, thieves are played by hand.
type ring struct {
	*bench
	w      *worker   // the main goroutine's
	all    []*worker // it and the others'
	joined int       // of these, by goroutines
	done   bool      // what is played has returned
	robbed int       // frames that thieves have taken

	failed bool    // an iteration has
	at     uintptr // on which goroutine
	noted  bool    // and all who begin one must know
	late   [32]int // iterations that each goroutine began after that
}

// newRing makes a ring of n goroutines.
func newRing(x *explore.X, n int) *ring {
	anew(n)
	std.stopped = true
	return newRingOn(x, std, n)
}

func newRingOn(x *explore.X, p *Pool, n int) *ring {
	p.idle.add(oneSearcher)
	r := &ring{bench: &bench{&tally{x: x}, p}}
	for range n {
		w := p.visitor(p.private && p.claimSlot())
		w.bubble = no
		r.all = append(r.all, w)
	}
	r.w = r.join()
	r.w.attach(gkey.Get())
	return r
}

func (r *ring) join() *worker {
	r.joined++
	return r.all[r.joined-1]
}

// thief starts a thief that takes so many frames, whoever offers them.
func (r *ring) thief(most int) (join func()) {
	w := r.join()
	return r.x.Go(func() {
		w.attach(gkey.Get())
		defer w.detach()
		for range most {
			explore.Step(explore.Join, nil, offers{r})
			for _, victim := range r.all {
				if i, ok := victim.steal(); ok {
					r.takes()
					w.execute(victim.frames.at(i), victim, false, false)
					r.executed()
					break
				}
			}
		}
	})
}

func (r *ring) thieves(most ...int) (joins []func()) {
	for _, n := range most {
		joins = append(joins, r.thief(n))
	}
	return joins
}

// offers is ready when somebody offers something.
type offers struct{ r *ring }

//go:norace
func (o offers) Ready() bool {
	for _, w := range o.r.all {
		if tail, split := unpack(*(*uint64)(unsafe.Pointer(&w.public))); tail < split {
			return true
		}
	}
	return o.r.done
}

//go:norace
func (r *ring) takes() { r.robbed++ }

// await returns when thieves have taken n frames.
func (r *ring) await(n int) { explore.Step(explore.Join, nil, taken{r, n}) }

type taken struct {
	r *ring
	n int
}

//go:norace
func (t taken) Ready() bool { return t.r.robbed >= t.n }

// iterate is an iteration of a loop, which runs once.
func (r *ring) iterate(i int) {
	r.count()
	r.begin(i, nil)
	explore.Tick(5 * time.Microsecond) // so each is a chunk
	explore.Step(explore.Private, nil, nil)
	r.end(i)
}

// fail is an iteration that panics with its number.
func (r *ring) fail(i int) {
	r.iterate(i)
	r.fails()
	panic(i)
}

//go:norace
func (r *ring) fails() { r.failed, r.at = true, gkey.Get() }

//go:norace
func (r *ring) note() { r.noted = true }

// executed is called when the calling goroutine is done with a part.
//
//go:norace
func (r *ring) executed() {
	if r.failed && r.at == gkey.Get() {
		r.noted = true
	}
}

// count sees to it that, when a failure has been noted, each goroutine begins no
// more than the one iteration that it was about to.
//
//go:norace
func (r *ring) count() {
	const main = 2 // its key
	if r.noted || r.failed && r.at == main && peek(&r.w.parked) {
		if r.late[gkey.Get()]++; r.late[gkey.Get()] > 1 {
			r.x.Fatalf("iterations begin though one has failed")
		}
	}
}

// outcome calls f and returns the failure that it panics with.
func (r *ring) outcome(f func()) (failure *PanicError) {
	defer func() {
		r.rest()
		if v := recover(); v != nil {
			failure = v.(*PanicError)
		}
	}()
	f()
	return nil
}

func (r *ring) returns(f func()) {
	if failure := r.outcome(f); failure != nil {
		r.x.Fatalf("a loop failed with %v", failure)
	}
}

// panics calls f, which must panic with one of the values.
func (r *ring) panics(f func(), values ...any) {
	failure := r.outcome(f)
	if failure == nil || !slices.Contains(values, failure.Value) {
		r.x.Fatalf("a loop failed with %v, want one of %v", failure, values)
	}
}

// rest checks that no iteration runs any more.
//
//go:norace
func (r *ring) rest() {
	r.done = true
	if r.running != 0 {
		r.x.Fatalf("%d iterations run at the end of the loop", r.running)
	}
}

// over checks that the first n iterations have run and that all is as it was.
func (r *ring) over(n int, joins ...func()) {
	for _, join := range joins {
		join()
	}
	r.w.detach()
	r.p.idle.add(-oneSearcher)
	r.dealt(n)
}
