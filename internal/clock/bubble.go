package clock

import "time"

// InBubble reports whether the caller runs inside a testing/synctest bubble,
// where time is fake and only the bubble's own goroutines count. It costs one
// reading of the wall clock, about 30 function calls, and allocates nothing.
// The answer is the same for as long as a goroutine lives.
//
// Inside a bubble, and nowhere else, time.Now carries no monotonic reading.
// (A wall clock before 1885 or after 2157 leaves it out too: a caller who then
// behaves as in a bubble is slow, not wrong.)
//
// Rejected: time.Since on a time from outside, at half the cost. It tells a
// bubble by an elapsed time that makes no sense, but a test may let its bubble
// sleep until the present, and then it does.
func InBubble() bool { return !isReal(time.Now()) }

// isReal reports whether t, fresh from time.Now, was read off the real clock.
func isReal(t time.Time) bool { return t != t.Round(0) }
