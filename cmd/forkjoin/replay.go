package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/forkjoin-go/forkjoin/sim"
)

var replayCommand = command{
	name:    "replay",
	summary: "run a recorded program on a simulated machine",
	run:     runReplay,
}

const replayHelp = `usage: forkjoin replay [FLAGS] TREE

Runs the task tree of a program on any number of simulated workers, by the
policies of this library or of others, and prints the time it would take, how
the workers spent it, the bounds that theory gives, and what limits the run. The
outcome is the same on every machine.

With -vs it compares two schedulers on the tree; with -what-if it tells what
single changes of machine and program would bring; with -labels what the named
parts add up to.

` + treeHelp + `
Example:
  forkjoin replay -workers 64 -topology 2x2x8x2 -vs rayon fib:25:300

Flags:
`

func runReplay(args []string, stdout, stderr io.Writer) int {
	f := newSimFlags("replay")
	steals := f.Int("steals", 0, "list the first `N` steals")
	timeline := f.Int("timeline", 0, "with -format json, keep `N` times that workers spent with one thing")
	vs := f.String("vs", "", "compare with the scheduler `NAME`")
	whatIf := f.Bool("what-if", false, "tell what single changes would bring")
	labels := f.Bool("labels", false, "tell what the named parts of the tree add up to")
	progress := f.progressFlag()
	tree, c, status, proceed := f.parseTree(args, replayHelp, stdout, stderr)
	if !proceed {
		return status
	}
	if *steals < 0 || *timeline < 0 {
		return misused(f.FlagSet, stderr, "-steals and -timeline are %d and %d, want >= 0", *steals, *timeline)
	}
	switch {
	case *vs != "" && *whatIf, *vs != "" && *labels, *whatIf && *labels:
		return misused(f.FlagSet, stderr, "-vs, -what-if and -labels exclude each other")
	case f.format == "csv" && (*vs != "" || *whatIf):
		return misused(f.FlagSet, stderr, "-format csv is of the tree alone: it goes without -vs and -what-if")
	}
	c.Steals, c.Timeline = *steals, *timeline
	line := progress(stderr)
	line.Step(fmt.Sprintf("simulate %d workers", c.Workers))
	defer line.Stop()
	return f.finish(untilSignal(func(ctx context.Context) error {
		burden := c.Costs.Burden()
		switch {
		case *vs != "":
			other, err := sim.Preset(*vs, c.Workers)
			if err != nil {
				return misuseError{err}
			}
			other.Seed, other.Costs, other.Topology = c.Seed, c.Costs, c.Topology
			x, err := sim.Compare(tree, c, other)
			line.Stop()
			if err != nil {
				return err
			}
			return f.emit(ctx, stdout, tree, burden, nil, x, nil)
		case *whatIf:
			changes, err := sim.WhatIf(tree, c)
			line.Stop()
			if err != nil {
				return err
			}
			return f.emit(ctx, stdout, tree, burden, nil, changes, nil)
		case *labels:
			parts := tree.MeasureLabels(burden)
			line.Stop()
			return f.emit(ctx, stdout, tree, burden, nil, parts, nil)
		}
		r, err := sim.Replay(tree, c)
		if err != nil {
			return err
		}
		sentences, err := sim.Explain(tree, r)
		line.Stop()
		if err != nil {
			return err
		}
		return f.emit(ctx, stdout, tree, burden, nil, r, func(w io.Writer) error {
			_, err := fmt.Fprintf(w, "\n%s\n", wrap(strings.Join(sentences, " "), 79))
			return err
		})
	}), stderr)
}

// wrap breaks a text into lines.
func wrap(text string, width int) string {
	var b strings.Builder
	at := 0
	for i, word := range strings.Fields(text) {
		n := len([]rune(word))
		switch {
		case i == 0:
		case at+1+n > width:
			b.WriteByte('\n')
			at = 0
		default:
			b.WriteByte(' ')
			at++
		}
		b.WriteString(word)
		at += n
	}
	return b.String()
}
