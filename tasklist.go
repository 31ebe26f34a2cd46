package forkjoin

import (
	"github.com/forkjoin-go/forkjoin/internal/atomic"
	"github.com/forkjoin-go/forkjoin/internal/clock"
)

// A taskList is the queue of a group: a list of chunks that hold the tasks in
// the order in which they were given. The group's lock protects it, but for what
// costs most: whoever runs tasks enters a chunk, under the lock, and claims its
// tasks without it. Several may be in one chunk, so that tasks which have to
// wait for each other never hold each other up; but each enters one that nobody
// is in as long as there is one.
type taskList struct {
	first, last *taskChunk
	spare       *taskChunk    // an empty one, to be used again
	gone        uint64        // tasks of the chunks that have left the list
	given       atomic.Uint64 // tasks added; stored when the task is in place, under the lock
}

// A task is a function given to a group.
type task struct {
	f func()
	e func() error // instead of f
}

func (t *task) run() error {
	if t.e != nil {
		return t.e()
	}
	t.f()
	return nil
}

type taskChunk struct {
	tasks [chunkTasks]task // each written before given says that it is there, cleared by who claims it
	from  uint64           // how many tasks were given before the first one
	next  *taskChunk
	users int    // that have entered and not left
	began int64  // when the first of them entered; ticks
	mark  uint32 // what claimed was then

	// The profile labels of the tasks that have any; nil while none has.
	labels atomic.Pointer[[chunkTasks]*labels]

	_       [64]byte // what runners write, adders should seldom read, and vice versa
	claimed atomic.Uint32
}

// filled returns how many tasks have been put into c, given so many in all.
func (c *taskChunk) filled(given uint64) uint32 { return uint32(min(given-c.from, chunkTasks)) }

// claim takes the next task, the i-th, of the first n. The claim is what makes
// it the caller's; only then it reads the task.
func (c *taskChunk) claim(n uint32) (i uint32, ok bool) {
	for {
		i = c.claimed.Load()
		if i >= n {
			return 0, false
		}
		if c.claimed.CompareAndSwap(i, i+1) {
			return i, true
		}
	}
}

// take returns the i-th task and its labels, to who has claimed it.
func (c *taskChunk) take(i uint32) (t task, worn *labels) {
	t = c.tasks[i]
	c.tasks[i] = task{}
	if all := c.labels.Load(); all != nil {
		worn = all[i]
		all[i] = nil
	}
	return t, worn
}

// add puts a task at the end, and reports whether that began a chunk. The caller
// holds the lock, as for all that follows.
func (l *taskList) add(t task, worn *labels) (fresh bool) {
	n := l.given.Load()
	c := l.last
	if c == nil || n-c.from >= chunkTasks {
		c, fresh = l.spare, true
		l.spare = nil
		if c == nil {
			c = new(taskChunk)
		}
		c.from = n
		if l.last == nil {
			l.first = c
		} else {
			l.last.next = c
		}
		l.last = c
	}
	c.tasks[n-c.from] = t
	if worn != nil {
		if c.labels.Load() == nil {
			c.labels.Store(new([chunkTasks]*labels))
		}
		c.labels.Load()[n-c.from] = worn
	}
	l.given.Store(n + 1)
	return fresh
}

// enter claims a task, the i-th of c, and counts the caller among the users of c.
// c is nil if there is none.
func (l *taskList) enter() (c *taskChunk, i uint32) {
	for claimed := false; !claimed; { // those who are in the chunk claim, too
		if c = l.find(); c == nil {
			return nil, 0
		}
		i, claimed = c.claim(c.filled(l.given.Load()))
	}
	if c.users++; c.users == 1 {
		c.began, c.mark = clock.Now(), i
	}
	return c, i
}

// leave ends what enter began. The last to leave is told how many ticks a task
// took, or 0.
func (l *taskList) leave(c *taskChunk) (pace int64) {
	c.users--
	if ran := c.claimed.Load() - c.mark; c.users == 0 && ran > 0 {
		pace = max(1, (clock.Now()-c.began)/int64(ran))
	}
	return pace
}

// find returns the first chunk with tasks to claim that nobody is in, or else
// the first one. It drops chunks that are over from the list. Those who are in a
// chunk keep it from being used again.
func (l *taskList) find() (found *taskChunk) {
	given := l.given.Load()
	for link, before := &l.first, (*taskChunk)(nil); *link != nil; {
		c := *link
		switch claimed := c.claimed.Load(); {
		case claimed == chunkTasks && c.users == 0:
			*link = c.next
			if l.last == c {
				l.last = before
			}
			l.gone += chunkTasks
			c.next = nil
			c.claimed.Store(0)
			c.labels.Store(nil)
			l.spare = c
			continue
		case claimed < c.filled(given) && c.users == 0:
			return c
		case claimed < c.filled(given) && found == nil:
			found = c
		}
		link, before = &c.next, c
	}
	return found
}

// claimed returns how many tasks have been claimed.
func (l *taskList) claimed() uint64 {
	n := l.gone
	for c := l.first; c != nil; c = c.next {
		k := c.claimed.Load()
		if k == 0 && c.users == 0 {
			break // nobody has been in those that follow, either
		}
		n += uint64(k)
	}
	return n
}

// waiting returns how many tasks have not been claimed.
func (l *taskList) waiting() uint64 { return l.given.Load() - l.claimed() }

// pace returns how many ticks a task takes, judging by the chunks that are being
// run: the longest estimate.
func (l *taskList) pace(now int64) (ticks int64) {
	for c := l.first; c != nil; c = c.next {
		k := c.claimed.Load()
		if c.users > 0 {
			ticks = max(ticks, (now-c.began)/int64(k-c.mark+1))
		} else if k == 0 {
			break
		}
	}
	return ticks
}
