//go:build !purego && !explore && gc && (386 || amd64 || arm64)

package clock

import (
	"math"
	"testing"
	"testing/synctest"
	"time"
)

// forget makes the package believe that the program just started and that the
// processor says nothing of its counter, until the test ends.
func forget(t *testing.T) {
	was, wasFinal, wasOrigin := known.Load(), final.Load(), origin
	t.Cleanup(func() {
		origin = wasOrigin
		known.Store(was)
		final.Store(wasFinal)
	})
	known.Store(math.Float64bits(guess))
	final.Store(false)
	origin = reading{at: time.Now(), ticks: 1000, width: 10}
}

// after is a reading taken when the given time had passed since origin and ticks
// had been of the given length, in nanoseconds.
func after(elapsed time.Duration, tick float64) reading {
	return reading{origin.at.Add(elapsed), origin.ticks + int64(float64(elapsed)/tick), 10}
}

// The cases are on both sides of each bound that measure observes.
func TestMeasure(t *testing.T) {
	blurred := func(r reading, width int64) reading { r.width = width; return r }
	for _, c := range []struct {
		name  string
		now   func() reading
		tick  float64 // want
		final bool
	}{
		{"too soon", func() reading { return after(soon-1, 0.5) }, guess, false},
		{"soon", func() reading { return after(soon, 0.5) }, 0.5, false},
		{"not yet late", func() reading { return after(late-1, 0.5) }, 0.5, false},
		{"late", func() reading { return after(late, 0.5) }, 0.5, true},
		{"slow counter", func() reading { return after(late, 1000) }, 1000, true},
		{"blurred by 1 %", func() reading { return blurred(after(late, 1), int64(late)/100-10) }, 1, true},
		{"blurred by more", func() reading { return blurred(after(late, 1), int64(late)/100-9) }, guess, false},
		{"width below zero", func() reading { return blurred(after(late, 1), -1) }, guess, false},
		{"counter stands", func() reading { return reading{origin.at.Add(late), origin.ticks, 0} }, guess, false},
		{"counter went back", func() reading { return reading{origin.at.Add(late), origin.ticks - 1e9, 0} }, guess, false},
		{"tick too short", func() reading { return after(late, shortest/2) }, guess, false},
		{"tick too long", func() reading { return after(late, longest*2) }, guess, false},
		{"fake clock", func() reading { r := after(late, 1); r.at = r.at.Round(0); return r }, guess, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			forget(t)
			origin.width = 10
			if c.name == "counter stands" {
				origin.width = 0
			}
			measure(c.now())
			got := math.Float64frombits(known.Load())
			if math.Abs(got-c.tick) > c.tick/1000 || final.Load() != c.final {
				t.Errorf("a tick is %v ns, final %v, want %v, %v", got, final.Load(), c.tick, c.final)
			}
		})
	}
}

func TestMeasureForReal(t *testing.T) {
	forget(t)
	origin = read()
	time.Sleep(late)
	for range 100 { // a reading is refused while other programs hold the processor
		if perTick(); final.Load() {
			break
		}
		time.Sleep(soon)
	}
	tick := math.Float64frombits(known.Load())
	if !final.Load() {
		t.Skipf("no two readings were clean enough to compare; a tick is taken for %v ns", tick)
	}
	if tick < shortest || tick > longest {
		t.Errorf("a tick is %v ns, want %v to %v", tick, shortest, longest)
	}
	t.Logf("a tick is %v ns; the processor says %v Hz", tick, frequency())
}

// TestBubbleDoesNotSpoilRate converts inside a bubble whose fake clock has moved
// by an hour while the counter has hardly moved.
func TestBubbleDoesNotSpoilRate(t *testing.T) {
	forget(t)
	origin = read()
	synctest.Test(t, func(*testing.T) {
		time.Sleep(time.Hour)
		Nanos(1)
		Ticks(1)
	})
	if got := math.Float64frombits(known.Load()); got != guess || final.Load() {
		t.Errorf("a conversion in a bubble made a tick %v ns, final %v", got, final.Load())
	}
}

// TestNowIsRealInBubble: spinning for some ticks ends in a bubble, too.
func TestNowIsRealInBubble(t *testing.T) {
	synctest.Test(t, func(*testing.T) {
		start := Now()
		for Now() == start {
		}
	})
}

func TestSaturate(t *testing.T) {
	for _, c := range []struct {
		f    float64
		want int64
	}{
		{0, 0}, {1.9, 1}, {-1.9, -1},
		{math.Nextafter(1<<63, 0), 1<<63 - 1024},
		{1 << 63, math.MaxInt64}, {1 << 80, math.MaxInt64}, {math.Inf(1), math.MaxInt64},
		{-1 << 63, math.MinInt64}, {-1 << 80, math.MinInt64}, {math.Inf(-1), math.MinInt64},
	} {
		if got := saturate(c.f); got != c.want {
			t.Errorf("saturate(%v) = %d, want %d", c.f, got, c.want)
		}
	}
}
