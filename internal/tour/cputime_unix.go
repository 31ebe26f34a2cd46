//go:build unix

package tour

import (
	"syscall"
	"time"
)

// cpuTime is the processor time this process has used, or negative if the
// system does not tell.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return -1
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
