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

	// What the task loses that was taken, by distance, because its data is in
	// other caches: it runs at half its speed until it has lost so much.
	Refill [distances]float64 `json:"refill,omitzero"`

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
	return append([]float64{c.Inline, c.Push, c.Pop, c.Publish, c.Poll, c.Spawn, c.Probe, c.Wake, c.WakeTime, c.Park}, append(c.Steal[:], c.Refill[:]...)...)
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
		c.Refill[i] *= x
	}
	return c
}

// prices are Costs in picoseconds: the engine counts in whole numbers.
type prices struct {
	inline, push, pop, publish, poll, spawn int64
	probe                                   int64
	steal, refill                           [distances]int64
	wake, wakeTime, park                    int64
}

func (c *Costs) prices() (p prices) {
	ps := func(ns float64) int64 { return int64(math.Round(ns * 1000)) }
	p = prices{
		inline: ps(c.Inline), push: ps(c.Push), pop: ps(c.Pop), publish: ps(c.Publish), poll: ps(c.Poll), spawn: ps(c.Spawn),
		probe: ps(c.Probe), wake: ps(c.Wake), wakeTime: ps(c.WakeTime), park: ps(c.Park),
	}
	for i := range c.Steal {
		p.steal[i], p.refill[i] = ps(c.Steal[i]), ps(c.Refill[i])
	}
	return p
}
