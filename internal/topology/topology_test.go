package topology

import (
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strings"
	"testing"
)

// check fails the test if a map cannot be used: whatever was read, it must have
// CPUs, places and distances.
func check(t *testing.T, m *Map) {
	t.Helper()
	if len(m.CPUs) == 0 || len(m.Allowed()) == 0 {
		t.Fatalf("%d CPUs, %d allowed", len(m.CPUs), len(m.Allowed()))
	}
	seen := map[int]bool{}
	cores := map[int]int{}
	for _, c := range m.CPUs {
		if seen[c.ID] || min(c.ID, c.Core, c.L2, c.L3, c.Node, c.Package) < 0 || c.Speed < 1 || c.Speed > 1000 {
			t.Fatalf("a CPU is %+v", c)
		}
		seen[c.ID] = true
		cores[c.Core]++
		if got, ok := m.CPU(c.ID); !ok || got != c || m.Ring(c.ID, c.ID) != SameL2 {
			t.Fatalf("CPU %d is found as %+v, %v, and is %d from itself", c.ID, got, ok, m.Ring(c.ID, c.ID))
		}
	}
	for core, n := range cores {
		if n > mostThreads {
			t.Errorf("core %d has %d threads", core, n)
		}
	}
	some := m.CPUs[:min(len(m.CPUs), 40)]
	for _, a := range some {
		for _, b := range some {
			if r := m.Ring(a.ID, b.ID); r != m.Ring(b.ID, a.ID) || r < 0 || r >= Rings {
				t.Fatalf("CPU %d is %d from %d, which is %d from it", a.ID, r, b.ID, m.Ring(b.ID, a.ID))
			}
		}
	}
	for what, list := range map[string][]CPU{"Neighbours": m.Neighbours(math.MaxInt), "Spread": m.Spread()} {
		ids := idsOf(list)
		slices.Sort(ids)
		if !slices.Equal(ids, idsOf(m.Allowed())) {
			t.Errorf("%s is not a permutation of the allowed CPUs: %v", what, ids)
		}
	}
	for _, id := range []int{-1, math.MaxInt, math.MinInt, maxCPU, 1 << 20} {
		if m.Ring(id, m.CPUs[0].ID) != Rest || m.Ring(m.CPUs[0].ID, id) != Rest {
			t.Errorf("CPU %d, which there is not, is near", id)
		}
	}
}

func idsOf(cpus []CPU) (ids []int) {
	for _, c := range cpus {
		ids = append(ids, c.ID)
	}
	return ids
}

