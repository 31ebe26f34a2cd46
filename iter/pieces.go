package iter

import (
	"cmp"
	"slices"

	"github.com/forkjoin-go/forkjoin"
	"github.com/forkjoin-go/forkjoin/internal/fresh"
)

// pieces are elements that one hand gathers, in the order of their positions
// as far as it reads on. Their memory is given out as room for readers, so that
// elements are usually written where they are to stay.
type pieces[T any] struct {
	list  []piece[T]
	spare []T // without elements: where the last piece ends, if open
	open  bool
	chunk int // capacity of the last memory
}

// A piece is the elements that were read from position at on.
type piece[T any] struct {
	at    int
	elems []T
}

const (
	chunkLeast = 64
	chunkMost  = 1 << 16
)

// room returns memory for a reader.
func (p *pieces[T]) room() []T {
	if cap(p.spare) == 0 {
		p.grow()
	}
	return p.spare
}

func (p *pieces[T]) grow() {
	p.chunk = min(max(2*p.chunk, chunkLeast), chunkMost)
	p.spare, p.open = fresh.Slice[T](p.chunk)[:0], false
}

// cut says that what is put next does not follow what was put before.
func (p *pieces[T]) cut() { p.open = false }

// put adds elements that were read from position at on.
func (p *pieces[T]) put(at int, elems []T) {
	for len(elems) > 0 {
		room := p.room()
		n := min(len(elems), cap(room))
		place(room[:n], elems[:n])
		if p.open {
			last := &p.list[len(p.list)-1]
			last.elems = last.elems[:len(last.elems)+n]
		} else {
			p.list = append(p.list, piece[T]{at, room[:n]})
			p.open = true
		}
		p.spare = room[n:n]
		elems = elems[n:]
	}
}

// join appends all pieces to dst, in order.
func join[T any](dst []T, all ...*pieces[T]) []T {
	var list []piece[T]
	n := 0
	for _, p := range all {
		list = append(list, p.list...)
	}
	for _, p := range list {
		n += len(p.elems)
	}
	if n == 0 {
		return dst
	}
	slices.SortStableFunc(list, func(a, b piece[T]) int { return cmp.Compare(a.at, b.at) })
	at := len(dst)
	dst = growTo(dst, at+n)
	rest := dst[at:]
	if len(list) == 1 || n < plainLeaf {
		for _, p := range list {
			rest = rest[copy(rest, p.elems):]
		}
		return dst
	}
	to := make([]int, len(list))
	for i, p := range list {
		to[i] = at
		at += len(p.elems)
	}
	forkjoin.ParallelFor(len(list), func(i int) { copy(dst[to[i]:], list[i].elems) })
	return dst
}
