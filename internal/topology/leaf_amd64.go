//go:build !linux && gc && !purego

package topology

// cpuidLeaf returns what executes CPUID, or nil if that cannot be done.
func cpuidLeaf() func(eax, ecx uint32) (a, b, c, d uint32) { return cpuid }

func cpuid(eax, ecx uint32) (a, b, c, d uint32)
