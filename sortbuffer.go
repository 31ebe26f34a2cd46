package forkjoin

import (
	"reflect"
	"sync"
	"unsafe"

	"github.com/forkjoin-go/forkjoin/internal/fresh"
)

// Memory for words is kept between sorts, since fresh memory has to be cleared
// or mapped page by page, which takes about as long as sorting by one digit. It
// has no pointers in it. The garbage collector frees what was not used between
// two collections.

var (
	scratchPool = sync.Pool{New: func() any { return new([]uint64) }} // for buckets: up to a quarter of a megabyte each
	bufferPool  = sync.Pool{New: func() any { return new([]uint64) }} // for whole slices
	elementPool = sync.Pool{New: func() any { return new([]uint64) }} // for whole slices of what has no pointers
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

// takeElements returns room for n elements of any type, all of which are to be written
// to before any is read, and what to give back, or nil.
func takeElements[E any](n int) ([]E, *[]uint64) {
	var e E
	size := unsafe.Sizeof(e)
	if size == 0 || !fresh.Pointerless(reflect.TypeFor[E]()) {
		return make([]E, n), nil
	}
	words := elementPool.Get().(*[]uint64)
	if need := int((uintptr(n)*size + 7) / 8); len(*words) < need {
		*words = fresh.Slice[uint64](need)
	}
	return unsafe.Slice((*E)(unsafe.Pointer(unsafe.SliceData(*words))), n), words
}

// giveElements gives back what takeElements returned.
func giveElements(words *[]uint64) {
	if words != nil {
		elementPool.Put(words)
	}
}
