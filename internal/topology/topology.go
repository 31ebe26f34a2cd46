// Package topology tells which processors (CPUs) of a machine are near each
// other: which share a core, a second-level cache, a last-level cache, a memory
// node, and which are faster than others.
//
// On Linux it reads /sys ([Parse]); elsewhere on x86 it makes do with what package
// cpuid/v2 counts ([FromCounts]); where nothing is known, all are equally near
// ([Flat]). Virtual machines say absurd things about processors that they do not
// have, so nothing is believed that cannot be: whatever the input, a [Map] has at
// least one CPU, each CPU has a place, and any two have a distance.
//
// Rejected: cpuid/v2 on Linux, too (/sys knows more, and when it is imported it
// executes CPUID dozens of times, each of which a hypervisor traps); asking each CPU
// in turn (a thread of the program has to visit them all, and few systems let it);
// the APIC ID of the CPU that asks (it tells of that one, and only until the thread
// moves).
package topology

import (
	"cmp"
	"slices"
)

// A Ring says how near two CPUs are. Nearer is smaller.
type Ring = int

// Rings.
const (
	SameL2   Ring = iota // the same core, or cores with one second-level cache
	SameL3               // one last-level cache
	SameNode             // one memory node
	Rest                 // anything else, and what is not known
	Rings                // how many there are
)

// A CPU is a processor as the operating system counts them: a hardware thread.
// Of each kind of neighbourhood it has a number; CPUs with the same number share
// it.
type CPU struct {
	ID      int  `json:"id"`
	Core    int  `json:"core"`
	L2      int  `json:"l2"`
	L3      int  `json:"l3"`
	Node    int  `json:"node"`
	Package int  `json:"package"`
	Speed   int  `json:"speed"`   // of 1000, the fastest
	Allowed bool `json:"allowed"` // this process may run there
}

// A Map is the CPUs of a machine that are online. It does not change.
type Map struct {
	Title  string   `json:"title"`
	Source string   `json:"source"`          // what it was made from
	Quota  float64  `json:"quota,omitempty"` // CPUs' worth of time that the process may use; 0: no limit
	CPUs   []CPU    `json:"cpus"`            // ascending by ID, at least one
	Doubts []string `json:"doubts,omitempty"`

	at []int32 // where in CPUs an ID is, or -1
}

// maxCPU bounds the IDs that are believed: Linux has 8192 CPUs at most.
const maxCPU = 1 << 13

// Flat returns a Map of n CPUs, all equally near.
func Flat(n int) *Map {
	n = min(max(n, 1), maxCPU)
	m := &Map{Title: "unknown machine", Source: "nothing", CPUs: make([]CPU, n)}
	for i := range m.CPUs {
		m.CPUs[i] = CPU{ID: i, Core: i, L2: i, L3: i, Speed: 1000, Allowed: true}
	}
	return m.indexed()
}

func (m *Map) indexed() *Map {
	slices.SortFunc(m.CPUs, func(a, b CPU) int { return cmp.Compare(a.ID, b.ID) })
	m.at = make([]int32, m.CPUs[len(m.CPUs)-1].ID+1)
	for i := range m.at {
		m.at[i] = -1
	}
	for i, c := range m.CPUs {
		m.at[c.ID] = int32(i)
	}
	return m
}

// CPU returns what is known of a CPU, and whether anything is.
func (m *Map) CPU(id int) (CPU, bool) {
	if id < 0 || id >= len(m.at) || m.at[id] < 0 {
		return CPU{}, false
	}
	return m.CPUs[m.at[id]], true
}

// Ring returns how near two CPUs are, by their IDs. It costs a few loads.
func (m *Map) Ring(a, b int) Ring {
	if uint(a) >= uint(len(m.at)) || uint(b) >= uint(len(m.at)) {
		return Rest
	}
	i, j := m.at[a], m.at[b]
	if i < 0 || j < 0 {
		return Rest
	}
	return m.CPUs[i].ring(&m.CPUs[j])
}

func (c *CPU) ring(o *CPU) Ring {
	switch {
	case c.L2 == o.L2 || c.Core == o.Core:
		return SameL2
	case c.L3 == o.L3:
		return SameL3
	case c.Node == o.Node:
		return SameNode
	}
	return Rest
}

// Near returns the widest ring in which two CPUs count as near each other: a shared
// last-level cache or, where the process may not use two cores that are known to
// share one, the memory node, or anything if there are no two in a node either.
func (m *Map) Near() Ring {
	near := Rest
	some := m.Allowed()
	for i := range some {
		for j := range i {
			if some[i].Core != some[j].Core {
				near = min(near, max(some[i].ring(&some[j]), SameL3))
			}
		}
	}
	return near
}

// Allowed returns the CPUs that the process may run on, ascending by ID. There is
// at least one.
func (m *Map) Allowed() []CPU {
	var some []CPU
	for _, c := range m.CPUs {
		if c.Allowed {
			some = append(some, c)
		}
	}
	if some == nil {
		return m.CPUs
	}
	return some
}

// OneRing reports whether all the CPUs that the process may run on are equally
// near each other, so that it does not matter which is which.
func (m *Map) OneRing() bool {
	some := m.Allowed()
	for i := range some {
		for j := range i {
			if some[i].ring(&some[j]) != some[1].ring(&some[0]) {
				return false
			}
		}
	}
	return true
}

// Neighbours returns n of the allowed CPUs, or all if there are fewer, those that
// share something side by side. It takes one thread of each core before the
// second ones.
func (m *Map) Neighbours(n int) []CPU {
	some := m.Spread()
	some = some[:min(max(n, 1), len(some))]
	slices.SortFunc(some, byPlace)
	return some
}

func byPlace(a, b CPU) int {
	return cmp.Or(cmp.Compare(a.Package, b.Package), cmp.Compare(a.Node, b.Node), cmp.Compare(a.L3, b.L3),
		cmp.Compare(a.L2, b.L2), cmp.Compare(a.Core, b.Core), cmp.Compare(a.ID, b.ID))
}

// Spread returns the allowed CPUs in an order to pin workers to: first a thread
// of each core, the fastest cores before the others, neighbours side by side;
// then the second threads, and so on.
func (m *Map) Spread() []CPU {
	some := slices.Clone(m.Allowed())
	slices.SortFunc(some, byPlace)
	nth := make(map[int]int, len(some)) // which thread of its core, by ID
	seen := make(map[int]int)           // threads of a core
	for _, c := range some {
		nth[c.ID] = seen[c.Core]
		seen[c.Core]++
	}
	slices.SortStableFunc(some, func(a, b CPU) int {
		return cmp.Or(cmp.Compare(nth[a.ID], nth[b.ID]), cmp.Compare(b.Speed, a.Speed))
	})
	return some
}
