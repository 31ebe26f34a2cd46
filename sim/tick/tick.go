// Package tick simulates work stealing on a clock that counts ticks: every
// worker has one turn in each tick, in the order of their numbers, and sees what
// those before it did. The model is small enough to be followed by hand, and
// every figure is an integer, so two implementations agree exactly or one of
// them is wrong.
//
//	r, err := tick.Run(tick.Config{
//		Workers:   8,
//		StealCost: 8,
//		Deques:    [][]int64{{1024}}, // one task of size 1024, held by worker 0
//		Divisible: true,              // that is split in halves
//		Leaf:      8,                 // down to this size
//	})
//	// r.Makespan is 211; with StealEnd: tick.Own it is 342.
//
// # The model
//
// A task has a size. It is divisible if [Config.Divisible] is set and its size
// is above [Config.Leaf]; then it takes one tick and leaves two tasks of half its
// size. Otherwise it takes as many ticks as its size says.
//
// A worker has a deque with two ends: the far end, where the oldest tasks are,
// and its own end. The turn of a worker, in numbered steps:
//
//  1. With no task in hand and no steal begun, it takes one from its own end, if
//     there is one.
//  2. With a task in hand, it works on it for this tick. If that was the last one
//     and the task is divisible, it pushes the first half and then the second on
//     its own end. The turn is over.
//  3. Otherwise it steals: that takes [Config.StealCost] ticks. At the last of
//     them it chooses a victim. If the victim's deque is empty, the attempt has
//     failed. Otherwise it takes the task at the far end ([Config.StealEnd] may
//     say the own end) in hand, to begin in its next turn.
//
// The run ends after the tick in which the last task does. The later fields of
// Config change the rules one by one; all are off by default. The tests have a
// reference that tells all of them turn by turn, which Run must equal.
//
// # Cost
//
// The simulator goes from event to event: a run costs a few tens of nanoseconds
// for each task and each attempt to steal, more by the logarithm of the number
// of workers, however many ticks it covers. Attempts that must fail because no
// deque holds a task are counted without being simulated. Memory grows with the
// workers and with the tasks that lie in deques or wait at one time.
package tick

import (
	"fmt"
	"math"
)

// Config is what to simulate. Costs, delays and sizes are in ticks.
type Config struct {
	// Workers is their number, from 1 to 4096.
	Workers int

	// Deques are the tasks at the start: the sizes in each worker's deque, the
	// far end first. Workers beyond the last one have none.
	Deques [][]int64

	// Divisible says that tasks larger than Leaf are split.
	Divisible bool
	Leaf      int64

	// StealCost is what an attempt to steal takes, at least 1.
	StealCost int64

	// StealEnd is where thieves take from.
	StealEnd End

	// Victims says whom they rob, and Seed where the random ones start.
	Victims Victims
	Seed    uint32

	// NoStealing keeps every task where it is.
	NoStealing bool

	// OwnerFIFO makes owners take from the far end, too.
	OwnerFIFO bool

	// Refund makes a thief choose its victim at the first tick of an attempt and
	// look at it in every tick: if the deque is empty the attempt has failed at
	// once, and the ticks that are left are not spent.
	Refund bool

	// Joins makes a task that was split wait for its halves; JoinCost is what it
	// then has left to do.
	Joins    Joins
	JoinCost int64

	// SleepAfter, unless 0, sends a worker to sleep after so many failed attempts
	// in a row. Each split wakes the worker that fell asleep last. It has its next
	// turn WakeDelay ticks later than if it had been awake; whoever woke it does
	// nothing for the next WakeCost ticks. With WakeChain a thief that leaves
	// something for others wakes one, too.
	SleepAfter          int
	WakeDelay, WakeCost int64
	WakeChain           bool

	// StealHalf makes thieves take half of the tasks (the larger half) instead of
	// one. The one that they would have taken is in hand, the others are in the
	// thief's deque in their old order.
	StealHalf bool

	// GroupSize, unless 0, puts workers into groups of so many by their number. A
	// steal from another group takes RemoteCost instead of StealCost, so the
	// victim is chosen at the first tick.
	GroupSize  int
	RemoteCost int64

	// StealHold is for how many ticks a steal keeps the deque to itself. A thief
	// that has got to the end of its attempt meanwhile goes on until the deque is
	// free; so does an owner that wants the last task.
	StealHold int64

	// PopCost is what an owner pays to take a task that thieves could take, too.
	PopCost int64

	// Private hides tasks from thieves. An owner that has been asked in vain makes
	// half of its tasks (the larger half, from the far end) public when it next
	// takes one, unless some still are. That, not a split, wakes a sleeper.
	Private bool

	// Log is how many steals are recorded in Result.Log; below 0: all.
	Log int
}

// End is an end of a deque.
type End uint8

const (
	Far End = iota // where the oldest task is
	Own            // where the owner pushes and pops
)

// Victims is how thieves choose.
type Victims uint8

const (
	// RoundRobin: each thief asks all others in turn, beginning with the next.
	RoundRobin Victims = iota
	// Random: any of the others, from one sequence of random numbers for all.
	Random
	// Richest: whoever has most tasks; of several, the first.
	Richest
	// Near: those of its own group in turn; after a round there that gave nothing,
	// one of the others, in turn.
	Near
)

