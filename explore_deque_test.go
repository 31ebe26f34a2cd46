//go:build explore

package forkjoin

import (
	"github.com/forkjoin-go/forkjoin/internal/explore"
)

// A card is a job of the deque programs: task i of a tally.
type card struct {
	y *tally
	i int
}

func (c *card) run(w *worker, _ *frame) {
	c.y.begin(c.i, nil)
	c.y.end(c.i)
}
func (c *card) site() *site { return &noSite }

// A table is where an owner and its thieves meet.
type table struct {
	x *explore.X
	p *Pool
	y *tally
	w *worker // the owner
	n int     // cards pushed
}

func newTable(x *explore.X, thieves int) *table {
	anew(2)
	p := bare(thieves + 1)
	return &table{x: x, p: p, y: &tally{x: x}, w: player(p)}
}

// push puts the next card on the owner's stack (D1).
func (b *table) push() {
	f := b.w.frames.next(b.w.head)
	f.job = &card{b.y, b.n}
	b.n++
	b.w.head++
}

// pop takes the newest card back and runs it, or waits for its thief.
func (b *table) pop(keep bool) {
	w := b.w
	f := w.frames.at(w.head - 1)
	c := f.job.(*card)
	if w.pop(keep) {
		f.drop()
		c.run(w, nil)
		return
	}
	w.await(f, true)
	w.release()
	f.reset()
	if b.y.runs[c.i] != 1 {
		b.x.Fatalf("card %d is done and has run %d times", c.i, b.y.runs[c.i])
	}
}

// thief starts a thief that tries so many times.
func (b *table) thief(tries int) (join func()) {
	w := player(b.p)
	return b.x.Go(func() {
		for range tries {
			if i, ok := b.w.steal(); ok {
				w.execute(b.w.frames.at(i), b.w, false, false)
			}
		}
	})
}

// clear ends the program: all cards have run, the stack is empty.
func (b *table) clear(joins ...func()) {
	for _, join := range joins {
		join()
	}
	b.y.ran(b.n)
	w := b.w
	tail, split := unpack(w.public.Load())
	if w.head != 0 || w.split != 0 || tail != 0 || split != 0 {
		b.x.Fatalf("the deque is not empty: tail %d, split %d (%d), head %d", tail, split, w.split, w.head)
	}
	for i := range uint32(4) {
		if k, o := locate(i); w.frames.segment[k] != nil {
			if f := &w.frames.segment[k][o]; f.job != nil || f.state.Load() != framePending || f.thief.Load() != nil {
				b.x.Fatalf("frame %d is not clean: %+v", i, f)
			}
		}
	}
}

func init() {
	programs = append(programs,
		program{protocol: "deque", name: "one frame, one thief", short: unbounded, long: unbounded, body: func(x *explore.X) {
			b := newTable(x, 1)
			thief := b.thief(2)
			b.push()
			b.w.publish(1)
			b.pop(true)
			b.clear(thief)
		}},
		program{protocol: "deque", name: "two frames, one thief", short: unbounded, long: unbounded, body: func(x *explore.X) {
			b := newTable(x, 1)
			thief := b.thief(2)
			b.push()
			b.push()
			b.w.publish(2)
			b.pop(true)
			b.pop(true)
			b.clear(thief)
		}},
		program{protocol: "deque", name: "two frames, two thieves", short: unbounded, long: unbounded, body: func(x *explore.X) {
			b := newTable(x, 2)
			one, two := b.thief(1), b.thief(1)
			b.push()
			b.push()
			b.w.publish(2)
			b.pop(true)
			b.pop(true)
			b.clear(one, two)
		}},
		program{protocol: "deque", name: "frames used again", short: unbounded, long: unbounded, body: func(x *explore.X) {
			b := newTable(x, 1)
			thief := b.thief(2)
			b.push()
			b.w.publish(1)
			b.pop(false)
			b.push()
			b.w.publish(1)
			b.pop(false)
			b.clear(thief)
		}},
		program{protocol: "deque", name: "publish beside a claim", short: unbounded, long: unbounded, body: func(x *explore.X) {
			b := newTable(x, 1)
			thief := b.thief(2)
			b.push()
			b.push()
			b.w.publish(1)
			b.w.publish(1)
			b.pop(true)
			b.pop(false)
			b.clear(thief)
		}},
		program{protocol: "deque", name: "what is not kept becomes private", short: unbounded, long: unbounded, body: func(x *explore.X) {
			b := newTable(x, 1)
			thief := b.thief(2)
			b.push()
			b.push()
			b.w.publish(2)
			b.pop(false)
			b.push()
			b.pop(true)
			b.pop(true)
			b.clear(thief)
		}},
		program{protocol: "deque", name: "the stack grows", short: unbounded, long: unbounded, body: func(x *explore.X) {
			b := newTable(x, 1)
			thief := b.thief(2)
			b.push()
			b.push()
			b.w.publish(1)
			b.push()
			b.w.publish(2)
			b.pop(true)
			b.pop(true)
			b.pop(true)
			b.clear(thief)
		}},
		program{protocol: "deque", name: "three thieves", short: 2, long: 5, body: func(x *explore.X) {
			b := newTable(x, 3)
			one, two, three := b.thief(1), b.thief(1), b.thief(1)
			b.push()
			b.push()
			b.w.publish(1)
			b.push()
			b.w.publish(1)
			b.pop(true)
			b.pop(false)
			b.pop(true)
			b.clear(one, two, three)
		}},
	)
}