// Each fixture is what its description says: how many CPUs, how many of these
// allowed, and how many neighbourhoods there are of each kind.
func TestFixtures(t *testing.T) {
	want := map[string]string{
		"affinity-6":         "128 CPUs, 6 allowed, 64 cores, 64 L2, 16 L3, 1 nodes, 1 packages, quota 0",
		"altra-2x80":         "160 CPUs, 160 allowed, 160 cores, 160 L2, 160 L3, 2 nodes, 2 packages, quota 0",
		"apple-8p4e":         "12 CPUs, 12 allowed, 12 cores, 3 L2, 3 L3, 1 nodes, 1 packages, quota 0",
		"container-quota":    "128 CPUs, 128 allowed, 64 cores, 64 L2, 8 L3, 1 nodes, 1 packages, quota 2.5",
		"container-quota-v1": "112 CPUs, 112 allowed, 56 cores, 56 L2, 2 L3, 2 nodes, 2 packages, quota 4",
		"desktop-16":         "32 CPUs, 32 allowed, 16 cores, 16 L2, 2 L3, 1 nodes, 1 packages, quota 0",
		"desktop-4":          "8 CPUs, 8 allowed, 4 cores, 4 L2, 1 L3, 1 nodes, 1 packages, quota 0",
		"epyc-2x7763-nps4":   "256 CPUs, 256 allowed, 128 cores, 128 L2, 16 L3, 8 nodes, 2 packages, quota 0",
		"epyc-7702":          "128 CPUs, 128 allowed, 64 cores, 64 L2, 16 L3, 1 nodes, 1 packages, quota 0",
		"epyc-7713":          "128 CPUs, 128 allowed, 64 cores, 64 L2, 8 L3, 1 nodes, 1 packages, quota 0",
		"graviton-96":        "96 CPUs, 96 allowed, 96 cores, 96 L2, 1 L3, 1 nodes, 1 packages, quota 0",
		"hybrid-8p16e":       "32 CPUs, 32 allowed, 24 cores, 12 L2, 1 L3, 1 nodes, 1 packages, quota 0",
		"liar-16-threads":    "16 CPUs, 16 allowed, 16 cores, 1 L2, 1 L3, 1 nodes, 1 packages, quota 0",
		"liar-nothing-fits":  "8 CPUs, 8 allowed, 8 cores, 4 L2, 1 L3, 2 nodes, 1 packages, quota 0",
		"offline-16":         "11 CPUs, 11 allowed, 11 cores, 11 L2, 2 L3, 1 nodes, 1 packages, quota 0",
		"vm-2":               "2 CPUs, 2 allowed, 2 cores, 2 L2, 1 L3, 1 nodes, 1 packages, quota 0",
		"vm-4-nothing":       "4 CPUs, 4 allowed, 4 cores, 4 L2, 4 L3, 1 nodes, 1 packages, quota 0",
		"xeon-2x6248-snc2":   "80 CPUs, 80 allowed, 40 cores, 40 L2, 4 L3, 4 nodes, 2 packages, quota 0",
		"xeon-2x8280":        "112 CPUs, 112 allowed, 56 cores, 56 L2, 2 L3, 2 nodes, 2 packages, quota 0",
	}
	oneRing := []string{"vm-2", "vm-4-nothing", "graviton-96", "liar-16-threads"}
	if names := Fixtures(); len(names) != len(want) {
		t.Errorf("%d fixtures, want %d", len(names), len(want))
	}
	for _, name := range Fixtures() {
		m, err := Fixture(name)
		if err != nil {
			t.Error(err)
			continue
		}
		check(t, m)
		count := func(of func(CPU) int) int {
			set := map[int]bool{}
			for _, c := range m.CPUs {
				set[of(c)] = true
			}
			return len(set)
		}
		got := fmt.Sprintf("%d CPUs, %d allowed, %d cores, %d L2, %d L3, %d nodes, %d packages, quota %v", len(m.CPUs), len(m.Allowed()),
			count(func(c CPU) int { return c.Core }), count(func(c CPU) int { return c.L2 }), count(func(c CPU) int { return c.L3 }),
			count(func(c CPU) int { return c.Node }), count(func(c CPU) int { return c.Package }), m.Quota)
		if got != want[name] {
			t.Errorf("%s: %s\nwant %s", name, got, want[name])
		}
		if m.OneRing() != slices.Contains(oneRing, name) {
			t.Errorf("%s: OneRing is %v", name, m.OneRing())
		}
		if liar := strings.HasPrefix(name, "liar-16"); liar != (len(m.Doubts) > 0) {
			t.Errorf("%s: doubts are %q", name, m.Doubts)
		}
	}
	if _, err := Fixture("pdp-11"); err == nil || !strings.HasPrefix(err.Error(), `forkjoin: fixture is "pdp-11", want one of affinity-6, `) {
		t.Errorf("an unknown fixture: %v", err)
	}
}

