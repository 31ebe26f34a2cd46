package topology

import "math/bits"

// FromCPUID makes a map of n CPUs from what a processor of x86 says of itself,
// which leaf executes the instruction CPUID for: threads of a core from leaf
// 0x0B or 0x8000001E, who shares caches from leaf 4 (Intel) or 0x8000001D (AMD). CPUs are
// taken to be numbered as their APIC IDs order them, which systems do but where
// they leave gaps. Memory nodes, and cores of two kinds, are not known here.
func FromCPUID(n int, leaf func(eax, ecx uint32) (a, b, c, d uint32)) *Map {
	m := Flat(n)
	m.Title, m.Source = "this machine", "cpuid"
	threads := coreThreads(leaf)
	if threads < 1 || threads > mostThreads {
		m.Doubts = append(m.Doubts, "a core is said to have an absurd number of threads")
		threads = 1
	}
	l2, l3 := threads, 0
	for level, sharing := range cacheSharing(leaf) {
		switch {
		case level == 2:
			l2 = max(sharing, threads)
		case level == 3:
			l3 = sharing
		}
	}
	l3 = max(l3, l2)
	for i := range m.CPUs {
		c := &m.CPUs[i]
		c.Core, c.L2, c.L3 = i/threads, i/l2, i/l3
	}
	return m
}

func coreThreads(leaf func(eax, ecx uint32) (a, b, c, d uint32)) int {
	most, _, _, _ := leaf(0, 0)
	if most >= 0x0B {
		if _, n, kind, _ := leaf(0x0B, 0); kind>>8&0xFF == 1 && n&0xFFFF != 0 {
			return int(n & 0xFFFF)
		}
	}
	// Leaf 1 tells whether there are several threads in a package, not how many
	// share a core; leaf 0x8000001E does.
	if extended, _, _, _ := leaf(0x80000000, 0); extended >= 0x8000001E && isAMD(leaf) {
		_, b, _, _ := leaf(0x8000001E, 0)
		return int(b>>8&0xFF) + 1
	}
	return 1
}

// cacheSharing returns how many APIC IDs share the caches of each level, rounded
// up to a power of two, as IDs are.
func cacheSharing(leaf func(eax, ecx uint32) (a, b, c, d uint32)) (sharing [4]int) {
	number := uint32(4)
	if isAMD(leaf) {
		number = 0x8000001D
	}
	if most, _, _, _ := leaf(number&0x80000000, 0); most < number {
		return sharing
	}
	for i := range uint32(mostCaches) {
		a, _, _, _ := leaf(number, i)
		kind, level := a&0x1F, a>>5&7
		if kind == 0 {
			break
		}
		if kind != 2 && level < uint32(len(sharing)) { // 2: instructions only
			n := a>>14&0xFFF + 1
			sharing[level] = 1 << bits.Len32(n-1)
		}
	}
	return sharing
}

func isAMD(leaf func(eax, ecx uint32) (a, b, c, d uint32)) bool {
	_, b, _, _ := leaf(0, 0)
	return b == 'A'|'u'<<8|'t'<<16|'h'<<24 || b == 'H'|'y'<<8|'g'<<16|'o'<<24 // AuthenticAMD, HygonGenuine
}
