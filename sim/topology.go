package sim

import (
	"fmt"
	"slices"
	"strings"

	"github.com/forkjoin-go/forkjoin/internal/topology"
)

// A Topology says which workers are near each other. Workers are numbered along
// it: the threads of a core follow each other, so do the cores that share a
// cache, and so on. The zero Topology is flat: all are equally near.
type Topology struct {
	// Machine is the name of a machine that "forkjoin topo" knows, or "here" for the
	// one that runs the program. The other fields, which describe a regular one, are
	// then 0. Of a machine, workers are on the processors that the program may use.
	Machine string `json:"machine,omitempty"`

	Sockets int `json:"sockets"`
	L3s     int `json:"l3s"`     // last-level caches of a socket
	Cores   int `json:"cores"`   // cores that share one
	Threads int `json:"threads"` // threads of a core
}

// Distances between workers.
const (
	sameCore = iota
	sameCache
	sameSocket
	otherSocket
	distances
)

// here is the name of the machine that runs the program.
const here = "here"

// machine returns the map of the machine of that name.
func machine(name string) (*topology.Map, error) {
	if name == here {
		return topology.Host(), nil
	}
	return topology.Fixture(name)
}

// machines lists the names of machines that there are. Those that a test of
// topologies needs, whose descriptions contradict themselves, are not told.
func machines() string {
	names := slices.DeleteFunc(topology.Fixtures(), func(name string) bool { return strings.HasPrefix(name, "liar-") })
	return strings.Join(names, ", ")
}

// ParseTopology reads "flat", "here" for this machine, the name of another one that
// "forkjoin topo" knows, or four numbers, as in "2x4x8x2": sockets, caches of each,
// cores of each, threads of each.
func ParseTopology(s string) (t Topology, err error) {
	if s == "" || s == "flat" {
		return Topology{}, nil
	}
	if _, err := machine(s); err == nil {
		return Topology{Machine: s}, nil
	}
	rest := ""
	if n, _ := fmt.Sscanf(s+" ", "%dx%dx%dx%d%s", &t.Sockets, &t.L3s, &t.Cores, &t.Threads, &rest); n != 4 || t.check() != nil {
		return Topology{}, fmt.Errorf("forkjoin: topology is %q, want \"flat\" or sockets, caches, cores and threads as in \"2x4x8x2\", \"here\", or one of %s", s, machines())
	}
	return t, nil
}

func (t Topology) String() string {
	if t.flat() {
		return "flat"
	}
	if t.Machine != "" {
		return t.Machine
	}
	return fmt.Sprintf("%dx%dx%dx%d", t.Sockets, t.L3s, t.Cores, t.Threads)
}

func (t Topology) flat() bool { return t == Topology{} }

func (t Topology) check() error {
	if t.Machine != "" {
		if t != (Topology{Machine: t.Machine}) {
			return fmt.Errorf("forkjoin: sim.Topology has Machine %q and other fields, want one or the other", t.Machine)
		}
		if _, err := machine(t.Machine); err != nil {
			return fmt.Errorf("forkjoin: sim.Topology: Machine is %q, want \"here\" or one of %s", t.Machine, machines())
		}
		return nil
	}
	const most = 1 << 16
	for _, n := range []int{t.Sockets, t.L3s, t.Cores, t.Threads} {
		if !t.flat() && (n < 1 || n > most) {
			return fmt.Errorf("forkjoin: sim.Topology is %d sockets x %d caches x %d cores x %d threads, want each >= 1 and <= %d",
				t.Sockets, t.L3s, t.Cores, t.Threads, most)
		}
	}
	return nil
}

// block returns how many neighbours in a row are within a distance of each
// other.
func (t Topology) block(distance int) int64 {
	n := int64(t.Threads)
	if distance >= sameCache {
		n *= int64(t.Cores)
	}
	if distance >= sameSocket {
		n *= int64(t.L3s)
	}
	return n
}

// places returns where n workers are; nil if all are equally near.
func (t Topology) places(n int) places {
	if t.flat() {
		return nil
	}
	all := make(places, n)
	if t.Machine == "" {
		for i := range all {
			for d := range all[i] {
				all[i][d] = int32(int64(i) / t.block(d))
			}
		}
		return all
	}
	m, err := machine(t.Machine)
	if err != nil {
		return nil // check has said so
	}
	cpus := m.Neighbours(n)
	for i := range all {
		c := cpus[i%len(cpus)]
		all[i] = [otherSocket]int32{int32(c.L2), int32(c.L3), int32(c.Node)}
	}
	return all
}

// near returns the widest distance at which workers are near each other.
func (t Topology) near() int {
	if t.Machine != "" {
		if m, err := machine(t.Machine); err == nil {
			return m.Near()
		}
	}
	switch {
	case t.Cores > 1 || t.flat():
		return sameCache
	case t.L3s > 1:
		return sameSocket
	}
	return otherSocket
}

// places are the numbers of the cores, caches and sockets of workers.
type places [][otherSocket]int32

// distance returns how far apart two workers are.
func (p places) distance(a, b int32) int {
	if p == nil {
		return sameCache
	}
	for d := range otherSocket {
		if p[a][d] == p[b][d] {
			return d
		}
	}
	return otherSocket
}

// Distance returns how far apart two workers are: 0 on the same core (or in the
// same second-level cache), 1 at the same last-level cache, 2 in the same socket
// (or memory node), 3 beyond. In a flat topology it is 1. It panics if t is not
// valid, or a or b is not in [0, MaxWorkers).
func (t Topology) Distance(a, b int) int {
	if err := t.check(); err != nil {
		panic(err.Error())
	}
	if min(a, b) < 0 || max(a, b) >= MaxWorkers {
		panic(fmt.Sprintf("forkjoin: sim.Topology.Distance: a and b are %d and %d, want >= 0 and < %d", a, b, MaxWorkers))
	}
	return t.places(max(a, b)+1).distance(int32(a), int32(b))
}
