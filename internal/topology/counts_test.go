package topology

import (
	"go/build"
	"math"
	"slices"
	"strings"
	"testing"
)

func TestFromCounts(t *testing.T) {
	const flat = -1
	for _, c := range []struct {
		name              string
		n                 int
		counts            Counts
		threads, l3, pack int    // how many CPUs share these; flat: all are equally near
		doubt             string // how it begins
	}{
		{"nothing known", 8, Counts{}, flat, 0, 0, ""},
		{"one CPU", 1, Counts{Threads: 1, Cores: 1, Logical: 1, L3: 1}, 1, 1, 1, ""},
		{"Intel, 4 cores, 8 threads", 8, Counts{Threads: 2, Cores: 4, Logical: 8, L3: 8}, 2, 8, 8, ""},
		{"Intel, 2 packages of 28 cores", 112, Counts{Threads: 2, Cores: 28, Logical: 56, L3: 56}, 2, 56, 56, ""},
		{"Intel, cores of two kinds, asked on a large one", 24, Counts{Threads: 2, Cores: 12, Logical: 24, L3: 24, Mixed: true}, flat, 0, 0, "numbers of one core"},
		{"Intel, cores of two kinds, asked on a small one", 24, Counts{Threads: 1, Cores: 24, Logical: 24, L3: 24, Mixed: true}, flat, 0, 0, "numbers of one core"},
		{"AMD, 16 cores, 8 to an L3", 32, Counts{Threads: 2, Cores: 16, Logical: 32, L3: 16}, 2, 16, 32, ""},
		{"AMD, 12 cores, 6 to an L3", 24, Counts{Threads: 2, Cores: 12, Logical: 24, L3: 12}, 2, 12, 24, ""},
		{"AMD, 64 cores, second threads switched off", 64, Counts{Threads: 1, Cores: 64, Logical: 64, L3: 8}, 1, 8, 64, ""},
		{"AMD, 256 threads, more than the field holds", 256, Counts{Threads: 2, Cores: 256, Logical: 0}, flat, 0, 0, "a package is said to have 0 threads: 256 × 2"},
		{"no L3 told", 8, Counts{Threads: 2, Cores: 4, Logical: 8}, 2, 2, 8, ""},
		{"a virtual machine, each CPU a package", 4, Counts{Threads: 1, Cores: 1, Logical: 1, L3: 1}, 1, 1, 1, ""},
		{"another vendor", 4, Counts{Threads: 1}, flat, 0, 0, "a package is said to have 0 threads: 0 × 1"},
		{"only some of the CPUs", 4, Counts{Threads: 2, Cores: 4, Logical: 8, L3: 8}, flat, 0, 0, "4 CPUs are said to be packages of 8"},
		{"a package and a half", 12, Counts{Threads: 2, Cores: 4, Logical: 8, L3: 8}, flat, 0, 0, "12 CPUs are said to be packages of 8"},
		{"liar: no cores", 8, Counts{Threads: 2, Logical: 8, L3: 8}, flat, 0, 0, "a package is said"},
		{"liar: a core of no threads", 8, Counts{Cores: 8, Logical: 8, L3: 8}, flat, 0, 0, "a package is said"},
		{"liar: no threads at all", 8, Counts{Cores: 8}, flat, 0, 0, "a package is said"},
		{"liar: a core of 16 threads", 16, Counts{Threads: 16, Cores: 1, Logical: 16, L3: 16}, flat, 0, 0, "a package is said"},
		{"liar: fewer than none", 8, Counts{Threads: -2, Cores: -4, Logical: 8, L3: 8}, flat, 0, 0, "a package is said"},
		{"liar: threads and a package of fewer than none", 8, Counts{Threads: -2, Cores: 4, Logical: -8}, flat, 0, 0, "a package is said"},
		{"liar: cores that do not add up", 8, Counts{Threads: 2, Cores: 3, Logical: 8, L3: 8}, flat, 0, 0, "a package is said"},
		{"liar: as many as there are numbers", 8, Counts{Threads: 8, Cores: math.MaxInt/8 + 1, Logical: math.MinInt}, flat, 0, 0, "a package is said"},
		{"liar: half a core to an L3", 8, Counts{Threads: 2, Cores: 4, Logical: 8, L3: 1}, 2, 2, 8, "1 of the 8 threads"},
		{"liar: a core and a half to an L3", 12, Counts{Threads: 2, Cores: 6, Logical: 12, L3: 3}, 2, 2, 12, "3 of the 12 threads"},
		{"liar: an L3 larger than the package", 8, Counts{Threads: 2, Cores: 4, Logical: 8, L3: 16}, 2, 2, 8, "16 of the 8 threads"},
		{"liar: L3s of which the last is smaller", 12, Counts{Threads: 2, Cores: 6, Logical: 12, L3: 8}, 2, 2, 12, "8 of the 12 threads"},
		{"liar: an L3 of fewer than none", 8, Counts{Threads: 2, Cores: 4, Logical: 8, L3: -8}, 2, 2, 8, "-8 of the 8 threads"},
	} {
		m := FromCounts(c.n, c.counts)
		check(t, m)
		checkNested(t, m)
		if c.threads == flat {
			c.threads, c.l3, c.pack = 1, 1, c.n
		}
		for i, cpu := range m.CPUs {
			want := CPU{ID: i, Core: i / c.threads, L2: i / c.threads, L3: i / c.l3, Package: i / c.pack, Speed: 1000, Allowed: true}
			if cpu != want {
				t.Errorf("%s: a CPU is %+v, want %+v", c.name, cpu, want)
			}
		}
		if doubts := strings.Join(m.Doubts, "; "); len(m.CPUs) != c.n || (doubts == "") != (c.doubt == "") || !strings.HasPrefix(doubts, c.doubt) {
			t.Errorf("%s: %d CPUs, doubts %q, want %d, %q", c.name, len(m.CPUs), doubts, c.n, c.doubt)
		}
		if nothing := c.counts == (Counts{}); nothing != (m.Source == "nothing") {
			t.Errorf("%s: made from %s", c.name, m.Source)
		}
	}
}

