//go:build !linux

package cputime

import "time"

// Delayed is negative: this system does not tell how long the process had to
// wait for a processor.
func Delayed() time.Duration { return -1 }
