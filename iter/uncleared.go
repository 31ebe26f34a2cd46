//go:build !purego

package iter

import (
	"strings"
	"unsafe"
)

// uncleared returns n elements that are all to be written to before any is read.
// Clearing a large slice takes one goroutine as long as computing what is to be in
// it takes several, so where elements have no pointers, which a garbage collector
// would follow, their memory comes as it is: from a strings.Builder, the one place
// where the standard library gives such memory away.
func uncleared[T any](n int) []T {
	var v T
	size := int(unsafe.Sizeof(v))
	if !pointerless[T]() || n < unclearedLeast/size || n > maxInt/size {
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

// unclearedLeast is how many bytes are worth it.
const unclearedLeast = 1 << 16

// pointerless reports whether T is one of the types without pointers that results
// mostly have.
func pointerless[T any]() bool {
	switch any((*T)(nil)).(type) {
	case *int, *int8, *int16, *int32, *int64, *uint, *uint8, *uint16, *uint32, *uint64, *uintptr,
		*float32, *float64, *complex64, *complex128, *bool:
		return true
	}
	return false
}
