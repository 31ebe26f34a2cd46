package forkjoin_test

import (
	"bytes"
	"context"
	"runtime/trace"
	"slices"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"github.com/forkjoin-go/forkjoin"
)

// The zero Option changes nothing, wherever it stands.
func TestOptionZeroValue(t *testing.T) {
	var zero forkjoin.Option
	within(t, patience, func() {
		for _, opts := range [][]forkjoin.Option{
			{zero}, {zero, zero, zero}, {zero, forkjoin.MaxLeaf(3)}, {forkjoin.MaxLeaf(3), zero}, make([]forkjoin.Option, 100),
		} {
			seen := make(tally, 1000)
			forkjoin.ParallelFor(1000, func(i int) { seen[i].Add(1) }, opts...)
			seen.check(t, opts)
		}
		pieces := rangePieces(0, 100, leafBound{}, nil)
		if err := (leafBound{}).check(0, 100, pieces); err != nil {
			t.Error(err)
		}
		var longest atomic.Int64
		forkjoin.ParallelForRange(0, 1000, func(lo, hi int) {
			if n := int64(hi - lo); n > longest.Load() {
				longest.Store(n)
			}
		}, forkjoin.MaxLeaf(3), zero)
		if longest.Load() > 3 {
			t.Errorf("a zero Option after MaxLeaf(3) allowed a leaf of %d", longest.Load())
		}
	})
}

// Options may come in any order; a label changes no result.
func TestOptionOrderAndLabel(t *testing.T) {
	within(t, patience, func() {
		base := []forkjoin.Option{forkjoin.MinLeaf(5), forkjoin.MaxLeaf(11), forkjoin.Label("a loop"), {}}
		want := shape(777, base...)
		if bare := shape(777, base[:2]...); bare != want {
			t.Errorf("a label changed the tree from %s to %s", bare, want)
		}
		for _, order := range [][]int{{3, 2, 1, 0}, {1, 3, 0, 2}, {2, 1, 3, 0}} {
			var opts []forkjoin.Option
			for _, i := range order {
				opts = append(opts, base[i])
			}
			if got := shape(777, opts...); got != want {
				t.Errorf("order %v: tree %s, want %s", order, got, want)
			}
		}
		for _, label := range []string{"", "x", "mit Umlaut: ä", string(make([]byte, 10_000))} {
			seen := make(tally, 100)
			forkjoin.ParallelFor(100, func(i int) { seen[i].Add(1) }, forkjoin.Label(label))
			seen.check(t, label)
		}
	})
}

// A label shows in an execution trace as the region of the parts that ran.
func TestOptionLabelShowsInTraces(t *testing.T) {
	var buf bytes.Buffer
	if err := trace.Start(&buf); err != nil {
		t.Skip(err) // somebody else is tracing
	}
	within(t, patience, func() {
		defer trace.Stop()
		seen := make(tally, 300)
		forkjoin.ParallelFor(300, func(i int) { seen[i].Add(1) }, forkjoin.Label("label-of-for"), forkjoin.MaxLeaf(7))
		seen.check(t, "traced")
		forkjoin.ParallelForRange(0, 300, func(int, int) {}, forkjoin.Label("label-of-range"))
		forkjoin.ParallelForWith(300, func() int { return 0 }, func(int, int) {}, forkjoin.Label("label-of-with"))
		forkjoin.ParallelFor2D(30, 10, func(_, _, _, _ int) {}, forkjoin.Label("label-of-2d"))
		err := forkjoin.ParallelForErr(t.Context(), 300, func(_ context.Context, i int) error {
			if i == 200 {
				return errFirst
			}
			return nil
		}, forkjoin.Label("label-of-err"), forkjoin.MaxLeaf(3))
		if err != errFirst {
			t.Errorf("error %v, want %v", err, errFirst)
		}
		panicsWith(t, "traced", func() {
			forkjoin.ParallelFor(300, func(i int) { panic("traced") }, forkjoin.Label("label-of-panic"))
		})
		if got := forkjoin.ParallelReduce(300, 0, sumInts, add, forkjoin.Label("label-of-reduce")); got != 300*299/2 {
			t.Errorf("sum is %d", got)
		}
		forkjoin.ParallelReduceErr(t.Context(), 300, 0, noErr(sumInts), add, forkjoin.Label("label-of-rerr"))
	})
	for _, name := range []string{"for", "range", "with", "2d", "err", "panic", "reduce", "rerr"} {
		if !bytes.Contains(buf.Bytes(), []byte("label-of-"+name)) {
			t.Errorf("the trace does not show label-of-%s", name)
		}
	}
}

