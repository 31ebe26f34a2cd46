//go:build !unix && !windows

package tour

import "time"

// cpuTime is negative: this system does not tell the processor time used.
func cpuTime() time.Duration { return -1 }
