// Linelengths makes a histogram of the lengths of lines in the files of a
// directory, Go's own sources if none is named: in sequence, with goroutines that
// take a part of the text each, and with package iter.
//
//	go run ./examples/linelengths [DIR]
package main

import (
	_ "embed"
	"fmt"
	"log"
	"maps"
	"runtime"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/forkjoin-go/forkjoin/examples/internal/compare"
	"github.com/forkjoin-go/forkjoin/iter"
)

//go:embed main.go
var source string

// class returns the part of the histogram that a line belongs to.
func class(line string) int { return min(utf8.RuneCountInString(line)/10, 12) }

func sequential(text string) map[int]int {
	counts := make(map[int]int)
	for line := range strings.Lines(text) {
		counts[class(line)]++
	}
	return counts
}

func chunked(text string) map[int]int {
	workers := runtime.GOMAXPROCS(0)
	parts := make([]map[int]int, workers)
	var wg sync.WaitGroup
	for w := range workers {
		// Each takes its share of what is left, up to the end of a line.
		end := len(text) / (workers - w)
		if w < workers-1 {
			end = strings.LastIndexByte(text[:end], '\n') + 1
		}
		part := text[:end]
		text = text[end:]
		wg.Go(func() { parts[w] = sequential(part) })
	}
	wg.Wait()
	counts := parts[0]
	for _, part := range parts[1:] {
		for k, n := range part {
			counts[k] += n
		}
	}
	return counts
}

func parallel(text string) map[int]int {
	return iter.CountBy(iter.Lines(text), class)
}

func main() {
	files := compare.Files(compare.Dir("src"), "*.go")
	text := strings.Join(iter.Map(iter.Slice(files), compare.Read).Collect(), "")
	var a, b, c map[int]int
	compare.Table(source,
		compare.Form{Name: "sequential", Do: func() { a = sequential(text) }, Funcs: []string{"sequential"}},
		compare.Form{Name: "by hand", Do: func() { b = chunked(text) }, Funcs: []string{"sequential", "chunked"}},
		compare.Form{Name: "parallel", Do: func() { c = parallel(text) }, Funcs: []string{"parallel"}})
	if !maps.Equal(a, b) || !maps.Equal(a, c) {
		log.Fatal("linelengths: the forms disagree")
	}

	most, _ := iter.Max(iter.Values(c))
	for k := range 13 {
		fmt.Printf("%3d… %8d %s\n", 10*k, c[k], strings.Repeat("#", c[k]*50/max(most, 1)))
	}
}