func TestRing(t *testing.T) {
	m, err := Fixture("epyc-2x7763-nps4")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		a, b int
		want Ring
	}{
		{0, 128, SameL2}, {0, 1, SameL3}, {0, 7, SameL3}, {0, 8, SameNode}, {0, 15, SameNode},
		{0, 16, Rest}, {0, 64, Rest}, {15, 143, SameL2}, {16, 128, Rest}, {255, 127, SameL2},
	} {
		if got := m.Ring(c.a, c.b); got != c.want {
			t.Errorf("Ring(%d, %d) is %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

func TestSpread(t *testing.T) {
	m, err := Fixture("hybrid-8p16e")
	if err != nil {
		t.Fatal(err)
	}
	want := []int{0, 2, 4, 6, 8, 10, 12, 14, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 1, 3, 5, 7, 9, 11, 13, 15}
	if got := idsOf(m.Spread()); !slices.Equal(got, want) {
		t.Errorf("Spread is %v, want %v", got, want)
	}
	if m.CPUs[0].Speed != 1000 || m.CPUs[31].Speed != 625 {
		t.Errorf("speeds are %d and %d", m.CPUs[0].Speed, m.CPUs[31].Speed)
	}
}

func TestFlat(t *testing.T) {
	for _, n := range []int{-1, 0, 1, 2, 3, 64, math.MaxInt} {
		m := Flat(n)
		check(t, m)
		if len(m.CPUs) > 1 && len(m.CPUs) < 100 && !m.OneRing() {
			t.Errorf("Flat(%d) has several rings", n)
		}
	}
	check(t, Parse(files{}, nil))
	check(t, Parse(files{}, []int{3, 4}))
}

func TestNeighbours(t *testing.T) {
	m, err := Fixture("desktop-4")
	if err != nil {
		t.Fatal(err)
	}
	for n, want := range map[int][]int{-1: {0}, 0: {0}, 1: {0}, 3: {0, 1, 2}, 5: {0, 4, 1, 2, 3}, 9: {0, 4, 1, 5, 2, 6, 3, 7}} {
		if got := idsOf(m.Neighbours(n)); !slices.Equal(got, want) {
			t.Errorf("Neighbours(%d) is %v, want %v", n, got, want)
		}
	}
}

// Where a process may run nowhere that is online, it is taken to run anywhere.
func TestAllowedNowhere(t *testing.T) {
	m, err := FromDescription("4 core\nallowed 17")
	if err != nil {
		t.Fatal(err)
	}
	check(t, m)
	if len(m.Allowed()) != 4 || len(m.Doubts) != 1 {
		t.Errorf("%d allowed, doubts %q", len(m.Allowed()), m.Doubts)
	}
}

// This machine has a map, whatever it is; the same each time; and a restricted
// one does not change it.
func TestHost(t *testing.T) {
	m := Host()
	check(t, m)
	for _, c := range m.Allowed() {
		r := m.Restrict([]int{c.ID})
		check(t, r)
		if len(r.Allowed()) != 1 || r.Allowed()[0].ID != c.ID || !r.OneRing() {
			t.Errorf("restricted to CPU %d it has %v", c.ID, r.Allowed())
		}
	}
	if after := Host(); !slices.Equal(after.CPUs, m.CPUs) {
		t.Errorf("this machine was %v and is %v", m.CPUs, after.CPUs)
	}
}

func TestParseList(t *testing.T) {
	for in, want := range map[string][]int{
		"": nil, "0": {0}, "0-3,8": {0, 1, 2, 3, 8}, "3-1": nil, "x,2": {2}, "1-,2": {2}, "-1": nil, "5,5,4-6": {5, 4, 6},
		"8190-99999999": {8190, 8191}, "99999999999999999999": nil, " 1 , 2 ": {1, 2},
	} {
		if got := parseList(in); !slices.Equal(got, want) {
			t.Errorf("parseList(%q) is %v, want %v", in, got, want)
		}
	}
	for _, ids := range [][]int{nil, {0}, {0, 1, 2}, {1, 3, 4, 9}} {
		if got := parseList(formatList(ids)); !slices.Equal(got, ids) {
			t.Errorf("%v becomes %v", ids, got)
		}
	}
}

func TestQuota(t *testing.T) {
	for _, c := range []struct {
		files files
		want  float64
	}{
		{files{}, 0},
		{files{"proc/self/cgroup": "0::/", "sys/fs/cgroup/cpu.max": "max 100000"}, 0},
		{files{"proc/self/cgroup": "0::/", "sys/fs/cgroup/cpu.max": "50000 100000"}, 0.5},
		{files{"proc/self/cgroup": "0::/a/b", "sys/fs/cgroup/a/cpu.max": "300000 100000", "sys/fs/cgroup/a/b/cpu.max": "400000 100000"}, 3},
		{files{"proc/self/cgroup": "0::/../x", "sys/fs/cgroup/x/cpu.max": "100000 100000"}, 1},
		{files{"proc/self/cgroup": "3:cpu:/", "sys/fs/cgroup/cpu/cpu.cfs_quota_us": "-1", "sys/fs/cgroup/cpu/cpu.cfs_period_us": "100000"}, 0},
		{files{"proc/self/cgroup": "3:cpu:/", "sys/fs/cgroup/cpu/cpu.cfs_quota_us": "7000", "sys/fs/cgroup/cpu/cpu.cfs_period_us": "0"}, 0},
		{files{"proc/self/cgroup": "3:cpuset:/\n4:cpu,cpuacct:/d", "sys/fs/cgroup/cpu/d/cpu.cfs_quota_us": "150000", "sys/fs/cgroup/cpu/d/cpu.cfs_period_us": "100000"}, 1.5},
		{files{"proc/self/cgroup": "0::/", "sys/fs/cgroup/cpu.max": "NaN Inf"}, 0},
		{files{"proc/self/cgroup": "::::\n0:\nx", "sys/fs/cgroup/cpu.max": "1"}, 0},
		{files{"proc/self/cgroup": "0::" + strings.Repeat("/a", 10000)}, 0},
	} {
		if got := Quota(c.files); got != c.want {
			t.Errorf("Quota of %v is %v, want %v", c.files, got, c.want)
		}
	}
}

func TestDescribeErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                         "it has no threads",
		"4":                        `line 1: want "NUMBER LEVEL of`,
		"\n4 cores":                `line 2: "4 cores" is no number of package, node, l3, l2, core, thread`,
		"0 core":                   `"0 core" is no number of`,
		"2 core of 2 node":         `"2 node" is no number of`,
		"2 core at x":              `speed is "x"`,
		"4096 core of 2 thread":    "more than 4096 threads",
		"file ../../etc/passwd no": "file NAME TEXT",
	} {
		if _, _, _, err := Describe(text); err == nil || !strings.HasPrefix(err.Error(), "forkjoin: description") || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error is %v, want %s", text, err, want)
		}
	}
}

