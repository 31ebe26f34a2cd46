package forkjoin

import "github.com/forkjoin-go/forkjoin/internal/atomic"

// A deque is the index side of a worker's stack of frames, split in two:
//
//	[tail, split)  public: thieves take from tail, the oldest frame first
//	[split, head)  private: the owner pushes and pops at head
//
// The protocol (numbers are those of docs/DESIGN.md):
//
//	D1  push: the owner fills frame head and adds one to head. No shared word
//	    is touched.
//	D2  publish: the owner stores a larger split. Pairs with D4: what was
//	    written into the frames below split is visible to whoever claims one.
//	D3  pop, private (head-1 >= split): the owner takes one off head.
//	D4  steal: a thief loads public, and if tail < split claims frame tail with
//	    one compare-and-swap that adds one to tail. It reads the frame only
//	    after that, so a word that came back to an old value (ABA) does no
//	    harm: the claim is for the frame that is there now.
//	D5  pop, public: the owner lowers split by compare-and-swap, which fails if
//	    a thief claimed meanwhile. If tail has passed the frame it is stolen,
//	    and the owner waits for it (latch.go).
//	D6  release: when a stolen frame is done, every older frame has been stolen
//	    too and every newer one popped: tail = split = head. The owner stores
//	    both one lower. No claim can be under way, as nothing is public.
//
// A frame is reused only after D3, D5 or D6, each of which excludes a claim on
// it; so frames need no atomic fields for their contents.
//
// Rejected: a Chase-Lev deque, in which every push and pop needs a full fence;
// its growth and index wrap are where published bugs are. Here the indices are
// those of a stack, so they never wrap.
type deque struct {
	// public packs tail (high half) and split (low half). The owner changes
	// split, thieves change tail, both only as the protocol says.
	public atomic.Uint64

	head  uint32 // owner's
	split uint32 // owner's copy of the low half of public
}

func pack(tail, split uint32) uint64       { return uint64(tail)<<32 | uint64(split) }
func unpack(p uint64) (tail, split uint32) { return uint32(p >> 32), uint32(p) }

// private returns the number of frames that no thief can see. Owner only.
func (d *deque) private() uint32 { return d.head - d.split }

// offering reports whether a thief would find something.
func (d *deque) offering() bool { return d.shown() > 0 }

// shown returns the number of frames that thieves would find.
func (d *deque) shown() uint32 {
	tail, split := unpack(d.public.Load())
	return max(tail, split) - tail
}

// publish shows the n oldest private frames to thieves (D2). Owner only.
func (d *deque) publish(n uint32) {
	split := d.split + n
	for {
		p := d.public.Load()
		tail, _ := unpack(p)
		if d.public.CompareAndSwap(p, pack(tail, split)) {
			d.split = split
			return
		}
	}
}

// pop takes back the newest frame (D3, D5) and reports whether the owner has
// it; if not, it is stolen. With keep, older public frames stay public.
// Owner only; the deque must not be empty.
func (d *deque) pop(keep bool) bool {
	i := d.head - 1
	if i >= d.split {
		d.head = i
		return true
	}
	for {
		p := d.public.Load()
		tail, _ := unpack(p)
		if tail > i {
			return false
		}
		split := tail
		if keep {
			split = i
		}
		if d.public.CompareAndSwap(p, pack(tail, split)) {
			d.head, d.split = i, split
			return true
		}
	}
}

// steal claims the oldest public frame (D4).
func (d *deque) steal() (i uint32, ok bool) {
	p := d.public.Load()
	tail, split := unpack(p)
	if tail >= split {
		return 0, false
	}
	return tail, d.public.CompareAndSwap(p, pack(tail+1, split))
}

// release removes the newest frame, which was stolen and is done (D6).
// Owner only.
func (d *deque) release() {
	d.head--
	d.split = d.head
	d.public.Store(pack(d.head, d.head))
}
