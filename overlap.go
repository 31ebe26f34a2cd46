package forkjoin

import "unsafe"

// overlap reports whether two slices have memory in common, and how many bytes
// apart they begin.
func overlap[E any](a, b []E) (apart uintptr, ok bool) {
	x, y := uintptr(unsafe.Pointer(unsafe.SliceData(a))), uintptr(unsafe.Pointer(unsafe.SliceData(b)))
	size := unsafe.Sizeof(*new(E))
	return max(x, y) - min(x, y), max(x, y) < min(x+uintptr(len(a))*size, y+uintptr(len(b))*size)
}
