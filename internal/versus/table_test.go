package versus

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/forkjoin-go/forkjoin"
	"github.com/forkjoin-go/forkjoin/sim"
)

func TestReadTable(t *testing.T) {
	want := []Measurement{{1, 400 * time.Millisecond}, {2, 210 * time.Millisecond}, {64, 12500 * time.Microsecond}}
	for _, text := range []string{
		"1 0.4\n2 0.21\n64 0.0125\n",
		"workers,seconds\n1,0.4\n2,0.21\n64,0.0125",
		"\ufeff\"workers\";\"seconds\"\r\n1;0.4\r\n2;2.1e-1\r\n64;0.0125\r\n",
		"# quiet machine\n\n  64\t12.5ms\n2, 210ms\n# the same again\n1, 400000us\n",
		"2 0.21\n1 0.5\n1 0.4\n1 0.3\n64 0.0125\n2 0.5\n2 0.1\n", // medians
	} {
		got, err := ReadTable(strings.NewReader(text))
		if err != nil || len(got) != len(want) || got[0] != want[0] || got[1] != want[1] || got[2] != want[2] {
			t.Errorf("%q: %v, %v, want %v", text, got, err, want)
		}
	}
}

func TestReadTableRefuses(t *testing.T) {
	for text, says := range map[string]string{
		"":                         "no times",
		"# nothing\n\n":            "no times",
		"workers seconds\n":        "no times",
		"1 0.4\nworkers seconds\n": "line 2: workers",
		"1 0.4\n2\n":               "line 2 has 1 columns",
		"1 0.4 0.5\n":              "line 1 has 3 columns",
		"0 0.4\n":                  "line 1: workers are \"0\"",
		"-1 0.4\n":                 "workers are \"-1\"",
		"1.5 0.4\n":                "workers are \"1.5\"",
		"4097 0.4\n":               "<= 4096",
		"1 0\n":                    "the time is \"0\"",
		"1 -0.4\n":                 "the time is \"-0.4\"",
		"1 NaN\n":                  "the time is",
		"1 +Inf\n":                 "the time is",
		"1 1e300\n":                "the time is",
		"1 9e6h\n":                 "the time is",
		"1 1e-12\n":                "the time is",
		"1 soon\n":                 "the time is \"soon\"",
		strings.Repeat("1", 1<<20): "too long",
	} {
		table, err := ReadTable(strings.NewReader(text))
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%.20q: %v, %v, want an error that says %q", text, table, err, says)
		}
	}
	if _, err := ReadTable(failing{}); !errors.Is(err, errFails) {
		t.Errorf("a reader that fails: %v", err)
	}
}

var errFails = errors.New("it fails")

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errFails }

// Two pieces of 10 ms take 20 ms on one worker and 10 on two, if forking is free.
func TestCompareTable(t *testing.T) {
	tree := sim.Binary(1, 0, 10_000_000)
	measure := tree.Measure(0)
	table := []Measurement{{1, time.Duration(measure.Work)}, {2, time.Duration(2 * measure.Span)}}
	var steps []string
	rows, err := CompareTable(context.Background(), tree, "halves", table, Options{Step: func(s string) { steps = append(steps, s) }})
	if err != nil || len(rows) != 2 || len(steps) != 2 {
		t.Fatalf("rows %v, steps %v, error %v", rows, steps, err)
	}
	if r := rows[0]; r.Workload != "halves" || r.Workers != 1 || r.Predicted != measure.Work || r.Error != 0 || r.MeasuredSteals != -1 || r.MeasuredBusy != -1 || r.Disturbed != -1 || r.Inflation != 0 {
		t.Errorf("on one worker: %+v", r)
	}
	if r := rows[1]; r.Workers != 2 || r.Predicted != measure.Span || r.Error != -0.5 || r.PredictedSteals != 1 {
		t.Errorf("on two workers: %+v, want half of what was measured", r)
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(errFails)
	if _, err := CompareTable(ctx, tree, "halves", table, Options{}); !errors.Is(err, errFails) {
		t.Errorf("cancelled: %v", err)
	}
	declared, err := sim.Record(func() { forkjoin.Charge(5) })
	if err != nil {
		t.Fatal(err)
	}
	if _, err := CompareTable(context.Background(), declared, "", table, Options{}); err == nil || !strings.Contains(err.Error(), "declared") {
		t.Errorf("declared costs beside times: %v", err)
	}
}
