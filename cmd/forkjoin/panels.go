package main

import (
	"context"
	"flag"
	"io"
	"os"

	"github.com/forkjoin-go/forkjoin/sim/panels"
)

var panelsCommand = command{
	name:    "panels",
	summary: "show by simulation which end of a deque to steal from, and why",
	run:     runPanels,
}

const panelsHelp = `usage: forkjoin panels [FLAGS]

Tells what it is worth that thieves take the oldest task of a deque: five panels
of a small simulation of work stealing, with exhibits, and with what would be if
its rules were others. Everything is exact and comes out alike on every machine.

With -check it simulates the runs that a file describes (as -json writes
them, every figure), compares every figure in it, names those that differ, and ends with a
line "N passed, M failed" and, if M is not 0, with status 1.

Example:
  forkjoin panels -json -o panels.json && forkjoin panels -check panels.json

Flags:
`

func runPanels(args []string, stdout, stderr io.Writer) int {
	f := &simFlags{FlagSet: flag.NewFlagSet("panels", flag.ContinueOnError)}
	study := f.Bool("study", false, "show instead what rules change that the panels leave out, such as joins")
	check := f.String("check", "", "compare the figures in `FILE` with the simulation")
	f.formatFlags("text", "json")
	if status, proceed := f.parse(args, 0, panelsHelp, stdout, stderr); !proceed {
		return status
	}
	asJSON := f.format == "json"
	checking := f.given("check") // an empty name is one, too
	if checking && (asJSON || *study) {
		return misused(f.FlagSet, stderr, "-check goes without -study and another format than text")
	}
	failed := 0
	err := untilSignal(func(ctx context.Context) error {
		return write(ctx, f.output, stdout, func(w io.Writer) (err error) {
			switch {
			case checking:
				failed, err = checkPanels(*check, w)
			case asJSON && *study:
				err = panels.WriteStudyJSON(w)
			case asJSON:
				err = panels.WriteJSON(w)
			case *study:
				err = panels.Study(w)
			default:
				err = panels.Story(w)
			}
			return err
		})
	})
	if err == nil && failed > 0 {
		return failure
	}
	return f.finish(err, stderr)
}

func checkPanels(name string, stdout io.Writer) (failed int, err error) {
	f, err := os.Open(name)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	_, failed, err = panels.Check(f, stdout)
	return failed, err
}
