package gotrace

import (
	"slices"
	"testing"

	"golang.org/x/exp/trace"

	"github.com/forkjoin-go/forkjoin/sim"
)

// The regions of a loop's chunks are one span if little is between them, and nothing
// that is somebody else's or has a name of its own.
func TestRegionsOfChunks(t *testing.T) {
	const function, region = false, true
	type part struct {
		g      trace.GoID
		from   int64
		to     int64
		label  string
		region bool
	}
	for _, c := range []struct {
		what  string
		parts []part
		want  []string
	}{
		{"two chunks", []part{{1, 0, 9, "loop", region}, {1, 9, 9 + between, "f", function}, {1, 9 + between, 9000, "loop", region}}, []string{"loop"}},
		{"three", []part{{1, 0, 9, "loop", region}, {1, 9, 10, "f", function}, {1, 10, 20, "loop", region}, {1, 20, 21, "f", function}, {1, 21, 30, "loop", region}}, []string{"loop"}},
		{"long between", []part{{1, 0, 9, "loop", region}, {1, 9, 10 + between, "f", function}, {1, 10 + between, 9000, "loop", region}}, []string{"loop", "f", "loop"}},
		{"another goroutine", []part{{1, 0, 9, "loop", region}, {2, 9, 10, "f", function}, {1, 10, 20, "loop", region}}, []string{"loop", "f", "loop"}},
		{"off the processor", []part{{1, 0, 9, "loop", region}, {1, 9, 10, "f", function}, {1, 11, 20, "loop", region}}, []string{"loop", "f", "loop"}},
		{"another loop", []part{{1, 0, 9, "loop", region}, {1, 9, 10, "f", function}, {1, 10, 20, "other", region}}, []string{"loop", "f", "other"}},
		{"a region within", []part{{1, 0, 9, "loop", region}, {1, 9, 10, "inner", region}, {1, 10, 20, "loop", region}}, []string{"loop", "inner", "loop"}},
		{"no region", []part{{1, 0, 9, "f", function}, {1, 9, 10, "loop", region}, {1, 10, 20, "f", function}}, []string{"f", "loop", "f"}},
	} {
		r := reader{spans: make([][]ran, 1)}
		for _, p := range c.parts {
			r.add(ran{sim.Span{From: p.from, To: p.to, Label: p.label}, p.g, p.region})
		}
		var got []string
		for _, s := range r.spans[0] {
			got = append(got, s.Label)
		}
		if last := r.spans[0][len(got)-1]; !slices.Equal(got, c.want) || last.To != c.parts[len(c.parts)-1].to {
			t.Errorf("%s: spans %q, the last to %d; want %q to %d", c.what, got, last.To, c.want, c.parts[len(c.parts)-1].to)
		}
	}
}
