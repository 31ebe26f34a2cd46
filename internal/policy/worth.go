package policy

// Waking a sleeping worker costs the waker a system call, some microseconds,
// and the helper starts some microseconds later, so a wake pays only if there
// is a lot left to do. Nobody knows that of a fork. What is known: how long the
// calls made from the same place took before, and that the current one has
// already taken a while. A place that was never measured is given the benefit of
// the doubt: its first call wakes.

const (
	worthCall  = 4  // an outermost call this many times the price of a wake is worth one at its first fork
	worthSpent = 2  // a call that has run for so many prices is, too
	worthLoop  = 16 // a loop with so many prices to go is
	worthTasks = 4  // tasks that take so many prices are worth another worker

	probeEvery = 128 // how often a small call is shared although that has not paid
)

// Judge reports whether a call should be shared, and whether it is worth a wake
// of that price, when calls from its place took so many ticks when nobody took a
// part of them (alone) and when somebody did (shared; 0: unknown), and calls
// have followed each other closely for the time of stretch. Short calls are
// shared if that has made them faster; those that are not are counted by probe,
// so that one is tried now and then.
func (t *Times) Judge(alone, shared, price, stretch int64, probe func() uint32) (share, eager bool) {
	switch {
	case alone == 0 && shared == 0:
		return true, true
	case alone == 0: // known from shared calls only: find out, if that is cheap
		long := shared > t.SmallCall
		return long, long
	case alone <= t.MinShare:
		return false, false
	case alone < t.SmallCall && shared >= alone && probe()%probeEvery != 0:
		return false, false
	}
	return true, alone > worthCall*price || WorthStretch(stretch, price)
}

// WorthStretch reports whether calls that have followed each other closely for so
// long are worth a wake.
func WorthStretch(stretch, price int64) bool { return stretch > worthSpent*price }

// WorthSpent reports whether a call that has taken so long, and whose like took
// alone ticks, is worth a wake after all.
func WorthSpent(spent, alone, price int64) bool { return spent > max(worthSpent*price, 2*alone) }

// WorthLoop reports whether a loop with so many ticks left is worth a wake.
func WorthLoop(left, price int64) bool { return left > worthLoop*price }

// WorthTasks reports whether so many tasks, which take pace ticks each, are worth
// another worker beside those that run them already.
func WorthTasks(waiting, pace, price int64) bool { return waiting > worthTasks*price/pace }

// Smooth returns what to believe of a duration after an old belief (0: none) and
// a new measurement.
func Smooth(old, measured int64) int64 {
	if old != 0 {
		measured = (3*old + measured) / 4
	}
	return max(1, measured)
}

// WakePrice returns what to believe of the price of a wake after an old belief
// (0: none) and a new measurement.
func (t *Times) WakePrice(old, measured int64) int64 {
	measured = min(max(measured, t.WakeMin), t.WakeMax)
	if old != 0 {
		measured = (7*old + measured) / 8
	}
	return measured
}

// WakeGap returns the least time between two wakes after so many in a row that
// found nothing.
func WakeGap(fruitless, price int64) int64 {
	if fruitless <= 0 {
		return 0
	}
	return price << min(fruitless, 8)
}

// Asks reports whether the n-th fork of a call (from 1) reads the clock to see
// how long the call has taken: that costs more than a fork, so the 1st, 2nd, 4th,
// … and every 32nd do.
func Asks(n uint32) bool { return n%32 == 0 || n&(n-1) == 0 }
