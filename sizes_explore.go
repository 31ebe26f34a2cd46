//go:build explore

package forkjoin

// Sizes and periods so small that the schedule explorer meets their limits.
const (
	segmentBits  = 1
	injectShards = 2
	lookPeriod   = 4
	chunkTasks   = 2
	restTasks    = 2
	queueLimit   = 2
	spinTurns    = 1
	spinYield    = 1
	spinMost     = 2
)
