package forkjoin

import "golang.org/x/exp/constraints"

// InclusiveSum sets dst[i] to src[0] + src[1] + … + src[i], for each i.
//
// It is [InclusiveScan] with the addition of numbers, and has the same bits, but
// the addition is in its loops, not called by them. So it takes half of the time or
// less, and no more than reading src twice and writing dst; less than about
// 260,000 integers are summed up by a plain loop. It panics as that does.
//
// What was done before the call is synchronized before it reads src, and what it
// writes before it returns.
func InclusiveSum[T constraints.Integer | constraints.Float | constraints.Complex](dst, src []T, opts ...Option) {
	l := checkScan("InclusiveSum", dst, src, false, opts)
	if len(src) == 0 {
		return
	}
	var zero T
	before := -zero // which is what may be added to -0 and leaves it
	if sumsInOnePiece[T](len(src), l) {
		sumsAlone(dst, src, before, false)
		return
	}
	s := newSumScan(dst, src, false, l)
	s.before = before
	s.run(l)
}

// ExclusiveSum sets dst[i] to 0 + src[0] + … + src[i-1], for each i, so dst[0] is
// zero, and returns the sum of all: [ExclusiveScan], in the way of [InclusiveSum].
// It turns lengths into offsets.
//
// What was done before the call is synchronized before it reads src, and what it
// writes before it returns.
func ExclusiveSum[T constraints.Integer | constraints.Float | constraints.Complex](dst, src []T, opts ...Option) (total T) {
	l := checkScan("ExclusiveSum", dst, src, false, opts)
	if len(src) == 0 {
		return 0
	}
	if sumsInOnePiece[T](len(src), l) {
		return sumsAlone(dst, src, 0, true)
	}
	s := newSumScan(dst, src, true, l)
	s.run(l)
	return s.before
}

// wholeSums is how many integers are worth a worker, and reading them twice.
const wholeSums = 1 << 18

// sumsInOnePiece reports whether n numbers are to be summed up by a plain loop, which
// calls nothing that could panic. A label is for a loop that shows in traces.
func sumsInOnePiece[T constraints.Integer | constraints.Float | constraints.Complex](n int, l limits) bool {
	if l.label != "" {
		return false
	}
	whole := T(1)/2 == 0 // sums of integers are the same however they are made
	return scanSize(n, l) == n || whole && l.Max == 0 && n < wholeSums
}

func newSumScan[T constraints.Integer | constraints.Float | constraints.Complex](dst, src []T, exclusive bool, l limits) *scan[T] {
	s := newScan(len(src), func(a, b T) T { return a + b }, l)
	s.begun = true
	if s.n/s.size >= many {
		s.tile = abreast
	}
	s.fold = func(lo, hi int, parts []T) {
		if hi-lo == abreast*s.size {
			sumAbreast(src[lo:hi], parts)
			return
		}
		for k := range parts {
			parts[k] = sumAlone(src[lo:min(lo+s.size, hi)])
			lo += s.size
		}
	}
	s.emit = func(lo, hi int, before []T) {
		if hi-lo == abreast*s.size {
			sumsAbreast(dst[lo:hi], src[lo:hi], before, exclusive)
			return
		}
		for k := range before {
			end := min(lo+s.size, hi)
			before[k] = sumsAlone(dst[lo:end], src[lo:end], before[k], exclusive)
			lo = end
		}
	}
	return s
}

// What follows is what foldAlone, foldAbreast, scanPlain and scanAbreast do.

func sumAlone[T constraints.Integer | constraints.Float | constraints.Complex](s []T) T {
	acc := s[0]
	for _, x := range s[1:] {
		acc += x
	}
	return acc
}

func sumAbreast[T constraints.Integer | constraints.Float | constraints.Complex](s, to []T) {
	p, q, r, s := quarters(s)
	a, b, c, d := p[0], q[0], r[0], s[0]
	for i := 1; i < len(p); i++ {
		a += p[i]
		b += q[i]
		c += r[i]
		d += s[i]
	}
	to[0], to[1], to[2], to[3] = a, b, c, d
}

func sumsAlone[T constraints.Integer | constraints.Float | constraints.Complex](dst, src []T, acc T, exclusive bool) T {
	dst = dst[:len(src)]
	if exclusive {
		for i, x := range src {
			dst[i] = acc
			acc += x
		}
		return acc
	}
	for i, x := range src {
		acc += x
		dst[i] = acc
	}
	return acc
}

func sumsAbreast[T constraints.Integer | constraints.Float | constraints.Complex](dst, src, before []T, exclusive bool) {
	p, q, r, s := quarters(src)
	t, u, v, w := quarters(dst)
	a, b, c, d := before[0], before[1], before[2], before[3]
	t, u, v, w = t[:len(p)], u[:len(p)], v[:len(p)], w[:len(p)]
	for i := range p {
		e, f, g, h := a+p[i], b+q[i], c+r[i], d+s[i]
		if exclusive {
			t[i], u[i], v[i], w[i] = a, b, c, d
		} else {
			t[i], u[i], v[i], w[i] = e, f, g, h
		}
		a, b, c, d = e, f, g, h
	}
	before[0], before[1], before[2], before[3] = a, b, c, d
}
