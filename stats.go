package forkjoin

import "sync/atomic"

// Stats counts what a pool has done since it was made. All counts only grow.
type Stats struct {
	Forks     uint64 // joins, and parts of loops given away
	Publishes uint64 // times that a worker showed frames to thieves
	Steals    uint64 // forks whose second branch another worker ran
	Parks     uint64 // waits for a stolen branch or a group that parked a goroutine
	Wakes     uint64 // sleeping workers woken, or started
	Tasks     uint64 // tasks of Submit, WaitGroup and Group
	Lent      uint64 // goroutines lent because tasks blocked
}

// Stats returns the pool's counts. It costs a few loads for each worker. What a
// worker counts becomes visible when its current outermost call or stolen task
// ends.
func (p *Pool) Stats() Stats {
	p.mustBeMade("Stats")
	p.mu.Lock()
	s, all := p.dropped, p.all()
	p.mu.Unlock()
	s.Wakes, s.Lent = p.wakes.Load(), p.lentOut.Load()
	s.Tasks += p.tasks.Load()
	for _, w := range all {
		s.add(w)
	}
	return s
}

// add adds what w has counted.
func (s *Stats) add(w *worker) {
	s.Forks += w.totals.forks.Load()
	s.Publishes += w.totals.publishes.Load()
	s.Steals += w.totals.steals.Load()
	s.Parks += w.totals.parks.Load()
	s.Tasks += w.totals.tasks.Load()
}

// counts are a worker's own, not yet in its totals.
type counts struct{ forks, publishes, steals, parks, tasks uint64 }

type totals struct{ forks, publishes, steals, parks, tasks atomic.Uint64 }

// flush adds counts to totals.
func (w *worker) flush() {
	flush(&w.counts.forks, &w.totals.forks)
	flush(&w.counts.publishes, &w.totals.publishes)
	flush(&w.counts.steals, &w.totals.steals)
	flush(&w.counts.parks, &w.totals.parks)
	flush(&w.counts.tasks, &w.totals.tasks)
}

func flush(n *uint64, total *atomic.Uint64) {
	if *n != 0 {
		total.Add(*n)
		*n = 0
	}
}
