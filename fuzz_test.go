package forkjoin_test

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/forkjoin-go/forkjoin"
)

// Options as bytes: the last of a kind counts, bad ones are refused at the call,
// and the pieces of loops and reductions are within the bounds, whatever they are.
func FuzzOptions(f *testing.F) {
	f.Add(uint16(0), []byte{})
	f.Add(uint16(1), []byte{0, 0})
	f.Add(uint16(100), []byte{1, 5, 2, 11, 3, 7, 0, 0})
	f.Add(uint16(777), []byte{1, 9, 2, 4})
	f.Add(uint16(65535), []byte{1, 255, 1, 250, 2, 251})
	f.Add(uint16(64), []byte{2, 1, 1, 1, 2, 0})
	f.Fuzz(func(t *testing.T, size uint16, b []byte) {
		n := int(size)
		var opts []forkjoin.Option
		var bound leafBound
		for pair := range slices.Chunk(b[:len(b)/2*2], 2) {
			v := int(pair[1])
			make, set := forkjoin.MinLeaf, &bound.min
			switch pair[0] % 4 {
			case 0:
				opts = append(opts, forkjoin.Option{})
				continue
			case 1:
				opts = append(opts, forkjoin.Label(strings.Repeat("x", v)))
				continue
			case 2:
				make, set = forkjoin.MaxLeaf, &bound.max
			}
			if v == 0 {
				refuses(t, func() { make(0) }, "n is 0")
				continue
			}
			opts = append(opts, make(v))
			*set = v
		}
		if bound.max > 0 && bound.min > bound.max {
			ran := func(int, int) { t.Error("a task has run") }
			refuses(t, func() { forkjoin.ParallelForRange(0, n, ran, opts...) }, "MinLeaf", "MaxLeaf")
			refuses(t, func() {
				forkjoin.ParallelReduce(n, 0, func(lo, hi int) int { ran(lo, hi); return 0 }, add, opts...)
			}, "MinLeaf", "MaxLeaf")
			return
		}
		var mu sync.Mutex
		var pieces [][2]int
		note := func(lo, hi int) {
			mu.Lock()
			pieces = append(pieces, [2]int{lo, hi})
			mu.Unlock()
		}
		forkjoin.ParallelForRange(0, n, note, opts...)
		if err := bound.check(0, n, pieces); err != nil {
			t.Errorf("loop of %d with %+v: %v", n, bound, err)
		}
		pieces = nil
		type span struct{ lo, hi int }
		got := forkjoin.ParallelReduce(n, span{}, func(lo, hi int) span { note(lo, hi); return span{lo, hi} }, func(a, b span) span {
			switch {
			case a.lo == a.hi:
				return b
			case b.lo == b.hi:
				return a
			case a.hi != b.lo:
				panic(errors.New("combined out of order"))
			}
			return span{a.lo, b.hi}
		}, opts...)
		if err := bound.check(0, n, pieces); err != nil {
			t.Errorf("reduction of %d with %+v: %v", n, bound, err)
		}
		if got != (span{0, n}) {
			t.Errorf("reduction of %d covers %v", n, got)
		}
	})
}
