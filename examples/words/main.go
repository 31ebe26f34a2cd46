// Words counts the words in the files of a directory, Go's own sources if none
// is named: in sequence, with goroutines that take a part of the files each, and
// with package iter.
//
//	go run ./examples/words [DIR]
package main

import (
	_ "embed"
	"fmt"
	"log"
	"maps"
	"runtime"
	"strings"
	"sync"
	"unicode"

	"github.com/forkjoin-go/forkjoin/examples/internal/compare"
	"github.com/forkjoin-go/forkjoin/iter"
)

//go:embed main.go
var source string

// words returns the words in a file.
func words(name string) []string {
	return strings.FieldsFunc(compare.Read(name), func(r rune) bool { return !unicode.IsLetter(r) })
}

func sequential(files []string) map[string]int {
	counts := make(map[string]int)
	for _, name := range files {
		for _, word := range words(name) {
			counts[word]++
		}
	}
	return counts
}

func chunked(files []string) map[string]int {
	workers := runtime.GOMAXPROCS(0)
	parts := make([]map[string]int, workers)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			parts[w] = sequential(files[len(files)*w/workers : len(files)*(w+1)/workers])
		})
	}
	wg.Wait()
	counts := parts[0]
	for _, part := range parts[1:] {
		for word, n := range part {
			counts[word] += n
		}
	}
	return counts
}

func parallel(files []string) map[string]int {
	return iter.CountBy(iter.FlatMap(iter.Slice(files), words), func(word string) string { return word })
}

func main() {
	files := compare.Files(compare.Dir("src"), "*.go")
	if len(files) == 0 {
		log.Fatal("words: there are no Go files")
	}
	var a, b, c map[string]int
	compare.Table(source,
		compare.Form{Name: "sequential", Do: func() { a = sequential(files) }, Funcs: []string{"sequential"}},
		compare.Form{Name: "by hand", Do: func() { b = chunked(files) }, Funcs: []string{"sequential", "chunked"}},
		compare.Form{Name: "parallel", Do: func() { c = parallel(files) }, Funcs: []string{"parallel"}})
	if !maps.Equal(a, b) || !maps.Equal(a, c) {
		log.Fatal("words: the forms disagree")
	}

	type count = iter.Pair[string, int]
	top := iter.TopKFunc(iter.Pairs(c), 5, func(a, b count) int { return a.Second - b.Second })
	for _, t := range top {
		fmt.Printf("%9d %s\n", t.Second, t.First)
	}
	fmt.Printf("%d files, %d different words\n", len(files), len(c))
}
