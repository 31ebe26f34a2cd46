// Command goldentree guards the scalability of a program without a quiet machine
// or many processors: it records the program's task tree, with declared costs so
// that the recording is the same each time, and checks it against bounds. A test
// or a CI step does the same with a recording that is kept in the repository:
//
//	forkjoin check -span-max 9000 -parallelism-min 5 -costs free -predict 64:9000 tree.fj
//
// Scheduling is free there, since its costs are nanoseconds and the units that the
// program declares are something else.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/forkjoin-go/forkjoin"
	"github.com/forkjoin-go/forkjoin/sim"
)

func main() {
	file := flag.String("o", "", "keep the recording in `FILE`")
	n := flag.Int("n", 4096, "numbers to sort")
	flag.Parse()
	if err := run(os.Stdout, *n, *file); err != nil {
		fmt.Fprintln(os.Stderr, "goldentree:", err)
		os.Exit(1)
	}
}

func run(w io.Writer, n int, file string) error {
	tree, err := sim.Record(func() { mergesort(n) })
	if err != nil {
		return err
	}
	if file != "" {
		if err := tree.WriteFile(file); err != nil {
			return err
		}
	}
	m := tree.Measure(0)
	fmt.Fprintf(w, "work %d, span %d, parallelism %.1f\n", m.Work, m.Span, m.Parallelism())

	// A sequential merge halves the parallelism with each doubling: this bound is
	// what a better merge would have to beat.
	if m.Span > int64(3*n) {
		return errors.New("the span has grown")
	}
	r, err := sim.Replay(tree, sim.Config{Workers: 64})
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "on 64 workers without scheduling costs: %d units, %.1f times faster than one\n", r.Makespan, r.Speedup())
	return nil
}

// mergesort stands for a program that sorts n numbers: it says what each part
// costs, in comparisons.
func mergesort(n int) {
	if n <= 16 {
		forkjoin.Charge(int64(n * n / 4))
		return
	}
	forkjoin.Join(func() { mergesort(n / 2) }, func() { mergesort(n - n/2) })
	forkjoin.Labeled("merge", func() { forkjoin.Charge(int64(n)) })
}
