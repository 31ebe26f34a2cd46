package forkjoin

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"

	"github.com/forkjoin-go/forkjoin/internal/record"
)

// A program that is run with FORKJOIN_RECORD set to the name of a file records
// every outermost call, and all that is given to groups, into that file. Nothing
// tells a Go program that it is about to end, so the file is brought up to date
// when an outermost call has ended, and is complete at any time. What is lost when
// a program ends is the calls that have not returned, and the last of many calls
// that were so short that writing could not keep up (see record.Writer).
//
// Of what the program does outside calls the file says only how long it took from one
// to the next. What comes before the first and after the last is not in it.

// everything is the recording of the whole program, nil if there is none. It is
// set before main starts and not changed.
var everything *recordToFile

// recordsAll reports whether the whole program is recorded.
func recordsAll() bool { return everything != nil }

// recordFile returns the name of the file that FORKJOIN_RECORD asks for.
func recordFile() string {
	return strings.ReplaceAll(os.Getenv("FORKJOIN_RECORD"), "%p", strconv.Itoa(os.Getpid()))
}

type recordToFile struct {
	name string
	once sync.Once
	rec  *record.Recording // nil if the file cannot be written
	file *record.Writer
}

// recording returns the recording, which the first call begins.
func (e *recordToFile) recording() *record.Recording {
	e.once.Do(func() {
		f, err := os.Create(e.name)
		if err != nil {
			e.complain(err)
			return
		}
		overhead.measure()
		e.rec = record.New(runtime.GOMAXPROCS(0), filepath.Base(os.Args[0]))
		e.file = record.NewWriter(e.rec, f)
	})
	return e.rec
}

// flush brings the file up to date after a call that took so many ticks.
func (e *recordToFile) flush(ticks int64) {
	if err := e.file.Flush(ticks); err != nil {
		e.complain(err)
	}
}

// complain says why there will be no recording. The program goes on: it was not
// asked to do anything that has failed.
func (e *recordToFile) complain(err error) {
	fmt.Fprintf(os.Stderr, "forkjoin: FORKJOIN_RECORD: %v\n", err)
}
