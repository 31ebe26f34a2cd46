package topology

import (
	"io"
	"io/fs"
	"path"
	"strconv"
	"strings"
)

// Quota returns how many CPUs' worth of time the control groups of the process
// allow it, or 0 if they set no limit. root is the root of the file system, of
// which it reads proc/self/cgroup and files below sys/fs/cgroup: cpu.max of
// version 2, cpu.cfs_quota_us and cpu.cfs_period_us of version 1, of the group
// of the process and all groups above it.
func Quota(root fs.FS) float64 {
	limit := 0.0
	note := func(quota, period string) {
		q, err1 := strconv.ParseFloat(quota, 64)
		p, err2 := strconv.ParseFloat(period, 64)
		if err1 != nil || err2 != nil || !(q > 0 && q <= 1e18 && p >= 1 && p <= 1e18) {
			return
		}
		if cpus := q / p; limit == 0 || cpus < limit {
			limit = cpus
		}
	}
	for line := range strings.Lines(read(root, "proc/self/cgroup")) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) != 3 {
			continue
		}
		group := path.Clean("/" + parts[2])
		for range mostGroups {
			switch {
			case parts[1] == "":
				quota, period, _ := strings.Cut(strings.TrimSpace(read(root, "sys/fs/cgroup"+group+"/cpu.max")), " ")
				note(quota, period)
			case hasWord(parts[1], "cpu"):
				for _, mount := range []string{"cpu", parts[1]} {
					dir := "sys/fs/cgroup/" + mount + group
					note(strings.TrimSpace(read(root, dir+"/cpu.cfs_quota_us")), strings.TrimSpace(read(root, dir+"/cpu.cfs_period_us")))
				}
			}
			if group == "/" {
				break
			}
			group = path.Dir(group)
		}
	}
	return limit
}

// mostGroups is how many groups within each other are looked at.
const mostGroups = 64

func hasWord(list, word string) bool {
	for s := range strings.SplitSeq(list, ",") {
		if s == word {
			return true
		}
	}
	return false
}

// read returns what a file holds, up to a bound, or "".
func read(root fs.FS, name string) string {
	f, err := root.Open(path.Clean(name))
	if err != nil {
		return ""
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, 1<<16))
	if err != nil {
		return ""
	}
	return string(b)
}
