// Command forkjoin shows the forkjoin library at work.
//
//	go run github.com/forkjoin-go/forkjoin/cmd/forkjoin@latest tour
//
// Run it with -h for the list of subcommands. It exits with status 0 on
// success, 1 on failure and 2 when it was not called properly.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
)

// command is a subcommand. Each is a file of its own and a line in commands.
type command struct {
	name    string
	summary string
	run     func(args []string, stdout, stderr io.Writer) int
}

var commands = []command{
	tourCommand,
	replayCommand,
	sweepCommand,
	compareCommand,
	checkCommand,
	calibrateCommand,
	timelineCommand,
	panelsCommand,
	recordCommand,
	topoCommand,
}

// Exit statuses.
const (
	ok      = 0
	failure = 1
	misuse  = 2
)

func main() { os.Exit(runChecked(os.Args[1:], os.Stdout, os.Stderr)) }

// An output is a file that remembers whether writing to it has failed, since not
// everything that prints something looks.
type output struct {
	file *os.File
	err  error // the first
}

func (o *output) Write(b []byte) (int, error) {
	n, err := o.file.Write(b)
	if o.err == nil {
		o.err = err
	}
	return n, err
}

// runChecked is run, and a failure if what is to be printed is not.
func runChecked(args []string, stdout *os.File, stderr io.Writer) (status int) {
	out := &output{file: stdout}
	if status = run(args, out, stderr); status == ok && out.err != nil {
		fmt.Fprintf(stderr, "forkjoin: %v\n", out.err)
		return failure
	}
	return status
}

// run runs the subcommand that args name and returns the exit status.
func run(args []string, stdout, stderr io.Writer) int {
	if len(args) == 0 {
		usage(stderr)
		return misuse
	}
	switch args[0] {
	case "-h", "-help", "--help":
		usage(stdout)
		return ok
	case "help":
		if len(args) == 1 {
			usage(stdout)
			return ok
		}
		args = []string{args[1], "-h"}
	}
	for _, c := range commands {
		if c.name == args[0] {
			return c.run(args[1:], stdout, stderr)
		}
	}
	fmt.Fprintf(stderr, "forkjoin: unknown subcommand %q\n\n", args[0])
	usage(stderr)
	return misuse
}

func usage(w io.Writer) {
	fmt.Fprint(w, `usage: forkjoin SUBCOMMAND [FLAGS] [ARGUMENTS]

Shows the forkjoin library at work.

Subcommands:
`)
	for _, c := range commands {
		fmt.Fprintf(w, "  %-10s %s\n", c.name, c.summary)
	}
	fmt.Fprint(w, `
"forkjoin SUBCOMMAND -h" tells more about one. Those that report something take
-format FORMAT, for which -json and the like are short, and -o FILE.

Example:
  forkjoin tour .
`)
}

// parse reads the flags of a subcommand. When it reports false the subcommand
// ends with the given status: help was asked for and has been printed, or the
// flags were wrong and that has been said. At most max arguments may follow.
func parse(flags *flag.FlagSet, args []string, max int, help string, stdout, stderr io.Writer) (status int, proceed bool) {
	flags.SetOutput(io.Discard) // what it would print is printed below, to the right stream
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		printHelp(flags, help, stdout)
		return ok, false
	case err == nil && flags.NArg() > max:
		return misused(flags, stderr, "unexpected argument %q (flags come first)", flags.Arg(max)), false
	case err != nil:
		return misused(flags, stderr, "%v", err), false
	}
	return ok, true
}

// misused reports a wrong argument and returns the exit status for it.
func misused(flags *flag.FlagSet, stderr io.Writer, format string, args ...any) int {
	fmt.Fprintf(stderr, "forkjoin: %s: %s\n", flags.Name(), fmt.Sprintf(format, args...))
	hint(flags, stderr)
	return misuse
}

func hint(flags *flag.FlagSet, stderr io.Writer) {
	fmt.Fprintf(stderr, "\"forkjoin %s -h\" shows the usage\n", flags.Name())
}

func printHelp(flags *flag.FlagSet, help string, w io.Writer) {
	fmt.Fprint(w, help)
	flags.SetOutput(w)
	flags.PrintDefaults()
}
