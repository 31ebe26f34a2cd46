// Package calibrate lets package sim ask package forkjoin what its operations
// cost on this machine, without importing it.
package calibrate

// Figures are durations in nanoseconds; parts of one count. 0 is one that could
// not be measured, as those that take a second processor on a machine with one.
type Figures struct {
	Inline    float64 // a join of a recursion that is run as two plain calls
	Fork      float64 // one with a frame that the owner takes back
	Publish   float64 // showing a frame
	Poll      float64 // a look around in a loop
	Spawn     float64 // a task of a group, run by who waits for it
	Probe     float64 // a look at one victim
	Steal     float64 // from showing a frame until a searching worker runs it
	Wake      float64 // for who wakes a sleeping worker
	WakeTime  float64 // from the beginning of that until it runs
	Park      float64 // from the end of a stolen branch until its parked owner goes on
	Spread    float64 // of the same work timed again and again: the upper decile over the least
	Disturbed float64 // how long the program had to wait for processors meanwhile, as a share of the time
	Together  float64 // the time of two such works at once over that of one alone
}

// Run measures. Package forkjoin sets it when it is linked into a program.
var Run func() Figures
