package topology

import (
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Describe makes the files that Linux shows of a machine from a short
// description, one instruction a line:
//
//	title Some server, 64 cores, 4 to a last-level cache
//	1 node of 16 l3 of 4 l2 of 1 core of 2 thread
//
// builds a tree, from the outside in, of packages, nodes, l3s, l2s, cores and
// threads; what a line does not begin with is that of the line before. "at 600"
// at its end is the speed of these cores. CPUs are numbered with the second
// threads after the first ones of all cores, or, after the line "adjacent", all
// threads of a core in a row. Further lines:
//
//	offline 4,5          these are not online
//	allowed 0-3          where the process may run; all others it may not
//	without l3           nothing is said of that: package, node, l3, l2, core or speed
//	file NAME TEXT       a file below the root is to hold this, whatever is true
//	nofile NAME          a file is to be missing
//
// It returns the root of the files, the title, and the allowed CPUs, nil for all.
func Describe(text string) (root fs.FS, title string, allowed []int, err error) {
	d := description{files: files{}, without: map[string]bool{}}
	for i, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "#")
		if words := strings.Fields(line); len(words) > 0 {
			if err := d.line(words); err != nil {
				return nil, "", nil, fmt.Errorf("forkjoin: description, line %d: %w", i+1, err)
			}
		}
	}
	if len(d.threads) == 0 {
		return nil, "", nil, fmt.Errorf("forkjoin: description: it has no threads")
	}
	d.write()
	return d.files, d.title, d.allowed, nil
}

// levels are the kinds of neighbourhoods, from the outside in.
var levels = []string{"package", "node", "l3", "l2", "core", "thread"}

const mostDescribed = 1 << 12 // threads

type description struct {
	title    string
	adjacent bool
	allowed  []int
	offline  []int
	without  map[string]bool
	extra    [][2]string // files to overwrite; "" is to be removed
	count    [6]int      // neighbourhoods of each level so far
	threads  []described
	files    files
}

// A described is a thread: the number of its neighbourhood on each level.
type described struct {
	in    [6]int
	nth   int // of its core
	speed int
}

func (d *description) line(words []string) error {
	rest := strings.Join(words[1:], " ")
	switch words[0] {
	case "title":
		d.title = rest
	case "adjacent":
		d.adjacent = true
	case "allowed":
		d.allowed = parseList(rest)
	case "offline":
		d.offline = parseList(rest)
	case "without":
		d.without[rest] = true
	case "file":
		if len(words) < 3 || !fs.ValidPath(words[1]) {
			return fmt.Errorf("want \"file NAME TEXT\"")
		}
		d.extra = append(d.extra, [2]string{words[1], strings.Join(words[2:], " ")})
	case "nofile":
		d.extra = append(d.extra, [2]string{rest, ""})
	default:
		return d.tree(words)
	}
	return nil
}

// tree adds what a line like "2 package of 8 l3 of 4 core" says.
func (d *description) tree(words []string) error {
	var n [6]int
	speed, last := 0, -1
	if k := len(words) - 2; k > 0 && words[k] == "at" {
		var err error
		if speed, err = strconv.Atoi(words[k+1]); err != nil || speed < 1 {
			return fmt.Errorf("speed is %q, want >= 1", words[k+1])
		}
		words = words[:k]
	}
	first := len(levels)
	for i := 0; i < len(words); i += 3 {
		if i+1 >= len(words) || i+2 < len(words) && words[i+2] != "of" {
			return fmt.Errorf("want \"NUMBER LEVEL of NUMBER LEVEL ...\"")
		}
		count, err := strconv.Atoi(words[i])
		level := slices.Index(levels, words[i+1])
		if err != nil || count < 1 || count > mostDescribed || level <= last {
			return fmt.Errorf("%q is no number of %s", words[i]+" "+words[i+1], strings.Join(levels, ", "))
		}
		n[level], last, first = count, level, min(first, level)
	}
	for level := range n {
		n[level] = max(n[level], 1)
	}
	return d.grow(n, first, speed)
}

