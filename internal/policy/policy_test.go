package policy

import (
	"math"
	"slices"
	"testing"
	"time"
)

var times = In(func(d time.Duration) int64 { return int64(d) })

// Chunks and splits cover a range exactly and keep the limits, however the
// pieces come about.
func TestLimitsCover(t *testing.T) {
	for _, l := range []Limits{{Min: 1}, {Min: 1, Max: 1}, {Min: 4, Max: 4}, {Min: 3, Max: 5}, {Min: 7}, {Min: 1, Max: 6}, {Min: 5, Max: 9}} {
		for n := range 120 {
			for size := range 12 {
				short, sum := 0, 0
				var cover func(lo, hi, depth int)
				cover = func(lo, hi, depth int) {
					if mid := l.SplitPoint(lo, hi); depth > 0 && mid < hi {
						cover(lo, mid, depth-1)
						cover(mid, hi, depth-1)
						return
					}
					p := Pacer{Limits: l, size: size}
					for lo < hi {
						c := p.Next(hi - lo)
						if c < 1 || l.Max > 0 && c > l.Max {
							t.Fatalf("%+v: chunk of %d with %d left", l, c, hi-lo)
						}
						if c < l.Min {
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
	for _, l := range []Limits{{Min: 1}, {Min: 1, Max: 1}, {Min: 4, Max: 4}, {Min: 10}, {Min: 1, Max: 1000}, {Min: 3, Max: 7}} {
		for _, n := range []int{1, 2, 3, 5, 63, 64, 65, 127, 128, 1000, 65535, 65536, 1 << 22, math.MaxInt} {
			count, size := l.Blocks(n)
			if count < 1 || count > n || size < 0 {
				t.Fatalf("%+v: %d blocks of %d for n %d", l, count, size, n)
			}
			if size > 0 && (count-1 >= (n-1)/size+1 || count < (n-1)/size+1) {
				t.Errorf("%+v: %d blocks of %d do not make %d", l, count, size, n)
			}
			if l.Max > 0 && size == 0 && (n-1)/count+1 > l.Max {
				t.Errorf("%+v: n %d in %d blocks is more than MaxLeaf each", l, n, count)
			}
		}
	}
}

func TestPacer(t *testing.T) {
	for _, n := range []int{1, 7, 8, 1000, math.MaxInt} {
		for _, pace := range []int64{0, 1, PaceUnit, 1 << 40, math.MaxInt64} {
			p := times.NewPacer(Limits{Min: 1}, n, pace, 0)
			if p.size < 1 || n > 8 && p.size > n/8 {
				t.Errorf("the first chunk of %d at pace %d has %d iterations", n, pace, p.size)
			}
			now, steps := int64(0), []int64{0, 1, 100, 3000, 1 << 40, 1}
			for i := range 40 {
				c := p.Next(n)
				now += steps[i%len(steps)]
				p.Done(&times, c, now)
				if c < 1 || p.size < 1 || p.Left(&times, n) < 0 || p.Pace() < 1 {
					t.Fatalf("n %d, pace %d: chunk %d, then %d, left %d, pace %d", n, pace, c, p.size, p.Left(&times, n), p.Pace())
				}
			}
		}
	}
	if a := Ahead(math.MaxInt, math.MaxInt64); a <= 0 {
		t.Errorf("Ahead is %d", a)
	}
}

func TestInlineJoins(t *testing.T) {
	for _, c := range []struct {
		private uint32
		ticks   int64
		wanted  bool
		some    bool
	}{
		{0, 1, false, false}, {FrameStock, 1, false, true}, {FrameStock, 0, false, false},
		{FrameStock, times.FinePace, false, true}, {FrameStock, times.FinePace + 1, false, false},
		{WantedStock - 1, 1, true, false}, {WantedStock, 1, true, true}, {math.MaxUint32, math.MaxInt64, true, false},
	} {
		n := times.InlineJoins(c.private, c.ticks, c.wanted)
		if (n > 0) != c.some || n > MaxInline || c.wanted && n > WantedInline {
			t.Errorf("InlineJoins(%d, %d, %v) = %d", c.private, c.ticks, c.wanted, n)
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
					if Victims(n, self, last, random, func(v int) bool { seen[v]++; return false }) {
						t.Fatal("Victims says that a visit was enough")
					}
					for v, visits := range seen {
						if want := 1; v == self && visits != 0 || v != self && visits != want {
							if n == 1 && v != self && v != last {
								continue // nobody else to rob
							}
							t.Fatalf("n %d, self %d, last %d: %d was visited %d times", n, self, last, v, visits)
						}
					}
				}
			}
		}
	}
}

// Whatever the rings are said to be, an order visits each victim within its reach
// once, without the thief: Near those of the near rings or, if there are none, of
// the next ring that has one; Far all of them, none before one that is nearer;
// Roam those that are not near before the others.
func TestOrder(t *testing.T) {
	var o Order
	rng := uint64(1)
	for n := range 40 {
		for _, ring := range []func(v int) int{
			func(int) int { return 0 }, func(int) int { return Rings - 1 }, func(v int) int { return v % Rings },
			func(v int) int { return (v - 7) * (v - 7) % 11 }, func(v int) int { return v * math.MaxInt / 3 },
			func(v int) int { return n - v }, func(int) int { return math.MinInt },
		} {
			for near := -1; near <= Rings; near++ {
				for self := range n {
					of := func(v int) int { // the thief is nearest to itself
						if v == self {
							return 0
						}
						return min(max(ring(v), 0), Rings-1)
					}
					o.Sort(n, near, of)
					if o.Len() != n {
						t.Fatalf("%d victims, want %d", o.Len(), n)
					}
					last := max(near, 0) // ring that is near
					for some := 0; last < Rings-1; last++ {
						for v := range n {
							if v != self && of(v) <= last {
								some++
							}
						}
						if some > 0 {
							break
						}
					}
					for reach := Near; reach <= Roam; reach++ {
						var random uint64
						rng, random = NextRandom(rng)
						seen, order := make([]int, n), []int{}
						if o.Visit(self, reach, random, func(v int) bool {
							seen[v]++
							order = append(order, of(v))
							return false
						}) {
							t.Fatal("Visit says that a visit was enough")
						}
						for v, visits := range seen {
							want := 1
							if v == self || reach == Near && of(v) > last {
								want = 0
							}
							if visits != want {
								t.Fatalf("n %d, near %d, self %d, reach %d: %d, in ring %d, was visited %d times, want %d", n, near, self, reach, v, of(v), visits, want)
							}
						}
						rank := func(ring int) int {
							if reach == Roam && ring > last {
								return -1
							}
							return ring
						}
						if !slices.IsSortedFunc(order, func(a, b int) int { return rank(a) - rank(b) }) {
							t.Fatalf("n %d, near %d, self %d, reach %d: the rings of the victims are %v", n, near, self, reach, order)
						}
					}
				}
			}
		}
	}
}

// A search begins far away one time in eight, or less often if there are few
// victims, but now and then in any case.
func TestFirstReach(t *testing.T) {
	const runs = 1 << 16
	rng := uint64(1)
	for _, n := range []int{1, 2, 6, 63, 64, 65, 512, math.MaxInt} {
		roams := 0
		for range runs {
			var random uint64
			rng, random = NextRandom(rng)
			if FirstReach(n, random) == Roam {
				roams++
			}
		}
		if want := runs * min(n, 64) / 512; roams < want*3/4 || roams > want*5/4 {
			t.Errorf("%d of %d searches among %d begin far away, want about %d", roams, runs, n, want)
		}
	}
}

// Each victim of a ring comes first about equally often.
func TestOrderIsFair(t *testing.T) {
	const n, runs = 9, 90_000
	var o Order
	o.Sort(n, 0, func(v int) int { return v % 3 })
	rng := uint64(1)
	for reach := Near; reach <= Roam; reach++ {
		var first [n]int
		for range runs {
			var random uint64
			rng, random = NextRandom(rng)
			o.Visit(-1, reach, random, func(v int) bool { first[v]++; return true })
		}
		for v, k := range first {
			want := 0
			switch {
			case reach == Roam && v%3 != 0:
				want = runs / 6
			case reach != Roam && v%3 == 0:
				want = runs / 3
			}
			if k < want*9/10 || k > want*11/10 {
				t.Errorf("reach %d: %d comes first %d times, want about %d", reach, v, k, want)
			}
		}
	}
}

func FuzzOrder(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 200}, 2, 1, uint64(5))
	f.Fuzz(func(t *testing.T, rings []byte, self, near int, random uint64) {
		var o Order
		o.Sort(len(rings), near, func(v int) int { return int(int8(rings[v])) })
		for reach := Near; reach <= Roam; reach++ {
			seen := make([]int, len(rings))
			o.Visit(self, reach, random, func(v int) bool { seen[v]++; return false })
			for v, visits := range seen {
				if visits > 1 || v == self && visits != 0 || v != self && visits == 0 && reach != Near {
					t.Fatalf("reach %d: %d of %d was visited %d times", reach, v, len(rings), visits)
				}
			}
		}
	})
}

func TestRelays(t *testing.T) {
	for _, c := range []struct {
		searchers, more, spare, slots int
		want                          bool
	}{
		{0, 0, 5, 8, false}, {0, 1, 0, 8, false}, {0, 1, 1, 1, true}, {0, 1, 1, 2, true}, {1, 1, 5, 8, false}, {1, 2, 5, 8, true},
		{1, 9, 1, 2, false}, {3, 9, 1, 8, true}, {4, 9, 1, 8, false},
	} {
		if got := Relays(c.searchers, c.more, c.spare, c.slots); got != c.want {
			t.Errorf("Relays%+v = %v", c, got)
		}
	}
}
