package forkjoin

import (
	"github.com/forkjoin-go/forkjoin/internal/atomic"
	"github.com/forkjoin-go/forkjoin/internal/gkey"
	"github.com/forkjoin-go/forkjoin/internal/joint"
)

// The injection queue takes work that does not come from a fork: tasks given to
// Submit, groups that have tasks, and calls on a private pool that has no free
// slot; and frames that were claimed by who must not run them (orphan). Idle workers
// look at it after they have looked for frames, and every 64th time before.
//
// It is a set of short queues, each with a lock of its own. A goroutine always
// uses the same one, so that many submitters do not meet on one lock and each
// one's jobs stay in order.
type injector struct {
	size   atomic.Int64  // jobs in all shards; changed under the shard's lock
	taken  atomic.Uint64 // jobs that have left; the watchdog reads it
	shards [injectShards]injectShard
}

type injectShard struct {
	mu   joint.Mutex
	jobs queue[job]
	size atomic.Int64
	_    [64]byte
}

// length returns the number of jobs that wait. Who sees one that is just being
// added or taken meets the lock of its shard, so that nobody looks again and again
// for a job while the goroutine that adds or takes it is not running.
func (q *injector) length() int { return int(q.size.Load()) }

func (q *injector) push(j job) {
	s := &q.shards[uint64(gkey.Get())*0x9E3779B97F4A7C15>>(64-8)%injectShards]
	s.mu.Lock()
	s.jobs.push(j)
	s.size.Add(1)
	q.size.Add(1)
	s.mu.Unlock()
}

// pop takes a job, looking into the shards from a given one on.
func (q *injector) pop(from uint64) (job, bool) {
	if q.size.Load() <= 0 {
		return nil, false
	}
	for i := range uint64(injectShards) {
		s := &q.shards[(from+i)%injectShards]
		if s.size.Load() == 0 {
			continue
		}
		s.mu.Lock()
		j, ok := s.jobs.pop()
		if ok {
			q.size.Add(-1)
			s.size.Add(-1)
		}
		s.mu.Unlock()
		if ok {
			q.taken.Add(1)
			return j, true
		}
	}
	return nil, false
}

// each calls f with every waiting job.
func (q *injector) each(f func(job)) {
	for i := range q.shards {
		s := &q.shards[i]
		s.mu.Lock()
		s.jobs.each(f)
		s.mu.Unlock()
	}
}

// inject queues a job and sees to it that somebody takes it (W1).
func (p *Pool) inject(j job) {
	p.injected.push(j)
	if p.idle.load().searchers() == 0 {
		p.wake()
	}
	p.watch()
}