// grow adds n[level] neighbourhoods of each level from first on, one within the
// other.
func (d *description) grow(n [6]int, first, speed int) error {
	in := [6]int{}
	if k := len(d.threads); k > 0 {
		in = d.threads[k-1].in
	} else {
		first = 0
	}
	var add func(level int) bool
	add = func(level int) bool {
		for i := range n[level] {
			in[level] = d.count[level]
			d.count[level]++
			if level < len(n)-1 {
				if !add(level + 1) {
					return false
				}
				continue
			}
			if len(d.threads) == mostDescribed {
				return false
			}
			d.threads = append(d.threads, described{in, i, speed})
		}
		return true
	}
	if !add(first) {
		return fmt.Errorf("more than %d threads", mostDescribed)
	}
	return nil
}

// write makes the files.
func (d *description) write() {
	order := make([]int, len(d.threads)) // of threads, by CPU number
	for i := range order {
		order[i] = i
	}
	if !d.adjacent {
		slices.SortStableFunc(order, func(a, b int) int { return d.threads[a].nth - d.threads[b].nth })
	}
	number := make([]int, len(order)) // of a thread
	for cpu, t := range order {
		number[t] = cpu
	}
	online := func(cpu int) bool { return !slices.Contains(d.offline, cpu) }
	var members [6]map[int][]int
	for level := range members {
		members[level] = map[int][]int{}
	}
	var all []int
	for t, x := range d.threads {
		if !online(number[t]) {
			continue
		}
		all = append(all, number[t])
		for level, k := range x.in {
			members[level][k] = append(members[level][k], number[t])
		}
	}
	put := func(name, text string) { d.files["sys/devices/system/"+name] = text }
	put("cpu/online", formatList(all))
	if !d.without["node"] {
		put("node/online", formatList(slices.Collect(maps.Keys(members[1]))))
		for k, list := range members[1] {
			put(fmt.Sprintf("node/node%d/cpulist", k), formatList(list))
		}
	}
	for t, x := range d.threads {
		if !online(number[t]) {
			continue
		}
		cpu := fmt.Sprintf("cpu/cpu%d/", number[t])
		if !d.without["core"] {
			put(cpu+"topology/core_cpus_list", formatList(members[4][x.in[4]]))
		}
		if !d.without["package"] {
			put(cpu+"topology/physical_package_id", strconv.Itoa(x.in[0]))
		}
		if x.speed > 0 && !d.without["speed"] {
			put(cpu+"cpu_capacity", strconv.Itoa(x.speed))
		}
		index := 0
		cache := func(level int, kind, list string) {
			dir := fmt.Sprintf("%scache/index%d/", cpu, index)
			put(dir+"level", strconv.Itoa(level))
			put(dir+"type", kind)
			put(dir+"shared_cpu_list", list)
			index++
		}
		cache(1, "Data", formatList(members[4][x.in[4]]))
		cache(1, "Instruction", formatList(members[4][x.in[4]]))
		if !d.without["l2"] {
			cache(2, "Unified", formatList(members[3][x.in[3]]))
		}
		if !d.without["l3"] {
			cache(3, "Unified", formatList(members[2][x.in[2]]))
		}
	}
	for _, e := range d.extra {
		if e[1] == "" {
			delete(d.files, e[0])
		} else {
			d.files[e[0]] = e[1]
		}
	}
}

// formatList writes what parseList reads.
func formatList(ids []int) string {
	ids = slices.Clone(ids)
	slices.Sort(ids)
	var b strings.Builder
	for i := 0; i < len(ids); {
		j := i
		for j+1 < len(ids) && ids[j+1] == ids[j]+1 {
			j++
		}
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.Itoa(ids[i]))
		if j > i {
			fmt.Fprintf(&b, "-%d", ids[j])
		}
		i = j + 1
	}
	return b.String()
}
