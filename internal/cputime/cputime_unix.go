//go:build unix

package cputime

import (
	"syscall"
	"time"
)

// Used is the processor time this process has used, or negative if the
// system does not tell.
func Used() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return -1
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
