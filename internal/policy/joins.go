package policy

const (
	PaceJoins = 32 // joins that a pace is measured over

	// Private frames beyond which small joins run inline.
	FrameStock  = 1
	WantedStock = 2

	// Joins that may run inline in a row. They may be nested in each other, and
	// then a panic goes through all their guards.
	MaxInline = 128

	// The same while somebody wants frames: leaves may have become heavy.
	WantedInline = 16
)

// InlineJoins returns how many joins a recursion may run inline, as two plain
// calls, when it has so many private frames on its stack, meets a join every so
// many ticks (0: unknown), and wanted says whether somebody would take a frame.
//
// Without a frame in stock, or if the pieces are large or of unknown size, each
// join is offered. Otherwise the frames it has, being the oldest, are larger
// pieces than the ones at hand, and it goes on for PollTime before it looks
// again. A frame that is taken back or given away ends that.
func (t *Times) InlineJoins(private uint32, ticks int64, wanted bool) int32 {
	stock := uint32(FrameStock)
	if wanted {
		stock = WantedStock
	}
	if private < stock || ticks == 0 || ticks > t.FinePace {
		return 0
	}
	if wanted {
		return int32(min(max(t.PollTime/ticks, 8), WantedInline))
	}
	return int32(min(max(t.PollTime/ticks, 8), MaxInline))
}
