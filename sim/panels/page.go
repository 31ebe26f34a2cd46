package panels

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// columns is the width of what is written for people.
const columns = 80

// A page writes paragraphs and tables. Its errors show in flush.
type page struct{ w *bufio.Writer }

func newPage(w io.Writer) page { return page{bufio.NewWriter(w)} }

func (p page) flush() error { return p.w.Flush() }

// title begins a part.
func (p page) title(text string) {
	fmt.Fprintf(p.w, "\n%s\n%s\n", text, strings.Repeat("-", utf8.RuneCountInString(text)))
}

// say writes a paragraph after an empty line.
func (p page) say(format string, args ...any) {
	p.w.WriteString("\n")
	for _, line := range wrap(fmt.Sprintf(format, args...), columns) {
		p.w.WriteString(line + "\n")
	}
}

// wrap breaks text into lines at its spaces.
func wrap(text string, width int) (lines []string) {
	line := ""
	for _, word := range strings.Fields(text) {
		if n := utf8.RuneCountInString(line) + 1 + utf8.RuneCountInString(word); line != "" && n > width {
			lines = append(lines, line)
			line = ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return append(lines, line)
}

// list writes numbered or named points, indented under their first words.
func (p page) list(points ...string) {
	p.w.WriteString("\n")
	for _, point := range points {
		for i, line := range wrap(point, columns-4) {
			if i == 0 {
				p.w.WriteString("  - " + line + "\n")
			} else {
				p.w.WriteString("    " + line + "\n")
			}
		}
	}
}

// table writes rows in columns, after an empty line: the first column to the
// left, the others to the right.
func (p page) table(rows [][]string) {
	var widths []int
	for _, row := range rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	p.w.WriteString("\n")
	for _, row := range rows {
		line := " "
		for i, cell := range row {
			pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			if i == 0 {
				line += " " + cell + pad
			} else {
				line += "  " + pad + cell
			}
		}
		p.w.WriteString(strings.TrimRight(line, " ") + "\n")
	}
}

// row makes a row of a table. Figures are written as they are.
func row(cells ...any) []string {
	r := make([]string, len(cells))
	for i, c := range cells {
		r[i] = fmt.Sprint(c)
	}
	return r
}
