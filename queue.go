package forkjoin

// A queue is a first-in, first-out list in a ring that grows. It is not
// synchronized.
type queue[T any] struct {
	ring  []T // its length is a power of two
	first int
	count int
}

func (q *queue[T]) push(v T) {
	if q.count == len(q.ring) {
		bigger := make([]T, max(8, 2*len(q.ring)))
		n := copy(bigger, q.ring[q.first:])
		copy(bigger[n:], q.ring[:q.first])
		q.ring, q.first = bigger, 0
	}
	q.ring[(q.first+q.count)&(len(q.ring)-1)] = v
	q.count++
}

func (q *queue[T]) pop() (v T, ok bool) {
	if q.count == 0 {
		return v, false
	}
	p := &q.ring[q.first]
	v = *p
	clear(q.ring[q.first : q.first+1])
	q.first = (q.first + 1) & (len(q.ring) - 1)
	q.count--
	return v, true
}

// each calls f with every element, the oldest first.
func (q *queue[T]) each(f func(T)) {
	for i := range q.count {
		f(q.ring[(q.first+i)&(len(q.ring)-1)])
	}
}
