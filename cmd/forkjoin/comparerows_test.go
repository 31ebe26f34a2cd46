package main

import (
	"strings"
	"testing"

	"github.com/forkjoin-go/forkjoin/internal/versus"
)

// What other programs and memory spoil is counted apart from what was predicted.
func TestRemarks(t *testing.T) {
	row := func(workers int, predicted, measured int64, inflation, disturbed float64) versus.Row {
		return versus.Row{Workers: workers, Predicted: predicted, Measured: measured,
			Error: float64(predicted-measured) / float64(measured), Inflation: inflation, MemoryBound: workers > 1 && inflation > 1.1, Disturbed: disturbed}
	}
	for _, c := range []struct {
		rows []versus.Row
		want string
	}{
		{[]versus.Row{row(1, 101, 100, 1, 0), row(2, 52, 50, 1, 0)},
			"error where memory does not decide: median 4.0 %, worst 4.0 %, of 2 rows"},
		{[]versus.Row{row(1, 101, 100, 1, 0), row(2, 52, 100, 1, 0.9)},
			"error where memory does not decide: median 48.0 %, worst 48.0 %, of 2 rows\n" +
				"other programs were on the processors in 1 of them; without those: median 1.0 %, worst 1.0 %, of 1 rows"},
		{[]versus.Row{row(2, 52, 100, 1, 0.03)},
			"error where memory does not decide: median 48.0 %, worst 48.0 %, of 1 rows\n" +
				"other programs were on the processors in 1 of them; without those: no rows"},
		{[]versus.Row{row(1, 101, 100, 5, -1), row(2, 50, 250, 5, -1)},
			"error where memory does not decide: median 1.0 %, worst 1.0 %, of 1 rows"},
		{[]versus.Row{row(2, 50, 250, 5, 0.5)}, ""},
		{[]versus.Row{row(1, 100, 100, 0, -1), row(2, 50, 54, 0, -1)},
			"error: median 7.4 %, worst 7.4 %, of 2 rows"},
	} {
		if got := strings.Join(remarks(c.rows), "\n"); got != c.want {
			t.Errorf("%v: %q, want %q", c.rows, got, c.want)
		}
	}
}
