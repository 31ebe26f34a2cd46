package gotrace_test

import (
	"bytes"
	"runtime/trace"
	"strings"
	"testing"

	"github.com/forkjoin-go/forkjoin"
	"github.com/forkjoin-go/forkjoin/sim/gotrace"
)

func TestReadTraceOfThisProgram(t *testing.T) {
	if trace.IsEnabled() {
		t.Skip("the test itself is traced")
	}
	var b bytes.Buffer
	if err := trace.Start(&b); err != nil {
		t.Fatal(err)
	}
	sums := make([]int, 64)
	forkjoin.ParallelFor(64, func(i int) {
		for k := range 200_000 {
			sums[i] += k ^ i
		}
	}, forkjoin.Label("summing"))
	trace.Stop()
	tl, err := gotrace.Read(&b)
	if err != nil {
		t.Fatal(err)
	}
	labeled := int64(0)
	for i, s := range tl.Spans {
		if s.From < 0 || s.To <= s.From || s.To > tl.Elapsed || s.Worker < 0 || s.Worker >= tl.Workers {
			t.Fatalf("span %d is %+v of %d ns on %d processors", i, s, tl.Elapsed, tl.Workers)
		}
		if i > 0 && s.From < tl.Spans[i-1].From {
			t.Errorf("span %d begins before the one before it", i)
		}
		if s.Label == "summing" {
			labeled += s.To - s.From
		}
	}
	if tl.Workers < 1 || labeled == 0 || tl.Busy <= 0 || tl.Busy > 1 {
		t.Errorf("%d processors, busy %.2f, %d ns in the loop", tl.Workers, tl.Busy, labeled)
	}
	end := map[int]int64{}
	for _, s := range tl.Spans {
		if s.From < end[s.Worker] {
			t.Errorf("%+v overlaps the span before it on its processor", s)
		}
		end[s.Worker] = s.To
	}
}

func TestReadRejects(t *testing.T) {
	for _, bad := range []string{"", "no trace", "go 1.22 trace\x00\x00\x00garbage"} {
		if _, err := gotrace.Read(strings.NewReader(bad)); err == nil || !strings.HasPrefix(err.Error(), "forkjoin: trace: ") {
			t.Errorf("Read of %q: error %v", bad, err)
		}
	}
}
