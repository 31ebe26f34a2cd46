// Package policy holds the decisions of the scheduler as functions of small
// state: how finely to split, what to show to thieves, whom to rob, whether
// sharing and waking pay, how many may search. Nothing here reads a clock, a
// random source or a shared word. The runtime makes these decisions in real time
// and the simulator on a virtual clock, so what the simulator shows is the
// policy that runs.
package policy

import "time"

// Times are durations that decisions compare with, in the unit of the clock that
// a driver measures with.
type Times struct {
	FinePace  int64 // joins that come faster are small
	PollTime  int64 // how long to go on without a look around
	MinSplit  int64 // what is left of a loop, for a split to pay
	MinShare  int64 // a call that forks, for a steal to pay
	SmallCall int64 // one for which it is found out whether it does
	Closely   int64 // between two calls that count as one
	Evidence  int64 // what a loop has taken, to believe its pace
	Spin      int64 // bounded search or wait: what a wake costs both sides
	Patience  int64 // of who has nothing to do, between two looks at victims that are not near
	Waiting   int64 // of who waits for a stolen frame, and may help a thief that is not near
	WakeGuess int64 // what a wake costs the waker, before one was measured
	WakeMin   int64 // bounds of what is believed of a measured one
	WakeMax   int64
}

// In returns the times in the unit that convert gives.
func In(convert func(time.Duration) int64) Times {
	const µs = time.Microsecond
	return Times{
		FinePace:  convert(150 * time.Nanosecond),
		PollTime:  convert(2 * µs),
		MinSplit:  convert(2 * µs),
		MinShare:  convert(4 * µs),
		SmallCall: convert(100 * µs),
		Closely:   convert(20 * µs),
		Evidence:  convert(1 * µs),
		Spin:      convert(40 * µs),
		Patience:  convert(2 * µs),
		Waiting:   convert(8 * µs),
		WakeGuess: convert(10 * µs),
		WakeMin:   convert(3 * µs),
		WakeMax:   convert(40 * µs),
	}
}

// Offer returns how many of an owner's private frames to publish, the oldest
// first, when somebody wants work.
func Offer(private uint32) uint32 { return (private + 1) / 2 }

// MaxSearchers returns how many workers of a pool of that many slots may look
// for work at the same time.
func MaxSearchers(slots int) int { return (slots + 1) / 2 }
