package main

import (
	"context"
	"flag"
	"fmt"
	"io"

	"github.com/forkjoin-go/forkjoin/sim"
)

var calibrateCommand = command{
	name:    "calibrate",
	summary: "measure what scheduling costs on this machine",
	run:     runCalibrate,
}

const calibrateHelp = `usage: forkjoin calibrate [FLAGS]

Measures what the library's operations cost on this machine, in less than a
second, and writes it as JSON, for the flag -costs of the other subcommands. If
the machine is too busy for the figures to be trusted it says so, and ends with
status 1.

Example:
  forkjoin calibrate -o costs.json
  forkjoin replay -costs costs.json fib:25:300

Flags:
`

func runCalibrate(args []string, stdout, stderr io.Writer) int {
	f := &simFlags{FlagSet: flag.NewFlagSet("calibrate", flag.ContinueOnError)}
	f.outputFlag()
	if status, proceed := parse(f.FlagSet, args, 0, calibrateHelp, stdout, stderr); !proceed {
		return status
	}
	return f.finish(untilSignal(func(ctx context.Context) error {
		c, err := sim.Calibrate()
		if err != nil {
			return err
		}
		if err := write(ctx, f.output, stdout, c.Write); err != nil {
			return err
		}
		if c.Doubt != "" {
			return fmt.Errorf("the figures cannot be trusted: %s", c.Doubt)
		}
		return nil
	}), stderr)
}
