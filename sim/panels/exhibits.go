package panels

import (
	"encoding/json"
	"fmt"

	"github.com/forkjoin-go/forkjoin/sim/tick"
)

// The clocks at which the gradient is looked at.
var gradientClocks = []int64{0, 1, 2, 3, 4, 5, 6, 7, 8, 100, 200, 300, 400}

// snapshots runs the gradient's configuration and looks at worker 0.
func snapshots(in gradientInput, clocks []int64) ([]snapshot, error) {
	run := input{
		Workers: in.Workers, StealCost: 1, Leaf: in.Leaf, StealEnd: ends[tick.Far],
		Victim: victims[tick.RoundRobin], Stealing: in.Stealing, Tasks: in.Tasks, Deques: in.Deques,
	}
	c, err := run.config()
	if err != nil {
		return nil, err
	}
	views, err := tick.Watch(c, 0, clocks...)
	if err != nil {
		return nil, err
	}
	list := make([]snapshot, 0, len(views))
	for _, v := range views {
		s := snapshot{Clock: v.Clock, Deque: v.Deque}
		if v.Busy {
			s.InHand = &[2]int64{v.Hand, v.Left}
		}
		list = append(list, s)
	}
	return list, nil
}

// ourGradient is the gradient of panel D's tree on one of its workers.
func ourGradient() (gradient, error) {
	in := inputOf(changed(aTree(treeWorkers, root), none))
	g := gradient{Input: gradientInput{
		Workers: in.Workers, Leaf: in.Leaf, Stealing: in.Stealing, Tasks: in.Tasks, Deques: in.Deques,
	}}
	var err error
	g.Snapshots, err = snapshots(g.Input, gradientClocks)
	return g, err
}

// maxSeeds is how many bags a distribution may have.
const maxSeeds = 1 << 16

// distribute runs all bags of a distribution with both ends.
func distribute(in distributionInput) (*distribution, error) {
	if in.Generator != "uneven_bag" {
		return nil, fmt.Errorf("generator is %q, want \"uneven_bag\"", in.Generator)
	}
	if in.Workers != bagWorkers {
		return nil, fmt.Errorf("workers is %d, want %d, for which the generator draws", in.Workers, bagWorkers)
	}
	if in.Seeds[1] < in.Seeds[0] || in.Seeds[1]-in.Seeds[0] >= maxSeeds {
		return nil, fmt.Errorf("seeds are %d, want 1 to %d ascending ones", in.Seeds, maxSeeds)
	}
	victim, err := lookUp("victim", in.Victim, victims)
	if err != nil {
		return nil, err
	}
	d := &distribution{Input: in}
	for seed := uint64(in.Seeds[0]); seed <= uint64(in.Seeds[1]); seed++ {
		c := aBag(unevenBag(uint32(seed)))
		c.StealCost, c.Victims, c.Log = in.StealCost, tick.Victims(victim), 0
		far, err := tick.Run(c)
		if err != nil {
			return nil, err
		}
		own, err := tick.Run(changed(c, own))
		if err != nil {
			return nil, err
		}
		d.Far = append(d.Far, far.Makespan)
		d.Own = append(d.Own, own.Makespan)
	}
	d.Expect = describe(d.Far, d.Own)
	return d, nil
}

// describe sums up the makespans with either end.
func describe(far, own []int64) distributionExpect {
	var e distributionExpect
	var sumFar, sumOwn int64
	differences := make([]int64, len(far))
	for i := range far {
		sumFar += far[i]
		sumOwn += own[i]
		differences[i] = own[i] - far[i]
		switch {
		case own[i] < far[i]:
			e.OwnBetter++
		case own[i] > far[i]:
			e.FarBetter++
		default:
			e.Ties++
		}
	}
	n := int64(len(far))
	difference := fraction{sumOwn - sumFar, n}.signed(3)
	if difference[0] == '+' {
		difference = difference[1:]
	}
	e.Difference = json.Number(difference)
	e.Deviation = json.Number(deviation(differences))
	e.MeanFar = json.Number(fraction{sumFar, n}.decimal(3))
	e.MeanOwn = json.Number(fraction{sumOwn, n}.decimal(3))
	return e
}

// ourBags is the distribution that the panels show.
var ourBags = distributionInput{
	Seeds: [2]uint32{1, 500}, Workers: bagWorkers, StealCost: stealCost,
	Victim: victims[tick.RoundRobin], Generator: "uneven_bag",
}
