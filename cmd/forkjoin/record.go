package main

import (
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

	"github.com/forkjoin-go/forkjoin/sim"
)

var recordCommand = command{
	name:    "record",
	summary: "run a program and keep its task tree in a file",
	run:     runRecord,
}

const recordHelp = `usage: forkjoin record [FLAGS] PROGRAM [ARGUMENT...]

Runs a program that uses the library, with the environment variable
FORKJOIN_RECORD set, so that it writes a recording as it runs: what it forked and
what each piece cost. The program need not be changed, but should be one that was
built: "go run" works too, if it starts no other program that uses the library.

The recording is complete whatever ends the program, but for calls that have not
returned by then. It is kept, too, if the program fails or is interrupted. At the
end its work (the time on one worker), its span (the time on any number) and its
parallelism (work / span) are printed.

Example:
  go build -o /tmp/sort ./examples/mergesort && forkjoin record -o sort.fjrec /tmp/sort

Flags:
`

func runRecord(args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("record", flag.ContinueOnError)
	out := flags.String("o", "recording.fjrec", "write the recording to `FILE`")
	quiet := flags.Bool("quiet", false, "print nothing about the recording")
	if status, proceed := parse(flags, args, math.MaxInt, recordHelp, stdout, stderr); !proceed {
		return status
	}
	switch {
	case flags.NArg() == 0:
		return misused(flags, stderr, "no program is named")
	case *out == "":
		return misused(flags, stderr, "-o is empty")
	}
	tree, err := recordProgram(*out, flags.Args(), stdout, stderr)
	if tree != nil && !*quiet {
		describe(tree, *out, stderr)
	}
	if err != nil {
		fmt.Fprintf(stderr, "forkjoin: record: %v\n", err)
		return failure
	}
	return ok
}

// recordProgram runs a program and puts its recording into a file. There may be a
// recording although the program failed.
func recordProgram(out string, args []string, stdout, stderr io.Writer) (*sim.Tree, error) {
	out, err := filepath.Abs(out)
	if err != nil {
		return nil, err
	}
	if info, err := os.Stat(filepath.Dir(out)); err != nil || !info.IsDir() {
		return nil, fmt.Errorf("there is no directory %s", filepath.Dir(out))
	}
	growing := fmt.Sprintf("%s.%d.tmp", out, os.Getpid())
	defer os.Remove(growing)
	failed := runUntilSignal(growing, args, stdout, stderr)
	tree, err := sim.ReadFile(growing)
	switch {
	case errors.Is(err, os.ErrNotExist) && failed != nil:
		return nil, failed
	case errors.Is(err, os.ErrNotExist):
		return nil, fmt.Errorf("%s made no call of the library, so there is no recording", args[0])
	case err != nil:
		return nil, err
	}
	if err := os.Rename(growing, out); err != nil {
		return nil, err
	}
	return tree, failed
}

// runUntilSignal runs a program that records itself. A signal is for the program:
// one from the terminal has reached it, and the others are passed on.
func runUntilSignal(file string, args []string, stdout, stderr io.Writer) error {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Env = append(os.Environ(), "FORKJOIN_RECORD="+file)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, stdout, stderr
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(signals)
	if err := cmd.Start(); err != nil {
		return err
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	for {
		select {
		case err := <-done:
			if err != nil {
				err = fmt.Errorf("%s: %w", args[0], err)
			}
			return err
		case s := <-signals:
			if s == syscall.SIGTERM {
				cmd.Process.Signal(s)
			}
		}
	}
}

// describe prints what is in a recording.
func describe(t *sim.Tree, name string, w io.Writer) {
	m, c, meta := t.Measure(0), t.Counts(), t.Meta()
	cost := func(n int64) string {
		if meta.Declared {
			return fmt.Sprintf("%d units", n)
		}
		return time.Duration(n).Round(time.Microsecond).String()
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "recording\t%s\n", name)
	fmt.Fprintf(table, "tasks\t%d, of %d forks, %d loops and %d functions of groups\n", c.Tasks, c.Forks, c.Loops, c.Spawns)
	fmt.Fprintf(table, "work\t%s\n", cost(m.Work))
	fmt.Fprintf(table, "span\t%s\n", cost(m.Span))
	fmt.Fprintf(table, "parallelism\t%.1f\n", m.Parallelism())
	fmt.Fprintf(table, "workers\t%d, which took %d pieces from each other\n", meta.Workers, meta.Moved)
	if meta.Missing > 0 {
		fmt.Fprintf(table, "missing\t%d functions that were skipped or had not ended\n", meta.Missing)
	}
	if meta.Cut {
		fmt.Fprintf(table, "cut\ta call had not ended\n")
	}
	table.Flush()
}
