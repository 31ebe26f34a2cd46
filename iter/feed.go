package iter

import (
	"context"
	stditer "iter"
	"sync"

	"github.com/forkjoin-go/forkjoin"
)

// Elements of a sequential source come through a feed: a task of its own pulls
// them into a queue, and whoever consumes the sequence takes what is there, as
// a segment, and goes through that with all workers. Rules:
//
//  1. Whoever consumes never waits while there is something in the queue, except
//     for a fold, whose segments must not depend on timing. So a source may wait
//     for elements that it has yielded to be dealt with.
//  2. The queue is bounded. The bound starts small, since elements may be large,
//     and doubles when the queue was found empty.
//  3. A source runs no part of the consumption, and holds no lock of ours while
//     it runs, so it may use this library itself.
//  4. The consumption ends when the source has: nothing of it is left behind.
//  5. A consumption that is over, whatever ended it, waits for no element.

const (
	feedLeast = 64   // the bound of the queue at first
	feedMost  = 2048 // and at last; also the most in a segment
	feedWhole = 1024 // the most in a segment of a fold
)

// A feed is the beginning of a plan whose elements are not all at hand.
type feed interface {
	// start begins to pull. The queue gets limit elements at most, after the
	// first skip ones.
	start(c *call, skip, limit int) supply
}

// A window is a part of a feed that is at hand.
type window struct {
	elems any // a slice
	first int // the number of its first element, those that were dropped included
}

// A supply hands out the positions of a plan, in order.
type supply interface {
	// next returns at least one position and at most so many, or none at the end.
	next(w *window, most int) (lo, hi int)
	// nextWhole returns exactly size(lo) positions, except at the end.
	nextWhole(w *window, size func(at int) int) (lo, hi int)
	// close ends it, and returns when the source has ended.
	close()
}

// feeding calls f with the supply of a plan that has a feed.
func feeding[T any](c *call, p *plan[T], f func(s supply)) {
	if p.n == 0 {
		return
	}
	s := p.feed.start(c, p.drop, p.n)
	returned := false
	defer func() {
		if !returned {
			defer func() { recover() }() // the panic under way, or Goexit, comes first
			s.close()
		}
	}()
	f(s)
	returned = true
	s.close()
}

// pulled is a source that pulls elements one after the other.
type pulled[T any] struct {
	// pull calls yield for each element until that returns false, and may give
	// up when the channel is closed.
	pull func(yield func(T) bool, done <-chan struct{})
}

func (s pulled[T]) plan(*call) plan[T] {
	return plan[T]{n: maxInt, exact: true, views: true, batch: batchOf[T](), feed: s, open: func(w *window) reader[T] {
		return func(lo, hi int, _ []T) []T { return w.elems.([]T)[lo-w.first : hi-w.first] }
	}}
}

func (s pulled[T]) start(c *call, skip, limit int) supply {
	q := &queue[T]{c: c, skip: skip, dropped: skip, limit: limit, bound: feedLeast,
		filled: make(chan struct{}, 1), drained: make(chan struct{}, 1), done: make(chan struct{})}
	for c := c; c != nil; c = c.outer {
		for _, ctx := range c.contexts {
			q.watches = append(q.watches, context.AfterFunc(ctx, q.stop))
		}
	}
	q.source.Go(func() {
		defer q.finish()
		s.pull(q.put, q.done)
	})
	return q
}

// A queue is a feed at work.
type queue[T any] struct {
	c       *call
	source  forkjoin.WaitGroup
	watches []func() bool
	skip    int // elements left to drop; used by the source only
	dropped int // in all
	limit   int // elements to come, at most

	mu      sync.Mutex
	elems   []T
	first   int  // the number of elems[0]
	bound   int  // of len(elems)
	least   int  // the consumer waits for so many; 0: it does not wait
	full    bool // the source waits
	ended   bool // there will be no more
	stopped bool // no more are wanted

	filled  chan struct{} // ends a wait of the consumer
	drained chan struct{} // ends a wait of the source
	done    chan struct{} // closed when stopped
}

// put adds an element, and reports whether more are wanted.
func (q *queue[T]) put(v T) bool {
	if q.skip > 0 {
		q.skip--
		q.mu.Lock()
		defer q.mu.Unlock()
		return !q.stopped
	}
	q.mu.Lock()
	for len(q.elems) >= q.bound && !q.stopped {
		q.full = true
		q.mu.Unlock()
		forkjoin.Blocking(func() { <-q.drained })
		q.mu.Lock()
	}
	defer q.mu.Unlock()
	if q.stopped || q.limit == 0 { // a source may go on that was told not to
		return false
	}
	q.elems = append(q.elems, v)
	q.limit--
	if q.least > 0 && len(q.elems) >= q.least {
		q.wakeConsumer()
	}
	return q.limit > 0
}

