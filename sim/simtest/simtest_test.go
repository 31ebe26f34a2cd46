package simtest_test

import (
	"testing"

	"github.com/forkjoin-go/forkjoin"
	"github.com/forkjoin-go/forkjoin/sim/simtest"
)

func TestReports(t *testing.T) {
	f := func() {
		forkjoin.Join(func() { forkjoin.Charge(30) }, func() { forkjoin.Charge(20) })
		forkjoin.Charge(10)
	}
	r := testing.Benchmark(func(b *testing.B) {
		report := simtest.ReportSteals(b)
		for b.Loop() {
			f()
		}
		report()
		simtest.ReportTree(b, f)
	})
	for unit, want := range map[string]float64{"work-ns": 60, "span-ns": 40, "parallelism": 1.5} {
		if got := r.Extra[unit]; got != want {
			t.Errorf("%s is %v, want %v", unit, got, want)
		}
	}
	if _, ok := r.Extra["steals/op"]; !ok {
		t.Error("no steals/op")
	}
}
