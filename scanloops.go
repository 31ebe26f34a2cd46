package forkjoin

// The loops of a scan over slices. Go does not put an operation that it is given
// into them, and a call that needs the result of the one before takes longer. So
// they go through several blocks side by side, which changes nothing in what is
// combined with what.

const (
	abreast = 4  // blocks side by side
	many    = 32 // blocks of a scan at least, to be taken so many at a time
)

func newSliceScan[T any](dst, src []T, op func(a, b T) T, exclusive bool, l limits) *scan[T] {
	s := newScan(len(src), op, l)
	if l.Max == 0 && s.n/s.size >= many {
		s.tile = abreast
	}
	s.fold = func(lo, hi int, parts []T) {
		if hi-lo == abreast*s.size {
			foldAbreast(src[lo:hi], parts, op)
			return
		}
		for k := range parts {
			parts[k] = foldAlone(src[lo:min(lo+s.size, hi)], op)
			lo += s.size
		}
	}
	s.emit = func(lo, hi int, before []T) {
		if hi-lo == abreast*s.size && (lo > 0 || exclusive) {
			scanAbreast(dst[lo:hi], src[lo:hi], before, op, exclusive)
			return
		}
		for k := range before {
			end := min(lo+s.size, hi)
			if lo == 0 && !exclusive {
				before[k], dst[0] = src[0], src[0]
				lo++
			}
			before[k] = scanPlain(dst[lo:end], src[lo:end], before[k], op, exclusive)
			lo = end
		}
	}
	return s
}

// foldAlone returns the fold of s.
func foldAlone[T any](s []T, op func(a, b T) T) T {
	acc := s[0]
	for _, x := range s[1:] {
		acc = op(acc, x)
	}
	return acc
}

// foldAbreast sets to to the folds of the quarters of s.
func foldAbreast[T any](s, to []T, op func(a, b T) T) {
	p, q, r, s := quarters(s)
	a, b, c, d := p[0], q[0], r[0], s[0]
	for i := 1; i < len(p); i++ {
		a = op(a, p[i])
		b = op(b, q[i])
		c = op(c, r[i])
		d = op(d, s[i])
	}
	to[0], to[1], to[2], to[3] = a, b, c, d
}

// scanPlain scans src, beginning with acc, into dst and returns the total.
func scanPlain[T any](dst, src []T, acc T, op func(a, b T) T, exclusive bool) T {
	dst = dst[:len(src)]
	if exclusive {
		for i, x := range src {
			dst[i] = acc
			acc = op(acc, x)
		}
		return acc
	}
	for i, x := range src {
		acc = op(acc, x)
		dst[i] = acc
	}
	return acc
}

// scanAbreast scans the quarters of src, beginning with what before has for each,
// into those of dst.
func scanAbreast[T any](dst, src, before []T, op func(a, b T) T, exclusive bool) {
	p, q, r, s := quarters(src)
	t, u, v, w := quarters(dst)
	a, b, c, d := before[0], before[1], before[2], before[3]
	t, u, v, w = t[:len(p)], u[:len(p)], v[:len(p)], w[:len(p)]
	for i := range p {
		if exclusive {
			x, y, z, e := p[i], q[i], r[i], s[i]
			t[i], u[i], v[i], w[i] = a, b, c, d
			a, b, c, d = op(a, x), op(b, y), op(c, z), op(d, e)
		} else {
			a = op(a, p[i])
			t[i] = a
			b = op(b, q[i])
			u[i] = b
			c = op(c, r[i])
			v[i] = c
			d = op(d, s[i])
			w[i] = d
		}
	}
	before[0], before[1], before[2], before[3] = a, b, c, d
}

// quarters cuts s into four.
func quarters[T any](s []T) (p, q, r, t []T) {
	n := len(s) / abreast
	p, q, r, t = s[:n:n], s[n:], s[2*n:], s[3*n:]
	return p, q[:len(p)], r[:len(p)], t[:len(p)]
}
