package tour

import (
	"cmp"
	"slices"
	"strings"

	"github.com/forkjoin-go/forkjoin"
)

// line is one line of a file, without its end. It points into the file's text.
type line struct {
	text string
	file int32
}

// splitLines returns the lines of all texts, in order.
func splitLines(texts []string) []line {
	starts, total := make([]int, len(texts)), 0
	for i, text := range texts {
		starts[i] = total
		total += countLines(text)
	}
	lines := make([]line, total)
	for i, text := range texts {
		fillLines(lines[starts[i]:], text, int32(i))
	}
	return lines
}

// splitLinesParallel counts the lines of each text in parallel, adds up where
// each text's lines begin, and fills them in, again in parallel.
func splitLinesParallel(texts []string) []line {
	starts, total := make([]int, len(texts)), 0
	forkjoin.ParallelFor(len(texts), func(i int) { starts[i] = countLines(texts[i]) })
	for i, n := range starts {
		starts[i], total = total, total+n
	}
	lines := make([]line, total)
	forkjoin.ParallelFor(len(texts), func(i int) {
		fillLines(lines[starts[i]:], texts[i], int32(i))
	})
	return lines
}

// countLines returns the number of lines; the last needs no newline.
func countLines(text string) int {
	n := strings.Count(text, "\n")
	if text != "" && text[len(text)-1] != '\n' {
		n++
	}
	return n
}

// fillLines writes the lines of one text to dst. A carriage return before the
// newline belongs to the line's end.
func fillLines(dst []line, text string, file int32) {
	for i := 0; text != ""; i++ {
		s, rest, _ := strings.Cut(text, "\n")
		dst[i] = line{strings.TrimSuffix(s, "\r"), file}
		text = rest
	}
}

// sorted returns the lines in order of their text; equal lines stay in order of
// their files.
func sorted(lines []line) []line {
	s := slices.Clone(lines)
	slices.SortFunc(s, func(a, b line) int {
		return cmp.Or(strings.Compare(a.text, b.text), cmp.Compare(a.file, b.file))
	})
	return s
}

// sortedParallel is sorted with a stable sort, which needs no more than the texts.
func sortedParallel(lines []line) []line {
	s := slices.Clone(lines)
	forkjoin.SortByKey(s, func(l line) string { return l.text })
	return s
}
