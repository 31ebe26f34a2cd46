package sim

// An order goes through the parts of a reduction as one worker runs them: leaves
// from the first on, and each combination directly after all that it combines.
type order struct {
	leaves int
	begun  int   // leaves so far
	due    []int // combinations that can run before the next leaf, the first of them last
}

// next returns the place of the next part in the reduction's list: leaf i is at
// 2i, the combination at mid at 2mid-1.
func (o *order) next() int {
	if n := len(o.due); n > 0 {
		mid := o.due[n-1]
		o.due = o.due[:n-1]
		return 2*mid - 1
	}
	leaf := o.begun
	o.begun++
	for lo, hi := 0, o.leaves; hi-lo > 1; {
		mid := lo + (hi-lo)/2
		if hi == leaf+1 {
			o.due = append(o.due, mid)
		}
		if leaf < mid {
			hi = mid
		} else {
			lo = mid
		}
	}
	return 2 * leaf
}
