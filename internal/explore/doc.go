// Package explore runs a concurrent program under every schedule, or under every
// one with few enough preemptions.
//
// The program is ordinary Go whose goroutines meet only at steps: atomic
// operations, locks, channels and the like, which packages internal/atomic and
// internal/joint turn into calls of [Step] under the build tag explore. One
// goroutine runs at a time, from one step to the next; who is next is the
// explorer's choice. It repeats the program, each time with another choice, until
// none is left.
//
// Atomics of Go are sequentially consistent, so interleavings of steps are all
// that can happen, provided that nothing but steps is shared. Where a build has
// the race detector as well, that is checked: the explorer's own handing over is
// hidden from the detector, which therefore sees the happens-before relation of
// the program and nothing else, in each schedule.
//
// # Choices that need not be tried
//
// Two steps commute unless they are on the same object and one of them writes.
// Schedules that differ only in the order of steps that commute are tried once:
// dynamic partial-order reduction (Flanagan and Godefroid 2005) with sleep sets
// (Godefroid 1996). A choice is added where a step could have come before an
// earlier one of another goroutine that it does not commute with and that did not
// happen before it.
//
// With a bound on preemptions (Musuvathi and Qadeer 2007) the reduction adds
// choices at the begin of the other goroutine's turn as well, without which it
// would miss schedules within the bound (Coons, Musuvathi and McKinley 2013), and
// does without sleep sets. If no choice was ever dropped because of the bound,
// the exploration was exhaustive all the same.
//
// # Waiting
//
// A goroutine that waits for a lock, a channel or a futex is not chosen. If none
// can be, the program is stuck, unless a timer is due: see [Timers]. A loop that
// waits for a value must be bounded, or yield.
package explore
