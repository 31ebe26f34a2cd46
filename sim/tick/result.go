package tick

// Result is what came of a run.
type Result struct {
	Makespan int64 // ticks until the last task was done
	Work     int64 // ticks that workers spent on tasks, together
	Steals   int64 // attempts that moved tasks
	Failed   int64 // attempts that did not
	Moved    int64 // the work in stolen tasks and all that comes of them
	Overhead int64 // ticks that workers spent on attempts, waking others and the costs of deques, together

	Busy  []int64 // ticks spent on tasks, by worker
	Spent []int64 // the same for Overhead
	Log   []Steal // the first steals, as many as Config.Log allows

	Tasks     int64 // tasks that were stolen: Steals, but for StealHalf
	Wakes     int64 // workers woken, by splits and by joins
	Collided  int64 // times that somebody found a deque held by a steal
	Published int64 // tasks made public
	Depth     int   // the most tasks that waited on one worker at a time
}

// Steal is a line of the log.
type Steal struct {
	Tick          int64
	Victim, Thief int
	Size          int64 // of the task that the thief has in hand
	Subtree       int64 // the work in it, and in the others if it took more than one, with all that comes of them
}

// Attempts is how often a worker tried to steal, to the end.
func (r *Result) Attempts() int64 { return r.Steals + r.Failed }

// Floor is the least makespan that so much work allows on so many workers.
func (r *Result) Floor() int64 {
	p := int64(len(r.Busy))
	return (r.Work + p - 1) / p
}

// Work returns the ticks that the tasks of c take together, which does not
// depend on the schedule. It costs a time that grows with the number of tasks
// in c.Deques, and with the logarithm of their sizes. It panics if Run would
// find fault with the tasks.
func (c Config) Work() int64 {
	total, _ := c.measure()
	return total
}

// Span returns the ticks that the longest chain of tasks of c takes in which
// each depends on the one before: no number of workers can be faster. It costs
// what Work does, and panics as that does.
func (c Config) Span() int64 {
	_, span := c.measure()
	return span
}

func (c *Config) measure() (work, span int64) {
	if err := c.checkTasks(); err != nil {
		panic(err.Error())
	}
	for _, sizes := range c.Deques {
		for _, size := range sizes {
			w, s := c.measureTask(size)
			work, span = work+w, max(span, s)
		}
	}
	return work, span
}

// measureTask returns the work and the span of a task with what comes of it.
// Halving again and again meets at most two sizes at each depth, n and n+1.
func (c *Config) measureTask(size int64) (work, span int64) {
	if !c.divisible(size) {
		return size, size
	}
	w, s := c.measureTwo(size)
	return w[0], s[0]
}

// measureTwo measures tasks of size n and n+1.
func (c *Config) measureTwo(n int64) (work, span [2]int64) {
	join := int64(0)
	if c.Joins != NoJoins {
		join = c.JoinCost
	}
	var halfWork, halfSpan [2]int64
	if c.divisible(n + 1) {
		halfWork, halfSpan = c.measureTwo(n / 2)
	}
	for i := range int64(2) {
		if !c.divisible(n + i) {
			work[i], span[i] = n+i, n+i
			continue
		}
		// The halves are n/2 or n/2 + 1.
		a, b := (n+i)/2-n/2, (n+i+1)/2-n/2
		work[i] = 1 + halfWork[a] + halfWork[b] + join
		span[i] = 1 + max(halfSpan[a], halfSpan[b]) + join
	}
	return work, span
}
