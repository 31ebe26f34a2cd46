package forkjoin

import (
	"cmp"
	"reflect"
	"sync"
	"unsafe"
)

// fewPairs is how many are numbered, keyed or moved by one worker.
const fewPairs = 1 << 12

var pairPool = sync.Pool{New: func() any { return new([]uint64) }}

// number makes pairs refer to the elements of a slice, in order.
func number(pairs []pair) {
	ParallelForRange(0, len(pairs), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			pairs[i].at = uint64(i)
		}
	})
}

// sortPairs sorts pairs, whose keys are below 1<<top.
func (r *radix[T]) sortPairs(pairs []T, top int) {
	if len(pairs) <= inCache {
		r.bucket(pairs, pairs, top)
		return
	}
	buffer, words := takeBuffer[T](&bufferPool, len(pairs))
	r.sort(pairs, buffer, true, top)
	bufferPool.Put(words)
}

func keysAscend(pairs []pair) bool {
	for i := 1; i < len(pairs); i++ {
		if pairs[i].key < pairs[i-1].key {
			return false
		}
	}
	return true
}

// permute makes s[i] what s[pairs[i].at] was.
func permute[S ~[]E, E any](s S, pairs []pair) {
	moved, memory := takeElements[E](len(s))
	ParallelForRange(0, len(s), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			moved[i] = s[pairs[i].at]
		}
	})
	ParallelForRange(0, len(s), func(lo, hi int) { copy(s[lo:hi], moved[lo:hi]) })
	giveElements(memory)
}

// code returns an unsigned number for a key of some kind of number, such that
// the numbers have the order of the keys, and are equal if cmp.Compare says so
// of the keys.
func code[K cmp.Ordered](key K, kind reflect.Kind) uint64 {
	return codeAt(unsafe.Pointer(&key), kind)
}

// codeAt is code for a key in memory.
func codeAt(p unsafe.Pointer, kind reflect.Kind) uint64 {
	const sign = 1 << 63
	switch kind {
	case reflect.Int8:
		return uint64(*(*int8)(p)) ^ sign
	case reflect.Int16:
		return uint64(*(*int16)(p)) ^ sign
	case reflect.Int32:
		return uint64(*(*int32)(p)) ^ sign
	case reflect.Int64:
		return uint64(*(*int64)(p)) ^ sign
	case reflect.Int:
		return uint64(*(*int)(p)) ^ sign
	case reflect.Uint8:
		return uint64(*(*uint8)(p))
	case reflect.Uint16:
		return uint64(*(*uint16)(p))
	case reflect.Uint32:
		return uint64(*(*uint32)(p))
	case reflect.Uint64:
		return *(*uint64)(p)
	case reflect.Uint:
		return uint64(*(*uint)(p))
	case reflect.Uintptr:
		return uint64(*(*uintptr)(p))
	case reflect.Float32:
		return floatCode(float64(*(*float32)(p)))
	}
	return floatCode(*(*float64)(p))
}
