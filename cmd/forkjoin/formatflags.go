package main

import (
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
)

// What is written, and where to, is asked for in one way in all subcommands: -format
// names the format, -json and the like are short for it, and -o names a file.

// formatFlags defines the flags of what is written, of which the first format is the
// default.
func (f *simFlags) formatFlags(formats ...string) {
	f.formats = formats
	f.StringVar(&f.format, "format", formats[0], "write `FORMAT`: "+oneOf(formats))
	for _, name := range formats[1:] {
		f.Bool(name, false, "short for -format "+name)
	}
	f.outputFlag()
}

// outputFlag defines the flag of where it is written to.
func (f *simFlags) outputFlag() {
	f.StringVar(&f.output, "o", "", "write to `FILE`, not to standard output")
}

// parse is the function parse, and finds out which format is asked for.
func (f *simFlags) parse(args []string, max int, help string, stdout, stderr io.Writer) (status int, proceed bool) {
	if status, proceed := parse(f.FlagSet, args, max, help, stdout, stderr); !proceed {
		return status, false
	}
	if err := f.findFormat(); err != nil {
		return misused(f.FlagSet, stderr, "%v", err), false
	}
	return ok, true
}

// findFormat makes f.format what the flags ask for.
func (f *simFlags) findFormat() error {
	var asked []string
	f.Visit(func(g *flag.Flag) {
		switch short := slices.Contains(f.formats, g.Name); {
		case g.Name == "format":
			asked = append(asked, "-format "+f.format)
		case short && g.Value.String() == "true":
			asked = append(asked, "-"+g.Name)
		}
	})
	switch {
	case len(asked) > 1:
		return fmt.Errorf("%s exclude each other", strings.Join(asked, " and "))
	case len(asked) == 1 && !strings.HasPrefix(asked[0], "-format "):
		f.format = asked[0][1:]
	case !slices.Contains(f.formats, f.format):
		return fmt.Errorf("-format is %q, want %s", f.format, oneOf(f.formats))
	}
	return nil
}

// oneOf lists words as in "text, json or csv".
func oneOf(words []string) string {
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}
