//go:build !unix && !windows

package cputime

import "time"

// Used is negative: this system does not tell the processor time used.
func Used() time.Duration { return -1 }
