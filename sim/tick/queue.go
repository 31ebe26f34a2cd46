package tick

import (
	"math"
	"math/bits"
)

// A queue holds for each worker the tick of its next event, and finds the first
// of them, and of those in the same tick the worker with the lowest number: they
// have their turns in that order. It is a tournament: each inner node holds the
// lesser of the two below it, so that a change costs one path to the root,
// whether the event moves back or forth.
type queue struct {
	nodes []int64 // nodes[1] is the root, the leaves are the upper half
	shift uint    // a leaf is tick<<shift | worker
}

const never = math.MaxInt64

func newQueue(workers int) queue {
	shift := uint(bits.Len(uint(workers - 1)))
	q := queue{make([]int64, 2<<shift), shift}
	for i := range q.nodes {
		q.nodes[i] = never
	}
	return q
}

// set makes tick the next event of w.
func (q *queue) set(w int, tick int64) { q.put(w, tick<<q.shift|int64(w)) }

// clear leaves w without a next event.
func (q *queue) clear(w int) { q.put(w, never) }

func (q *queue) put(w int, key int64) {
	nodes := q.nodes
	i := len(nodes)/2 + w
	nodes[i] = key
	for i > 1 {
		key = min(nodes[i], nodes[i^1])
		i >>= 1
		if nodes[i] == key {
			return
		}
		nodes[i] = key
	}
}

// first returns the next event of all; ok is false if there is none.
func (q *queue) first() (tick int64, w int, ok bool) {
	key := q.nodes[1]
	return key >> q.shift, int(key & (1<<q.shift - 1)), key != never
}

// at returns the tick of the next event of w.
func (q *queue) at(w int) int64 { return q.nodes[len(q.nodes)/2+w] >> q.shift }
