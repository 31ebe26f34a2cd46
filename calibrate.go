package forkjoin

import (
	"runtime"
	"slices"
	"time"

	"github.com/forkjoin-go/forkjoin/internal/atomic"
	"github.com/forkjoin-go/forkjoin/internal/calibrate"
	"github.com/forkjoin-go/forkjoin/internal/clock"
	"github.com/forkjoin-go/forkjoin/internal/cputime"
	"github.com/forkjoin-go/forkjoin/internal/policy"
)

// What the operations of this package cost on this machine, for package sim.

func init() { calibrate.Run = runCalibration }

// runCalibration measures until it has not been disturbed, but not for long, and
// returns the least disturbed figures. That takes from a tenth to half of a second.
func runCalibration() (best calibrate.Figures) {
	const enough, attempts = 0.01, 5
	for i := range attempts {
		start, delay := time.Now(), cputime.Delayed()
		f := calibrateOnce()
		if delay >= 0 {
			f.Disturbed = max(0, float64(cputime.Delayed()-delay)/float64(time.Since(start)))
		}
		if i == 0 || f.Disturbed < best.Disturbed {
			best = f
		}
		if best.Disturbed < enough {
			break
		}
	}
	return best
}

func calibrateOnce() (f calibrate.Figures) {
	alone, err := New(Config{Workers: 1, Name: "calibration"})
	if err != nil {
		return f
	}
	defer alone.Close()
	alone.Run(func() { calibrateAlone(&f, current()) })
	f.Spread, f.Together = steadiness()
	if runtime.GOMAXPROCS(0) == 1 {
		return f
	}
	two, err := New(Config{Workers: 2, Name: "calibration"})
	if err != nil {
		return f
	}
	defer two.Close()
	two.Run(func() { calibrateTogether(&f, current()) })
	return f
}

// perCall returns the nanoseconds that one of n calls takes that run makes. What
// counts is the fastest of some runs: others were interrupted.
func perCall(n int, run func(n int)) float64 {
	best := int64(1 << 62)
	for range 9 {
		start := clock.Now()
		run(n)
		best = min(best, clock.Now()-start)
	}
	return float64(clock.Nanos(best)) / float64(n)
}

// calibrateAlone measures what takes one worker.
func calibrateAlone(f *calibrate.Figures, w *worker) {
	const times = 20000
	plain := perCall(times, plainJoins)
	r := &recursion[int, int]{known: new(site)}
	// A frame in stock lets joins go without one.
	r.f = func(t *Task[int, int], n int) int {
		switch {
		case n < 0:
			return n
		case n > 1<<30:
			t.fuel, t.granted = 1<<29, 1<<29
			for range n - 1<<30 {
				t.Join(-1, -2)
			}
			t.fuel, t.granted = 0, 0
			return n
		}
		for range n {
			t.beat = policy.Beat{} // unknown: each join gets a frame
			t.Join(-1, -2)
		}
		return n
	}
	f.Inline = max(0, perCall(times, func(n int) { r.start(w, n+1<<30) })-plain)
	f.Fork = max(0, perCall(times, func(n int) { r.start(w, n) })-plain)
	j := thunk(func() {})
	withFrame := func(show bool) float64 {
		return perCall(2000, func(n int) {
			for range n {
				w.push(j)
				if show {
					w.publish(1)
				}
				w.pop(true)
			}
		})
	}
	f.Publish = max(0, withFrame(true)-withFrame(false))
	one := newLimits(1, 1)
	f.Poll = perCall(2000, func(n int) { w.runLoop(0, n, rangeBody(func(lo, hi int) {}), one, new(site), nil, 0) })
	f.Spawn = perCall(500, func(n int) {
		var g WaitGroup
		for range n {
			g.Go(func() {})
		}
		g.Wait()
	})
	f.Probe = perCall(1000, func(n int) {
		for range n {
			w.find(policy.Far)
		}
	}) / float64(len(w.pool.all()))
}

// plainJoins is the work of n joins without joining.
//
//go:noinline
func plainJoins(n int) {
	for range n {
		nothing(-1)
		nothing(-2)
	}
}

