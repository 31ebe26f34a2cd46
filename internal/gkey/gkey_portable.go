//go:build !explore && (purego || !gc || !(386 || amd64 || arm || arm64 || loong64 || ppc64le || riscv64 || s390x || wasm))

package gkey

import (
	"fmt"
	"runtime"
	"sync"
)

// Fast reports that Get costs about as much as a function call. It is a
// constant, so code for the other case compiles to nothing.
const Fast = false

// header is room for "goroutine N " with the longest N; what runtime.Stack
// has to say beyond that is cut off.
type header [32]byte

// headers spares an allocation per call: the runtime makes the buffer escape.
var headers = sync.Pool{New: func() any { return new(header) }}

// Get returns the key of the calling goroutine. It is slow, about 2,000 function
// calls, and slower in proportion on a deep stack: it has the runtime describe
// the stack, of which it keeps only the goroutine's number. It allocates nothing
// but a small buffer now and then, and nothing may be concluded from it about
// what other goroutines did.
//
// Goroutine numbers are 64 bits wide and never reused. Where a uintptr has 32,
// goroutines started a multiple of 2³² apart would share a key.
func Get() uintptr {
	h := headers.Get().(*header)
	n := runtime.Stack(h[:], false)
	id, ok := parseHeader(h[:n])
	if !ok {
		panic(fmt.Sprintf("forkjoin: gkey: stack trace begins with %q, want a goroutine number", h[:n]))
	}
	headers.Put(h)
	return uintptr(id)
}

// parseHeader reads N from "goroutine N [state]:", of which the end may be
// missing. It reports false for anything else and for N = 0, which no
// goroutine of a program has.
func parseHeader(b []byte) (id uint64, ok bool) {
	const prefix = "goroutine "
	if len(b) < len(prefix) || string(b[:len(prefix)]) != prefix {
		return 0, false
	}
	for _, c := range b[len(prefix):] {
		if c == ' ' {
			return id, id != 0
		}
		if c < '0' || c > '9' {
			return 0, false
		}
		id = id*10 + uint64(c-'0')
	}
	return 0, false
}
