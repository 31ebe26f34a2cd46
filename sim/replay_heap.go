package sim

// The events of a run: at most one for each worker, ordered by time and, at the
// same time, by when they were scheduled. A heap with four children at each
// node: shallower than one with two, and the four lie side by side.

type event struct {
	at  int64
	seq uint64
	w   *worker
}

func (a *event) before(b *event) bool { return a.at < b.at || a.at == b.at && a.seq < b.seq }

type events struct {
	heap []event
	seq  uint64
}

const noEvent = -1

// schedule makes t the time of w's event.
func (q *events) schedule(w *worker, t int64) {
	q.seq++
	e := event{t, q.seq, w}
	i := int(w.event)
	if i == noEvent {
		i = len(q.heap)
		q.heap = append(q.heap, e)
		q.up(i, e)
		return
	}
	if i > 0 && e.before(&q.heap[(i-1)/4]) {
		q.up(i, e)
	} else {
		q.down(i, e)
	}
}

// cancel removes w's event, if it has one.
func (q *events) cancel(w *worker) {
	i := int(w.event)
	if i == noEvent {
		return
	}
	w.event = noEvent
	n := len(q.heap) - 1
	last := q.heap[n]
	q.heap[n] = event{}
	q.heap = q.heap[:n]
	if i == n {
		return
	}
	if i > 0 && last.before(&q.heap[(i-1)/4]) {
		q.up(i, last)
	} else {
		q.down(i, last)
	}
}

func (q *events) up(i int, e event) {
	for i > 0 {
		parent := (i - 1) / 4
		if !e.before(&q.heap[parent]) {
			break
		}
		q.heap[i] = q.heap[parent]
		q.heap[i].w.event = int32(i)
		i = parent
	}
	q.heap[i] = e
	e.w.event = int32(i)
}

func (q *events) down(i int, e event) {
	for {
		least := q.leastChild(i)
		if least < 0 || !q.heap[least].before(&e) {
			break
		}
		q.heap[i] = q.heap[least]
		q.heap[i].w.event = int32(i)
		i = least
	}
	q.heap[i] = e
	e.w.event = int32(i)
}

func (q *events) leastChild(i int) int {
	first := 4*i + 1
	if first >= len(q.heap) {
		return -1
	}
	least := first
	for c := first + 1; c < min(first+4, len(q.heap)); c++ {
		if q.heap[c].before(&q.heap[least]) {
			least = c
		}
	}
	return least
}

// alone reports whether everything but the first event is later than t.
func (q *events) alone(t int64) bool {
	for i := 1; i < min(5, len(q.heap)); i++ {
		if q.heap[i].at <= t {
			return false
		}
	}
	return true
}
