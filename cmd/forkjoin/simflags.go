package main

import (
	"bytes"
	"context"
	"encoding"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/forkjoin-go/forkjoin/internal/progress"
	"github.com/forkjoin-go/forkjoin/internal/wholefile"
	"github.com/forkjoin-go/forkjoin/sim"
)

// simFlags are the flags that all subcommands share that simulate.
type simFlags struct {
	*flag.FlagSet
	config  sim.Config
	preset  string
	costs   string
	topo    string
	format  string
	output  string
	formats []string              // that there are
	doubt   string                // why the costs that were measured cannot be trusted
	set     []func(c *sim.Config) // what was given, to be put over the preset
}

// policyFlag defines a flag for one policy.
func policyFlag[T any, P interface {
	*T
	encoding.TextUnmarshaler
}](f *simFlags, name, usage string, field func(c *sim.Config) P) {
	f.Func(name, usage, func(s string) error {
		var v T
		if err := P(&v).UnmarshalText([]byte(s)); err != nil {
			return plain(err)
		}
		f.set = append(f.set, func(c *sim.Config) { *field(c) = v })
		return nil
	})
}

// plain returns an error without the prefix of the package.
func plain(err error) error { return errors.New(strings.TrimPrefix(err.Error(), "forkjoin: ")) }

func newSimFlags(name string) *simFlags {
	f := &simFlags{FlagSet: flag.NewFlagSet(name, flag.ContinueOnError)}
	f.IntVar(&f.config.Workers, "workers", runtime.GOMAXPROCS(0), "simulate `N` workers")
	f.Uint64Var(&f.config.Seed, "seed", 1, "first seed of the thieves' choices")
	f.StringVar(&f.preset, "policy", "forkjoin", "policies of `NAME`: "+strings.Join(sim.Presets(), ", "))
	policyFlag(f, "victim", "`POLICY`: default, round-robin, random, last, nearest or richest", func(c *sim.Config) *sim.Victim { return &c.Victim })
	policyFlag(f, "steal-end", "`END` thieves take from: far or own", func(c *sim.Config) *sim.StealEnd { return &c.StealEnd })
	policyFlag(f, "owner", "`ORDER` in which owners take frames back: lifo or fifo", func(c *sim.Config) *sim.Order { return &c.Owner })
	policyFlag(f, "amount", "`AMOUNT` a thief takes: one or half", func(c *sim.Config) *sim.Amount { return &c.Amount })
	policyFlag(f, "deque", "`KIND` of deque: split, shared or central", func(c *sim.Config) *sim.Deque { return &c.Deque })
	policyFlag(f, "waiting", "`WAY` of waiting for a stolen branch: leapfrog, any or park", func(c *sim.Config) *sim.Waiting { return &c.Waiting })
	policyFlag(f, "split", "`WAY` of cutting loops: lazy, fixed, rayon or tbb", func(c *sim.Config) *sim.Splitter { return &c.Splitter })
	policyFlag(f, "sleep", "`WAY` of having nothing to do: worth, never or at-once", func(c *sim.Config) *sim.Sleep { return &c.Sleep })
	f.Int64Var(&f.config.Leaf, "leaf", 0, "with -split fixed, cut loops into parts of at most `N` iterations")
	f.BoolVar(&f.config.FreeFailures, "free-failures", false, "steals that fail take no time")
	f.StringVar(&f.topo, "topology", "flat", "`SxLxCxT`: sockets, caches of each, cores, threads; or flat; or here, this machine; or another one of \"forkjoin topo\"")
	f.StringVar(&f.costs, "costs", "typical", "`COSTS`: typical, free, measure, or a file of \"forkjoin calibrate\"")
	f.formatFlags("text", "json", "csv")
	return f
}

// progressFlag defines the flag that turns progress off, and returns what begins to
// show it on a terminal.
func (f *simFlags) progressFlag() (begin func(stderr io.Writer) *progress.Line) {
	quiet := f.Bool("quiet", false, "show no progress on a terminal")
	return func(stderr io.Writer) *progress.Line {
		if *quiet {
			return nil
		}
		return progress.New(stderr)
	}
}

// resolve returns the configuration that the flags ask for.
func (f *simFlags) resolve() (sim.Config, error) {
	c, err := sim.Preset(f.preset, f.config.Workers)
	if err != nil {
		return c, misuseError{err}
	}
	c.Seed, c.Leaf, c.FreeFailures = f.config.Seed, f.config.Leaf, f.config.FreeFailures
	for _, set := range f.set {
		set(&c)
	}
	if c.Topology, err = sim.ParseTopology(f.topo); err != nil {
		return c, misuseError{err}
	}
	if c.Workers < 1 || c.Workers > sim.MaxWorkers {
		return c, misuseError{fmt.Errorf("-workers is %d, want >= 1 and <= %d", c.Workers, sim.MaxWorkers)}
	}
	if c.Leaf < 0 {
		return c, misuseError{fmt.Errorf("-leaf is %d, want >= 0", c.Leaf)}
	}
	c.Costs, err = f.resolveCosts()
	return c, err
}

