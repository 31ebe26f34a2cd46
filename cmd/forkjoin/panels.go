package main

import (
	"flag"
	"fmt"
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

With -check it simulates the runs that a file describes (of the format that -json
writes), compares every figure in it, names those that differ, and ends with a
line "N passed, M failed" and, if M is not 0, with status 1.

Example:
  forkjoin panels -json >panels.json && forkjoin panels -check panels.json

Flags:
`

func runPanels(args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("panels", flag.ContinueOnError)
	asJSON := flags.Bool("json", false, "write every figure as JSON")
	study := flags.Bool("study", false, "show instead what rules change that the panels leave out, such as joins")
	check := flags.String("check", "", "compare the figures in `FILE` with the simulation")
	if status, proceed := parse(flags, args, 0, panelsHelp, stdout, stderr); !proceed {
		return status
	}
	checking := false // an empty name is one, too
	flags.Visit(func(f *flag.Flag) { checking = checking || f.Name == "check" })
	var err error
	failed := 0
	switch {
	case checking && (*asJSON || *study):
		return misused(flags, stderr, "-check goes with no other flag")
	case checking:
		failed, err = checkPanels(*check, stdout)
	case *asJSON && *study:
		err = panels.WriteStudyJSON(stdout)
	case *asJSON:
		err = panels.WriteJSON(stdout)
	case *study:
		err = panels.Study(stdout)
	default:
		err = panels.Story(stdout)
	}
	if err != nil {
		fmt.Fprintf(stderr, "forkjoin: panels: %v\n", err)
		return failure
	}
	if failed > 0 {
		return failure
	}
	return ok
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
