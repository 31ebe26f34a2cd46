package forkjoin

import "slices"

// Strings without a buffer. They are swapped to where they belong by one byte after
// the other, like numbers (see flagDigit), until there are so few in a part that
// pairs of them fit in a cache.

const (
	pairedStrings = 1 << 13 // that are sorted by pairs
	mostFlags     = 64      // sorts by a byte inside each other, before strings are compared
	noByte        = 0       // what stands for the byte behind the last one
)

// sortStringsInPlace sorts s.
func sortStringsInPlace(s []string) {
	sort := func(part []string) { flagStrings(part, 0, 0) }
	if workersHere() == 1 {
		sort(s)
	} else {
		quickInPlace(s, sort)
	}
}

// flagStrings sorts s, whose strings agree in the first depth bytes. levels counts
// the sorts that this one is in.
func flagStrings(s []string, depth, levels int) {
	switch {
	case len(s) <= fewStrings || levels == mostFlags:
		slices.Sort(s)
		return
	case len(s) <= pairedStrings:
		sortPaired(s, depth)
		return
	}
	var ends [byteDigits + 1]int
	for _, x := range s {
		ends[byteAt(x, depth)]++
	}
	first := byteAt(s[0], depth)
	if ends[first] < len(s) {
		flagByte(s, depth, &ends)
		inParallel(byteDigits, func(d int) { // those that have ended are all the same
			if part := s[ends[d]:ends[d+1]]; len(part) > 1 {
				flagStrings(part, depth+1, levels+1)
			}
		})
	} else if first != noByte {
		flagStrings(s, inCommon(s, depth+1), levels+1)
	}
}

// byteAt returns the byte of s at depth, plus one.
func byteAt(s string, depth int) int {
	if depth < len(s) {
		return int(s[depth]) + 1
	}
	return noByte
}

// inCommon returns how many bytes all of s begin with. It is known that there are
// some.
func inCommon(s []string, known int) int {
	first := s[0]
	for _, x := range s {
		n := min(len(first), len(x))
		if first[known:n] == x[known:n] {
			first = first[:n]
			continue
		}
		n = known
		for first[n] == x[n] {
			n++
		}
		first = first[:n]
	}
	return len(first)
}

// flagByte sorts s by the byte at depth. ends is how often each occurs, and becomes
// where it ends.
func flagByte(s []string, depth int, ends *[byteDigits + 1]int) {
	var next [byteDigits + 1]int
	at := 0
	for d, c := range ends {
		next[d], ends[d], at = at, at+c, at+c
	}
	for d := range next {
		for i := next[d]; i < ends[d]; i++ {
			x := s[i]
			for {
				to := byteAt(x, depth)
				if to == d {
					break
				}
				x, s[next[to]] = s[next[to]], x
				next[to]++
			}
			s[i] = x
			next[d]++
		}
	}
}

// sortPaired sorts s by pairs (see stringSort).
func sortPaired(s []string, depth int) {
	pairs, words := takeBuffer[pair](&pairPool, len(s))
	for i := range pairs {
		pairs[i].at = uint64(i)
	}
	t := &stringSort{strings: s, workers: 1}
	t.sort(pairs, depth, 0)
	for i := range s { // follow each cycle of moves
		x, to := s[i], i
		for {
			from := int(pairs[to].at)
			pairs[to].at = uint64(to)
			if from == i {
				break
			}
			s[to] = s[from]
			to = from
		}
		s[to] = x
	}
	pairPool.Put(words)
}
