// Command figures measures what the library promises and prints a row of a
// Markdown table for every figure: the bound, and the median, least and greatest
// of several runs.
//
//	go run ./benchmarks/figures [-count 5] [-bench REGEX] [-benchtime 1s] [-short]
//
// It runs BenchmarkFigures (benchmarks_figures_test.go says what is measured
// and how) through benchmarks/peers/quiet.py, which waits until the machine is
// quiet, raises the priority, tries again when others took part, and tells about
// that on standard error; without Python 3, as it is.
package main

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

func main() {
	count := flag.Int("count", 5, "runs of every benchmark")
	bench := flag.String("bench", ".", "figures to measure, a regular expression as for -test.bench, below BenchmarkFigures/")
	benchtime := flag.String("benchtime", "1s", "time for every benchmark in a run")
	short := flag.Bool("short", false, "smaller inputs")
	flag.Parse()
	if err := measure(os.Stdout, *count, *bench, *benchtime, *short); err != nil {
		fmt.Fprintln(os.Stderr, "figures:", err)
		os.Exit(1)
	}
}

// A figure is what all runs reported under one name and unit.
type figure struct {
	name, unit string
	bound      string // such as "<= 3", or nothing
	values     []float64
}

func measure(out io.Writer, count int, bench, benchtime string, short bool) error {
	mod, err := exec.Command("go", "env", "GOMOD").Output()
	if err != nil {
		return err
	}
	root := filepath.Dir(strings.TrimSpace(string(mod)))
	tmp, err := os.MkdirTemp("", "figures")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	test := filepath.Join(tmp, "forkjoin.test")
	build := exec.Command("go", "test", "-c", "-o", test, ".")
	build.Dir, build.Stderr = root, os.Stderr
	if err := build.Run(); err != nil {
		return fmt.Errorf("build the benchmarks: %w", err)
	}

	line := []string{test, "-test.run=^$", "-test.bench=^BenchmarkFigures$/" + bench, "-test.benchtime=" + benchtime, "-test.timeout=0"}
	if short {
		line = append(line, "-test.short")
	}
	if python, err := exec.LookPath("python3"); err == nil {
		line = append([]string{python, filepath.Join(root, "benchmarks", "peers", "quiet.py")}, line...)
	}
	var figures []*figure
	for i := range count {
		fmt.Fprintf(os.Stderr, "# run %d of %d\n", i+1, count)
		run := exec.Command(line[0], line[1:]...)
		run.Dir, run.Stderr = root, os.Stderr
		text, err := run.Output()
		if err != nil {
			os.Stderr.Write(text)
			return fmt.Errorf("run the benchmarks: %w", err)
		}
		figures = collect(figures, text)
	}
	if len(figures) == 0 {
		return fmt.Errorf("no figure matches %q", bench)
	}
	table(out, figures)
	return nil
}

var benchLine = regexp.MustCompile(`^BenchmarkFigures/(\S+?)(?:-\d+)?\s+\d+\s+(.*)$`)

// collect adds the values of one run. A unit min-U or max-U is the bound of U.
func collect(figures []*figure, text []byte) []*figure {
	for line := range bytes.Lines(text) {
		m := benchLine.FindStringSubmatch(strings.TrimSpace(string(line)))
		if m == nil {
			continue
		}
		name, fields := m[1], strings.Fields(m[2])
		bounds := map[string]string{}
		for pair := range slices.Chunk(fields, 2) {
			if unit, ok := strings.CutPrefix(pair[1], "max-"); ok {
				bounds[unit] = "<= " + number(pair[0])
			} else if unit, ok := strings.CutPrefix(pair[1], "min-"); ok {
				bounds[unit] = ">= " + number(pair[0])
			}
		}
		for pair := range slices.Chunk(fields, 2) {
			value, err := strconv.ParseFloat(pair[0], 64)
			unit := pair[1]
			if err != nil || strings.HasPrefix(unit, "max-") || strings.HasPrefix(unit, "min-") {
				continue
			}
			i := slices.IndexFunc(figures, func(f *figure) bool { return f.name == name && f.unit == unit })
			if i < 0 {
				i = len(figures)
				figures = append(figures, &figure{name: name, unit: unit, bound: bounds[unit]})
			}
			figures[i].values = append(figures[i].values, value)
		}
	}
	return figures
}

// number trims what the testing package prints: 3.000 is 3.
func number(s string) string {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return s
	}
	return strconv.FormatFloat(v, 'g', 4, 64)
}

// table writes the rows; of one benchmark, what has a bound comes first.
func table(out io.Writer, figures []*figure) {
	order := map[string]int{}
	for _, f := range figures {
		if _, seen := order[f.name]; !seen {
			order[f.name] = len(order)
		}
	}
	slices.SortStableFunc(figures, func(a, b *figure) int {
		return cmp.Or(order[a.name]-order[b.name], cmp.Compare(unbound(a), unbound(b)))
	})
	fmt.Fprintln(out, "| figure | unit | bound | median | min | max | |")
	fmt.Fprintln(out, "| --- | --- | --- | --- | --- | --- | --- |")
	for _, f := range figures {
		slices.Sort(f.values)
		median := f.values[len(f.values)/2]
		fmt.Fprintf(out, "| %s | %s | %s | %.4g | %.4g | %.4g | %s |\n",
			f.name, f.unit, f.bound, median, f.values[0], f.values[len(f.values)-1], verdict(f.bound, median))
	}
}

func unbound(f *figure) int {
	if f.bound == "" {
		return 1
	}
	return 0
}

// verdict compares a median with its bound.
func verdict(bound string, median float64) string {
	side, at, ok := strings.Cut(bound, " ")
	if !ok {
		return ""
	}
	limit, err := strconv.ParseFloat(at, 64)
	switch {
	case err != nil:
		return ""
	case side == "<=" && median > limit, side == ">=" && median < limit:
		return "missed"
	}
	return "held"
}
