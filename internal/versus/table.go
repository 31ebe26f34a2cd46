package versus

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/forkjoin-go/forkjoin/sim"
)

// A Measurement is how long a program took on some workers: the median, if it was
// measured more than once.
type Measurement struct {
	Workers int
	Time    time.Duration
}

// longest is the longest time that is believed, in seconds.
const longest = 1e7

// ReadTable reads times that somebody has measured: a line for each run, with a number
// of workers and a time in seconds, or one with a unit as 12.5ms, with a comma, a
// semicolon or space between them. Empty lines, those that begin with # and a heading
// are left out. The result is in ascending order of workers.
func ReadTable(r io.Reader) ([]Measurement, error) {
	times := map[int][]time.Duration{}
	lines := bufio.NewScanner(r)
	first := true
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(strings.TrimPrefix(lines.Text(), "\ufeff"))
		if line == "" || line[0] == '#' {
			continue
		}
		fields := strings.FieldsFunc(line, func(c rune) bool { return strings.ContainsRune(",; \t\"", c) })
		if heading := first && !strings.ContainsAny(line, "0123456789"); heading {
			first = false
			continue
		}
		first = false
		if len(fields) != 2 {
			return nil, fmt.Errorf("line %d has %d columns, want 2: workers and seconds", n, len(fields))
		}
		workers, err := strconv.Atoi(fields[0])
		if err != nil || workers < 1 || workers > sim.MaxWorkers {
			return nil, fmt.Errorf("line %d: workers are %q, want a number >= 1 and <= %d", n, fields[0], sim.MaxWorkers)
		}
		t, err := readTime(fields[1])
		if err != nil {
			return nil, fmt.Errorf("line %d: the time is %q, want seconds > 0, or a time with a unit as 12.5ms", n, fields[1])
		}
		times[workers] = append(times[workers], t)
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	if len(times) == 0 {
		return nil, fmt.Errorf("there are no times in it")
	}
	var table []Measurement
	for workers, t := range times {
		table = append(table, Measurement{workers, median(t, func(t time.Duration) time.Duration { return t })})
	}
	slices.SortFunc(table, func(a, b Measurement) int { return a.Workers - b.Workers })
	return table, nil
}

func readTime(s string) (time.Duration, error) {
	t, err := time.ParseDuration(s)
	if seconds, wrong := strconv.ParseFloat(s, 64); wrong == nil {
		t, err = time.Duration(math.Round(min(seconds, longest+1)*1e9)), nil
	}
	if err != nil || t <= 0 || t > longest*time.Second {
		return 0, fmt.Errorf("%q is no time", s)
	}
	return t, nil
}

// CompareTable sets times that were measured elsewhere beside a recording of the
// program. name is that of the program if the recording does not tell.
func CompareTable(ctx context.Context, tree *sim.Tree, name string, table []Measurement, o Options) (rows []Row, err error) {
	if p := tree.Meta().Program; p != "" {
		name = filepath.Base(p)
	}
	if tree.Meta().Declared {
		return nil, fmt.Errorf("forkjoin: costs in the recording are declared, not times, so they cannot be compared with times")
	}
	for _, m := range table {
		if err := context.Cause(ctx); err != nil {
			return nil, err
		}
		o.step("simulate P = %d", m.Workers)
		p, err := predict(ctx, tree, m.Workers, o.Costs)
		if err != nil {
			return nil, err
		}
		rows = append(rows, newRow(name, p, m.Time))
	}
	return rows, nil
}
