//go:build linux && amd64 && gc && !purego && !explore

package cpunum

// aux returns what RDTSCP has in its third register: for Linux, the number of
// the CPU in the low 12 bits, and that of its memory node above.
func aux() uint32

// hasRDTSCP reports whether the processor has that instruction. It executes
// CPUID, which a hypervisor traps.
func hasRDTSCP() bool

// instruction returns a reader that needs no system call, or nil.
func instruction() func() int {
	if !hasRDTSCP() {
		return nil
	}
	return func() int { return int(aux() & 0xFFF) }
}
