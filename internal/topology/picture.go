package topology

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
)

// ringNames say in words how far away victims are.
var ringNames = [Rings]string{"the same core or L2", "the same L3", "the same memory node", "the rest"}

// A Thief is whom a thief on a CPU robs, the nearest first.
type Thief struct {
	CPU     int      `json:"cpu"`
	Victims []Victim `json:"victims"`
}

// Victim is CPUs that are equally far away from a thief.
type Victim struct {
	Ring string `json:"ring"`
	Near bool   `json:"near"` // looked at all the time, and not just now and then
	CPUs []int  `json:"cpus"`
}

func (v Victim) far() bool { return !v.Near }

// Thief returns whom a thief on a CPU robs.
func (m *Map) Thief(cpu int) Thief {
	t := Thief{CPU: cpu}
	for r, name := range ringNames {
		var ids []int
		for _, c := range m.Allowed() {
			if c.ID != cpu && m.Ring(cpu, c.ID) == r {
				ids = append(ids, c.ID)
			}
		}
		if ids != nil {
			t.Victims = append(t.Victims, Victim{name, r <= m.Near() || t.Victims == nil, ids})
		}
	}
	return t
}

// WriteText writes the map as a tree of text, with what the scheduler makes of it
// and whom thieves on some CPUs rob.
func (m *Map) WriteText(w io.Writer, thieves []int) error {
	var b strings.Builder
	allowed := m.Allowed()
	cores := map[int]bool{}
	for _, c := range m.CPUs {
		cores[c.Core] = true
	}
	fmt.Fprintf(&b, "%s: %s, %s online (from %s)\n", m.Title, count(len(m.CPUs), "CPU"), count(len(cores), "core"), m.Source)
	if len(allowed) < len(m.CPUs) {
		fmt.Fprintf(&b, "the process may run on %d of them: %s\n", len(allowed), formatList(ids(allowed)))
	}
	if m.Quota > 0 {
		fmt.Fprintf(&b, "its control group allows it the time of %.4g CPUs: Go sets GOMAXPROCS to %d there\n", m.Quota, m.Procs())
	}
	levels := treeLevels
	if m.cachesUnknown() {
		levels = slices.Delete(slices.Clone(levels), 2, 3) // L3
		b.WriteString("no two cores are known to share a cache\n")
	}
	for _, d := range slices.Compact(slices.Clone(m.Doubts)) {
		fmt.Fprintf(&b, "not believed: %s\n", d)
	}
	b.WriteString("\n")
	cpus := slices.Clone(m.CPUs)
	slices.SortFunc(cpus, byPlace)
	m.branch(&b, cpus, "", levels)
	b.WriteString("\n")
	switch {
	case len(allowed) == 1:
		b.WriteString("There is nobody to rob.\n")
	case m.OneRing():
		b.WriteString("All are equally near: thieves begin with the last victim that had something, and\ngo on in random order. Where they run is never asked.\n")
	default:
		b.WriteString("Thieves look at the nearest first, those of a ring in random order")
		if slices.ContainsFunc(thieves, func(id int) bool { return slices.ContainsFunc(m.Thief(id).Victims, Victim.far) }) {
			b.WriteString(", and at those\nwho are not near when nobody near has had anything for a while. A few searches\nbegin there, one in eight on a large machine")
		}
		b.WriteString(".\n")
		for _, id := range thieves {
			fmt.Fprintf(&b, "\n  a thief on CPU %d robs\n", id)
			for i, v := range m.Thief(id).Victims {
				when := "after a while"
				switch {
				case i == 0:
					when = "first"
				case v.Near:
					when = "then"
				}
				fmt.Fprintf(&b, "    %-13s  %-21s %s\n", when, v.Ring+":", formatList(v.CPUs))
			}
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Procs returns what Go 1.25 and later set GOMAXPROCS to on the machine, and keep it
// at when that changes: the number of CPUs that the process may run on or, if that
// is less, its quota, rounded up, but no less than two.
func (m *Map) Procs() int {
	n := len(m.Allowed())
	if m.Quota > 0 && m.Quota < float64(n) {
		return min(n, max(2, int(math.Ceil(m.Quota))))
	}
	return n
}

// cachesUnknown reports whether no two cores are known to share a cache.
func (m *Map) cachesUnknown() bool {
	core := map[int]int{} // of an L3
	for _, c := range m.CPUs {
		if first, ok := core[c.L3]; ok && first != c.Core {
			return false
		}
		core[c.L3] = c.Core
	}
	return true
}

// Thieves returns CPUs whose view is worth showing: the first and the last of
// those that the process may run on, by place.
func (m *Map) Thieves() []int {
	cpus := m.Neighbours(len(m.CPUs))
	first, last := cpus[0].ID, cpus[len(cpus)-1].ID
	if first == last {
		return []int{first}
	}
	return []int{first, last}
}

// A treeLevel is a kind of neighbourhood in the tree.
type treeLevel struct {
	name string
	of   func(CPU) int
}

var treeLevels = []treeLevel{
	{"package", func(c CPU) int { return c.Package }},
	{"node", func(c CPU) int { return c.Node }},
	{"L3", func(c CPU) int { return c.L3 }},
	{"L2", func(c CPU) int { return c.L2 }},
	{"core", func(c CPU) int { return c.Core }},
}

// smallEnough is how many CPUs a machine has at most of which each core is shown.
const smallEnough = 32

// branch writes what is below a part of the tree: the CPUs, which are sorted by
// place. Levels at which each part is one of the next level are left out.
func (m *Map) branch(b *strings.Builder, cpus []CPU, indent string, levels []treeLevel) {
	if len(levels) == 0 || len(levels) <= 2 && len(m.CPUs) > smallEnough {
		return
	}
	level := levels[0]
	if level.name == "core" && cpus[0].Core == cpus[len(cpus)-1].Core {
		return // the L2 is its own
	}
	for from := 0; from < len(cpus); {
		to := from + 1
		for to < len(cpus) && level.of(cpus[to]) == level.of(cpus[from]) {
			to++
		}
		part := cpus[from:to]
		from = to
		name := level.name
		if name == "L2" && len(levels) == 2 && part[0].Core == part[len(part)-1].Core {
			name = "core"
		}
		number := level.of(part[0])
		if name == "core" {
			number = part[0].Core
		}
		fmt.Fprintf(b, "%s%s %d: CPU %s%s\n", indent, name, number, formatList(ids(part)), remarks(part))
		m.branch(b, part, indent+"  ", levels[1:])
	}
}

// remarks says what is special about CPUs: slower ones, and those that may not be
// used.
func remarks(cpus []CPU) (s string) {
	same, allowed := true, 0
	for _, c := range cpus {
		same = same && c.Speed == cpus[0].Speed
		if c.Allowed {
			allowed++
		}
	}
	if same && cpus[0].Speed < 1000 {
		s += fmt.Sprintf(", %d %% as fast", cpus[0].Speed/10)
	}
	switch {
	case allowed == 0:
		s += ", not for this process"
	case allowed < len(cpus):
		s += ", some not for this process"
	}
	return s
}

func ids(cpus []CPU) []int {
	all := make([]int, len(cpus))
	for i, c := range cpus {
		all[i] = c.ID
	}
	return all
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