//go:noinline
func nothing(n int) int { return n }

// spinFor keeps the processor busy.
func spinFor(d time.Duration) {
	for until := clock.Now() + clock.Ticks(d); clock.Now() < until; {
	}
}

// calibrateTogether measures what takes a second worker. w's pool has two.
func calibrateTogether(f *calibrate.Figures, w *worker) {
	p := w.pool
	var began atomic.Int64
	job := thunk(func() { began.Store(clock.Now()) })
	// round shows a frame and returns when, and when its wake, if it takes one,
	// was over, and when it began to run; ok says that the other worker ran it.
	round := func(wake bool) (shown, woken, ran int64, ok bool) {
		began.Store(0)
		shown = clock.Now()
		fr := w.show(job)
		if wake {
			p.wake()
		}
		woken = clock.Now()
		for limit := woken + clock.Ticks(2*time.Millisecond); began.Load() == 0 && clock.Now() < limit; {
		}
		mine, _ := w.take(fr)
		if mine {
			return 0, 0, 0, false
		}
		fr.reset()
		return shown, woken, began.Load(), true
	}
	var wakes, wakeTimes, steals, parks []int64
	for range 60 {
		spinFor(2 * time.Duration(clock.Nanos(times.Spin))) // the other worker falls asleep meanwhile
		for p.idle.load().searchers() > 0 {
			runtime.Gosched()
		}
		if shown, woken, ran, ok := round(true); ok {
			wakes, wakeTimes = append(wakes, woken-shown), append(wakeTimes, ran-shown)
		}
		for range 5 { // now it searches
			spinFor(2 * time.Microsecond)
			if p.idle.load().searchers() == 0 {
				break
			}
			if shown, _, ran, ok := round(false); ok {
				steals = append(steals, ran-shown)
			}
		}
	}
	for range 20 {
		if t, ok := parkRound(w); ok {
			parks = append(parks, t)
		}
	}
	f.Wake, f.WakeTime, f.Steal, f.Park = median(wakes), median(wakeTimes), median(steals), median(parks)
}

// show pushes a frame and publishes it, without a wake.
func (w *worker) show(j job) *frame {
	f := w.frames.next(w.head)
	f.job, f.labels = j, w.labels
	w.head++
	w.publish(w.private())
	return f
}

// parkRound has a worker wait for a stolen branch for so long that it parks, and
// returns the time from the end of the branch until it goes on.
func parkRound(w *worker) (ticks int64, ok bool) {
	var began atomic.Int64
	var ended int64
	fr := w.show(thunk(func() {
		began.Store(1)
		spinFor(300 * time.Microsecond)
		ended = clock.Now()
	}))
	w.pool.wake()
	for limit := clock.Now() + clock.Ticks(2*time.Millisecond); began.Load() == 0 && clock.Now() < limit; {
	}
	parked := w.counts.parks
	mine, _ := w.take(fr)
	now := clock.Now()
	if mine {
		return 0, false
	}
	fr.reset()
	return now - ended, w.counts.parks > parked
}

func median(ticks []int64) float64 {
	if len(ticks) == 0 {
		return 0
	}
	slices.Sort(ticks)
	return float64(clock.Nanos(ticks[len(ticks)/2]))
}

// steadiness times one piece of work again and again, alone and beside another.
func steadiness() (spread, together float64) {
	const rounds = 60
	spin := func() (ticks []int64) {
		for range rounds {
			start := clock.Now()
			plainJoins(20000)
			ticks = append(ticks, clock.Now()-start)
		}
		slices.Sort(ticks)
		return ticks
	}
	alone := spin()
	spread = float64(alone[rounds*9/10]) / float64(max(1, alone[0]))
	if runtime.GOMAXPROCS(0) == 1 {
		return spread, 1
	}
	other := make(chan []int64)
	go func() { other <- spin() }()
	mine, theirs := spin(), <-other
	return spread, float64(mine[rounds/2]+theirs[rounds/2]) / float64(2*max(1, alone[rounds/2]))
}
