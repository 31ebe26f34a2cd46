//go:build !linux && (amd64 || 386) && !purego

package topology

import "github.com/klauspost/cpuid/v2"

// counts returns what this processor says of itself.
func counts() Counts {
	cpu := &cpuid.CPU
	c := Counts{
		Threads: cpu.ThreadsPerCore,
		Cores:   cpu.PhysicalCores,
		Logical: cpu.LogicalCores,
		Mixed:   cpu.Has(cpuid.HYBRID_CPU),
	}
	if !c.possible() {
		return c // Topology makes a tree of as many as are said to be
	}
	for _, p := range cpu.Topology().Packages {
		for _, g := range p.Groups {
			for _, cache := range g.Caches {
				if cache.Level == 3 {
					c.L3 = max(c.L3, cache.SharedThreads)
				}
			}
		}
	}
	return c
}
