package sim_test

import (
	"context"
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

func ExampleSweep() {
	tree := sim.Fib(20, 1000) // 21,891 calls of 1 µs
	cfg, err := sim.Preset("forkjoin", 8)
	if err != nil {
		fmt.Println(err)
		return
	}
	// Four points: 1, 2, 4 and 8 workers. Let the runs share the processors.
	s := sim.Sweep{For: func(n int, body func(i int)) { forkjoin.ParallelFor(n, body) }}
	curve, err := s.Run(context.Background(), tree, cfg)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range curve.Points {
		fmt.Printf("%d workers: %.0f times faster\n", p.Workers, p.Speedup)
	}
	// Output:
	// 1 workers: 1 times faster
	// 2 workers: 2 times faster
	// 4 workers: 4 times faster
	// 8 workers: 8 times faster
}

// A chain of forks has little to share, however many workers there are.
func ExampleExplain() {
	b := sim.NewBuilder()
	for range 10 {
		b.Work(800)
		b.Fork("step")
		b.Work(100)
		b.Second()
		b.Work(100)
		b.Join()
	}
	b.Describe(sim.Meta{Declared: true})
	tree, err := b.Tree()
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := sim.Replay(tree, sim.Config{Workers: 4})
	if err != nil {
		fmt.Println(err)
		return
	}
	sentences, err := sim.Explain(tree, r)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(sentences[1])
	// Output: It is limited by its span: the longest chain of pieces that wait for each other takes 9,000 units, so more than about 1.1 workers find nothing to do.
}
