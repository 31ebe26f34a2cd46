package forkjoin

import (
	"reflect"
	"unsafe"
)

// codeOf returns where the code of a function is.
func codeOf(f any) uintptr { return reflect.ValueOf(f).Pointer() }

// codeIn is codeOf for the function in a variable. It costs a tenth, which counts
// where each Join is noted. It reads what assembly has to know that calls a function:
// that a function value points to the address of the code. Should that turn out to be
// otherwise, reflect is asked.
func codeIn[F any](f *F) uintptr {
	if pointsToCode {
		return **(**uintptr)(unsafe.Pointer(f))
	}
	return codeOf(*f)
}

// pointsToCode reports whether function values are what codeIn takes them for: one
// that has captured nothing, and one that has.
var pointsToCode = func() bool {
	called := 0
	for _, f := range [...]func(){func() {}, func() { called++ }} {
		if unsafe.Sizeof(f) != unsafe.Sizeof(uintptr(0)) || **(**uintptr)(unsafe.Pointer(&f)) != codeOf(f) {
			return false
		}
	}
	return true
}()
