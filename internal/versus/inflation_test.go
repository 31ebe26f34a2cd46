package versus

import (
	"math"
	"testing"
)

// recordings returns nine: the first three are calm, with the given works in
// milliseconds and the given delay; the others were disturbed more, and took twice as
// long.
func recordings(delay int64, calm ...int64) (r []recording) {
	const ms = 1_000_000
	for range 3 {
		for _, w := range calm {
			r = append(r, recording{nil, 2 * w * ms, (delay + 50) * ms})
		}
	}
	for i, w := range calm {
		r[i*2] = recording{nil, w * ms, delay * ms}
	}
	return r
}

// unknown returns recordings on a system that does not tell how long they had to wait.
func unknown(work ...int64) (r []recording) {
	for _, w := range work {
		r = append(r, recording{nil, w * 1_000_000, -1}, recording{nil, w * 1_000_000, -1}, recording{nil, w * 1_000_000, -1})
	}
	return r
}

// The numbers are like those that runs give: a program on memory that two workers
// share, a program that computes, and the same on machines that others use, too.
func TestInflation(t *testing.T) {
	for _, c := range []struct {
		name            string
		alone, together []recording
		by              float64
		bound           bool
	}{
		{"cache lines that travel", recordings(0, 24, 24, 25), recordings(0, 71, 74, 80), 74. / 24, true},
		{"bandwidth", recordings(0, 46, 46, 47), recordings(0, 58, 59, 62), 59. / 46, true},
		{"just above the bound", recordings(0, 1000, 1000, 1001), recordings(0, 1101, 1101, 1102), 1.101, true},
		{"just below it", recordings(0, 1000, 1000, 1001), recordings(0, 1099, 1100, 1100), 1.1, false},
		{"computes", recordings(0, 26, 26, 26), recordings(0, 26, 26, 27), 1, false},
		{"less work together", recordings(0, 50, 51, 51), recordings(0, 48, 48, 49), 48. / 51, false},
		{"only runs that were disturbed took longer", recordings(0, 26, 26, 26), recordings(3, 26, 27, 27), 27. / 26, false},
		{"waiting for processors explains it", recordings(0, 26, 26, 27), recordings(6, 31, 32, 33), 32. / 26, false},
		{"inflated, and disturbed besides", recordings(0, 46, 46, 47), recordings(5, 66, 67, 69), 67. / 46, true},
		{"runs differ as much among themselves", recordings(0, 20, 24, 31), recordings(0, 27, 28, 30), 28. / 24, false},
		{"delays unknown", unknown(46, 47, 60), unknown(58, 62, 59), 58. / 46, true},
	} {
		got := inflationOf(c.alone, c.together)
		if math.Abs(got.by-c.by) > 1e-9 || got.bound != c.bound {
			t.Errorf("%s: inflation %.3f, bound %v, want %.3f, %v", c.name, got.by, got.bound, c.by, c.bound)
		}
	}
}

// A program without work is bound by nothing.
func TestInflationOfNothing(t *testing.T) {
	none := make([]recording, 3)
	if got := inflationOf(none, none); got.bound || got.by != 0 {
		t.Errorf("no work is inflated by %v, bound %v", got.by, got.bound)
	}
	if got := inflationOf(none[:1], []recording{{work: 3}}); !got.bound || got.by != 3 {
		t.Errorf("3 ns in place of 0: inflation %v, bound %v", got.by, got.bound)
	}
}
