package sim

import (
	"fmt"
	"math"
)

// Costs are what scheduling takes, in nanoseconds; parts of one count. The zero
// Costs are free. [Calibrate] measures them on this machine.
type Costs struct {
	Inline  float64 `json:"inline"`  // a join of a recursion that is run as two plain calls
	Push    float64 `json:"push"`    // a fork
	Pop     float64 `json:"pop"`     // taking its second branch back
	Publish float64 `json:"publish"` // showing private frames to thieves
	Poll    float64 `json:"poll"`    // a look around between two chunks of a loop
	Spawn   float64 `json:"spawn"`   // giving a function to a group

	Probe float64            `json:"probe"` // looking at one victim
	Steal [distances]float64 `json:"steal"` // taking from one, by distance, until the first instruction runs

	Wake     float64 `json:"wake"`     // for who wakes a sleeping worker
	WakeTime float64 `json:"wakeTime"` // from the beginning of that until that worker looks for work
	Park     float64 `json:"park"`     // from the end of a stolen branch until its parked owner goes on
}

// TypicalCosts are those of a server core of about 2.4 GHz with Linux.
func TypicalCosts() Costs {
	return Costs{
		Inline: 3, Push: 8, Pop: 4, Publish: 20, Poll: 15, Spawn: 150,
		Probe: 5, Steal: [distances]float64{150, 200, 300, 600},
		Wake: 8000, WakeTime: 25000, Park: 5000,
	}
}

func (c *Costs) all() []float64 {
	return append([]float64{c.Inline, c.Push, c.Pop, c.Publish, c.Poll, c.Spawn, c.Probe, c.Wake, c.WakeTime, c.Park}, c.Steal[:]...)
}

func (c *Costs) check() error {
	for _, v := range c.all() {
		if !(v >= 0 && v <= 1e12) {
			return fmt.Errorf("forkjoin: sim.Costs: a cost is %v, want >= 0 and <= 1e12 nanoseconds", v)
		}
	}
	return nil
}

// Times returns c with all costs multiplied by x.
func (c Costs) Times(x float64) Costs {
	for _, p := range []*float64{&c.Inline, &c.Push, &c.Pop, &c.Publish, &c.Poll, &c.Spawn, &c.Probe, &c.Wake, &c.WakeTime, &c.Park} {
		*p *= x
	}
	for i := range c.Steal {
		c.Steal[i] *= x
	}
	return c
}

// prices are Costs in picoseconds: the engine counts in whole numbers.
type prices struct {
	inline, push, pop, publish, poll, spawn int64
	probe                                   int64
	steal                                   [distances]int64
	wake, wakeTime, park                    int64
}

func (c *Costs) prices() (p prices) {
	ps := func(ns float64) int64 { return int64(math.Round(ns * 1000)) }
	p = prices{
		inline: ps(c.Inline), push: ps(c.Push), pop: ps(c.Pop), publish: ps(c.Publish), poll: ps(c.Poll), spawn: ps(c.Spawn),
		probe: ps(c.Probe), wake: ps(c.Wake), wakeTime: ps(c.WakeTime), park: ps(c.Park),
	}
	for i := range c.Steal {
		p.steal[i] = ps(c.Steal[i])
	}
	return p
}

// A Topology says which workers are near each other. Workers are numbered along
// it: the threads of a core follow each other, so do the cores that share a
// cache, and so on. The zero Topology is flat: all are equally near.
type Topology struct {
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

// ParseTopology reads "flat" or four numbers, as in "2x4x8x2": sockets, caches
// of each, cores of each, threads of each.
func ParseTopology(s string) (t Topology, err error) {
	if s == "" || s == "flat" {
		return Topology{}, nil
	}
	rest := ""
	if n, _ := fmt.Sscanf(s+" ", "%dx%dx%dx%d%s", &t.Sockets, &t.L3s, &t.Cores, &t.Threads, &rest); n != 4 || t.check() != nil {
		return Topology{}, fmt.Errorf("forkjoin: topology is %q, want \"flat\" or sockets, caches, cores and threads as in \"2x4x8x2\"", s)
	}
	return t, nil
}

func (t Topology) String() string {
	if t.flat() {
		return "flat"
	}
	return fmt.Sprintf("%dx%dx%dx%d", t.Sockets, t.L3s, t.Cores, t.Threads)
}

func (t Topology) flat() bool { return t == Topology{} }

func (t Topology) check() error {
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
func (t Topology) block(distance int) int {
	n := t.Threads
	if distance >= sameCache {
		n *= t.Cores
	}
	if distance >= sameSocket {
		n *= t.L3s
	}
	return n
}

// Distance returns how far apart two workers are: 0 on the same core, 1 at the
// same cache, 2 in the same socket, 3 beyond. In a flat topology it is 1.
func (t Topology) Distance(a, b int) int {
	if t.flat() {
		return sameCache
	}
	for d := sameCore; d < otherSocket; d++ {
		if n := t.block(d); a/n == b/n {
			return d
		}
	}
	return otherSocket
}
