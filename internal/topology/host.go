package topology

import "sync"

// Host returns the map of this machine, with where the process may run and its
// quota as they are now. The first call reads a few files for each core.
func Host() *Map { return machine().restrict() }

// machine is what does not change.
var machine = sync.OnceValue(readMachine)

// Restrict returns the same map for a process that may run on the allowed CPUs,
// nil for all.
func (m *Map) Restrict(allowed []int) *Map {
	c := *m
	c.CPUs = append([]CPU(nil), m.CPUs...)
	c.Doubts = append([]string(nil), m.Doubts...)
	for i := range c.CPUs {
		c.CPUs[i].Allowed = false
	}
	p := parser{m: &c}
	p.allow(allowed)
	return &c
}
