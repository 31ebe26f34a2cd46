//go:build !explore && (purego || !gc || !(386 || amd64 || arm64))

package clock

import "time"

// base is what Now counts from. It is taken while the program starts, when no
// bubble can exist.
var base = time.Now()

// Now returns the time in ticks since some fixed moment; a tick is a
// nanosecond. On one goroutine it does not run backwards. It costs one reading
// of the monotonic clock, about 15 function calls, and allocates nothing. Inside
// a testing/synctest bubble it counts the bubble's fake time, from another
// moment.
func Now() int64 { return int64(time.Since(base)) }

// Nanos converts a difference of two readings of Now to nanoseconds.
func Nanos(ticks int64) int64 { return ticks }

// Ticks converts a duration to the difference that two readings of Now have when
// that much time passes between them.
func Ticks(d time.Duration) int64 { return int64(d) }
