package sim

// A fifo is a queue.
type fifo[T any] struct {
	items []T
	head  int
}

func (q *fifo[T]) len() int { return len(q.items) - q.head }

func (q *fifo[T]) push(x T) {
	if q.head > 32 && q.head > len(q.items)/2 {
		q.items = append(q.items[:0], q.items[q.head:]...)
		q.head = 0
	}
	q.items = append(q.items, x)
}

func (q *fifo[T]) pop() T {
	x := q.items[q.head]
	q.head++
	return x
}

// last takes the newest.
func (q *fifo[T]) last() T {
	n := len(q.items) - 1
	x := q.items[n]
	q.items = q.items[:n]
	return x
}
