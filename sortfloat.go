package forkjoin

import (
	"math"
	"math/bits"
	"unsafe"
)

// Floating-point numbers are sorted as unsigned integers that have the order of
// cmp.Compare: negative ones have all bits turned, the others the sign bit.
// Adding the number of NaNs with a clear sign bit then makes those wrap around
// to zero, so that all NaNs come first. Each bit pattern has a code of its own,
// so all come out as they went in.

// A float is the bits of a floating-point number.
type float interface{ uint32 | uint64 }

// positiveNaNs returns how many NaNs have a clear sign bit.
func positiveNaNs[T float]() T {
	var e T
	if unsafe.Sizeof(e) == 4 {
		return 1<<23 - 1
	}
	nans := uint64(1<<52 - 1)
	return T(nans)
}

// turned returns the bits that encoding turns in a number, given its sign bit.
func turned[T float](negative T) T { return ^(^T(0) >> 1) | -negative }

func signOf[T float](x T) T { return x >> (8*unsafe.Sizeof(x) - 1) }

func encode[T float](x T) T { return (x ^ turned(signOf(x))) + positiveNaNs[T]() }

func decode[T float](k T) T {
	x := k - positiveNaNs[T]()
	return x ^ turned(1-signOf(x))
}

// sortFloats sorts the numbers that have the bits s.
func sortFloats[T float](s []T, buffered bool) {
	encodeAll := func(lo, hi int) bounds {
		least, most := ^T(0), T(0)
		for i, x := range s[lo:hi] {
			k := encode(x)
			s[lo+i] = k
			least, most = min(least, k), max(most, k)
		}
		return bounds{uint64(least), uint64(most)}
	}
	var b bounds
	if len(s) <= inCache {
		b = encodeAll(0, len(s))
	} else {
		b = ParallelReduce(len(s), b, encodeAll, bounds.union)
	}
	r := &radix[T]{lo: b.lo, workers: workersHere(), finish: func(s []T) {
		for i := range s {
			s[i] = decode(s[i])
		}
	}}
	top := bits.Len64(b.hi - b.lo)
	if buffered || len(s) <= inCache {
		r.sortWords(s, top, true)
	} else {
		quickInPlace(s, func(part []T) { r.flag(part, top) })
	}
}

// floatCode is encode with one code for all NaNs, and one for both zeros.
func floatCode(x float64) uint64 {
	if x != x {
		return 0
	}
	return encode(math.Float64bits(x + 0))
}