// checkNested fails the test if a core reaches over two second-level caches, one of
// those over two last-level caches, or one of those over two packages.
func checkNested(t *testing.T, m *Map) {
	t.Helper()
	core, l2, l3 := map[int]int{}, map[int]int{}, map[int]int{}
	within := func(outer map[int]int, inner, of int) bool {
		if known, ok := outer[inner]; ok {
			return known == of
		}
		outer[inner] = of
		return true
	}
	for _, c := range m.CPUs {
		if !within(core, c.Core, c.L2) || !within(l2, c.L2, c.L3) || !within(l3, c.L3, c.Package) {
			t.Fatalf("CPU %+v is in two places", c)
		}
	}
}

// Whatever the numbers, the map can be used, and what they cannot be is said.
func FuzzFromCounts(f *testing.F) {
	f.Add(8, 2, 4, 8, 8, false)
	f.Add(32, 2, 16, 32, 16, false)
	f.Add(24, 2, 12, 24, 24, true)
	f.Add(0, 0, 0, 0, 0, false)
	f.Add(-5, -1, 1, -1, 3, false)
	f.Add(16, 16, 1, 16, math.MinInt, false)
	f.Fuzz(func(t *testing.T, n, threads, cores, logical, l3 int, mixed bool) {
		c := Counts{threads, cores, logical, l3, mixed}
		m := FromCounts(n, c)
		check(t, m)
		checkNested(t, m)
		if len(m.Doubts) > 0 || c == (Counts{}) {
			return
		}
		if want := max(1, min(n, maxCPU)); threads*cores != logical || want%logical != 0 || len(m.CPUs) != want {
			t.Fatalf("%+v is believed of %d CPUs", c, n)
		}
		size := map[int]int{}
		for _, c := range m.CPUs {
			size[c.Core]++
		}
		for core, n := range size {
			if n != threads {
				t.Fatalf("core %d has %d threads, want %d", core, n, threads)
			}
		}
	})
}

// Importing cpuid/v2 executes CPUID, which a hypervisor traps: that is to happen
// only where there is nothing better.
func TestWhoImportsCPUID(t *testing.T) {
	for platform, want := range map[string]bool{
		"linux/amd64": false, "linux/386": false, "android/amd64": false, "linux/arm64": false,
		"windows/amd64": true, "windows/386": true, "darwin/amd64": true, "freebsd/amd64": true, "freebsd/386": true,
		"windows/arm64": false, "darwin/arm64": false, "js/wasm": false, "wasip1/wasm": false,
		"linux/amd64/purego": false, "windows/amd64/purego": false, "freebsd/386/purego": false,
	} {
		parts := strings.Split(platform, "/")
		context := build.Default
		context.GOOS, context.GOARCH, context.BuildTags = parts[0], parts[1], parts[2:]
		p, err := context.ImportDir(".", 0)
		if err != nil {
			t.Fatal(err)
		}
		if got := slices.Contains(p.Imports, "github.com/klauspost/cpuid/v2"); got != want {
			t.Errorf("%s: imports cpuid/v2 is %v, want %v", platform, got, want)
		}
		if len(p.SFiles) > 0 {
			t.Errorf("%s: there is assembly: %v", platform, p.SFiles)
		}
	}
}
