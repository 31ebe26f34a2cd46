package cputime

import (
	"syscall"
	"time"
)

// Used is the processor time this process has used, or negative if the
// system does not tell.
func Used() time.Duration {
	self, err := syscall.GetCurrentProcess()
	if err != nil {
		return -1
	}
	var created, exited, kernel, user syscall.Filetime
	if syscall.GetProcessTimes(self, &created, &exited, &kernel, &user) != nil {
		return -1
	}
	return ticks(kernel) + ticks(user)
}

// ticks converts a length of time in units of 100 ns. Filetime.Nanoseconds
// would take it for a date.
func ticks(t syscall.Filetime) time.Duration {
	return time.Duration(uint64(t.HighDateTime)<<32|uint64(t.LowDateTime)) * 100
}
