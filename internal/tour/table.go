package tour

import (
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"
)

// table prints the rows. The last four columns belong to the last parallel one.
func (m *meter) table(w io.Writer) {
	head := []string{"job", "sequential"}
	for _, n := range m.workers {
		head = append(head, plural(n, "worker"))
	}
	cells := [][]string{append(head, "speed-up", "forks", "steals", "cores")}
	for _, r := range m.rows {
		line := []string{r.name, duration(r.sequential.wall)}
		for _, s := range r.parallel {
			line = append(line, duration(s.wall))
		}
		last := r.parallel[len(r.parallel)-1]
		speedUp, cores := "-", "-"
		if last.wall > 0 {
			speedUp = fmt.Sprintf("%.2f", r.sequential.wall.Seconds()/last.wall.Seconds())
		}
		if c, ok := last.cores(); ok {
			cores = fmt.Sprintf("%.2f", c)
		}
		cells = append(cells, append(line, speedUp, short(last.forks), short(last.steals), cores))
	}
	printAligned(w, cells)
	if d := m.doubt(); d != "" {
		fmt.Fprintln(w, d)
	}
}

// doubt says why the figures cannot be trusted, if so: they are times, in which other
// programs were on the processors.
func (m *meter) doubt() string {
	var wall, delay time.Duration
	for _, r := range m.rows {
		for _, s := range append(r.parallel[:len(r.parallel):len(r.parallel)], r.sequential) {
			wall += s.wall
			delay += s.delay
		}
	}
	if delay <= wall/10 {
		return ""
	}
	return fmt.Sprintf("The figures cannot be trusted: other programs were on the processors, and in %s of\nmeasuring the threads of this one waited for %s to get one.", duration(wall), duration(delay))
}

// printAligned prints cells in columns, the first one to the left, the others
// to the right.
func printAligned(w io.Writer, cells [][]string) {
	widths := make([]int, len(cells[0]))
	for _, line := range cells {
		for i, c := range line {
			widths[i] = max(widths[i], utf8.RuneCountInString(c))
		}
	}
	for _, line := range cells {
		var b strings.Builder
		for i, c := range line {
			pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(c))
			if i == 0 {
				b.WriteString(c + pad)
			} else {
				b.WriteString("  " + pad + c)
			}
		}
		fmt.Fprintln(w, strings.TrimRight(b.String(), " "))
	}
}
