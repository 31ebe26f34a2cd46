//go:build !unix

package forkjoin_test

import "time"

func cpuTime() (time.Duration, bool) { return 0, false }