func (q *queue[T]) wakeConsumer() {
	if q.least > 0 {
		q.least = 0
		q.filled <- struct{}{}
	}
}

func (q *queue[T]) wakeSource() {
	if q.full {
		q.full = false
		q.drained <- struct{}{}
	}
}

// finish notes that the source has ended.
func (q *queue[T]) finish() {
	q.mu.Lock()
	q.ended = true
	q.wakeConsumer()
	q.mu.Unlock()
}

// stop tells the source and the consumer to end.
func (q *queue[T]) stop() {
	q.mu.Lock()
	if !q.stopped {
		q.stopped = true
		close(q.done)
		q.wakeSource()
		q.wakeConsumer()
	}
	q.mu.Unlock()
}

func (q *queue[T]) close() {
	q.stop()
	for _, stop := range q.watches {
		stop()
	}
	q.source.Wait()
}

func (q *queue[T]) next(w *window, most int) (lo, hi int) { return q.take(w, 1, most) }

func (q *queue[T]) nextWhole(w *window, size func(at int) int) (lo, hi int) {
	n := size(q.first)
	return q.take(w, n, n)
}

// take makes w the next elements: least or more, if there are so many, but not
// more than most.
func (q *queue[T]) take(w *window, least, most int) (lo, hi int) {
	q.mu.Lock()
	if len(q.elems) < least && q.first > 0 {
		q.bound = min(2*q.bound, feedMost)
	}
	q.bound = max(q.bound, least)
	// Nobody else ends the consumption while it waits, but by stop.
	for len(q.elems) < least && !q.ended && !q.stopped && !q.c.over() {
		q.least = least
		q.wakeSource() // the bound may have grown
		q.mu.Unlock()
		forkjoin.Blocking(func() { <-q.filled })
		q.mu.Lock()
	}
	defer q.mu.Unlock()
	if q.c.over() {
		return q.first, q.first
	}
	n := min(len(q.elems), most)
	lo, hi = q.first, q.first+n
	*w = window{q.elems[:n:n], q.dropped + lo}
	// What is taken is given up by the queue: hands may still look at it.
	q.elems = append(make([]T, 0, min(2*n, q.bound)), q.elems[n:]...)
	q.first = hi
	q.wakeSource()
	return lo, hi
}

// FromSeq returns the elements of a sequential source. The source is run by one
// goroutine at a time, ahead of those that work on its elements, but not more
// than some thousand elements; it may use this library itself, and may wait for
// elements that it has yielded to be dealt with, unless they are folded
// ([Reduce], [TryReduce], [Sum] and the like work on elements when a certain
// number of them has come: at most half as many as before, and 1,024).
//
// What consumes the sequence in order, as [Seq.All] and [Seq.Collect] do, gets
// the elements in order; [Seq.ForEach] gets them as they come. It returns when
// seq has returned: if seq waits for something when no more of it is wanted,
// that is waited for. What seq yields after yield has returned false is dropped.
//
// Cost: about ten function calls for each element beyond what seq does, and
// waking a worker at the beginning. FromSeq panics if seq is nil. If seq panics,
// the consumer panics with a [*forkjoin.PanicError].
func FromSeq[T any](seq stditer.Seq[T]) Seq[T] {
	need("FromSeq", "seq", seq == nil)
	return Seq[T]{src: pulled[T]{func(yield func(T) bool, _ <-chan struct{}) { seq(yield) }}}
}

// Channel returns the elements received from ch until it is closed. Elements may
// have been received that the consumer did not need, when it ends early. Costs
// and order are as for [FromSeq], but no end is ever waited for: a consumer that
// ends early leaves ch at once. Channel panics if ch is nil.
func Channel[T any](ch <-chan T) Seq[T] {
	need("Channel", "ch", ch == nil)
	return Seq[T]{src: pulled[T]{func(yield func(T) bool, done <-chan struct{}) {
		for {
			v, ok, ready := tryReceive(ch, done)
			if !ready {
				forkjoin.Blocking(func() {
					select {
					case v, ok = <-ch:
					case <-done:
					}
				})
			}
			if !ok || !yield(v) {
				return
			}
		}
	}}}
}

// tryReceive receives from ch if that can be done at once. It is ready with
// nothing when there is nothing more to come.
func tryReceive[T any](ch <-chan T, done <-chan struct{}) (v T, ok, ready bool) {
	select {
	case <-done:
		return v, false, true
	default:
	}
	select {
	case v, ok = <-ch:
		return v, ok, true
	default:
		return v, false, false
	}
}
