package topology

import (
	"fmt"
	"io/fs"
	"strconv"
	"strings"
)

// Where things are below /sys.
const (
	cpuDir  = "devices/system/cpu"
	nodeDir = "devices/system/node"
)

// Parse reads the map of a Linux machine from what is its /sys. The process may
// run on the allowed CPUs; nil means all. What is missing or cannot be is left
// out. It reads a few files for each core.
func Parse(sys fs.FS, allowed []int) *Map {
	p := parser{sys: sys, m: &Map{Title: "this machine", Source: "sysfs"}}
	ids := p.list(cpuDir + "/online")
	if len(ids) == 0 {
		ids = p.list(cpuDir + "/present")
	}
	if len(ids) == 0 {
		p.m = Flat(max(1, len(allowed)))
		p.m.Doubts = []string{"no CPU is said to be online"}
		return p.m
	}
	p.m.CPUs = make([]CPU, len(ids))
	for i, id := range ids {
		p.m.CPUs[i] = CPU{ID: id, Core: -1, L2: -1, L3: -1, Node: -1, Package: -1}
	}
	p.m.indexed()
	p.places()
	p.speeds()
	p.allow(allowed)
	return p.m
}

type parser struct {
	sys fs.FS
	m   *Map
}

// text returns the first line of a file, or "".
func (p *parser) text(name string) string {
	line, _, _ := strings.Cut(read(p.sys, name), "\n")
	return strings.TrimSpace(line)
}

func (p *parser) list(name string) []int { return parseList(p.text(name)) }

// number returns the number in a file, or -1.
func (p *parser) number(name string) int {
	n, err := strconv.ParseInt(p.text(name), 10, 32)
	if err != nil || n < 0 {
		return -1
	}
	return int(n)
}

func (p *parser) doubt(format string, args ...any) {
	if len(p.m.Doubts) < 8 {
		p.m.Doubts = append(p.m.Doubts, fmt.Sprintf(format, args...))
	}
}

// places finds who shares what. A list is read once for all who are in it, so
// who is in one neighbourhood is in no other of the same kind, whatever lists
// say.
func (p *parser) places() {
	cores := grouping{p: p, of: func(c *CPU) *int { return &c.Core }}
	l2s := grouping{p: p, of: func(c *CPU) *int { return &c.L2 }}
	l3s := grouping{p: p, of: func(c *CPU) *int { return &c.L3 }}
	for _, id := range p.list(nodeDir + "/online") {
		for _, member := range p.list(fmt.Sprintf("%s/node%d/cpulist", nodeDir, id)) {
			if c := p.cpu(member); c != nil && c.Node < 0 {
				c.Node = id
			}
		}
	}
	packages := make(map[int]int) // of a core
	for i := range p.m.CPUs {
		c := &p.m.CPUs[i]
		dir := fmt.Sprintf("%s/cpu%d", cpuDir, c.ID)
		if c.Core < 0 {
			siblings := p.list(dir + "/topology/core_cpus_list")
			if siblings == nil {
				siblings = p.list(dir + "/topology/thread_siblings_list")
			}
			if len(siblings) > mostThreads {
				p.doubt("a core is said to have %d threads", len(siblings))
				siblings = nil
			}
			cores.add(c, siblings)
			packages[c.Core] = p.number(dir + "/topology/physical_package_id")
		}
		c.Package = packages[c.Core]
		if c.L2 < 0 || c.L3 < 0 {
			p.caches(c, dir, &l2s, &l3s)
		}
	}
	p.settle(&l2s, &l3s)
}

// mostThreads is how many threads a core may have: eight in POWER processors.
const mostThreads = 8

// mostCaches is how many caches of a CPU are looked at.
const mostCaches = 10

func (p *parser) caches(c *CPU, dir string, l2s, l3s *grouping) {
	for i := range mostCaches {
		cache := fmt.Sprintf("%s/cache/index%d", dir, i)
		level := p.number(cache + "/level")
		if level < 0 {
			return
		}
		switch group := l2s; {
		case level == 3:
			group = l3s
			fallthrough
		case level == 2:
			if *group.of(c) < 0 && p.text(cache+"/type") != "Instruction" {
				group.add(c, p.list(cache+"/shared_cpu_list"))
			}
		}
	}
}

