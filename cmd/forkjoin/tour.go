package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/forkjoin-go/forkjoin/internal/tour"
)

var tourCommand = command{
	name:    "tour",
	summary: "measure the library on the files of a directory",
	run:     runTour,
}

const tourHelp = `usage: forkjoin tour [FLAGS] [DIR]

Reads every regular file under DIR (by default the source of the Go toolchain)
and does seven jobs, each sequentially and with 1 to GOMAXPROCS workers: read
the files, count identifiers, split into lines, sort the lines, find the longest
lines that several files share, compute a Mandelbrot picture, and a fib that
forks at every call. It checks that all results agree and prints the times, the
speed-up of the most workers over the sequential form, and how many forks,
steals and processors these took.

Files that cannot be read are named and skipped; symbolic links are not followed.

Example:
  forkjoin tour -repeat 3 -png /tmp/set.png ~/src/myproject

Flags:
`

// tourSize lets tests make the jobs smaller.
var tourSize tour.Options

func runTour(args []string, stdout, stderr io.Writer) int {
	o := tourSize
	o.Out, o.Err = stdout, stderr
	flags := flag.NewFlagSet("tour", flag.ContinueOnError)
	flags.StringVar(&o.PNG, "png", "forkjoin-mandelbrot.png", "write the picture to `FILE`; empty for none")
	flags.BoolVar(&o.Quiet, "quiet", false, "print the table alone, without progress and findings")
	flags.IntVar(&o.Repeat, "repeat", 1, "measure `N` times and show the median")
	if status, proceed := parse(flags, args, 1, tourHelp, stdout, stderr); !proceed {
		return status
	}
	if o.Repeat < 1 {
		return misused(flags, stderr, "-repeat is %d, want >= 1", o.Repeat)
	}
	var err error
	if o.Dir = flags.Arg(0); flags.NArg() == 0 {
		o.Dir, err = goSource()
	}
	if err == nil {
		err = untilSignal(func(ctx context.Context) error { return tour.Run(ctx, o) })
	}
	if err != nil {
		fmt.Fprintf(stderr, "forkjoin: tour: %v\n", err)
		return failure
	}
	return ok
}

// goSource returns the folder with the source of the Go toolchain.
func goSource() (string, error) {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return "", fmt.Errorf("no Go toolchain found (%w): name a directory", err)
	}
	return filepath.Join(strings.TrimSpace(string(out)), "src"), nil
}
