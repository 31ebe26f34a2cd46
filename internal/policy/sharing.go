package policy

// What an owner does when it has forked, and between the chunks of a loop. How
// idle a pool is, is told by three facts: hungry, somebody awake wants work;
// searchers, how many of those are workers without a task; spare, how many more
// could be woken.

// Offers reports whether an owner that has just pushed a frame shows its private
// ones to thieves. share says that its call is worth sharing, wake that it will
// wake somebody, offering that a thief would find something already.
func Offers(hungry, share, wake, offering bool) bool {
	return (wake || hungry && share) && !offering
}

// CanOffer reports whether an owner has private frames to share.
func CanOffer(share bool, private uint32) bool { return share && private > 0 }

// Wanted reports whether somebody would take a frame of a recursion now.
func Wanted(hungry, share, eager bool, spare int) bool { return share && hungry || eager && spare > 0 }

// Wakes reports whether somebody should be woken for frames that are worth it.
func Wakes(worth bool, searchers, spare int) bool { return worth && searchers == 0 && spare > 0 }

// Relays reports whether a worker of a pool of that many slots that has found
// something wakes another one, when so many more have something to give. It does
// so up to MostRelays times: with one each, those of a large pool would be woken
// one after the other, which takes longer than many a program.
func Relays(searchers, more, spare, slots int) bool {
	return spare > 0 && searchers < min(more, MaxSearchers(slots))
}

// MostRelays is how many others a worker wakes that has found something.
const MostRelays = 2

// PartWanted reports whether a part of a loop with so many ticks left should be
// given away, and whether that takes a wake.
func PartWanted(hungry, offering, eager bool, left, price int64) (give, wake bool) {
	if offering {
		return false, false
	}
	if hungry {
		return true, false
	}
	worth := eager || WorthLoop(left, price)
	return worth, worth
}

// A Haste is what a worker knows about whether its current work is worth sharing
// and worth a wake. It begins anew with each outermost call and each stolen
// task, but calls that follow each other closely count as one.
type Haste struct {
	Began int64 // ticks; 0: nobody with nothing to do was seen yet
	Share bool  // worth sharing
	Eager bool  // worth a wake
	Split bool  // a part has been taken by another worker

	asked   uint32 // forks that looked whether someone wants them
	stretch int64  // when the first of the calls began that followed closely
	ended   int64  // when the last call ended; 0: none
}

// Start begins a Haste, now, at the first fork that could be shared. alone and
// shared are what is known of calls from its place; see Judge.
func (h *Haste) Start(t *Times, alone, shared, price, now int64, probe func() uint32) {
	h.Began, h.asked = now, 0
	if h.ended == 0 || now-h.ended > t.Closely {
		h.stretch = now
	}
	h.Share, h.Eager = t.Judge(alone, shared, price, now-h.stretch, probe)
}

// Stretch returns how long calls had followed each other closely when this one
// began.
func (h *Haste) Stretch() int64 { return h.Began - h.stretch }

// Asks counts a fork of a call that is not known to be worth a wake, and reports
// whether to look if it has become so.
func (h *Haste) Asks() bool {
	h.asked++
	return Asks(h.asked)
}

// Spent looks whether the call has become worth a wake, and reports it.
func (h *Haste) Spent(now, alone, price int64) bool {
	h.Eager = WorthSpent(now-h.Began, alone, price)
	h.Share = h.Share || h.Eager
	return h.Eager
}

// End ends an outermost call. It returns how long it took, if that was measured.
func (h *Haste) End(now func() int64) (took int64, measured bool) {
	if h.Began == 0 {
		h.ended = 0
		return 0, false
	}
	h.ended = now()
	took = h.ended - h.Began
	h.Began, h.Share, h.Eager, h.Split = 0, false, false, false
	return took, true
}

// A Beat is how fast a recursion meets joins, which tells how small its pieces
// are.
type Beat struct {
	Ticks int64 // per join; 0: unknown
	joins int64 // since then
	since int64 // when the counting began; 0: it has not
}

// Count counts joins.
func (b *Beat) Count(n int64) { b.joins += n }

// Due reports whether enough joins have been counted to measure them.
func (b *Beat) Due() bool { return b.joins >= PaceJoins }

// Measure renews the beat.
func (b *Beat) Measure(now int64) {
	if b.since != 0 {
		b.Ticks = max(1, (now-b.since)/b.joins)
	}
	b.since, b.joins = now, 0
}

// Restart forgets what was counted, because time was spent otherwise.
func (b *Beat) Restart() { b.since, b.joins = 0, 0 }
