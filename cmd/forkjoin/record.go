package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"text/tabwriter"
	"time"

	"github.com/forkjoin-go/forkjoin"
	"github.com/forkjoin-go/forkjoin/internal/cputime"
	"github.com/forkjoin-go/forkjoin/internal/digits"
	"github.com/forkjoin-go/forkjoin/internal/progress"
	"github.com/forkjoin-go/forkjoin/internal/wholefile"
	"github.com/forkjoin-go/forkjoin/internal/workload"
	"github.com/forkjoin-go/forkjoin/sim"
)

var recordCommand = command{
	name:    "record",
	summary: "run a program and keep its task tree",
	run:     runRecord,
}

const recordHelp = `usage: forkjoin record [FLAGS] PROGRAM [ARGUMENT...]

Records what a program forks and what each piece costs, and prints its work (the
time on one worker), its span (the time on any number), and its parallelism (work
divided by span). "forkjoin replay" shows what other numbers of workers would do
with it.

PROGRAM is any executable that uses the library. It need not be changed: it is run
with the environment variable FORKJOIN_RECORD set, and writes the recording while
it runs. That is complete whatever ends the program, but for calls that have not
returned by then, and it is kept if the program fails or is interrupted. What it does
between two calls of the library counts as sequential work, and what it does before the
first and after the last is not seen; so most is seen of a program that runs all in
forkjoin.Default().Run. If the program used less processor time than there is work, it is
said: then other programs were on the processors, or it waited.

Or PROGRAM is one that is built in, which is recorded on one worker, up to five times
until no other program disturbs it: fib, mergesort, quicksort, nqueens, matmul, tree,
mapreduce, mandelbrot, triad, counters.

Example:
  go build -o /tmp/sort ./examples/mergesort && forkjoin record -o sort.fj /tmp/sort

Flags:
`

func runRecord(args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("record", flag.ContinueOnError)
	out := flags.String("o", "recording.fj", "write the recording to `FILE`")
	size := flags.Int("size", 0, "input size `N` of a built-in program, 0 for one of some tens of milliseconds")
	parallel := flags.Bool("parallel", false, "run a built-in program on GOMAXPROCS workers")
	quiet := flags.Bool("quiet", false, "print nothing about the recording, and show no progress")
	if status, proceed := parse(flags, args, math.MaxInt, recordHelp, stdout, stderr); !proceed {
		return status
	}
	builtIn, built := workload.Named(flags.Arg(0))
	switch {
	case flags.NArg() == 0:
		return misused(flags, stderr, "no program is named")
	case *out == "":
		return misused(flags, stderr, "-o is empty")
	case *size < 0:
		return misused(flags, stderr, "-size is %d, want >= 0", *size)
	case !built && (*size != 0 || *parallel):
		return misused(flags, stderr, "-size and -parallel are for built-in programs, and %q is none", flags.Arg(0))
	case built && *size > builtIn.Most:
		return misused(flags, stderr, "-size is %d, want <= %d for %s", *size, builtIn.Most, builtIn.Name)
	case built && flags.NArg() > 1:
		return misused(flags, stderr, "unexpected argument %q", flags.Arg(1))
	}
	var tree *sim.Tree
	var doubt string
	var err error
	if built {
		var line *progress.Line
		if !*quiet {
			line = progress.New(stderr)
			line.Step("record " + builtIn.Name)
		}
		var delay time.Duration
		tree, delay, err = recordBuiltIn(*out, builtIn, *size, *parallel)
		line.Stop()
		doubt = delayed(tree, delay)
	} else {
		var used time.Duration
		tree, used, err = recordProgram(*out, flags.Args(), stdout, stderr)
		doubt = waited(tree, used)
	}
	if tree != nil && !*quiet {
		describe(tree, *out, doubt, stdout)
	}
	if err != nil {
		fmt.Fprintf(stderr, "forkjoin: record: %v\n", plain(err))
		return failure
	}
	return ok
}

// recordBuiltIn records a built-in program, again if other programs were on the
// processor: then what it had to wait is in the costs. The least disturbed recording
// counts. It also returns how long that had to wait.
func recordBuiltIn(out string, w workload.Workload, size int, parallel bool) (*sim.Tree, time.Duration, error) {
	if size == 0 {
		size = w.Size
	}
	record := sim.Record
	if parallel {
		record = sim.RecordParallel
	}
	var tree *sim.Tree
	var delay time.Duration
	err := untilSignal(func(ctx context.Context) error {
		work, reset := w.Make(size)
		for began, n := time.Now(), 0; n == 0 || n < 5 && disturbed(tree, delay) && time.Since(began) < 2*time.Second; n++ {
			before := cputime.Delayed()
			t, err := record(func() { forkjoin.Labeled(w.Name, func() { work() }) })
			if err != nil {
				return err
			}
			if d := cputime.Delayed() - before; tree == nil || d < delay {
				tree, delay = t, d
			}
			if err := context.Cause(ctx); err != nil {
				return err
			}
			reset()
		}
		return write(ctx, out, nil, tree.Write)
	})
	if err != nil {
		return nil, 0, err
	}
	return tree, delay, nil
}