func (f *simFlags) resolveCosts() (sim.Costs, error) {
	switch f.costs {
	case "typical":
		return sim.TypicalCosts(), nil
	case "free":
		return sim.Costs{}, nil
	case "measure":
		c, err := sim.Calibrate()
		if err != nil {
			return sim.Costs{}, err
		}
		f.doubt = c.Doubt
		return c.Costs, nil
	}
	file, err := os.Open(f.costs)
	if err != nil {
		return sim.Costs{}, err
	}
	defer file.Close()
	c, err := sim.ReadCalibration(file)
	if err != nil {
		return sim.Costs{}, fmt.Errorf("%s: %w", f.costs, err)
	}
	return c.Costs, nil
}

// A misuseError is a wrong argument.
type misuseError struct{ error }

// readTree reads a recording, or makes the tree that an argument like
// "fib:25:300" describes.
func readTree(name string) (*sim.Tree, error) {
	kind, rest, _ := strings.Cut(name, ":")
	if kind != "fib" && kind != "binary" && kind != "random" {
		return sim.ReadFile(name)
	}
	var n [2]int64
	parts := strings.Split(rest, ":")
	for i, p := range parts {
		v, err := strconv.ParseInt(p, 10, 64)
		if err != nil || len(parts) != 2 || v < 0 || v > 1e9 {
			return nil, misuseError{fmt.Errorf("tree is %q, want a file, or fib:N:COST, binary:DEPTH:COST or random:TASKS:COST", name)}
		}
		n[i] = v
	}
	most := map[string]int64{"fib": 32, "binary": 22, "random": 5e6}[kind]
	if n[0] > most {
		return nil, misuseError{fmt.Errorf("tree is %q, want at most %s:%d", name, kind, most)}
	}
	switch kind {
	case "fib":
		return sim.Fib(int(n[0]), n[1]), nil
	case "binary":
		return sim.Binary(int(n[0]), n[1], n[1]), nil
	}
	return sim.Random(1, int(n[0]), n[1]), nil
}

// treeHelp tells of the argument of readTree.
const treeHelp = `TREE is a recording (see FORKJOIN_RECORD in the documentation), or fib:N:COST,
binary:DEPTH:COST or random:TASKS:COST for a tree made here, with costs in ns.
`

// writeJSON writes a document for programs that people can read, too.
func writeJSON(w io.Writer, document any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(document)
}

// write writes content to a file, of which there is never half (see [wholefile]);
// "" is stdout.
func write(ctx context.Context, name string, stdout io.Writer, content func(w io.Writer) error) error {
	if name == "" {
		return content(stdout)
	}
	var b bytes.Buffer
	if err := content(&b); err != nil {
		return err
	}
	return wholefile.Write(ctx, name, b.Bytes())
}

// errInterrupted is what a signal makes of a subcommand.
var errInterrupted = errors.New("interrupted")

// untilSignal runs f with a context that a signal cancels. After that it gives f a
// moment to remove what it may be writing, but does not wait for it to end: a
// single simulated run, for one, may take minutes.
func untilSignal(f func(ctx context.Context) error) error {
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(signals)
	done := make(chan error, 1)
	go func() { done <- f(ctx) }()
	select {
	case err := <-done:
		return err
	case <-signals:
		cancel(errInterrupted)
	}
	select {
	case err := <-done:
		return err
	case <-time.After(time.Second):
		return errInterrupted
	}
}

// finish returns the exit status for an error, and says what it is.
func (f *simFlags) finish(err error, stderr io.Writer) int {
	if f.doubt != "" {
		fmt.Fprintf(stderr, "forkjoin: %s: the costs that were measured cannot be trusted: %s\n", f.Name(), f.doubt)
	}
	var wrong misuseError
	switch {
	case err == nil:
		return ok
	case errors.As(err, &wrong):
		return misused(f.FlagSet, stderr, "%v", plain(wrong.error))
	}
	fmt.Fprintf(stderr, "forkjoin: %s: %v\n", f.Name(), plain(err))
	return failure
}

// parseTree is parse for a subcommand with one tree as its argument.
func (f *simFlags) parseTree(args []string, help string, stdout, stderr io.Writer) (tree *sim.Tree, c sim.Config, status int, proceed bool) {
	if status, proceed := f.parse(args, 1, help, stdout, stderr); !proceed {
		return nil, c, status, false
	}
	if f.NArg() == 0 {
		return nil, c, misused(f.FlagSet, stderr, "no tree is named"), false
	}
	c, err := f.resolve()
	made := make(chan *sim.Tree, 1)
	if err == nil {
		err = untilSignal(func(context.Context) error {
			tree, err := readTree(f.Arg(0))
			made <- tree
			return err
		})
	}
	if err != nil {
		return nil, c, f.finish(err, stderr), false
	}
	return <-made, c, ok, true
}

// emit writes some content of a tree in the format asked for.
func (f *simFlags) emit(ctx context.Context, stdout io.Writer, t *sim.Tree, burden int64, curve *sim.Curve, content any, more func(w io.Writer) error) error {
	return write(ctx, f.output, stdout, func(w io.Writer) error {
		switch f.format {
		case "json":
			return sim.WriteJSON(w, t, content)
		case "csv":
			return sim.WriteCSV(w, t, burden, curve)
		}
		if err := sim.WriteText(w, t, content); err != nil || more == nil {
			return err
		}
		return more(w)
	})
}
