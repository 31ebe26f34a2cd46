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

// Tasks of several givers are taken exactly once, in the order of each giver.
func TestTaskListConservation(t *testing.T) {
	const givers, takers, each = 3, 3, 20_000
	var l taskList
	var taken atomic.Int64
	var last [givers]atomic.Int64
	var all sync.WaitGroup
	for g := range givers {
		all.Go(func() {
			for i := range int64(each) {
				task := task{f: func() {
					if !last[g].CompareAndSwap(i, i+1) {
						t.Errorf("task %d of giver %d is taken when %d is due", i, g, last[g].Load())
					}
				}}
				l.giving.Lock()
				l.add(task)
				l.giving.Unlock()
			}
		})
	}
	for range takers {
		all.Go(func() {
			for taken.Load() < givers*each {
				l.taking.Lock()
				if !l.empty() {
					task := l.take()
					task.run()
					taken.Add(1)
				}
				l.taking.Unlock()
				runtime.Gosched()
			}
		})
	}
	all.Wait()
	if n := l.waiting(); n != 0 {
		t.Errorf("%d tasks are left", n)
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