// The slice of options stays the caller's: it is neither changed nor kept.
func TestOptionSliceStaysTheCallers(t *testing.T) {
	within(t, patience, func() {
		opts := make([]forkjoin.Option, 2, 8)
		opts[0], opts[1] = forkjoin.MinLeaf(2), forkjoin.MaxLeaf(9)
		full := opts[:8]
		before := slices.Clone(full)
		forkjoin.ParallelFor(500, func(int) {}, opts...)
		forkjoin.ParallelForRange(0, 500, func(int, int) {}, opts...)
		forkjoin.ParallelReduce(500, 0, sumInts, add, opts...)
		if !slices.Equal(full, before) {
			t.Error("a call changed its slice of options")
		}
		// Options are values: the same ones serve any number of calls at once.
		forkjoin.ParallelFor(50, func(int) {
			forkjoin.ParallelFor(50, func(int) {}, opts...)
		}, opts...)
	})
}

func TestOptionIsSmall(t *testing.T) {
	if n := unsafe.Sizeof(forkjoin.Option{}); n > 64 {
		t.Errorf("an Option is %d bytes, want a small value", n)
	}
}

// The bad value is refused however it comes: the text names it.
func TestOptionRefusesBadValues(t *testing.T) {
	for _, c := range []struct {
		make func(int) forkjoin.Option
		name string
	}{{forkjoin.MinLeaf, "MinLeaf"}, {forkjoin.MaxLeaf, "MaxLeaf"}} {
		refuses(t, func() { forkjoin.ParallelFor(10, func(int) { t.Error("a task has run") }, c.make(-12)) }, c.name, "-12")
		refuses(t, func() { forkjoin.ParallelFor(0, func(int) {}, c.make(-12)) }, c.name, "-12")
	}
}

var sink atomic.Int64

func trivialBody(i int)                     { sink.Store(int64(i)) }
func trivialRange(lo, hi int)               { sink.Store(int64(hi)) }
func trivialLeaf(lo, hi int) int            { return hi - lo }
func trivialTile(r0, r1, c0, c1 int)        { sink.Store(int64(r1)) }
func trivialScratch() int                   { return 1 }
func trivialWith(s, i int)                  { sink.Store(int64(i)) }
func trivialErr(context.Context, int) error { return nil }

// allocs is the least of a few measurements: workers that earlier tests have
// left allocate too before they end, and while one is looking for work, loops
// give parts away.
func allocs(f func()) float64 {
	least := testing.AllocsPerRun(100, f)
	for try := 0; try < 20 && least > 0; try++ {
		time.Sleep(2 * time.Millisecond)
		least = min(least, testing.AllocsPerRun(100, f))
	}
	return least
}

// Passing options allocates nothing, and a trivial loop next to nothing.
// AllocsPerRun runs at GOMAXPROCS=1.
func TestOptionAllocations(t *testing.T) {
	if build.race {
		t.Skip("the race detector allocates")
	}
	type O = forkjoin.Option
	bg := context.Background()
	// Whatever a reduction keeps for the next must not be in the way of one
	// with another type.
	forkjoin.ParallelReduce(10, "", func(int, int) string { return "" }, func(a, b string) string { return a + b })
	for _, c := range []struct {
		name  string
		limit float64 // allocations of one call
		bare  func()
		opts  func()
	}{
		{"ParallelFor", 0, func() { forkjoin.ParallelFor(100, trivialBody) },
			func() {
				forkjoin.ParallelFor(100, trivialBody, forkjoin.MinLeaf(2), forkjoin.MaxLeaf(20), forkjoin.Label("x"))
			}},
		{"ParallelForRange", 0, func() { forkjoin.ParallelForRange(0, 100, trivialRange) },
			func() {
				forkjoin.ParallelForRange(0, 100, trivialRange, forkjoin.MinLeaf(2), forkjoin.MaxLeaf(20), O{})
			}},
		{"ParallelFor2D", 4, func() { forkjoin.ParallelFor2D(10, 10, trivialTile) },
			func() { forkjoin.ParallelFor2D(10, 10, trivialTile, forkjoin.MinLeaf(2), forkjoin.MaxLeaf(20)) }},
		{"ParallelForWith", 8, func() { forkjoin.ParallelForWith(100, trivialScratch, trivialWith) },
			func() {
				forkjoin.ParallelForWith(100, trivialScratch, trivialWith, forkjoin.MinLeaf(2), forkjoin.MaxLeaf(20))
			}},
		{"ParallelReduce", 4, func() { forkjoin.ParallelReduce(100, 0, trivialLeaf, add) },
			func() { forkjoin.ParallelReduce(100, 0, trivialLeaf, add, forkjoin.MinLeaf(2), forkjoin.MaxLeaf(20)) }},
		{"ParallelForErr", 12, func() { forkjoin.ParallelForErr(bg, 100, trivialErr) },
			func() { forkjoin.ParallelForErr(bg, 100, trivialErr, forkjoin.MinLeaf(2), forkjoin.MaxLeaf(20)) }},
	} {
		bare, opts := allocs(c.bare), allocs(c.opts)
		t.Logf("%s: %v allocations, with options %v", c.name, bare, opts)
		if bare > c.limit {
			t.Errorf("%s: %v allocations a call, want at most %v", c.name, bare, c.limit)
		}
		if opts > bare {
			t.Errorf("%s: options add %v allocations", c.name, opts-bare)
		}
	}
}
