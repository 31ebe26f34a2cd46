package forkjoin

import (
	"math"
	"testing"
)

// Chunks and splits cover a range exactly and keep the limits, however the
// pieces come about.
func TestLimitsCover(t *testing.T) {
	for _, l := range []limits{{min: 1}, {min: 1, max: 1}, {min: 4, max: 4}, {min: 3, max: 5}, {min: 7}, {min: 1, max: 6}, {min: 5, max: 9}} {
		for n := range 120 {
			for size := range 12 {
				short, sum := 0, 0
				var cover func(lo, hi, depth int)
				cover = func(lo, hi, depth int) {
					if mid := l.splitPoint(lo, hi); depth > 0 && mid < hi {
						cover(lo, mid, depth-1)
						cover(mid, hi, depth-1)
						return
					}
					p := pacer{limits: l, size: size}
					for lo < hi {
						c := p.next(hi - lo)
						if c < 1 || l.max > 0 && c > l.max {
							t.Fatalf("%+v: chunk of %d with %d left", l, c, hi-lo)
						}
						if c < l.min {
							short++
						}
						sum += c
						lo += c
					}
					if lo != hi {
						t.Fatalf("%+v: chunks end at %d, want %d", l, lo, hi)
					}
				}
				for depth := range 4 {
					short, sum = 0, 0
					cover(0, n, depth)
					if sum != n || short > 1 {
						t.Fatalf("%+v, n %d, size %d, depth %d: %d iterations, %d short chunks", l, n, size, depth, sum, short)
					}
				}
			}
		}
	}
}

func TestBlocks(t *testing.T) {
	for _, l := range []limits{{min: 1}, {min: 1, max: 1}, {min: 4, max: 4}, {min: 10}, {min: 1, max: 1000}, {min: 3, max: 7}} {
		for _, n := range []int{1, 2, 3, 5, 63, 64, 65, 127, 128, 1000, 65535, 65536, 1 << 22, math.MaxInt} {
			count, size := l.blocks(n)
			if count < 1 || count > n || size < 0 {
				t.Fatalf("%+v: %d blocks of %d for n %d", l, count, size, n)
			}
			if size > 0 && (count-1 >= (n-1)/size+1 || count < (n-1)/size+1) {
				t.Errorf("%+v: %d blocks of %d do not make %d", l, count, size, n)
			}
			if l.max > 0 && size == 0 && (n-1)/count+1 > l.max {
				t.Errorf("%+v: n %d in %d blocks is more than MaxLeaf each", l, n, count)
			}
			if cut(n, count, 0) != 0 || cut(n, count, count) != n {
				t.Errorf("blocks of %d go from %d to %d", n, cut(n, count, 0), cut(n, count, count))
			}
		}
	}
}

func TestPacer(t *testing.T) {
	for _, n := range []int{1, 7, 8, 1000, math.MaxInt} {
		for _, pace := range []int64{0, 1, paceUnit, 1 << 40, math.MaxInt64} {
			p := newPacer(limits{min: 1}, n, pace)
			if p.size < 1 || n > 8 && p.size > n/8 {
				t.Errorf("the first chunk of %d at pace %d has %d iterations", n, pace, p.size)
			}
			for range 40 {
				c := p.next(n)
				p.done(c)
				if c < 1 || p.size < 1 || p.left(n) < 0 || p.pace() < 1 {
					t.Fatalf("n %d, pace %d: chunk %d, then %d, left %d, pace %d", n, pace, c, p.size, p.left(n), p.pace())
				}
			}
		}
	}
	if a := ahead(math.MaxInt, math.MaxInt64); a <= 0 {
		t.Errorf("ahead is %d", a)
	}
}

func TestInlineJoins(t *testing.T) {
	for _, c := range []struct {
		private uint32
		ticks   int64
		wanted  bool
		some    bool
	}{
		{0, 1, false, false}, {frameStock, 1, false, true}, {frameStock, 0, false, false},
		{frameStock, finePace, false, true}, {frameStock, finePace + 1, false, false},
		{wantedStock - 1, 1, true, false}, {wantedStock, 1, true, true}, {math.MaxUint32, math.MaxInt64, true, false},
	} {
		n := inlineJoins(c.private, c.ticks, c.wanted)
		if (n > 0) != c.some || n > maxInline || c.wanted && n > wantedInline {
			t.Errorf("inlineJoins(%d, %d, %v) = %d", c.private, c.ticks, c.wanted, n)
		}
	}
}

// Any numbers give a permutation of the victims, without the thief.
func TestVictims(t *testing.T) {
	for n := range 70 {
		for self := -1; self < n; self++ {
			for _, last := range []int{-1, 0, self, n / 2, n - 1, n, 1 << 30} {
				for _, random := range []uint64{0, 1, 0xDEADBEEFCAFEF00D, math.MaxUint64, 1 << 31} {
					seen := make([]int, n)
					if victims(n, self, last, random, func(v int) bool { seen[v]++; return false }) {
						t.Fatal("victims says that a visit was enough")
					}
					for v, times := range seen {
						if want := 1; v == self && times != 0 || v != self && times != want {
							if n == 1 && v != self && v != last {
								continue // nobody else to rob
							}
							t.Fatalf("n %d, self %d, last %d: %d was visited %d times", n, self, last, v, times)
						}
					}
				}
			}
		}
	}
}
