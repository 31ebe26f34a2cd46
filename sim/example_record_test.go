package sim_test

import (
	"bytes"
	"fmt"

	"github.com/forkjoin-go/forkjoin"
	"github.com/forkjoin-go/forkjoin/sim"
)

// The costs are declared, so the tree is the same each time.
func ExampleRecord() {
	tree, err := sim.Record(func() {
		forkjoin.Charge(10) // what comes before
		forkjoin.Join(
			func() { forkjoin.Charge(300) },
			func() { forkjoin.ParallelFor(100, func(int) { forkjoin.Charge(4) }) })
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	m := tree.Measure(0)
	fmt.Printf("work %d, span %d, parallelism %.2f\n", m.Work, m.Span, m.Parallelism())
	// Output: work 710, span 310, parallelism 2.29
}

func ExampleBuilder() {
	b := sim.NewBuilder()
	b.Work(10)
	b.Fork("halves")
	b.Work(30)
	b.Second()
	b.Work(20)
	b.Join()
	tree, err := b.Tree()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(tree.Measure(0).Work, tree.Measure(0).Span)
	// Output: 60 40
}

func ExampleTree_Write() {
	var file bytes.Buffer
	if err := sim.Fib(20, 5).Write(&file); err != nil {
		fmt.Println(err)
		return
	}
	size := file.Len()
	tree, err := sim.Read(&file)
	if err != nil {
		fmt.Println(err)
		return
	}
	tasks := tree.Counts().Tasks
	fmt.Printf("%d tasks, %d bytes for each\n", tasks, (int64(size)+tasks/2)/tasks)
	// Output: 21891 tasks, 2 bytes for each
}
