//go:build !linux && !(amd64 && gc && !purego)

package topology

// cpuidLeaf returns what executes CPUID, or nil if that cannot be done.
func cpuidLeaf() func(eax, ecx uint32) (a, b, c, d uint32) { return nil }
