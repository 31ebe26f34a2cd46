// Wordcount shows forkjoin.ParallelReduce on files: how often does each word
// occur below a directory? Every leaf counts some files into a map of its own,
// and maps are merged two at a time, so nothing is shared and nothing locked.
//
//	go run ./examples/wordcount [DIR]
package main

import (
	"cmp"
	"fmt"
	"io/fs"
	"log"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/forkjoin-go/forkjoin"
)

type counts map[string]int

// count counts the words of some files. What cannot be read counts as empty.
func count(files []string) counts {
	c := make(counts)
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			continue
		}
		notLetter := func(r rune) bool { return !unicode.IsLetter(r) }
		for word := range strings.FieldsFuncSeq(string(data), notLetter) {
			c[strings.ToLower(word)]++
		}
	}
	return c
}

// merge adds the smaller map to the larger one. That is allowed: each map has
// one owner, and the identity is the nil map, which is never written to.
func merge(a, b counts) counts {
	if len(a) < len(b) {
		a, b = b, a
	}
	for word, n := range b {
		a[word] += n
	}
	return a
}

func main() {
	dir := "."
	if len(os.Args) > 1 {
		dir = os.Args[1]
	}
	var files []string
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			files = append(files, name)
		}
		return err
	})
	if err != nil {
		log.Fatalf("wordcount: %v", err)
	}
	count(files) // so that both forms find the files in the system's cache

	var want, got counts
	sequential := timed(func() { want = count(files) })
	parallel := timed(func() {
		got = forkjoin.ParallelReduce(len(files), nil,
			func(lo, hi int) counts { return count(files[lo:hi]) }, merge)
	})

	if !maps.Equal(want, got) {
		log.Fatal("wordcount: the parallel counts differ from the sequential ones")
	}
	words := slices.SortedFunc(maps.Keys(got), func(a, b string) int {
		return cmp.Or(cmp.Compare(got[b], got[a]), cmp.Compare(a, b))
	})
	for _, word := range words[:min(5, len(words))] {
		fmt.Printf("%9d %s\n", got[word], word)
	}
	fmt.Printf("%d files, %d different words: sequential %v, parallel %v on %d cores\n",
		len(files), len(words), sequential, parallel, runtime.GOMAXPROCS(0))
}

func timed(f func()) time.Duration {
	start := time.Now()
	f()
	return time.Since(start).Round(10 * time.Microsecond)
}
