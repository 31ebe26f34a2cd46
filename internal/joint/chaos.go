//go:build chaos && !explore

package joint

import (
	"context"
	"math/rand/v2"
	"os"
	"runtime"
	"strconv"
	"sync"
	"time"
	"unsafe"

	"github.com/forkjoin-go/forkjoin/internal/clock"
)

// In this build every step may be delayed, before it and after it, so that what is
// rare by nature becomes ordinary: a thief that is frozen between its claim and
// the frame, an owner between publish and call, a sleeper between the list and
// the futex.
//
// A delay at every step alike would only make everything slow. So at any moment
// some lines of the program are hot, one in sixteen, others for each 10
// milliseconds; goroutines that pass a hot line are often held up there for longer
// than anybody spins. FORKJOIN_CHAOS is a number that decides which lines are hot
// when; the default is the time at start, in seconds.

// Exploring is as in an ordinary build.
const Exploring = false

var seed = func() uint64 {
	if n, err := strconv.ParseUint(os.Getenv("FORKJOIN_CHAOS"), 10, 64); err == nil {
		return n
	}
	return uint64(time.Now().Unix())
}()

const (
	epoch   = 10 * time.Millisecond
	hotOnes = 16 // one line in so many is hot
	sampled = 4  // one step in so many is looked at
)

// disturb holds the caller up, perhaps. skip is how many callers lie between it
// and the scheduler's code.
func disturb(skip int) {
	dice := rand.Uint32()
	if dice%sampled != 0 {
		return
	}
	dice /= sampled
	var pc [2]uintptr // the line, and who called it
	runtime.Callers(skip+2, pc[:])
	now := time.Now()
	hot := mix(uint64(pc[0])^uint64(pc[1])<<20^seed<<32^uint64(now.UnixNano()/int64(epoch)))%hotOnes == 0
	switch {
	case hot && dice%4 == 0:
		// Off the processor, but not asleep: the pool would take it for blocked and
		// let more run than it should.
		for until := clock.Now() + clock.Ticks(time.Duration(20+dice>>8%100)*time.Microsecond); clock.Now() < until; {
			runtime.Gosched()
		}
		count(pc[0])
	case hot && dice%4 == 1, dice%64 == 2:
		runtime.Gosched()
	case hot && dice%4 == 2, dice%64 == 3:
		for until := clock.Now() + clock.Ticks(time.Duration(dice>>8%20)*time.Microsecond); clock.Now() < until; {
		}
	}
}

// mix spreads a number (splitmix64, Steele, Lea and Flood 2014).
func mix(x uint64) uint64 {
	x += 0x9E3779B97F4A7C15
	x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
	x = (x ^ x>>27) * 0x94D049BB133111EB
	return x ^ x>>31
}

// delays counts the delays by line. It is not exact, so as not to order anything.
var delays [1 << 12]struct {
	pc    uintptr
	count int
}

//go:norace
func count(pc uintptr) {
	for i := mix(uint64(pc)); ; i++ {
		d := &delays[i%uint64(len(delays))]
		if d.pc == 0 {
			d.pc = pc
		}
		if d.pc == pc {
			d.count++
			return
		}
	}
}

// Delays tells how often each function has been held up.
//
//go:norace
func Delays() map[string]int {
	total := map[string]int{}
	for _, d := range delays {
		if d.pc != 0 {
			f, _ := runtime.CallersFrames([]uintptr{d.pc}).Next()
			total[f.Function] += d.count
		}
	}
	return total
}

// A Step is a step that was taken.
type Step struct{}

// Read is the step before a load.
func Read(unsafe.Pointer) Step { disturb(2); return Step{} }

// Write is the step before a change.
func Write(unsafe.Pointer) Step { disturb(2); return Step{} }

// Done is the step after an atomic operation.
func (Step) Done(uint64) { disturb(2) }

// A Mutex is a sync.Mutex.
type Mutex struct{ mu sync.Mutex }

// Lock locks m.
func (m *Mutex) Lock() { disturb(1); m.mu.Lock(); disturb(1) }

// Unlock unlocks m.
func (m *Mutex) Unlock() { m.mu.Unlock(); disturb(1) }

// A Signal is a channel that carries nothing but the fact.
type Signal = chan struct{}

// Send sends on c.
func Send(c Signal) { disturb(1); c <- struct{}{}; disturb(1) }

// Receive receives from c.
func Receive(c Signal) { disturb(1); <-c; disturb(1) }

// Offer sends on c if there is room in its buffer, and else does nothing.
func Offer(c Signal) { disturb(1); offer(c); disturb(1) }

// ReceiveWithin receives from c, at most for d, and reports whether it has.
func ReceiveWithin(c Signal, d time.Duration) bool {
	disturb(1)
	defer disturb(1)
	return receiveWithin(c, d)
}

// Close closes c.
func Close(c Signal) { disturb(1); close(c); disturb(1) }

// Go starts f on a goroutine of its own.
func Go(f func()) {
	go func() {
		disturb(1)
		f()
	}()
}

// Gosched lets other goroutines run.
func Gosched() { runtime.Gosched() }

// AfterFunc calls f on a goroutine of its own after d.
func AfterFunc(d time.Duration, f func()) { time.AfterFunc(d, f) }

// Now returns the time.
func Now() time.Time { return time.Now() }

// Err returns ctx.Err().
func Err(ctx context.Context) error {
	disturb(1)
	return ctx.Err()
}

// Cancel calls cancel.
func Cancel(cancel context.CancelCauseFunc, cause error) {
	disturb(1)
	cancel(cause)
	disturb(1)
}