// Whatever a machine's files say, its map can be used.
func FuzzParse(f *testing.F) {
	for _, name := range Fixtures() {
		text, err := descriptions.ReadFile("fixtures/" + name + ".txt")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	f.Add("4 core\nfile sys/devices/system/cpu/online 0-8191\nfile sys/devices/system/cpu/cpu0/cache/index2/level 3")
	f.Add("4 core\nfile sys/devices/system/cpu/cpu1/cpu_capacity 99999999999999\nfile sys/devices/system/cpu/cpu0/cpu_capacity 1")
	f.Fuzz(func(t *testing.T, text string) {
		root, _, allowed, err := Describe(text)
		if err != nil {
			return
		}
		sys, err := fs.Sub(root, "sys")
		if err != nil {
			t.Fatal(err)
		}
		check(t, Parse(sys, allowed))
		if q := Quota(root); !(q >= 0 && q < 1e37) {
			t.Errorf("quota is %v", q)
		}
	})
}

// The quota is read anew each time: when it changes, so does what is believed, and
// the number of goroutines that Go would have run there.
func TestQuotaChanges(t *testing.T) {
	root := files{"proc/self/cgroup": "0::/pod", "sys/fs/cgroup/pod/cpu.max": "max 100000"}
	m := Flat(16)
	for _, c := range []struct {
		max   string
		quota float64
		procs int
	}{
		{"max 100000", 0, 16}, {"400000 100000", 4, 4}, {"250000 100000", 2.5, 3}, {"10000 100000", 0.1, 2},
		{"1600001 100000", 16.00001, 16}, {"", 0, 16}, {"800000 100000", 8, 8}, {"max", 0, 16},
	} {
		root["sys/fs/cgroup/pod/cpu.max"] = c.max
		if m.Quota = Quota(root); m.Quota != c.quota || m.Procs() != c.procs {
			t.Errorf("cpu.max %q: quota %v and %d goroutines, want %v and %d", c.max, m.Quota, m.Procs(), c.quota, c.procs)
		}
	}
	delete(root, "sys/fs/cgroup/pod/cpu.max")
	if got := Quota(root); got != 0 {
		t.Errorf("quota %v without a file", got)
	}
	if one := Flat(1); one.Procs() != 1 {
		t.Errorf("%d goroutines on one CPU", one.Procs())
	}
	m.Quota = 3
	if r := m.Restrict([]int{5, 6}); r.Procs() != 2 {
		t.Errorf("%d goroutines on two CPUs with a quota of three", r.Procs())
	}
}

// Near is a last-level cache where the process may use two cores of one, and else
// whatever is nearest.
func TestNear(t *testing.T) {
	for name, want := range map[string]Ring{
		"affinity-6": SameL3, "altra-2x80": SameNode, "apple-8p4e": SameL3, "desktop-4": SameL3, "epyc-2x7763-nps4": SameL3,
		"graviton-96": SameL3, "vm-4-nothing": SameNode, "liar-16-threads": SameL3, "xeon-2x8280": SameL3,
	} {
		m, err := Fixture(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := m.Near(); got != want {
			t.Errorf("%s: Near is %d, want %d", name, got, want)
		}
	}
	m, err := Fixture("epyc-2x7763-nps4")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		allowed []int
		want    Ring
	}{
		{[]int{0}, Rest}, {[]int{0, 128}, Rest}, {[]int{0, 1}, SameL3}, {[]int{0, 8}, SameNode}, {[]int{0, 16}, Rest}, {[]int{0, 16, 24}, SameNode},
	} {
		if got := m.Restrict(c.allowed).Near(); got != c.want {
			t.Errorf("CPUs %v: Near is %d, want %d", c.allowed, got, c.want)
		}
	}
}
