package topology

import (
	"encoding/binary"
	"fmt"
	"testing"
)

type leaves map[[2]uint32][4]uint32

func (l leaves) get(eax, ecx uint32) (a, b, c, d uint32) {
	r := l[[2]uint32{eax, ecx}]
	return r[0], r[1], r[2], r[3]
}

const (
	genuine   = 'G' | 'e'<<8 | 'n'<<16 | 'u'<<24
	authentic = 'A' | 'u'<<8 | 't'<<16 | 'h'<<24
)

// A cache's word: kind, level and how many IDs share it.
func cacheWord(kind, level, sharing uint32) [4]uint32 {
	return [4]uint32{kind | level<<5 | (sharing-1)<<14}
}

func TestFromCPUID(t *testing.T) {
	for _, c := range []struct {
		name            string
		n               int
		leaves          leaves
		threads, l2, l3 int // how many CPUs share these
	}{
		{"nothing known", 8, leaves{}, 1, 1, 1},
		{"Intel, 4 cores, 8 threads", 8, leaves{
			{0, 0}: {0x16, genuine}, {0x0B, 0}: {1, 2, 0x100}, {0x0B, 1}: {4, 8, 0x201},
			{4, 0}: cacheWord(1, 1, 2), {4, 1}: cacheWord(2, 1, 2), {4, 2}: cacheWord(3, 2, 2), {4, 3}: cacheWord(3, 3, 16)}, 2, 2, 16},
		{"AMD, 16 cores, 8 to an L3", 32, leaves{
			{0, 0}: {0x10, authentic}, {0x0B, 0}: {1, 2, 0x100}, {0x80000000, 0}: {0x80000023},
			{0x8000001D, 0}: cacheWord(1, 1, 2), {0x8000001D, 1}: cacheWord(2, 1, 2), {0x8000001D, 2}: cacheWord(3, 2, 2), {0x8000001D, 3}: cacheWord(3, 3, 16)}, 2, 2, 16},
		{"older AMD, without leaf 0x0B; 6 IDs share an L3", 12, leaves{
			{0, 0}: {0x0A, authentic}, {0x80000000, 0}: {0x8000001E}, {0x8000001E, 0}: {0, 0x100},
			{0x8000001D, 0}: cacheWord(3, 2, 2), {0x8000001D, 1}: cacheWord(3, 3, 6)}, 2, 2, 8},
		{"a core of no threads", 4, leaves{{0, 0}: {0x0B, genuine}, {0x0B, 0}: {0, 0, 0x100}}, 1, 1, 1},
		{"a core of 16 threads", 16, leaves{{0, 0}: {0x0B, genuine}, {0x0B, 0}: {0, 16, 0x100}}, 1, 1, 1},
		{"an L2 larger than the L3", 8, leaves{{0, 0}: {4, genuine}, {4, 0}: cacheWord(3, 2, 4), {4, 1}: cacheWord(3, 3, 1)}, 1, 4, 4},
	} {
		m := FromCPUID(c.n, c.leaves.get)
		check(t, m)
		for i, cpu := range m.CPUs {
			if got, want := fmt.Sprint(cpu.Core, cpu.L2, cpu.L3), fmt.Sprint(i/c.threads, i/c.l2, i/c.l3); got != want {
				t.Errorf("%s: CPU %d is in core, L2, L3 %s, want %s", c.name, i, got, want)
			}
		}
	}
}

// Whatever CPUID says, the map can be used.
func FuzzFromCPUID(f *testing.F) {
	f.Add(8, []byte("\xff\xff\xff\xffAuthenticAMD\x43\x00\x00\x04"))
	f.Add(0, []byte{})
	f.Add(-5, []byte{0x0B})
	f.Fuzz(func(t *testing.T, n int, answers []byte) {
		check(t, FromCPUID(n, func(eax, ecx uint32) (a, b, c, d uint32) {
			var r [4]uint32
			for i := range r {
				if len(answers) >= 4 {
					k := int(eax*31+ecx*17+uint32(i)) % (len(answers) - 3)
					r[i] = binary.LittleEndian.Uint32(answers[max(k, 0):])
				}
			}
			return r[0], r[1], r[2], r[3]
		}))
	})
}
