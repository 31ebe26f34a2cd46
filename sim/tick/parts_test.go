package tick

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestDeque(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for _, start := range []uint{0, 1, 3, math.MaxUint - 2} {
		d := deque{far: start, own: start}
		var want []int64
		next := int64(0)
		for range 2_000 {
			switch n := len(want); {
			case n == 0 || random.IntN(9) < 4:
				next++
				d.push(task{size: next})
				want = append(want, next)
			case random.IntN(4) == 0:
				k, e := 1+random.IntN(n), End(random.IntN(2))
				to := deque{far: 7, own: 7}
				first := d.moveHalf(k, e, &to).size
				moved, left, outermost := want[:k], want[k:], 0
				if e == Own {
					moved, left, outermost = want[n-k:], want[:n-k], k-1
				}
				if first != moved[outermost] {
					t.Fatalf("took %d of %d from end %d of %v: got %d in hand", k, n, e, want, first)
				}
				if others := slices.Delete(slices.Clone(moved), outermost, outermost+1); !slices.Equal(contents(&to), others) {
					t.Fatalf("took %d of %d from end %d of %v: moved %v", k, n, e, want, contents(&to))
				}
				want = slices.Clone(left)
			case random.IntN(2) == 0:
				if got := d.pop(Far).size; got != want[0] {
					t.Fatalf("far end of %v: %d", want, got)
				}
				want = want[1:]
			default:
				if got := d.pop(Own).size; got != want[n-1] {
					t.Fatalf("own end of %v: %d", want, got)
				}
				want = want[:n-1]
			}
			if got := contents(&d); !slices.Equal(got, want) || d.len() != len(want) {
				t.Fatalf("holds %v, want %v", got, want)
			}
		}
	}
}

func contents(d *deque) (sizes []int64) {
	for i := d.far; i != d.own; i++ {
		sizes = append(sizes, d.at(i).size)
	}
	return sizes
}

func TestQueue(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	for _, workers := range []int{1, 2, 3, 4, 5, 8, 63, 64, 65, maxWorkers} {
		q := newQueue(workers)
		ticks := slices.Repeat([]int64{never}, workers)
		if _, _, ok := q.first(); ok {
			t.Fatalf("%d workers: an event in a new queue", workers)
		}
		for range 300 {
			w := random.IntN(workers)
			switch random.IntN(5) {
			case 0:
				q.clear(w)
				ticks[w] = never
			case 1:
				ticks[w] = maxTick - random.Int64N(3)
				q.set(w, ticks[w])
			default:
				ticks[w] = random.Int64N(8)
				q.set(w, ticks[w])
				if got := q.at(w); got != ticks[w] {
					t.Fatalf("%d workers: event of %d at %d, want %d", workers, w, got, ticks[w])
				}
			}
			first := slices.Min(ticks)
			tick, w, ok := q.first()
			if ok != (first != never) || ok && (tick != first || w != slices.Index(ticks, first)) {
				t.Fatalf("%d workers: first is %d of %d, want %d", workers, tick, w, first)
			}
		}
	}
}
