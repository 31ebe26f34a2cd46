//go:build !purego

// Package fresh gives memory that is not cleared first.
package fresh

import (
	"math"
	"reflect"
	"strings"
	"unsafe"
)

// Slice returns n elements that are all to be written to before any is read.
// Clearing a large slice takes one goroutine as long as computing what is to be in
// it takes several, so where elements have no pointers, which a garbage collector
// would follow, their memory comes as it is: from a strings.Builder, the one place
// where the standard library gives such memory away.
func Slice[T any](n int) []T {
	var v T
	size := int(unsafe.Sizeof(v))
	if size == 0 || n < least/size || n > math.MaxInt/size || !Pointerless(reflect.TypeFor[T]()) {
		return make([]T, n)
	}
	var b strings.Builder
	b.Grow(n * size)
	b.WriteByte(0) // has the string below begin where the memory does
	memory := unsafe.Pointer(unsafe.StringData(b.String()))
	if uintptr(memory)%unsafe.Alignof(v) != 0 { // it is that of whole pages
		return make([]T, n)
	}
	return unsafe.Slice((*T)(memory), n)
}

// least is how many bytes are worth it.
const least = 1 << 16
