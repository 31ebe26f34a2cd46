package sim_test

import (
	"fmt"

	"github.com/forkjoin-go/forkjoin"
	"github.com/forkjoin-go/forkjoin/sim"
)

// The costs are declared, so the recording is the same each time.
func ExampleReplay() {
	tree, err := sim.Record(func() {
		forkjoin.Join(
			func() { forkjoin.Charge(300) },
			func() { forkjoin.Charge(200) })
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for workers := 1; workers <= 2; workers++ {
		r, err := sim.Replay(tree, sim.Config{Workers: workers})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(workers, r.Makespan, r.Steals)
	}
	// Output:
	// 1 500 0
	// 2 300 1
}

// The loop appends in the order in which its iterations run.
func ExampleExplore() {
	err := sim.Explore(100, func() []int {
		var squares []int
		forkjoin.ParallelFor(4, func(i int) { squares = append(squares, i*i) })
		return squares
	})
	fmt.Println(err != nil)
	// Output: true
}

func ExampleTree_Scale() {
	tree := sim.Binary(3, 10, 100) // 7 nodes of 10, 8 leaves of 100
	faster, err := tree.Scale("node", 0.5)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(tree.Measure(0).Work, faster.Measure(0).Work)
	// Output: 870 440
}
