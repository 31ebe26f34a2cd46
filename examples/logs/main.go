// Logs reads the log of a web server, in the common log format, and tells which
// pages had most errors, and how many bytes were sent in each hour: in sequence,
// with goroutines that take a part of the lines each, and with package iter. If
// no file is named it makes a log up.
//
//	go run ./examples/logs [FILE]
package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"log"
	"maps"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/forkjoin-go/forkjoin/examples/internal/compare"
	"github.com/forkjoin-go/forkjoin/iter"
)

//go:embed main.go
var source string

// An entry is a line of the log.
type entry struct {
	hour, page    string
	status, bytes int
}

// parse reads a line such as
//
//	10.0.0.1 - - [30/Nov/2026:17:15:00 +0000] "GET /index.html HTTP/1.1" 200 5120
func parse(line string) (e entry, ok bool) {
	_, rest, ok1 := strings.Cut(line, "[")
	stamp, rest, ok2 := strings.Cut(rest, "] \"")
	request, rest, ok3 := strings.Cut(rest, "\" ")
	fields, result := strings.Fields(request), strings.Fields(rest)
	if !ok1 || !ok2 || !ok3 || len(fields) < 2 || len(result) < 2 || len(stamp) < 14 {
		return e, false
	}
	status, err1 := strconv.Atoi(result[0])
	size, err2 := strconv.Atoi(result[1])
	return entry{stamp[12:14], fields[1], status, size}, err1 == nil && err2 == nil
}

// A report is what is wanted of the log.
type report struct {
	errors map[string]int // by page
	bytes  map[string]int // by hour
}

func newReport() report { return report{make(map[string]int), make(map[string]int)} }

func (r report) add(e entry) report {
	if e.status >= 500 {
		r.errors[e.page]++
	}
	r.bytes[e.hour] += e.bytes
	return r
}

func (r report) merge(s report) report {
	for page, n := range s.errors {
		r.errors[page] += n
	}
	for hour, n := range s.bytes {
		r.bytes[hour] += n
	}
	return r
}

func sequential(text string) report {
	r := newReport()
	for line := range strings.Lines(text) {
		if e, ok := parse(line); ok {
			r.add(e)
		}
	}
	return r
}

func chunked(text string) report {
	workers := runtime.GOMAXPROCS(0)
	parts := make([]report, workers)
	var wg sync.WaitGroup
	for w := range workers {
		end := len(text) / (workers - w)
		if w < workers-1 {
			end = strings.LastIndexByte(text[:end], '\n') + 1
		}
		part := text[:end]
		text = text[end:]
		wg.Go(func() { parts[w] = sequential(part) })
	}
	wg.Wait()
	for _, part := range parts[1:] {
		parts[0].merge(part)
	}
	return parts[0]
}

func parallel(text string) report {
	return iter.Fold(iter.FilterMap(iter.Lines(text), parse), newReport, report.add, report.merge)
}

func main() {
	text := ""
	if len(os.Args) > 1 {
		text = compare.Read(os.Args[1])
	} else {
		text = invented(300_000)
	}
	var a, b, c report
	compare.Table(source,
		compare.Form{Name: "sequential", Do: func() { a = sequential(text) }, Funcs: []string{"sequential"}},
		compare.Form{Name: "by hand", Do: func() { b = chunked(text) }, Funcs: []string{"sequential", "chunked"}},
		compare.Form{Name: "parallel", Do: func() { c = parallel(text) }, Funcs: []string{"parallel"}})
	for _, r := range []report{b, c} {
		if !maps.Equal(r.errors, a.errors) || !maps.Equal(r.bytes, a.bytes) {
			log.Fatal("logs: the forms disagree")
		}
	}

	for _, p := range iter.TopKFunc(iter.Pairs(c.errors), 3, func(a, b iter.Pair[string, int]) int { return a.Second - b.Second }) {
		fmt.Printf("%6d errors on %s\n", p.Second, p.First)
	}
	for _, hour := range slices.Sorted(maps.Keys(c.bytes))[:min(3, len(c.bytes))] {
		fmt.Printf("%6d MB from %s:00 on\n", c.bytes[hour]>>20, hour)
	}
}

// invented returns a log of n lines.
func invented(n int) string {
	var b bytes.Buffer
	r := rand.New(rand.NewPCG(7, 11))
	for i := range n {
		status := 200
		if r.IntN(50) == 0 {
			status = 500 + r.IntN(4)
		}
		fmt.Fprintf(&b, "10.0.%d.%d - - [30/Nov/2026:%02d:%02d:%02d +0000] \"GET /page/%d HTTP/1.1\" %d %d\n",
			r.IntN(256), r.IntN(256), i*24/n, r.IntN(60), r.IntN(60), r.IntN(200)*r.IntN(200)/200, status, r.IntN(100_000))
	}
	return b.String()
}
