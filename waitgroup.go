package forkjoin

// A WaitGroup runs functions that may wait for each other, as goroutines may,
// and waits for them. It has the Go and Wait of [sync.WaitGroup], for which it
// can stand in; the zero value is ready to use, and it must not be copied after
// its first use.
//
// A task costs less than a goroutine. It runs on a worker of the pool in which
// the first Go was called; tasks that block hold a worker up, and the pool makes
// up for that after about 10 milliseconds, or at once if they block inside
// [Blocking]. So a thousand tasks that each sleep for a millisecond, or wait for
// the network, take about as long as one after the other on each worker, unless
// they do it in Blocking.
type WaitGroup struct{ tasks groupTasks }

// Go has f called, soon, by a worker or by a goroutine in Wait. It may be called
// by tasks of the group. Go panics if f is nil.
//
// If f panics, Wait does. What was done before Go is synchronized before f
// starts.
func (g *WaitGroup) Go(f func()) {
	if f == nil {
		badUse("WaitGroup.Go: f is nil")
	}
	g.tasks.get(false).add(task{f: f}, f, nil, false)
}

// Wait returns when all functions given to Go have returned, and runs some of
// them meanwhile. After that the group may be used again.
//
// If functions panicked, Wait panics with a [*PanicError] for the first when all
// have ended (one Wait, if there are several at a time); if the first to fail
// called [runtime.Goexit], so does Wait's caller. Everything done in the
// functions is synchronized before Wait returns.
func (g *WaitGroup) Wait() { g.tasks.wait() }
