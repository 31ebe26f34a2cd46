package forkjoin

import (
	"sync"
	"testing"
)

// A worker that is held up while it folds a tile holds nobody else up: others go
// on behind it, and nothing is lost when it is done.
func TestScanTilesOutOfOrder(t *testing.T) {
	const tiles, size = 20, 3
	for held := range tiles {
		src, dst := make([]int, tiles*size), make([]int, tiles*size)
		for i := range src {
			src[i] = i
		}
		s := newSliceScan(dst, src, func(a, b int) int { return a + b }, false, newLimits(1, size))
		s.begin()
		fold, folding, goOn := s.fold, make(chan bool), make(chan bool)
		s.fold = func(lo, hi int, parts []int) {
			if lo == held*size {
				close(folding)
				<-goOn
			}
			fold(lo, hi, parts)
		}
		var late sync.WaitGroup
		for i := range tiles {
			if i == held {
				late.Go(s.step)
				<-folding
			} else {
				s.step()
			}
		}
		if got := s.chained.Load(); got != int64(held) {
			t.Fatalf("tile %d is not folded, and %d are chained", held, got)
		}
		close(goOn)
		late.Wait()
		if got := s.chained.Load(); got != tiles {
			t.Fatalf("all tiles are folded, the last one %d, and %d are chained", held, got)
		}
		left := s.left()
		for i, k := range left {
			if k <= held || i > 0 && k <= left[i-1] {
				t.Fatalf("tile %d was the last one, and %v are left", held, left)
			}
			s.finish(k)
		}
		for i, sum := range dst {
			if sum != i*(i+1)/2 {
				t.Fatalf("tile %d was the last one, and element %d is %d", held, i, sum)
			}
		}
		if left := s.left(); left != nil {
			t.Fatalf("%v are still left", left)
		}
	}
}
