package cputime

import (
	"os"
	"strconv"
	"strings"
	"time"
)

// Delayed is how long the threads of this process that live now could have run
// but had to wait for a processor, because other programs were on it. It is
// negative if the system does not tell.
func Delayed() (sum time.Duration) {
	const tasks = "/proc/self/task"
	threads, err := os.ReadDir(tasks)
	if err != nil {
		return -1
	}
	found := false
	for _, t := range threads {
		text, err := os.ReadFile(tasks + "/" + t.Name() + "/schedstat")
		if err != nil {
			continue
		}
		if f := strings.Fields(string(text)); len(f) > 1 {
			ns, err := strconv.ParseInt(f[1], 10, 64)
			sum += time.Duration(ns)
			found = found || err == nil
		}
	}
	if !found {
		return -1
	}
	return sum
}
