package forkjoin

import (
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
)

// Every index is found exactly once, in order, across segment borders.
func TestFramesLocate(t *testing.T) {
	segment, offset := uint32(0), uint32(0)
	for i := range uint32(1 << 16) {
		if k, o := locate(i); k != segment || o != offset {
			t.Fatalf("frame %d is at %d, %d, want %d, %d", i, k, o, segment, offset)
		}
		if offset++; offset == firstFrame<<segment {
			segment, offset = segment+1, 0
		}
	}
	if k, _ := locate(maxFrames - 1); k >= segments {
		t.Errorf("the last frame is in segment %d of %d", k, segments)
	}
}

func FuzzDequePack(f *testing.F) {
	f.Add(uint32(0), uint32(0))
	f.Add(^uint32(0), uint32(1))
	f.Fuzz(func(t *testing.T, tail, split uint32) {
		if a, b := unpack(pack(tail, split)); a != tail || b != split {
			t.Errorf("(%d, %d) came back as (%d, %d)", tail, split, a, b)
		}
	})
}

// A deque used by one goroutine behaves like a list with two marks.
func TestDequeAgainstModel(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		var d deque
		tail, split, head := 0, 0, 0
		for step := range 400 {
			switch r.IntN(5) {
			case 0:
				d.head++
				head++
			case 1:
				if n := head - split; n > 0 {
					n = 1 + r.IntN(n)
					d.publish(uint32(n))
					split += n
				}
			case 2:
				if head == 0 {
					break
				}
				keep := r.IntN(2) == 0
				got, want := d.pop(keep), head-1 >= tail
				if got != want {
					t.Fatalf("seed %d, step %d: pop is %v, want %v", seed, step, got, want)
				}
				switch {
				case got && head-1 >= split:
					head--
				case got:
					head--
					if split = tail; keep {
						split = head
					}
				default: // stolen, and let it be done
					d.release()
					head--
					tail, split = head, head
				}
			case 3, 4:
				i, ok := d.steal()
				if want := tail < split; ok != want || ok && int(i) != tail {
					t.Fatalf("seed %d, step %d: steal is %d, %v, want %d, %v", seed, step, i, ok, tail, want)
				}
				if ok {
					tail++
				}
			}
			if a, b := unpack(d.public.Load()); int(a) != tail || int(b) != split || int(d.head) != head || int(d.split) != split {
				t.Fatalf("seed %d, step %d: deque is %d %d %d, want %d %d %d", seed, step, a, b, d.head, tail, split, head)
			}
			if d.offering() != (tail < split) || int(d.private()) != head-split {
				t.Fatalf("seed %d, step %d: offering %v, private %d", seed, step, d.offering(), d.private())
			}
		}
	}
}

// An owner and thieves together get each of many frames exactly once, on a
// stack so low that they meet at every step.
func TestDequeConservation(t *testing.T) {
	rounds := 200_000
	if testing.Short() {
		rounds = 20_000
	}
	var d deque
	var values [4]int64          // of the frames, plain on purpose
	var done [4]atomic.Bool      // by a thief
	got := make([]int32, rounds) // how often each value was taken
	var stop atomic.Bool
	var thieves sync.WaitGroup
	for range 3 {
		thieves.Go(func() {
			for ; !stop.Load(); runtime.Gosched() {
				if i, ok := d.steal(); ok {
					atomic.AddInt32(&got[values[i]], 1)
					done[i].Store(true)
				}
			}
		})
	}
	r := rand.New(rand.NewPCG(1, 2))
	for next := 0; next < rounds || d.head > 0; {
		switch {
		case d.head < uint32(len(values)) && next < rounds && r.IntN(3) > 0:
			values[d.head] = int64(next)
			done[d.head].Store(false)
			next++
			d.head++
			if n := d.private(); r.IntN(2) == 0 {
				d.publish(1 + uint32(r.IntN(int(n))))
			}
		case d.head > 0:
			i := d.head - 1
			if d.pop(r.IntN(2) == 0) {
				got[values[i]]++
				break
			}
			for !done[i].Load() {
				runtime.Gosched()
			}
			d.release()
		}
	}
	stop.Store(true)
	thieves.Wait()
	for v, n := range got {
		if n != 1 {
			t.Fatalf("value %d was taken %d times", v, n)
		}
	}
}
