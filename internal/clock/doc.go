// Package clock is a cheap monotonic clock for heuristics, and tells whether
// the caller runs on a fake one.
//
// [Now] counts in ticks of its own; [Nanos] and [Ticks] convert differences.
// On amd64 and 386 a tick is one of the time-stamp counter, on arm64 one of the
// virtual counter, elsewhere and under the build tag purego a nanosecond.
//
// The clock may decide how long to spin or how large to make a leaf, never
// whether a result is right. Three things it does not promise: that the
// counters of two processors agree (so a difference of readings taken on two
// goroutines may be negative), that a tick is equally long throughout (an x86
// counter without the invariance that all have had since about 2008 follows the
// processor's frequency), and that a conversion is exact (the first ones of a
// process may be off by a factor of three, see rate.go).
//
// Rejected: time.Now throughout (five times the cost, and fake inside a
// testing/synctest bubble); asking CPUID for invariance (the instruction traps
// in virtual machines, which often hide the answer); RDTSCP and fences (order
// among a few instructions does not matter to a heuristic); the kernel's own
// figure for the counter's frequency (no portable way to read it).
package clock
