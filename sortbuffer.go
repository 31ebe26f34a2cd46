package forkjoin

import (
	"sync"
	"unsafe"
)

// Memory for words is kept between sorts, since fresh memory has to be cleared
// or mapped page by page, which takes about as long as sorting by one digit. It
// has no pointers in it. The garbage collector frees what was not used between
// two collections.

var (
	scratchPool = sync.Pool{New: func() any { return new([]uint64) }} // for buckets: up to a quarter of a megabyte each
	bufferPool  = sync.Pool{New: func() any { return new([]uint64) }} // for whole slices
)

// takeBuffer returns room for n words, and what to put back into the pool.
func takeBuffer[T word](pool *sync.Pool, n int) ([]T, *[]uint64) {
	words := pool.Get().(*[]uint64)
	var e T
	need := int((uintptr(n)*unsafe.Sizeof(e) + 7) / 8)
	if len(*words) < need {
		*words = make([]uint64, need+need/8)
	}
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(*words))), n), words
}
