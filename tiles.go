package forkjoin

import (
	"math"
	"math/bits"
)

// ParallelFor2D calls body for disjoint tiles [r0, r1) × [c0, c1) that together
// make [0, rows) × [0, cols), perhaps several at the same time.
//
// Tiles are as near to squares as the area allows and have at most 4,096 cells. In
// small areas, which have less than about a thousand of these, a tile may be cut: into
// as little as a thousandth of the area or one cell, where a cell takes long, and not
// at all, where a tile takes a few microseconds. [MinLeaf] and [MaxLeaf] count cells;
// a MaxLeaf is kept, a MinLeaf as far as the shape allows. Costs, panics and
// synchronization are as for [ParallelFor]. It panics if rows or cols is negative,
// body is nil, or options contradict each other.
func ParallelFor2D(rows, cols int, body func(r0, r1, c0, c1 int), opts ...Option) {
	if rows < 0 || cols < 0 {
		badUse("ParallelFor2D: rows and cols are %d and %d, want >= 0", rows, cols)
	}
	l := check("ParallelFor2D", 0, body == nil, "body", opts)
	if rows == 0 || cols == 0 {
		return
	}
	one := newLimits(1, 0)
	one.label = l.label
	t := newTiling(rows, cols, l)
	t.body = body
	tiles := t.down * t.across
	if high, low := bits.Mul(uint(t.down), uint(t.across)); high != 0 || low > math.MaxInt {
		parallelLoop(0, t.down, &tileRows{t}, body, one)
		return
	}
	parallelLoop(0, tiles*t.parts(), t, body, one)
}

// A tiling is an area cut into down × across tiles of nearly equal size, and each of
// these into high × wide smaller ones. The loop counts the smaller ones, tile by tile
// and in each row by row, so that a chunk of it, which has as many as take a few
// microseconds, is mostly whole tiles or whole rows of one.
type tiling struct {
	body         func(r0, r1, c0, c1 int)
	rows, cols   int
	down, across int
	high, wide   int
}

const (
	tileMost  = 4096 // cells of a tile, unless the limits or the area ask for more
	tilesMost = 1 << 40
	tileParts = 1024 // parts of an area, at least, that a loop can tell apart
)

func newTiling(rows, cols int, l limits) *tiling {
	over, area := bits.Mul64(uint64(rows), uint64(cols))
	if over != 0 || area > math.MaxInt64 {
		area = math.MaxInt64
	}
	part := min(max(area/tileParts, 1), tileMost)
	part = max(part, area/tilesMost, uint64(l.Min))
	tile := max(part, tileMost)
	if l.Max > 0 {
		part = min(part, uint64(l.Max))
		tile = min(tile, uint64(l.Max))
	}
	t := &tiling{rows: rows, cols: cols}
	height, width := rectangle(rows, cols, tile)
	t.down, t.across = (rows-1)/height+1, (cols-1)/width+1
	// Parts are not smaller than asked for, and never larger than a tile.
	height, width = rows/t.down, cols/t.across
	h, w := rectangle(height, width, part)
	t.high, t.wide = height/h, width/w
	return t
}

// rectangle returns the sides of a rectangle, as near to a square as fits into rows
// and cols, that has no more than so many cells.
func rectangle(rows, cols int, cells uint64) (height, width int) {
	if over, all := bits.Mul64(uint64(rows), uint64(cols)); over == 0 && all <= cells {
		return rows, cols
	}
	height = max(1, min(int(math.Sqrt(float64(cells))), rows))
	width = max(1, min(int(cells/uint64(height)), cols))
	height = max(1, min(int(cells/uint64(width)), rows))
	return height, width
}

// parts returns how many smaller tiles a tile has.
func (t *tiling) parts() int { return t.high * t.wide }

func (t *tiling) chunk(_ *worker, lo, hi int) bool {
	for n := t.parts(); lo < hi; {
		i, from := lo/n, lo%n
		to := min(n, from+hi-lo)
		t.run(i/t.across, i%t.across, from, to)
		lo += to - from
	}
	return true
}

// run calls the body for the smaller tiles [from, to) of a tile: the rest of a row,
// rows, and the beginning of one.
func (t *tiling) run(row, col, from, to int) {
	r0, r1 := cut(t.rows, t.down, row), cut(t.rows, t.down, row+1)
	c0, c1 := cut(t.cols, t.across, col), cut(t.cols, t.across, col+1)
	if to-from == t.parts() {
		t.body(r0, r1, c0, c1)
		return
	}
	for from < to {
		r, c := from/t.wide, from%t.wide
		rows, cols := 1, min(t.wide-c, to-from)
		if whole := (to - from) / t.wide; c == 0 && whole > 0 {
			rows, cols = whole, t.wide
		}
		t.body(r0+cut(r1-r0, t.high, r), r0+cut(r1-r0, t.high, r+rows),
			c0+cut(c1-c0, t.wide, c), c0+cut(c1-c0, t.wide, c+cols))
		from += rows * cols
	}
}

// tileRows runs a tiling by rows of tiles, when the tiles are too many to count.
type tileRows struct{ *tiling }

func (t *tileRows) chunk(_ *worker, lo, hi int) bool {
	for r := lo; r < hi; r++ {
		for c := range t.across {
			t.run(r, c, 0, t.parts())
		}
	}
	return true
}

// cut returns where part i begins when [0, n) is cut into parts of which the
// first n mod parts have one element more.
func cut(n, parts, i int) int { return i*(n/parts) + min(i, n%parts) }
