package forkjoin

import (
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
)

func TestQueueAgainstSlice(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var q queue[int]
	var want []int
	for i := range 10_000 {
		if r.IntN(2+i/3000) > 0 {
			q.push(i)
			want = append(want, i)
		} else {
			v, ok := q.pop()
			if ok != (len(want) > 0) || ok && v != want[0] {
				t.Fatalf("pop is %d, %v with %d in the queue", v, ok, len(want))
			}
			if ok {
				want = want[1:]
			}
		}
	}
	var all []int
	q.each(func(v int) { all = append(all, v) })
	for i := range want {
		if all[i] != want[i] {
			t.Fatalf("element %d is %d, want %d", i, all[i], want[i])
		}
	}
	if len(all) != len(want) {
		t.Errorf("each saw %d of %d elements", len(all), len(want))
	}
}

// Tasks of several givers are claimed exactly once, and found in the order in
// which they were given.
func TestTaskListConservation(t *testing.T) {
	const givers, runners, each = 3, 3, 20_000
	var l taskList
	var mu sync.Mutex
	var ran atomic.Int64
	var times [givers * each]atomic.Int32
	var all sync.WaitGroup
	for g := range givers {
		all.Go(func() {
			for i := range each {
				mu.Lock()
				l.add(task{f: func() { times[g*each+i].Add(1) }}, nil)
				mu.Unlock()
			}
		})
	}
	for range runners {
		all.Go(func() {
			for ran.Load() < givers*each {
				mu.Lock()
				c, i := l.enter()
				mu.Unlock()
				if c == nil {
					runtime.Gosched()
					continue
				}
				for ok := true; ok; i, ok = c.claim(c.filled(l.given.Load())) {
					task, _ := c.take(i)
					task.run()
					ran.Add(1)
				}
				mu.Lock()
				l.leave(c)
				mu.Unlock()
			}
		})
	}
	all.Wait()
	for i := range times {
		if n := times[i].Load(); n != 1 {
			t.Fatalf("task %d ran %d times", i, n)
		}
	}
	if n := l.waiting(); n != 0 || l.claimed() != givers*each {
		t.Errorf("%d tasks are left, %d were claimed", n, l.claimed())
	}
	if c, _ := l.enter(); c != nil {
		t.Error("a chunk with tasks is found when there are none")
	}
	if l.first != nil && l.first.next != nil {
		t.Error("chunks that are over are still in the list")
	}
}

// As long as there is a chunk that nobody is in, a runner gets one of its own.
func TestTaskListEnter(t *testing.T) {
	var l taskList
	for range 2*chunkTasks + 1 {
		l.add(task{f: func() {}}, nil)
	}
	enter := func() *taskChunk {
		c, i := l.enter()
		if c != nil && i >= c.filled(l.given.Load()) {
			t.Fatalf("task %d is claimed, which is not there", i)
		}
		return c
	}
	a, b, c := enter(), enter(), enter()
	if a == b || b == c || a == c || c.filled(l.given.Load()) != 1 {
		t.Fatal("three runners share chunks of three")
	}
	if enter() != a {
		t.Fatal("a fourth runner does not help with the first chunk")
	}
	for _, x := range []*taskChunk{a, b, c} {
		for ok := true; ok; {
			_, ok = x.claim(x.filled(l.given.Load()))
		}
	}
	if enter() != nil || l.waiting() != 0 {
		t.Fatal("tasks are left")
	}
	l.leave(a)
	if enter(); l.gone != 0 {
		t.Fatal("a chunk is dropped that somebody is in")
	}
	l.leave(a)
	l.leave(b)
	l.leave(c)
	if enter(); l.gone != 2*chunkTasks || l.first != c || l.last != c {
		t.Fatal("chunks that are over are not dropped")
	}
	for range chunkTasks {
		l.add(task{f: func() {}}, nil)
	}
	if x := enter(); x != c {
		t.Fatal("the partly filled chunk is not used on")
	}
}

// The last chunk may leave the list while somebody is still in the one before.
func TestTaskListLastLeavesFirst(t *testing.T) {
	var l taskList
	for range 2 * chunkTasks {
		l.add(task{f: func() {}}, nil)
	}
	a, _ := l.enter()
	b, _ := l.enter()
	for ok := true; ok; {
		_, ok = b.claim(chunkTasks)
	}
	l.leave(b)
	l.enter() // in a, which is not used up
	if l.last != a || l.gone != chunkTasks {
		t.Fatal("the chunk that is over is still in the list")
	}
	if !l.add(task{f: func() {}}, nil) || l.last.from != 2*chunkTasks || l.first != a || a.next != l.last || l.waiting() != chunkTasks-2+1 {
		t.Fatal("a task given then is not in a new chunk")
	}
}

func TestInjectorConservation(t *testing.T) {
	const givers, takers, each = 4, 3, 5_000
	var q injector
	var got [givers * each]atomic.Int32
	var left atomic.Int64
	left.Store(givers * each)
	var all sync.WaitGroup
	for g := range givers {
		all.Go(func() {
			for i := range each {
				q.push(thunk(func() { got[g*each+i].Add(1) }))
			}
		})
	}
	for k := range takers {
		all.Go(func() {
			for left.Load() > 0 {
				if j, ok := q.pop(uint64(k)); ok {
					j.run(nil, nil)
					left.Add(-1)
				}
				runtime.Gosched()
			}
		})
	}
	all.Wait()
	for i := range got {
		if n := got[i].Load(); n != 1 {
			t.Fatalf("job %d ran %d times", i, n)
		}
	}
	if q.length() != 0 || q.taken.Load() != givers*each {
		t.Errorf("%d jobs are left, %d were taken", q.length(), q.taken.Load())
	}
}

// The packed counts behave like separate ones.
func FuzzIdleness(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 4, 5})
	f.Fuzz(func(t *testing.T, ops []byte) {
		var w idleWord
		var n [3]int
		units := [3]idleness{oneSearcher, oneWaiting, oneSpare}
		for _, op := range ops {
			k := int(op>>1) % 3
			if op&1 == 0 {
				w.add(units[k])
				n[k]++
			} else if n[k] > 0 {
				w.add(-units[k])
				n[k]--
			}
			now := w.load()
			if now.searchers() != n[0] || now.spare() != n[2] || now.hungry() != (n[0]+n[1] > 0) || (now == 0) != (n == [3]int{}) {
				t.Fatalf("after %v the word is %#x, want %v", ops, int64(now), n)
			}
		}
	})
}

// A key is found from its claim to its release, also when the first table is
// full, and never another's.
func TestBindings(t *testing.T) {
	const n = 1000
	held := make([]*binding, n)
	for i := range held {
		key := uintptr(i+1) << 20
		if lookup(key) != nil {
			t.Fatalf("key %#x is bound before its claim", key)
		}
		held[i] = bind(key)
	}
	for i, b := range held {
		if key := uintptr(i+1) << 20; lookup(key) != b {
			t.Fatalf("key %#x is not found", key)
		}
	}
	for i, b := range held {
		b.key.Store(0)
		if lookup(uintptr(i+1)<<20) != nil {
			t.Fatal("a freed binding is found")
		}
	}
}
