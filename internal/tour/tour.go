// Package tour runs the library on real input and measures it: a directory is
// read, its words counted, its lines sorted and compared, a picture computed.
// Every job exists twice, written plainly and written with forkjoin; the two
// results are compared, and a table shows what the second form gained.
//
// Reading order: tour.go (the round), tree.go (the input), then a file per job
// (read.go, idents.go, lines.go, common.go, mandelbrot.go, fib.go), meter.go
// (measuring) and table.go (printing).
package tour

import (
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/forkjoin-go/forkjoin/internal/progress"
)

// Options says what to tour and how. The zero values of Repeat, Fib, Width and
// Height stand for the defaults.
type Options struct {
	Dir    string // the tree to read
	PNG    string // where the picture goes; "" writes none
	Quiet  bool   // print the table alone, and no progress
	Repeat int    // measurements per cell, of which the median is shown

	Fib           int // argument of the fib job
	Width, Height int // size of the picture

	Out io.Writer // the report
	Err io.Writer // names of skipped files, and progress if it is a terminal
}

// jobs is the number of calls of measure in Run.
const jobs = 7

// Run makes the tour. It changes GOMAXPROCS while it measures and puts it back.
// It returns early, with the context's cause, soon after ctx is cancelled.
func Run(ctx context.Context, o Options) error {
	o = o.withDefaults()
	if err := checkTarget(o.PNG); err != nil {
		return err
	}
	var show *progress.Line
	if !o.Quiet {
		show = progress.New(o.Err)
		defer show.Stop()
		defer context.AfterFunc(ctx, show.Stop)() // a cancelled job may take its time to end
	}
	show.Step("read " + o.Dir)
	fsys, err := openDir(o.Dir)
	if err != nil {
		return err
	}
	in, err := load(ctx, fsys)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err != nil {
		return in.explain(o.Dir, err)
	}
	show.Stop()
	for _, s := range in.skipped {
		fmt.Fprintf(o.Err, "forkjoin: tour: skipped %s: %v\n", in.path(o.Dir, s.name), reason(s.err))
	}
	fmt.Fprintf(o.Out, "%s: %v\n\n", o.Dir, in)

	m := newMeter(ctx, o.Repeat, show)
	defer m.restore()
	found, pic, err := runJobs(m, o, fsys, in)
	show.Stop()
	if err != nil {
		return err
	}
	m.table(o.Out)
	if !o.Quiet {
		fmt.Fprintln(o.Out)
		found.print(o.Out)
		fmt.Fprintf(o.Out, "every parallel result equals the sequential one\n")
	}
	if o.PNG == "" {
		return nil
	}
	if err := writePNG(ctx, o.PNG, pic); err != nil {
		return err
	}
	if !o.Quiet {
		fmt.Fprintf(o.Out, "picture: %s (%d × %d)\n", o.PNG, o.Width, o.Height)
	}
	return nil
}

func (o Options) withDefaults() Options {
	for _, d := range []struct {
		field *int
		value int
	}{{&o.Repeat, 1}, {&o.Fib, 38}, {&o.Width, 1600}, {&o.Height, 1200}} {
		if *d.field == 0 {
			*d.field = d.value
		}
	}
	return o
}

// openDir returns dir as a file system. A dir that is itself a symbolic link is
// followed, since the user named it; links inside are not.
func openDir(dir string) (fs.FS, error) {
	info, err := os.Stat(dir)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, fmt.Errorf("%s is not a directory", dir)
	}
	return os.DirFS(dir), nil
}

// findings is what the jobs found out about the tree.
type findings struct {
	words  counts
	lines  int
	common longest
	fibArg int
	fib    uint64
}

// runJobs measures the jobs one after another; the later ones take what the
// earlier ones made.
func runJobs(m *meter, o Options, fsys fs.FS, in *tree) (f findings, pic *image.RGBA, err error) {
	f.fibArg = o.Fib
	if _, err = measure(m, "read files",
		func() []string { return readAll(fsys, in.files) },
		func() []string { return readAllParallel(fsys, in.files) },
		slices.Equal); err != nil {
		if errors.Is(err, errDiffers) {
			err = fmt.Errorf("%w (did a file change meanwhile?)", err)
		}
		return f, nil, err
	}
	text := in.text()
	if f.words, err = measure(m, "count identifiers",
		func() counts { return countIdents(text) },
		func() counts { return countIdentsParallel(text) },
		equalCounts); err != nil {
		return f, nil, err
	}
	lines, err := measure(m, "split into lines",
		func() []line { return splitLines(text) },
		func() []line { return splitLinesParallel(text) },
		slices.Equal)
	if err != nil {
		return f, nil, err
	}
	f.lines = len(lines)
	// Each run sorts a copy; the copy is part of the time of both forms.
	sorted, err := measure(m, "sort all lines",
		func() []line { return sorted(lines) },
		func() []line { return sortedParallel(lines) },
		slices.Equal)
	if err != nil {
		return f, nil, err
	}
	if f.common, err = measure(m, "longest common lines",
		func() longest { return longestCommon(sorted) },
		func() longest { return longestCommonParallel(sorted) },
		equal); err != nil {
		return f, nil, err
	}
	if pic, err = measure(m, "Mandelbrot picture",
		func() *image.RGBA { return mandelbrot(o.Width, o.Height) },
		func() *image.RGBA { return mandelbrotParallel(o.Width, o.Height) },
		equalPictures); err != nil {
		return f, nil, err
	}
	f.fib, err = measure(m, fmt.Sprintf("fib(%d)", o.Fib),
		func() uint64 { return fib(uint64(o.Fib)) },
		func() uint64 { return fibParallel(uint64(o.Fib)) },
		equal)
	return f, pic, err
}

func equal[T comparable](a, b T) bool { return a == b }

func (f findings) print(w io.Writer) {
	total, top := f.words.summary(5)
	fmt.Fprintf(w, "%s, %s different", plural(total, "identifier"), commas(len(f.words)))
	if len(top) > 0 {
		fmt.Fprintf(w, "; the most frequent:\n  %s", strings.Join(top, ", "))
	}
	fmt.Fprintf(w, "\n%s sorted; the longest that occur in at least two files:\n", plural(f.lines, "line"))
	f.common.print(w)
	fmt.Fprintf(w, "fib(%d) = %s\n", f.fibArg, commas(f.fib))
}
