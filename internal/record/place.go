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

// What is in place of the number of what has no line of the user's.
const (
	libraryCode = ^uint64(0) - iota // the library
	trackCode                       // this package
	parentCode                      // what runs a part of a recorded fork, loop or reduction
	special
)

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

// How far up the stack users are looked for, first and at most.
const (
	nearFrames = 12
	farFrames  = 64
)

// caller returns the number of the line that called the library. It is 0 within what
// has that name already: if a part of such a thing is up the stack, or if nothing is,
// because the part has moved here. Finding out is not the program's time.
func (t *Track) caller() uint64 {
	start := clock.Now()
	defer func() { t.last += clock.Now() - start }()
	var pcs [farFrames]uintptr
	n := runtime.Callers(1, pcs[:nearFrames])
	id := t.callerIn(pcs[:n])
	if id == special && n == nearFrames {
		id = t.callerIn(pcs[:runtime.Callers(1, pcs[:])])
	}
	if id == special {
		return 0
	}
	return id
}

// callerIn is caller for the frames with these addresses; special says that they are
// too few.
func (t *Track) callerIn(pcs []uintptr) uint64 {
	self := true // so far these are frames of the fork or loop itself
	for _, pc := range pcs {
		id, known := t.callers[pc]
		if !known {
			if t.callers == nil {
				t.callers = map[uintptr]uint64{}
			}
			id = t.rec.line(pc)
			t.callers[pc] = id
		}
		switch {
		case id < special:
			return id
		case id == parentCode && !self:
			return 0
		}
		self = self && id == trackCode
	}
	return special
}

// line returns the number of a line of the user's, or what stands for a frame that is
// none.
func (r *Recording) line(pc uintptr) uint64 {
	of := runtime.CallersFrames([]uintptr{pc})
	is := trackCode
	for more := true; more; {
		var f runtime.Frame
		f, more = of.Next()
		switch {
		case path.Dir(f.File) == library+"/internal/record":
		case runsParts(f.Function):
			is = parentCode
		case f.Function == "", inLibrary(f.File), passesOn(f.Function):
			if is == trackCode {
				is = libraryCode
			}
		default:
			return r.Name(at(f.Function, f.File, f.Line))
		}
	}
	return is
}

// runsParts reports whether a function of package forkjoin runs parts of what is
// recorded.
func runsParts(function string) bool {
	name, ours := strings.CutPrefix(strings.TrimSuffix(function, "[...]"), "github.com/forkjoin-go/forkjoin.")
	switch name[strings.LastIndexByte(name, '.')+1:] {
	case "recordJoin", "recordedJoin2", "recordedFork", "recordInline", "runPart", "recordLeaf", "recordCombine":
		return ours
	}
	return false
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
	return dir == library || dir == library+"/iter"
}

// library is the directory of package forkjoin, as compilers write it.
var library = func() string {
	_, file, _, _ := runtime.Caller(0)
	return path.Dir(path.Dir(path.Dir(file)))
}()
