//go:build !purego && !explore && gc && (386 || amd64 || arm64)

package clock

import (
	"math"
	"runtime"
	"sync/atomic"
	"time"
)

// How long a tick is.
//
//  1. The processor says so (arm64): that is final.
//  2. Otherwise, until measured, a tick is taken for guess nanoseconds.
//  3. While the program starts, origin notes both clocks.
//  4. A conversion at least a millisecond after that (soon) reads both again and divides. It
//     stores the quotient if the two readings blur it by at most 1 %.
//  5. The first one at least 100 milliseconds after it (late) is final:
//     conversions then cost two loads and a multiplication.
//
// A goroutine that is off its processor between its reading of one clock and
// that of the other would spoil the quotient; the width of a reading shows it.
// Inside a testing/synctest bubble the clock that ticks are compared with is
// fake, so conversions there measure nothing and use what is known.
const (
	guess = 1 / 2.5 // nanoseconds; processors count 1 to 6 ticks in one

	shortest, longest = 0.05, 2000 // nanoseconds; a quotient outside is no tick
)

// known is the length of a tick in nanoseconds, as the bits of a float64.
// Written by init and measure, read by everyone. Any value stored is usable by
// itself, so writers may overwrite one another in any order.
var known atomic.Uint64

// final says that known is as good as it gets. Written by init and measure after
// known, read by perTick before it. A goroutine that was measuring meanwhile may
// yet overwrite known, by a value as usable.
var final atomic.Bool

// soon and late are the ages of origin in steps 4 and 5. Written by init only.
var soon, late = time.Millisecond, 100 * time.Millisecond

// reading is both clocks at nearly one instant.
type reading struct {
	at    time.Time
	ticks int64 // Now halfway between the two calls around time.Now
	width int64 // ticks between those calls
}

func read() reading {
	before := Now()
	at := time.Now()
	width := Now() - before
	return reading{at, before + width/2, width}
}

var origin reading

func init() {
	if runtime.GOOS == "windows" { // its monotonic clock may advance by 16 ms at a time
		soon, late = 50*time.Millisecond, 2*time.Second
	}
	known.Store(math.Float64bits(guess))
	if hz := frequency(); hz > 0 {
		known.Store(math.Float64bits(1e9 / float64(hz)))
		final.Store(true)
	}
	origin = read()
}

// perTick returns the length of a tick in nanoseconds as well as it is known.
func perTick() float64 {
	if !final.Load() {
		measure(read())
	}
	return math.Float64frombits(known.Load())
}

// measure compares now with origin: steps 4 and 5.
func measure(now reading) {
	if !isReal(now.at) || !isReal(origin.at) {
		return
	}
	elapsed, ticks := now.at.Sub(origin.at), now.ticks-origin.ticks
	if elapsed < soon || origin.width < 0 || now.width < 0 || ticks/100 < origin.width+now.width {
		return
	}
	quotient := float64(elapsed) / float64(ticks)
	if quotient < shortest || quotient > longest {
		return
	}
	known.Store(math.Float64bits(quotient))
	if elapsed >= late {
		final.Store(true)
	}
}

// Nanos converts a difference of two readings of Now to nanoseconds. It costs
// about one function call, and as much as two readings of the wall clock during
// the program's first tenth of a second. It allocates nothing. A result too
// large for an int64 is the largest one of its sign.
func Nanos(ticks int64) int64 { return saturate(float64(ticks) * perTick()) }

// Ticks converts a duration to the difference that two readings of Now have when
// that much time passes between them. Cost and limits are those of Nanos.
func Ticks(d time.Duration) int64 { return saturate(float64(d) / perTick()) }

// saturate converts f to the nearest int64, towards zero.
func saturate(f float64) int64 {
	switch {
	case f >= math.MaxInt64: // as a float64 this is 2⁶³, the first too large
		return math.MaxInt64
	case f <= math.MinInt64:
		return math.MinInt64
	}
	return int64(f)
}