// Joins is what becomes of a task that was split.
type Joins uint8

const (
	// NoJoins: it is over.
	NoJoins Joins = iota
	// JoinLast: whoever ends the last of its halves goes on with it at once.
	JoinLast
	// JoinAny: its worker goes on with it. Until then it does what it finds, and
	// what it has begun must end first, including what that waits for.
	JoinAny
	// JoinLeapfrog: the same, but it takes only descendants of the task from its
	// deque, and steals only from the thief of the half it waits for.
	JoinLeapfrog
	// JoinPark: the same, but it does not steal. It is asleep until both are done;
	// WakeDelay and WakeCost hold for it, too.
	JoinPark
)

// waits says that tasks stay with the worker that split them.
func (j Joins) waits() bool { return j >= JoinAny }

// descends says that a waiting worker takes descendants only.
func (j Joins) descends() bool { return j >= JoinLeapfrog }

const (
	maxWorkers = 1 << 12
	maxCost    = 1 << 20
	maxWork    = 1 << 40 // of all sizes together
	maxTick    = 1 << 50
)

// check returns what is wrong with the configuration.
func (c *Config) check() error {
	if c.Workers < 1 || c.Workers > maxWorkers {
		return bad("Workers", c.Workers, fmt.Sprintf("1 to %d", maxWorkers))
	}
	if len(c.Deques) > c.Workers {
		return fmt.Errorf("forkjoin: Config.Deques has %d deques for %d workers", len(c.Deques), c.Workers)
	}
	for _, cost := range []struct {
		name       string
		value, min int64
	}{
		{"StealCost", c.StealCost, 1}, {"WakeDelay", c.WakeDelay, 0}, {"WakeCost", c.WakeCost, 0},
		{"StealHold", c.StealHold, 0}, {"PopCost", c.PopCost, 0},
		{"SleepAfter", int64(c.SleepAfter), 0}, {"GroupSize", int64(c.GroupSize), 0},
		{"RemoteCost", c.RemoteCost, min(1, int64(max(c.GroupSize, 0)))},
	} {
		if cost.value < cost.min || cost.value > maxCost {
			return bad(cost.name, cost.value, fmt.Sprintf("%d to %d", cost.min, maxCost))
		}
	}
	if c.StealEnd > Own {
		return bad("StealEnd", c.StealEnd, "Far or Own")
	}
	if c.Victims > Near {
		return bad("Victims", c.Victims, "one of the constants")
	}
	if c.Joins > JoinPark {
		return bad("Joins", c.Joins, "one of the constants")
	}
	if err := c.checkTogether(); err != nil {
		return err
	}
	return c.checkTasks()
}

func bad(field string, got any, want string) error {
	return fmt.Errorf("forkjoin: Config.%s is %v, want %s", field, got, want)
}

// checkTogether refuses rules that contradict each other.
func (c *Config) checkTogether() error {
	switch {
	case c.Victims == Near && c.GroupSize == 0:
		return fmt.Errorf("forkjoin: Config.Victims is Near, which wants a GroupSize")
	case c.OwnerFIFO && c.Joins.descends():
		// What is at the far end is older than the waiting task.
		return fmt.Errorf("forkjoin: Config.OwnerFIFO is set, but owners that wait take only descendants, from their own end")
	case c.StealHalf && c.Joins.descends():
		// A half that lies below a waiting task would wait for it: a deadlock, if
		// that task waits for something held by the half's parent.
		return fmt.Errorf("forkjoin: Config.StealHalf is set, but thieves that wait may run descendants only")
	case c.Private && c.StealEnd == Own:
		return fmt.Errorf("forkjoin: Config.Private is set, but StealEnd is Own, where the private tasks are")
	case c.Private && c.OwnerFIFO:
		return fmt.Errorf("forkjoin: Config.Private is set, but with OwnerFIFO owners take the public tasks first")
	}
	return nil
}

// checkTasks returns what is wrong with the tasks.
func (c *Config) checkTasks() error {
	if c.Divisible && c.Leaf < 1 {
		return bad("Leaf", c.Leaf, "at least 1")
	}
	if c.JoinCost < 0 || c.JoinCost > maxCost {
		return bad("JoinCost", c.JoinCost, fmt.Sprintf("0 to %d", maxCost))
	}
	var sum int64
	for w, sizes := range c.Deques {
		if len(sizes) > math.MaxInt32 {
			return fmt.Errorf("forkjoin: Config.Deques[%d] has %d tasks", w, len(sizes))
		}
		for i, size := range sizes {
			if size < 1 || size > maxWork-sum {
				return fmt.Errorf("forkjoin: Config.Deques[%d][%d] is %d, want at least 1, and all together at most %d", w, i, size, int64(maxWork))
			}
			sum += size
		}
	}
	return nil
}

// divisible says whether a task of that size is split.
func (c *Config) divisible(size int64) bool { return c.Divisible && size > c.Leaf }

// cost returns the ticks that a task of that size takes itself.
func (c *Config) cost(size int64) int64 {
	if c.divisible(size) {
		return 1
	}
	return size
}

// subtree measures a task with all that comes of it, as if Leaf divided every
// size that is met. It only describes what a steal moved.
func (c *Config) subtree(size int64) int64 {
	if c.divisible(size) {
		return size + size/c.Leaf - 1
	}
	return size
}
