package sim

import "fmt"

// A Config says how a [Tree] is to be run on the virtual clock: on how many
// workers, by which policies, at which costs. The zero value of each policy is
// what the library does; zero Costs make scheduling free.
type Config struct {
	Workers int    `json:"workers"` // 1 to MaxWorkers
	Seed    uint64 `json:"seed"`    // of the thieves' random choices

	StealEnd StealEnd `json:"stealEnd"`
	Owner    Order    `json:"owner"`
	Amount   Amount   `json:"amount"`
	Victim   Victim   `json:"victim"`
	Deque    Deque    `json:"deque"`
	Waiting  Waiting  `json:"waiting"`
	Splitter Splitter `json:"splitter"`
	Leaf     int64    `json:"leaf"` // iterations at most, for SplitFixed, in place of what the program asks for; 0: an eighth of a worker's share
	Sleep    Sleep    `json:"sleep"`

	Costs        Costs    `json:"costs"`
	FreeFailures bool     `json:"freeFailures"` // a steal that fails takes no time
	Topology     Topology `json:"topology"`

	// What to keep of a run besides its totals.
	Steals   int `json:"-"` // at most so many entries of Result.Log
	Timeline int `json:"-"` // at most so many of Result.Timeline
}

// MaxWorkers is the largest number of workers of a simulated run.
const MaxWorkers = 4096

// StealEnd is the end of a deque that thieves take from.
type StealEnd uint8

// Ends of a deque.
const (
	StealFar StealEnd = iota // the oldest frame
	StealOwn                 // the owner's end: the newest frame
)

// Order is the one in which an owner takes its own frames back.
type Order uint8

// Orders of owners.
const (
	LIFO Order = iota // the newest first
	FIFO              // the oldest first
)

// Amount is how much a thief takes at once.
type Amount uint8

// Amounts.
const (
	StealOne  Amount = iota
	StealHalf        // half of the frames on offer; a thief that waits takes one
)

// Victim is how a thief chooses whom to look at first.
type Victim uint8

// Choices of victims. Each goes on to all others before it begins again.
const (
	VictimDefault    Victim = iota // the library's: by distance, as VictimNearest; if all are equally near, the last one that gave, then from a random start with a random stride
	VictimRoundRobin               // from the one after the last looked at
	VictimRandom                   // from a random start with a random stride
	VictimLast                     // the last one that gave, then round robin
	VictimNearest                  // by distance, random among the equally near, and now and then from a random start
	VictimRichest                  // the one with the most frames on offer, found at the price of one look
)

// Deque is where frames wait.
type Deque uint8

// Kinds of deques.
const (
	DequeSplit   Deque = iota // private until somebody wants work
	DequeShared               // every frame can be stolen from the start
	DequeCentral              // one queue for all workers
)

// Waiting is what a worker does whose branch was stolen.
type Waiting uint8

// Ways of waiting.
const (
	WaitLeapfrog Waiting = iota // takes from the thief of its branch, else parks and lets another worker run
	WaitAny                     // takes whatever there is
	WaitPark                    // parks at once and lets another worker run
)

// Splitter is how loops are cut.
type Splitter uint8

// Splitters.
const (
	SplitLazy  Splitter = iota // the library's: half of what is left, when somebody wants work
	SplitFixed                 // in halves down to Config.Leaf, in advance
	SplitRayon                 // in advance by the number of workers, anew after each steal
	SplitTBB                   // four parts for each worker in advance, a stolen one once more
)

// Sleep is what a worker does that finds nothing.
type Sleep uint8

// Sleep policies.
const (
	SleepWorth  Sleep = iota // the library's: half of the workers search, for a bounded time; wakes must be worth it
	SleepNever               // searches until the end
	SleepAtOnce              // sleeps at once; every frame shown wakes somebody if nobody searches
)

// check returns what is wrong with c.
func (c *Config) check() error {
	switch {
	case c.Workers < 1 || c.Workers > MaxWorkers:
		return fmt.Errorf("forkjoin: sim.Config: Workers is %d, want >= 1 and <= %d", c.Workers, MaxWorkers)
	case c.Leaf < 0:
		return fmt.Errorf("forkjoin: sim.Config: Leaf is %d, want >= 0", c.Leaf)
	}
	for _, p := range []struct {
		what string
		is   uint8
		n    int
	}{
		{"StealEnd", uint8(c.StealEnd), len(stealEndNames)}, {"Owner", uint8(c.Owner), len(orderNames)},
		{"Amount", uint8(c.Amount), len(amountNames)}, {"Victim", uint8(c.Victim), len(victimNames)},
		{"Deque", uint8(c.Deque), len(dequeNames)}, {"Waiting", uint8(c.Waiting), len(waitingNames)},
		{"Splitter", uint8(c.Splitter), len(splitterNames)}, {"Sleep", uint8(c.Sleep), len(sleepNames)},
	} {
		if int(p.is) >= p.n {
			return fmt.Errorf("forkjoin: sim.Config: %s is %d, want < %d", p.what, p.is, p.n)
		}
	}
	if err := c.Costs.check(); err != nil {
		return err
	}
	return c.Topology.check()
}
