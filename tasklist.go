package forkjoin

import (
	"github.com/forkjoin-go/forkjoin/internal/atomic"
	"github.com/forkjoin-go/forkjoin/internal/joint"
)

// A taskList is the queue of a group: any number of goroutines add tasks, any
// number take them, first in, first out. Those who add and those who take use
// different locks, and meet in one word, given.
//
// Tasks lie in chunks that form a list. A chunk that has been emptied is kept
// for the next one that is needed.
type taskList struct {
	giving joint.Mutex
	last   *taskChunk    // where the next task goes
	given  atomic.Uint64 // tasks added; stored under giving, after the task is in place
	ended  uint64        // how many had ended when the adder looked last
	_      [64]byte      // what adders write, takers should seldom read, and vice versa

	taking joint.Mutex
	first  *taskChunk // where the next task is; nil before the first
	taken  uint64     // tasks taken
	seen   uint64     // what given was when a taker looked last
	spare  atomic.Pointer[taskChunk]
}

// A task is a function given to a group.
type task struct {
	f      func()
	e      func() error // instead of f
	labels *labels
}

func (t *task) run() error {
	if t.e != nil {
		return t.e()
	}
	t.f()
	return nil
}

type taskChunk struct {
	tasks [chunkTasks]task
	next  *taskChunk // written before given shows a task of it
}

// add puts a task at the end. The caller holds giving.
func (l *taskList) add(t task) {
	n := l.given.Load()
	if n%chunkTasks == 0 {
		c := l.spare.Swap(nil)
		if c == nil {
			c = new(taskChunk)
		}
		if l.last == nil {
			l.first = c // nobody takes before given is stored
		} else {
			l.last.next = c
		}
		l.last = c
	}
	l.last.tasks[n%chunkTasks] = t
	l.given.Store(n + 1)
}

// empty reports whether no task is in the list. The caller holds taking.
func (l *taskList) empty() bool {
	if l.seen == l.taken {
		l.seen = l.given.Load()
	}
	return l.seen == l.taken
}

// waiting returns the number of tasks in the list. The caller holds taking.
func (l *taskList) waiting() uint64 { return l.given.Load() - l.taken }

// take returns the first task, which must exist. The caller holds taking.
func (l *taskList) take() task {
	i := l.taken % chunkTasks
	if i == 0 && l.taken > 0 {
		empty := l.first
		l.first = empty.next
		empty.next = nil
		l.spare.Store(empty)
	}
	p := &l.first.tasks[i]
	t := *p
	*p = task{}
	l.taken++
	return t
}
