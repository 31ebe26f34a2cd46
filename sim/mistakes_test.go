package sim_test

import (
	"context"
	"encoding"
	"io"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/forkjoin-go/forkjoin/sim"
)

// What nobody has made is refused by name.
func TestNothingIsNamed(t *testing.T) {
	tree, c := sim.Fib(3, 1), sim.Config{Workers: 2}
	r, err := sim.Replay(tree, c)
	if err != nil {
		t.Fatal(err)
	}
	for _, none := range []*sim.Tree{nil, {}} {
		for call, err := range map[string]error{
			"Replay":         second(sim.Replay(none, c)),
			"Sweep":          second(sim.Sweep{}.Run(t.Context(), none, c)),
			"Explain":        second(sim.Explain(none, r)),
			"Tree.Scale":     second(none.Scale("", 1)),
			"Tree.Write":     none.Write(io.Discard),
			"Tree.WriteFile": none.WriteFile(filepath.Join(t.TempDir(), "x")),
			"WriteText":      sim.WriteText(io.Discard, none, r),
			"WriteJSON":      sim.WriteJSON(io.Discard, none, r),
			"WriteCSV":       sim.WriteCSV(io.Discard, none, 0, nil),
		} {
			if err == nil || !strings.HasPrefix(err.Error(), "forkjoin: sim."+call+": the tree is ") {
				t.Errorf("%s: error %v", call, err)
			}
		}
	}
	for _, content := range []any{(*sim.Result)(nil), (*sim.Curve)(nil), (*sim.Comparison)(nil), &sim.Comparison{}, &sim.Comparison{A: r}, nil, 5, *r} {
		for call, err := range map[string]error{
			"WriteText": sim.WriteText(io.Discard, tree, content),
			"WriteJSON": sim.WriteJSON(io.Discard, tree, content),
		} {
			if err == nil || !strings.HasPrefix(err.Error(), "forkjoin: sim."+call+": content is a ") {
				t.Errorf("%s of %#v: error %v", call, content, err)
			}
		}
	}
	if _, err := sim.Explain(tree, nil); err == nil || err.Error() != "forkjoin: sim.Explain: the result is nil" {
		t.Errorf("Explain of no result: error %v", err)
	}
	var ctx context.Context
	if _, err := (sim.Sweep{}).Run(ctx, tree, c); err == nil || err.Error() != "forkjoin: sim.Sweep: the context is nil" {
		t.Errorf("Sweep without a context: error %v", err)
	}
}

func second[T any](_ T, err error) error { return err }

// Words that do not exist are neither written nor read.
func TestPoliciesAsWords(t *testing.T) {
	for want, p := range map[string]encoding.TextMarshaler{
		"steal end is 2, want < 2": sim.StealEnd(2), "owner's order is 2, want < 2": sim.Order(2),
		"amount is 77, want < 2": sim.Amount(77), "victim is 6, want < 6": sim.Victim(6),
		"deque is 3, want < 3": sim.Deque(3), "waiting is 3, want < 3": sim.Waiting(3),
		"splitter is 4, want < 4": sim.Splitter(4), "sleep is 255, want < 3": sim.Sleep(255),
	} {
		if b, err := p.MarshalText(); err == nil || err.Error() != "forkjoin: "+want {
			t.Errorf("%q, %v; want error %s", b, err, want)
		}
	}
	for v := sim.VictimDefault; v <= sim.VictimRichest; v++ {
		var back sim.Victim
		if b, err := v.MarshalText(); err != nil || back.UnmarshalText(b) != nil || back != v {
			t.Errorf("%v is written as %q, %v, and read as %v", v, b, err, back)
		}
	}
}

func TestUnits(t *testing.T) {
	for cost, want := range map[int64]string{
		0: "0 ns", -5: "-5 ns", 999: "999 ns", 1000: "1 µs", 1234: "1.23 µs",
		999_499: "999 µs", 999_500: "1 ms", 999_999: "1 ms", 1_000_000: "1 ms",
		999_499_999: "999 ms", 999_500_000: "0.9995 s", 999_999_999: "1 s", 1_234_567_890: "1.235 s",
		9_999_499_999_999: "9999 s", 9_999_500_000_000: "10000 s", math.MaxInt64: "9223372037 s",
	} {
		if got := sim.Units(cost, sim.Meta{}); got != want {
			t.Errorf("Units(%d) is %q, want %q", cost, got, want)
		}
	}
}

// Errors name machines, but not those that describe none.
func TestUnknownMachines(t *testing.T) {
	_, err := sim.ParseTopology("2x0x1x1")
	check := func(err error, want string) {
		t.Helper()
		if err == nil || !strings.HasPrefix(err.Error(), want) || !strings.Contains(err.Error(), ", epyc-7702, ") || strings.Contains(err.Error(), "liar") {
			t.Errorf("error %v, want %s and machines", err, want)
		}
	}
	check(err, `forkjoin: topology is "2x0x1x1", want "flat" or `)
	_, err = sim.Replay(sim.Fib(3, 1), sim.Config{Workers: 1, Topology: sim.Topology{Machine: "pdp-11"}})
	check(err, `forkjoin: sim.Topology: Machine is "pdp-11", want "here" or one of `)
}
