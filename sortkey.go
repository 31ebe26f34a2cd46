package forkjoin

import (
	"cmp"
	"math/bits"
	"reflect"
	"unsafe"
)

// SortByKey sorts s by the keys of its elements, in ascending order, as
// [cmp.Compare] has it. The sort is stable: elements whose keys are equal keep
// their order. key is called once for each element, perhaps several times at the
// same time, and s is as it was until all calls have returned.
//
// Cost: one call of key for each element, and sorting the keys as [Sort] does;
// then each element is moved twice. The extra memory is as much as s, and four to six
// words for each element; but for keys that are strings, and elements with pointers, it
// is kept for the next call until the garbage collector has run twice.
//
// If key panics, SortByKey panics with a [*PanicError] when the calls that had
// started have ended, and leaves s as it was. Goexit is as for [Join]. SortByKey
// panics if key is nil.
//
// What was done before SortByKey is synchronized before each call of key, and
// those, and what it writes to s, before it returns.
func SortByKey[S ~[]E, E any, K cmp.Ordered](s S, key func(E) K) {
	if key == nil {
		badUse("SortByKey: key is nil")
	}
	n := len(s)
	if n == 0 {
		return
	}
	if n <= fewKeys && unsafe.Sizeof(s[0]) <= smallElement {
		sortFewByKey(s, key)
		return
	}
	kind := reflect.TypeFor[K]().Kind()
	if kind == reflect.String {
		keys := make([]K, n)
		ParallelForRange(0, n, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				keys[i] = key(s[i])
			}
		})
		if IsSorted(keys) {
			return
		}
		pairs, words := takeBuffer[pair](&pairPool, n)
		number(pairs)
		t := &stringSort{strings: recast[string](keys), workers: workersHere()}
		t.sort(pairs, 0, 0)
		permute(s, pairs)
		pairPool.Put(words)
		return
	}
	pairs, words := takeBuffer[pair](&pairPool, n)
	ParallelForRange(0, n, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			pairs[i] = pair{code(key(s[i]), kind), uint64(i)}
		}
	})
	if !holdsBetween(pairs, keysAscend) {
		r := &radix[pair]{workers: workersHere()}
		lo, hi := r.span(pairs)
		r.lo = lo
		r.sortPairs(pairs, bits.Len64(hi-lo))
		permute(s, pairs)
	}
	pairPool.Put(words)
}

const (
	fewKeys      = 24 // are sorted by insertion
	smallElement = 64 // bytes that are moved several times
)

// sortFewByKey is SortByKey for short slices.
func sortFewByKey[S ~[]E, E any, K cmp.Ordered](s S, key func(E) K) {
	var room [fewKeys]K
	keys := room[:len(s)]
	guard(func() {
		for i, x := range s {
			keys[i] = key(x)
		}
	})
	for i := 1; i < len(s); i++ {
		k, x := keys[i], s[i]
		j, nan := i, k != k
		for ; j > 0 && (k < keys[j-1] || nan && keys[j-1] == keys[j-1]); j-- { // cmp.Less
			keys[j], s[j] = keys[j-1], s[j-1]
		}
		keys[j], s[j] = k, x
	}
}