// disturbed reports whether a recorded run had to wait for processors for so long
// that its costs are off by it.
func disturbed(t *sim.Tree, delay time.Duration) bool {
	return int64(delay) > t.Measure(0).Work/50
}

// delayed says that a recorded run had to wait for processors, if it matters.
func delayed(t *sim.Tree, delay time.Duration) string {
	if t == nil || !disturbed(t, delay) {
		return ""
	}
	return fmt.Sprintf("other programs were on the processors: it waited %v for them, so record again", delay.Round(time.Microsecond))
}

// waited says that a program cannot have done the work in its recording in the
// processor time that it used, all in all. Then the clock went on while other programs
// were on its processors, or while it waited for something by itself.
func waited(t *sim.Tree, used time.Duration) string {
	if t == nil || t.Meta().Declared || used <= 0 {
		return ""
	}
	work := time.Duration(t.Measure(0).Work)
	if work <= used+used/20+time.Millisecond {
		return ""
	}
	return fmt.Sprintf("the program used processors for %v only: other programs were on them, so record again, or it waited (see forkjoin.Blocking)", used.Round(time.Microsecond))
}

// recordProgram runs a program and puts its recording into a file. There may be a
// recording although the program failed. It also returns the processor time that the
// program used, 0 if that is not known.
func recordProgram(out string, args []string, stdout, stderr io.Writer) (*sim.Tree, time.Duration, error) {
	if info, err := os.Stat(filepath.Dir(out)); err != nil || !info.IsDir() {
		return nil, 0, fmt.Errorf("there is no directory %s", filepath.Dir(out))
	}
	if err := wholefile.Check(out); err != nil {
		return nil, 0, err
	}
	dir := os.TempDir() // not beside a device
	if wholefile.Regular(out) {
		dir = filepath.Dir(out)
	}
	dir, err := filepath.Abs(dir) // the program may change into another one
	if err != nil {
		return nil, 0, err
	}
	growing := filepath.Join(dir, fmt.Sprintf("%s.%d.tmp", filepath.Base(out), os.Getpid()))
	defer os.Remove(growing)
	used, failed := runUntilSignal(growing, args, stdout, stderr)
	recording, err := os.ReadFile(growing)
	switch {
	case errors.Is(err, os.ErrNotExist) && failed != nil:
		return nil, 0, failed
	case errors.Is(err, os.ErrNotExist):
		return nil, 0, fmt.Errorf("%s made no call of the library, so there is no recording", args[0])
	case err != nil:
		return nil, 0, err
	}
	tree, err := sim.Read(bytes.NewReader(recording))
	if err != nil {
		return nil, 0, err
	}
	if err := wholefile.Write(context.Background(), out, recording); err != nil {
		return nil, 0, err
	}
	return tree, used, failed
}

// runUntilSignal runs a program that records itself. A signal is for the program:
// one from the terminal has reached it, and the others are passed on. It returns the
// processor time that the program used.
func runUntilSignal(file string, args []string, stdout, stderr io.Writer) (time.Duration, error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Env = append(os.Environ(), "FORKJOIN_RECORD="+file)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, stdout, stderr
	if o, ok := stdout.(*output); ok {
		cmd.Stdout = o.file // not through a pipe: it may be a terminal
	}
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(signals)
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	for {
		select {
		case err := <-done:
			if err != nil {
				err = fmt.Errorf("%s: %w", args[0], err)
			}
			return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), err
		case s := <-signals:
			if s == syscall.SIGTERM {
				cmd.Process.Signal(s)
			}
		}
	}
}

// describe prints what is in a recording.
func describe(t *sim.Tree, name, doubt string, w io.Writer) {
	m, c, meta := t.Measure(0), t.Counts(), t.Meta()
	cost := func(n int64) string {
		if meta.Declared {
			return fmt.Sprintf("%d units", n)
		}
		return time.Duration(n).Round(time.Microsecond).String()
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "recording\t%s\n", name)
	fmt.Fprintf(table, "tasks\t%s, of %s forks, %s loops and %s functions of groups\n",
		digits.Grouped(c.Tasks), digits.Grouped(c.Forks), digits.Grouped(c.Loops), digits.Grouped(c.Spawns))
	fmt.Fprintf(table, "work\t%s\n", cost(m.Work))
	fmt.Fprintf(table, "span\t%s\n", cost(m.Span))
	fmt.Fprintf(table, "parallelism\t%.1f\n", m.Parallelism())
	fmt.Fprintf(table, "workers\t%d, which took %s pieces from each other\n", meta.Workers, digits.Grouped(meta.Moved))
	for _, l := range t.MeasureLabels(0) {
		if l.Name == sim.BetweenCalls && l.Work*20 > m.Work {
			fmt.Fprintf(table, "between calls\t%s, which count as sequential work, though the program may have waited\n", cost(l.Work))
		}
	}
	if doubt != "" {
		fmt.Fprintf(table, "disturbed\t%s\n", doubt)
	}
	if meta.Missing > 0 {
		fmt.Fprintf(table, "missing\t%d functions that were skipped or had not ended\n", meta.Missing)
	}
	if meta.Cut {
		fmt.Fprintf(table, "cut\ta call had not ended\n")
	}
	table.Flush()
}
