//go:build !explore

package forkjoin

// Sizes and periods that the schedule explorer has others for, so that it meets
// their limits.
const (
	segmentBits  = 5 // the first segment of a stack has 32 frames
	injectShards = 8
	lookPeriod   = 64      // looks for work, of which one begins with the injection queue
	chunkTasks   = 64      // tasks in a chunk of a list
	restTasks    = 64      // of a recursion, by the index of their workers
	queueLimit   = 4096    // tasks of a limited group that may wait before Go blocks
	spinTurns    = 1 << 4  // turns of a spinner between looks at the clock
	spinYield    = 1 << 7  // turns between visits to Go's scheduler
	spinMost     = 1 << 14 // turns, whatever the clock says
)
