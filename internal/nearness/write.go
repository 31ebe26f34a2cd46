package nearness

import (
	"fmt"
	"html"
	"io"
	"strings"
)

// WriteTable writes rows as a table in Markdown.
func WriteTable(w io.Writer, rows []Row) error {
	var b strings.Builder
	b.WriteString("| machine | workers | program | makespan, ms: nearest | random | in turn | nearest to random | steals between caches: nearest | random | in turn | fewer | ns a steal: nearest | random |\n")
	b.WriteString("| --- | --: | --- | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: |\n")
	for _, r := range rows {
		fmt.Fprintf(&b, "| %s | %d | %s | %.2f | %.2f | %.2f | %+.1f %% | %d | %d | %d | %s | %d | %d |\n", r.Machine, r.Workers, r.Program,
			ms(r.Nearest), ms(r.Random), ms(r.RoundRobin), r.Slower(), r.Nearest.Remote, r.Random.Remote, r.RoundRobin.Remote, times(r.Fewer()),
			r.Nearest.Latency, r.Random.Latency)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func ms(o Outcome) float64 { return float64(o.Makespan) / 1e6 }

// Slower returns by how many per cent runs with nearest victims first take longer
// than those with random victims.
func (r *Row) Slower() float64 {
	return (float64(r.Nearest.Makespan)/float64(r.Random.Makespan) - 1) * 100
}

// Fewer returns how many times as many steals from other last-level caches there
// are with random victims; 0 if there are none.
func (r *Row) Fewer() float64 {
	if r.Random.Remote == 0 {
		return 0
	}
	return float64(r.Random.Remote) / float64(max(1, r.Nearest.Remote))
}

func times(x float64) string {
	if x == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f ×", x)
}

// WriteSummary says in a few lines what the rows show.
func WriteSummary(w io.Writer, rows []Row) error {
	var several, few, slow []string
	best := 0.0
	for _, r := range rows {
		if r.Caches > 1 {
			several = append(several, "")
			if r.Fewer() < 3 {
				few = append(few, fmt.Sprintf("%s, %s: %s", r.Machine, r.Program, times(r.Fewer())))
			}
		}
		if r.Rings > 1 {
			best = min(best, r.Slower())
			if r.Slower() > 2 {
				slow = append(slow, fmt.Sprintf("%s, %s: %+.1f %%", r.Machine, r.Program, r.Slower()))
			}
		}
	}
	list := func(s []string) string {
		if len(s) == 0 {
			return "none"
		}
		return strings.Join(s, "; ")
	}
	_, err := fmt.Fprintf(w, `- Of %d rows with several last-level caches, %d have at least three times fewer steals between them. Fewer than three times: %s.
- Makespans with nearest victims first are up to %.0f %% shorter than with random ones. More than 2 %% longer: %s.
`, len(several), len(several)-len(few), list(few), -best, list(slow))
	return err
}

// WritePlot writes a picture of the rows with several last-level caches: each is
// a dot, to the right the fewer steals leave their cache, down the shorter the
// run. It is readable on light and dark.
func WritePlot(w io.Writer, rows []Row) error {
	const width, height, left, right, top, bottom = 760, 420, 64, 20, 40, 92
	const most, low, high = 12.0, -15.0, 5.0
	x := func(v float64) float64 { return left + (min(v, most))/most*(width-left-right) }
	y := func(v float64) float64 {
		return top + (high-min(max(v, low), high))/(high-low)*(height-top-bottom)
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %[1]d %[2]d" font-family="sans-serif" font-size="13" role="img">
<title>Nearest victims first against random ones</title>
<desc>One dot for each program on each machine with several last-level caches: how many times fewer steals leave their cache, and how much longer the run takes.</desc>
<style>.p{fill:#fff}text{fill:#222}.l{stroke:#999}.z{stroke:#555}.g{fill:#1b7f4b;fill-opacity:.12}@media(prefers-color-scheme:dark){.p{fill:#16181c}text{fill:#ddd}.l{stroke:#777}.z{stroke:#bbb}.g{fill:#5fd39a}}</style>
<rect class="p" width="%[1]d" height="%[2]d"/>
`, width, height)
	fmt.Fprintf(&b, `<rect class="g" x="%.1f" y="%.1f" width="%.1f" height="%.1f"/>`+"\n", x(3), y(2), x(most)-x(3), y(low)-y(2))
	fmt.Fprintf(&b, `<text x="%.1f" y="%.1f" text-anchor="end">aim: 3 × fewer, at most 2 %% longer</text>`+"\n", x(most)-6, y(low)-8)
	for v := low; v <= high; v += 5 {
		class := "l"
		if v == 0 {
			class = "z"
		}
		fmt.Fprintf(&b, `<line class="%s" x1="%d" x2="%d" y1="%.1f" y2="%.1f" stroke-width="1"/><text x="%d" y="%.1f" text-anchor="end">%s</text>`+"\n",
			class, left, width-right, y(v), y(v), left-6, y(v)+4, strings.Replace(fmt.Sprintf("%+.0f %%", v), "+0", "0", 1))
	}
	for v := 0.0; v <= most; v += 2 {
		fmt.Fprintf(&b, `<text x="%.1f" y="%d" text-anchor="middle">%.0f ×</text>`+"\n", x(v), height-bottom+20, v)
	}
	fmt.Fprintf(&b, `<text x="%d" y="%d" text-anchor="middle">times fewer steals from other last-level caches than with random victims</text>`+"\n", (left+width-right)/2, height-bottom+42)
	fmt.Fprintf(&b, `<text x="%d" y="22">makespan, compared with random victims</text>`+"\n", left-50)
	colours := []string{"#d55e00", "#0072b2", "#009e73", "#cc79a7"} // told apart also by the colour-blind, and by their shapes
	mark := func(kind int, cx, cy float64, title string) {
		c := colours[kind%len(colours)]
		t := "<title>" + html.EscapeString(title) + "</title>"
		switch kind % len(colours) {
		case 0:
			fmt.Fprintf(&b, `<circle cx="%.1f" cy="%.1f" r="5" fill="%s">%s</circle>`+"\n", cx, cy, c, t)
		case 1:
			fmt.Fprintf(&b, `<rect x="%.1f" y="%.1f" width="9" height="9" fill="%s">%s</rect>`+"\n", cx-4.5, cy-4.5, c, t)
		case 2:
			fmt.Fprintf(&b, `<path d="M%.1f %.1fl6 10h-12z" fill="%s">%s</path>`+"\n", cx, cy-6, c, t)
		case 3:
			fmt.Fprintf(&b, `<path d="M%.1f %.1fl6 6-6 6-6-6z" fill="%s">%s</path>`+"\n", cx, cy-6, c, t)
		}
	}
	for i, p := range workloads {
		at := float64(left + i*150)
		mark(i, at+6, height-18, p.name)
		fmt.Fprintf(&b, `<text x="%.1f" y="%d">%s</text>`+"\n", at+18, height-14, p.name)
	}
	for _, r := range rows {
		if r.Caches < 2 {
			continue
		}
		for i, p := range workloads {
			if p.name == r.Program {
				mark(i, x(r.Fewer()), y(r.Slower()), fmt.Sprintf("%s, %s: %s fewer, %+.1f %%", r.Machine, r.Program, times(r.Fewer()), r.Slower()))
			}
		}
	}
	b.WriteString("</svg>\n")
	_, err := io.WriteString(w, b.String())
	return err
}
