package tick_test

import (
	"fmt"

	"github.com/forkjoin-go/forkjoin/sim/tick"
)

func ExampleRun() {
	c := tick.Config{
		Workers:   8,
		StealCost: 8,
		Deques:    [][]int64{{1024}}, // one task of size 1024, held by worker 0
		Divisible: true,              // that is split in halves
		Leaf:      8,                 // down to this size
	}
	far, err := tick.Run(c)
	if err != nil {
		fmt.Println(err)
		return
	}
	c.StealEnd = tick.Own
	own, err := tick.Run(c)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("work %d, span %d, so at least %d ticks\n", c.Work(), c.Span(), far.Floor())
	fmt.Printf("far end: %d ticks, %d steals\n", far.Makespan, far.Steals)
	fmt.Printf("own end: %d ticks, %d steals\n", own.Makespan, own.Steals)
	// Output:
	// work 1151, span 15, so at least 144 ticks
	// far end: 211 ticks, 16 steals
	// own end: 342 ticks, 50 steals
}

func ExampleWatch() {
	views, err := tick.Watch(tick.Config{
		Workers: 1, StealCost: 1, Deques: [][]int64{{1024}}, Divisible: true, Leaf: 8,
	}, 0, 7, 400)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, v := range views {
		fmt.Println("after", v.Clock, "ticks, far end first:", v.Deque)
	}
	// Output:
	// after 7 ticks, far end first: [512 256 128 64 32 16 8 8]
	// after 400 ticks, far end first: [512 128 16 8 8]
}
