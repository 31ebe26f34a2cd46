package topology

import "fmt"

// Counts is what a processor of x86 says of itself, as seen from one of its CPUs.
// The zero value says nothing.
type Counts struct {
	Threads int  // of a core
	Cores   int  // of a package
	Logical int  // threads of a package
	L3      int  // threads that share a last-level cache; 0: not told
	Mixed   bool // there are cores of two kinds, with numbers of their own
}

// FromCounts makes a map of n CPUs. CPUs are taken to be numbered package by
// package, cache by cache and core by core, as systems do that show all of them;
// where some seem to be missing, who shares what is not known. A second-level
// cache is taken to be a core's own. Memory nodes, and which cores are faster, are
// not known here.
//
// What cannot be is not believed, and Doubts says why: cores then share no
// last-level cache, if only that is wrong, and else all are equally near, as in
// [Flat].
func FromCounts(n int, c Counts) *Map {
	m := Flat(n)
	m.Title = "this machine"
	if c == (Counts{}) {
		return m
	}
	m.Source = "cpuid"
	if doubt := c.doubt(len(m.CPUs)); doubt != "" {
		m.Doubts = append(m.Doubts, doubt)
		return m
	}
	l3 := c.L3
	if l3 < 0 || l3 > 0 && (l3%c.Threads != 0 || c.Logical%l3 != 0) {
		m.Doubts = append(m.Doubts, fmt.Sprintf("%d of the %d threads of a package are said to share a last-level cache", l3, c.Logical))
		l3 = 0
	}
	if l3 == 0 {
		l3 = c.Threads
	}
	for i := range m.CPUs {
		p := &m.CPUs[i]
		p.Core, p.L2, p.L3, p.Package = i/c.Threads, i/c.Threads, i/l3, i/c.Logical
	}
	return m
}

// doubt returns why the numbers of threads and cores cannot be those of a machine
// of n CPUs, or "".
func (c Counts) doubt(n int) string {
	switch {
	case c.Mixed:
		return "numbers of one core, where cores are of two kinds"
	case !c.possible():
		return fmt.Sprintf("a package is said to have %d threads: %d × %d, cores by threads", c.Logical, c.Cores, c.Threads)
	case n%c.Logical != 0:
		return fmt.Sprintf("%d CPUs are said to be packages of %d threads", n, c.Logical)
	}
	return ""
}

// possible reports whether there may be such a package.
func (c Counts) possible() bool {
	return c.Threads >= 1 && c.Threads <= mostThreads && c.Cores >= 1 && c.Cores <= maxCPU && c.Cores*c.Threads == c.Logical
}
