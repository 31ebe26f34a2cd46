package record

import "slices"

// Overheads returns what the events on t cost. All must be forks whose branches
// do nothing, one after the other, or parts of a loop that do nothing.
func (t *Track) Overheads() Overheads {
	var costs [4][]int64 // of Fork, first End, second End, Chunk
	end := 1
	in := Input{Bytes: t.buf}
	for e := (Event{}); in.At < len(in.Bytes) && in.Event(&e) == nil; {
		switch e.Kind {
		case Fork:
			costs[0], end = append(costs[0], int64(e.Cost)), 1
		case End:
			costs[end], end = append(costs[end], int64(e.Cost)), 2
		case Chunk:
			costs[3] = append(costs[3], int64(e.Cost))
		}
	}
	return Overheads{typical(costs[0]), typical(costs[1]), typical(costs[2]), typical(costs[3])}
}

// typical returns the mean of the middle half, which interruptions do not
// change. The clock may tick so coarsely that a median says little.
func typical(costs []int64) int64 {
	slices.Sort(costs)
	middle := costs[len(costs)/4 : len(costs)-len(costs)/4]
	if len(middle) == 0 {
		return 0
	}
	sum := int64(0)
	for _, c := range middle {
		sum += c
	}
	return sum / int64(len(middle))
}
