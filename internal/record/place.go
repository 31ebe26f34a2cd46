package record

import (
	"path"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"github.com/forkjoin-go/forkjoin/internal/clock"
)

// Forks and loops are named by the function that they are given, with the line where
// that begins. Many functions of the library, such as sorts, give functions of the
// library's own to others; those are named by the line of the user that called in.
//
// Rejected: to pass that line down. It would have to be found at each call, recorded
// or not.

// libraryCode is in place of the number of a function of the library.
const libraryCode = ^uint64(0)

// place returns the number of a function.
func (r *Recording) place(code uintptr) uint64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	id, ok := r.byCode[code]
	if !ok {
		id = r.describe(code)
		r.byCode[code] = id
	}
	return id
}

// describe is place for a function that is new. The caller holds mu.
func (r *Recording) describe(code uintptr) uint64 {
	f := runtime.FuncForPC(code)
	if f == nil {
		return 0
	}
	file, line := f.FileLine(code)
	if !r.Anonymous && inLibrary(file) {
		return libraryCode
	}
	return r.name(at(f.Name(), file, line))
}

// at names a place. The directory of the file is left out: it differs from machine to
// machine.
func at(function, file string, line int) string {
	return function + " " + filepath.Base(file) + ":" + strconv.Itoa(line)
}

// frames is how far up the stack users are looked for.
const frames = 64

// caller returns the number of the line that called the library, 0 if that is not on
// the goroutine's stack: then a part of what it called has moved here, and belongs to
// what has its name. Finding out is not the program's time.
func (t *Track) caller() uint64 {
	start := clock.Now()
	defer func() { t.last += clock.Now() - start }()
	var pcs [frames]uintptr
	for _, pc := range pcs[:runtime.Callers(1, pcs[:])] {
		id, known := t.callers[pc]
		if !known {
			if t.callers == nil {
				t.callers = map[uintptr]uint64{}
			}
			id = t.rec.line(pc)
			t.callers[pc] = id
		}
		if id != libraryCode {
			return id
		}
	}
	return 0
}

// line returns the number of a line of the user's, or libraryCode if a frame is none.
func (r *Recording) line(pc uintptr) uint64 {
	of := runtime.CallersFrames([]uintptr{pc})
	for more := true; more; {
		var f runtime.Frame
		f, more = of.Next()
		if f.Function != "" && !inLibrary(f.File) && !passesOn(f.Function) {
			return r.Name(at(f.Function, f.File, f.Line))
		}
	}
	return libraryCode
}

// passesOn reports whether a function of the standard library only calls others for
// the user.
func passesOn(function string) bool {
	for _, pkg := range [...]string{"runtime.", "slices.", "maps.", "iter.", "sync.", "reflect."} {
		if strings.HasPrefix(function, pkg) {
			return true
		}
	}
	return false
}

// inLibrary reports whether a file is one of those that make up the library.
func inLibrary(file string) bool {
	if strings.HasSuffix(file, "_test.go") {
		return false
	}
	dir := path.Dir(file)
	return dir == library || dir == library+"/iter" || dir == library+"/internal/record"
}

// library is the directory of package forkjoin, as compilers write it.
var library = func() string {
	_, file, _, _ := runtime.Caller(0)
	return path.Dir(path.Dir(path.Dir(file)))
}()
