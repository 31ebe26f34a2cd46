package tour

import (
	"fmt"
	"io"
	"strconv"
	"unicode/utf8"

	"github.com/forkjoin-go/forkjoin"
)

// shared is a line that occurs in more than one file.
type shared struct {
	text         string
	times, files int
}

// longest holds the longest shared lines, best first; entries with times 0 are
// empty.
type longest [5]shared

// longestCommon finds the longest lines that occur in at least two files. The
// lines are sorted, so equal ones lie together, in order of their files.
func longestCommon(lines []line) longest { return longestIn(lines, 0, len(lines)) }

// longestCommonParallel is longestCommon as a reduction over the lines.
func longestCommonParallel(lines []line) longest {
	return forkjoin.ParallelReduce(len(lines), longest{},
		func(lo, hi int) longest { return longestIn(lines, lo, hi) },
		func(a, b longest) longest {
			for _, s := range b {
				a.add(s)
			}
			return a
		})
}

// longestIn looks at the runs of equal lines that begin in lines[lo:hi]; the
// last one may reach beyond hi.
func longestIn(lines []line, lo, hi int) (top longest) {
	if lo > 0 {
		for lo < hi && lines[lo].text == lines[lo-1].text {
			lo++
		}
	}
	for lo < hi {
		s := shared{lines[lo].text, 1, 1}
		for lo++; lo < len(lines) && lines[lo].text == s.text; lo++ {
			s.times++
			if lines[lo].file != lines[lo-1].file {
				s.files++
			}
		}
		if s.files > 1 && s.text != "" {
			top.add(s)
		}
	}
	return top
}

// add puts s where it belongs, if it does.
func (l *longest) add(s shared) {
	for i := range l {
		if s.better(l[i]) {
			s, l[i] = l[i], s
		}
	}
}

// better is a total order of different lines, so that the result does not
// depend on how the lines were divided.
func (s shared) better(t shared) bool {
	switch {
	case s.times == 0 || t.times == 0:
		return s.times != 0
	case len(s.text) != len(t.text):
		return len(s.text) > len(t.text)
	}
	return s.text < t.text
}

func (l longest) print(w io.Writer) {
	if l[0].times == 0 {
		fmt.Fprintln(w, "  none")
	}
	for _, s := range l {
		if s.times != 0 {
			fmt.Fprintf(w, "  %s bytes, %s times in %s files: %s\n",
				commas(len(s.text)), commas(s.times), commas(s.files), excerpt(s.text, 40))
		}
	}
}

// excerpt returns the beginning of a line, quoted, so that nothing in it can
// disturb a terminal.
func excerpt(s string, max int) string {
	if utf8.RuneCountInString(s) <= max {
		return strconv.Quote(s)
	}
	n := 0
	for i := range s {
		if n == max {
			return strconv.Quote(s[:i]) + "…"
		}
		n++
	}
	return strconv.Quote(s)
}