// settle fills in what was not to be found: a second-level cache is a core's
// own, a last-level cache one of the second level, and all else is one.
func (p *parser) settle(l2s, l3s *grouping) {
	byCore, byL2 := make(map[int]int), make(map[int]int)
	fill := func(c *CPU, g *grouping, same map[int]int, key int) {
		if *g.of(c) >= 0 {
			return
		}
		n, ok := same[key]
		if !ok {
			n = g.count
			g.count++
			same[key] = n
		}
		*g.of(c) = n
	}
	for i := range p.m.CPUs {
		c := &p.m.CPUs[i]
		fill(c, l2s, byCore, c.Core)
		fill(c, l3s, byL2, c.L2)
		c.Node, c.Package = max(c.Node, 0), max(c.Package, 0)
	}
}

func (p *parser) cpu(id int) *CPU {
	if id < 0 || id >= len(p.m.at) || p.m.at[id] < 0 {
		return nil
	}
	return &p.m.CPUs[p.m.at[id]]
}

// A grouping numbers neighbourhoods of one kind.
type grouping struct {
	p     *parser
	of    func(*CPU) *int
	count int
}

// add begins a neighbourhood: of c and those of the members that have none yet.
func (g *grouping) add(c *CPU, members []int) {
	*g.of(c) = g.count
	for _, id := range members {
		if m := g.p.cpu(id); m != nil && *g.of(m) < 0 {
			*g.of(m) = g.count
		}
	}
	g.count++
}

// speeds finds which cores are faster: the kernel's own figure, where it has
// one, or the highest frequency.
func (p *parser) speeds() {
	if p.speedsFrom("cpu_capacity") || p.speedsFrom("cpufreq/cpuinfo_max_freq") {
		return
	}
	for i := range p.m.CPUs {
		p.m.CPUs[i].Speed = 1000
	}
	for _, id := range p.list("devices/cpu_atom/cpus") {
		if c := p.cpu(id); c != nil {
			c.Speed = 600 // a guess; that it is slower is what matters
		}
	}
}

func (p *parser) speedsFrom(file string) bool {
	raw, fastest := make([]int, len(p.m.CPUs)), 0
	known := make(map[int]int) // cores
	for i, c := range p.m.CPUs {
		v, ok := known[c.Core]
		if !ok {
			v = p.number(fmt.Sprintf("%s/cpu%d/%s", cpuDir, c.ID, file))
			known[c.Core] = v
		}
		if v <= 0 {
			return false
		}
		raw[i], fastest = v, max(fastest, v)
	}
	for i := range raw {
		p.m.CPUs[i].Speed = max(1, int(float64(raw[i])/float64(fastest)*1000))
	}
	return true
}

func (p *parser) allow(allowed []int) {
	any := allowed == nil
	for _, id := range allowed {
		if c := p.cpu(id); c != nil {
			c.Allowed, any = true, true
		}
	}
	if !any {
		p.doubt("no CPU that the process may use is said to be online")
	}
	if !any || allowed == nil {
		for i := range p.m.CPUs {
			p.m.CPUs[i].Allowed = true
		}
	}
}

// parseList reads a list of CPUs as in "0-3,8,10-11". It leaves out what it
// cannot read and what is out of bounds; nothing is there twice.
func parseList(s string) (ids []int) {
	var seen [maxCPU/64 + 1]uint64
	for len(s) > 0 {
		var item string
		item, s, _ = strings.Cut(s, ",")
		from, to, isRange := strings.Cut(strings.TrimSpace(item), "-")
		lo, err := strconv.ParseUint(from, 10, 64)
		hi := lo
		if err == nil && isRange {
			hi, err = strconv.ParseUint(to, 10, 64)
		}
		if err != nil || lo >= maxCPU {
			continue
		}
		for id := int(lo); id <= int(min(hi, maxCPU-1)); id++ {
			if seen[id/64]>>(id%64)&1 == 0 {
				seen[id/64] |= 1 << (id % 64)
				ids = append(ids, id)
			}
		}
	}
	return ids
}
