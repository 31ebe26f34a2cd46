package sim

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/forkjoin-go/forkjoin/internal/digits"
)

// Version is that of the JSON that this package writes.
const Version = 1

// A document is what WriteJSON writes.
type document struct {
	Version int    `json:"version"`
	Kind    string `json:"kind"`
	Unit    string `json:"unit"`
	Tree    Counts `json:"tree"`
	Program string `json:"program,omitempty"`
	Content any    `json:"content"`
}

// WriteJSON writes a Result, Curve, Comparison, []Change or []LabelMeasures of t
// as a JSON document: an object with its version, its kind, the unit of times,
// and the content.
func WriteJSON(w io.Writer, t *Tree, content any) error {
	if err := writable("WriteJSON", t, content); err != nil {
		return err
	}
	kind := ""
	switch content.(type) {
	case *Result:
		kind = "result"
	case *Curve:
		kind = "curve"
	case *Comparison:
		kind = "comparison"
	case []Change:
		kind = "changes"
	case []LabelMeasures:
		kind = "labels"
	default:
		return fmt.Errorf("forkjoin: sim.WriteJSON: content is a %T, want a *Result, *Curve, *Comparison, []Change or []LabelMeasures", content)
	}
	unit := "ns"
	if t.meta.Declared {
		unit = "declared"
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(document{Version, kind, unit, t.counts, t.meta.Program, content})
}

// writable returns an error if the tree or the content has not been made.
func writable(call string, t *Tree, content any) error {
	if err := t.check(call); err != nil {
		return err
	}
	absent := false
	switch c := content.(type) {
	case *Result:
		absent = c == nil
	case *Curve:
		absent = c == nil
	case *Comparison:
		absent = c == nil || c.A == nil || c.B == nil
	}
	if absent {
		return fmt.Errorf("forkjoin: sim.%s: content is a %T that is nil or has a nil Result", call, content)
	}
	return nil
}

// WriteCSV writes one line for each name of t, as Cilkscale does, of which the
// first is the whole tree, named "". Its columns are those of Cilkscale, in
// seconds; after them come those of the curve, if that is not nil: the simulated
// seconds on each number of workers, on the first line.
func WriteCSV(w io.Writer, t *Tree, burden int64, c *Curve) error {
	if err := t.check("WriteCSV"); err != nil {
		return err
	}
	head := []string{"tag", "work (seconds)", "span (seconds)", "parallelism", "burdened_span (seconds)", "burdened_parallelism"}
	if c != nil {
		for _, p := range c.Points {
			head = append(head, fmt.Sprintf("%dc time (seconds)", p.Workers))
		}
	}
	out := csv.NewWriter(w)
	if err := out.Write(head); err != nil {
		return err
	}
	labels := append([]LabelMeasures{{Measures: t.Measure(burden)}}, t.MeasureLabels(burden)...)
	for i, l := range labels {
		line := []string{l.Name, seconds(l.Work), seconds(l.Span), fmt.Sprintf("%.4f", l.Parallelism()),
			seconds(l.Burdened), fmt.Sprintf("%.4f", ratio(l.Work, l.Burdened))}
		if c != nil {
			for _, p := range c.Points {
				if i == 0 {
					line = append(line, seconds(p.Makespan))
				} else {
					line = append(line, "")
				}
			}
		}
		if err := out.Write(line); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

func seconds(ns int64) string { return fmt.Sprintf("%d.%09d", ns/1e9, ns%1e9) }

// A table is lines of text in columns.
type table [][]string

func (t *table) row(cells ...any) {
	line := make([]string, len(cells))
	for i, c := range cells {
		line[i] = fmt.Sprint(c)
	}
	*t = append(*t, line)
}

// write writes the columns, of which the first is flush left and the others
// flush right.
func (t table) write(w io.Writer) error {
	var width []int
	for _, line := range t {
		for i, c := range line {
			for len(width) <= i {
				width = append(width, 0)
			}
			width[i] = max(width[i], len([]rune(c)))
		}
	}
	for _, line := range t {
		var b strings.Builder
		for i, c := range line {
			pad := strings.Repeat(" ", width[i]-len([]rune(c)))
			if i == 0 {
				b.WriteString(c + pad)
			} else {
				b.WriteString("  " + pad + c)
			}
		}
		if _, err := fmt.Fprintln(w, strings.TrimRight(b.String(), " ")); err != nil {
			return err
		}
	}
	return nil
}

// WriteText writes a Result, Curve, Comparison, []Change or []LabelMeasures of t
// in at most 80 columns.
func WriteText(w io.Writer, t *Tree, content any) error {
	if err := writable("WriteText", t, content); err != nil {
		return err
	}
	b := &strings.Builder{}
	switch c := content.(type) {
	case *Result:
		c.text(b, t)
	case *Curve:
		c.text(b, t)
	case *Comparison:
		c.text(b, t)
	case []Change:
		rows := table{{"what if", "time", "faster"}}
		for _, x := range c {
			rows.row(short(x.What, 56), cell(x.Makespan, t), fmt.Sprintf("%.2f", x.Gain))
		}
		rows.write(b)
	case []LabelMeasures:
		rows := table{{"part", "count", "work", "span", "parallelism"}}
		for _, l := range c {
			rows.row(short(l.Name, 36), l.Count, cell(l.Work, t), cell(l.Span, t), fmt.Sprintf("%.2f", l.Parallelism()))
		}
		rows.write(b)
	default:
		return fmt.Errorf("forkjoin: sim.WriteText: content is a %T, want a *Result, *Curve, *Comparison, []Change or []LabelMeasures", content)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// cell writes a cost into a table. Declared units are not named there.
func cell(cost int64, t *Tree) string { return strings.TrimSuffix(Units(cost, t.meta), " units") }

// short keeps the end of a name, where its file and line are.
func short(s string, most int) string {
	if r := []rune(s); len(r) > most {
		return "…" + string(r[len(r)-most+1:])
	}
	return s
}

func (m Measures) text(b *strings.Builder, t *Tree) {
	fmt.Fprintf(b, "work %s, span %s, parallelism %.1f\nburdened span %s, parallelism %.1f\n",
		Units(m.Work, t.meta), Units(m.Span, t.meta), m.Parallelism(), Units(m.Burdened, t.meta), ratio(m.Work, m.Burdened))
}

func (r *Result) text(b *strings.Builder, t *Tree) {
	u := func(c int64) string { return Units(c, t.meta) }
	fmt.Fprintf(b, "%s: %s, speed-up %.2f, busy %.1f %%\n", workers(int64(len(r.Workers))), u(r.Makespan), r.Speedup(), 100*r.Busy())
	r.Measures.text(b, t)
	fmt.Fprintf(b, "bounds: least %s, greedy %s, burdened estimate %s\n", cell(r.Bounds.Least, t), cell(r.Bounds.Greedy, t), u(r.Bounds.Burdened))
	fmt.Fprintf(b, "%s tasks: %s forks, %s joins without one; %s publishes, %s wakes, %s parks\n",
		digits.Grouped(r.Tasks), digits.Grouped(r.Forks), digits.Grouped(r.Inline), digits.Grouped(r.Publishes), digits.Grouped(r.Wakes), digits.Grouped(r.Parks))
	fmt.Fprintf(b, "%s steals moved %s of work; %s looks at victims found nothing\n(work stealing attempts in the order of P·T∞ steals, here %s)\n",
		digits.Grouped(r.Steals), cell(r.Moved, t), count(r.Attempts-r.Steals), count(r.Bounds.Attempts))
	rows := table{{"worker", "work", "scheduling", "searching", "asleep", "busy"}}
	line := func(name any, w Worker, busy float64) {
		rows.row(name, cell(w.Busy, t), cell(w.Overhead, t), cell(w.Search, t), cell(w.Idle, t), fmt.Sprintf("%.1f %%", 100*busy))
	}
	for i, w := range r.Workers {
		if i < 16 {
			line(i, w, ratio(w.Busy, r.Makespan))
		}
	}
	if more := len(r.Workers) - 16; more > 0 {
		rows.row(fmt.Sprintf("%d more", more))
	}
	if len(r.Workers) > 1 {
		line("all", r.total(), r.Busy())
	}
	rows.write(b)
	if n := len(r.Log); n > 0 {
		fmt.Fprintf(b, "the first %d steals:\n", n)
		rows := table{{"at", "thief", "victim", "work", "from"}}
		for _, s := range r.Log {
			rows.row(cell(s.At, t), s.Thief, s.Victim, cell(s.Work, t), short(s.Site, 40))
		}
		rows.write(b)
	}
}

func (c *Curve) text(b *strings.Builder, t *Tree) {
	c.Measures.text(b, t)
	rows := table{{"workers", "time", "band", "speed-up", "busy", "steals", "least", "burdened"}}
	for _, p := range c.Points {
		band := "±" + fmt.Sprintf("%.1f %%", 50*ratio(p.Slowest-p.Fastest, p.Makespan))
		rows.row(p.Workers, cell(p.Makespan, t), band, fmt.Sprintf("%.2f", p.Speedup), fmt.Sprintf("%.0f %%", 100*p.Busy),
			digits.Grouped(p.Steals), cell(p.Bounds.Least, t), cell(p.Bounds.Burdened, t))
	}
	rows.write(b)
}

func (c *Comparison) text(b *strings.Builder, t *Tree) {
	u := func(c int64) string { return cell(c, t) }
	rows := table{{"", "A", "B"}}
	rows.row("time", u(c.A.Makespan), u(c.B.Makespan))
	rows.row("speed-up", fmt.Sprintf("%.2f", c.A.Speedup()), fmt.Sprintf("%.2f", c.B.Speedup()))
	for _, x := range []struct {
		name string
		of   func(r *Result) int64
	}{
		{"work, all workers", func(r *Result) int64 { return r.total().Busy }},
		{"scheduling", func(r *Result) int64 { return r.total().Overhead }},
		{"searching", func(r *Result) int64 { return r.total().Search }},
		{"asleep", func(r *Result) int64 { return r.total().Idle }},
	} {
		rows.row(x.name, u(x.of(c.A)), u(x.of(c.B)))
	}
	rows.row("steals", digits.Grouped(c.A.Steals), digits.Grouped(c.B.Steals))
	rows.row("wakes", digits.Grouped(c.A.Wakes), digits.Grouped(c.B.Wakes))
	rows.row("parks", digits.Grouped(c.A.Parks), digits.Grouped(c.B.Parks))
	rows.write(b)
	if c.Same {
		fmt.Fprintf(b, "all %d steals are the same\n", c.Agree)
		return
	}
	fmt.Fprintf(b, "the first %d steals are the same; then\n", c.Agree)
	for _, s := range []struct {
		name string
		s    *Steal
	}{{"A", c.FirstA}, {"B", c.FirstB}} {
		if s.s == nil {
			fmt.Fprintf(b, "  %s: none\n", s.name)
		} else {
			line := fmt.Sprintf("  %s: at %s worker %d takes from %d, ", s.name, Units(s.s.At, t.meta), s.s.Thief, s.s.Victim)
			fmt.Fprintln(b, line+short(s.s.Site, min(40, 80-len(line))))
		}
	}
}
