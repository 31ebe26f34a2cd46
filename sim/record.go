package sim

import (
	"errors"

	"github.com/forkjoin-go/forkjoin/internal/record"
)

// Record runs f on one worker and returns its task tree. Everything that f does
// through package forkjoin is a part of the tree; other code is strands, whose
// costs are measured, or declared if f calls forkjoin.Charge. Goroutines that f
// starts by itself are not seen.
//
// Measuring costs some 30 to 50 nanoseconds for each fork, which is subtracted,
// together with what the fork itself costs: a strand's cost is that of the
// program's own code. While f runs, the recording takes some 4 to 8 bytes for
// each task.
//
// Panics of f pass through, as forkjoin.Pool.Run passes them on, and
// [runtime.Goexit] ends the caller. Record panics if f is nil.
//
// What was done before Record is synchronized before f starts, and everything
// done in f before Record returns.
func Record(f func()) (*Tree, error) { return run("Record", f, false) }

// RecordParallel is [Record] with the workers of the default pool. The tree also
// tells which pieces moved to which worker; costs may be higher than those on one
// worker, where workers get in each other's way.
func RecordParallel(f func()) (*Tree, error) { return run("RecordParallel", f, true) }

func run(name string, f func(), parallel bool) (*Tree, error) {
	if f == nil {
		panic("forkjoin: sim." + name + ": f is nil")
	}
	if record.Run == nil {
		return nil, errors.New("forkjoin: sim." + name + ": package forkjoin is not linked into this program, so nothing could be recorded")
	}
	return decode(record.Run(f, parallel, ""))
}
