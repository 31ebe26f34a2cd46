// Package simtest adds to benchmarks what a simulation knows of them: how much
// work and span the measured code has, and how often its parts are stolen.
package simtest

import (
	"testing"

	"github.com/forkjoin-go/forkjoin"
	"github.com/forkjoin-go/forkjoin/sim"
)

// ReportTree records f once and adds to b's results its work (work-ns), its span
// (span-ns), and its parallelism: how many workers it can keep busy. Call it after
// the measured loop.
func ReportTree(b *testing.B, f func()) {
	b.Helper()
	b.StopTimer()
	tree, err := sim.Record(f)
	if err != nil {
		b.Fatal(err)
	}
	m := tree.Measure(0)
	b.ReportMetric(float64(m.Work), "work-ns")
	b.ReportMetric(float64(m.Span), "span-ns")
	b.ReportMetric(m.Parallelism(), "parallelism")
}

// ReportSteals adds to b's results how many frames are stolen in one operation
// (steals/op), by workers of the default pool. Call it before the measured loop,
// and what it returns after that:
//
//	report := simtest.ReportSteals(b)
//	for b.Loop() {
//		…
//	}
//	report()
func ReportSteals(b *testing.B) (report func()) {
	before := forkjoin.Default().Stats().Steals
	return func() {
		b.Helper()
		steals := forkjoin.Default().Stats().Steals - before
		b.ReportMetric(float64(steals)/float64(max(1, b.N)), "steals/op")
	}
}
