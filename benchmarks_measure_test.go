package forkjoin_test

import (
	"math"
	"runtime"
	"slices"
	"testing"
	"time"
)

// How the benchmarks measure. Every ratio compares ways that took turns in one
// run, A B A B, so that whatever slows the machine down for a while slows all of
// them; each is represented by its median.
//
//   - A warm sample is as many calls back to back as take about 2 ms, after
//     0.3 ms of untimed ones: the other ways have had the workers fall asleep
//     and the caches filled with something else.
//   - A cold sample is one call after 5 ms of sleep. The clock is read twice for
//     it, about 50 ns on most machines, on both sides of every ratio.
//   - Allocations are counted apart, after the timed samples, since counting
//     stops the world. What all goroutines allocate counts.

const (
	benchBatch = 2 * time.Millisecond
	benchWarm  = 300 * time.Microsecond
	benchSleep = 5 * time.Millisecond
)

// A benchWay is one way to do the work that is compared.
type benchWay struct {
	name    string
	op      func()
	reset   func() // makes the input anew, untimed; then a sample is one call
	workers int    // GOMAXPROCS meanwhile; 0 leaves it as the -cpu flag has it
	cold    bool   // measure single calls after sleep
	times   int    // op does the work so many times over; 0 means once
	calls   int    // calls in a sample, set by tune
}

// benchTook is what doing the work once takes.
type benchTook struct{ ns, allocs, bytes float64 }

// benchAlternate measures all ways in turn for as long as b wants.
func benchAlternate(b *testing.B, ways ...benchWay) []benchTook {
	b.Helper()
	procs := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(procs)
	samples := make([][]float64, len(ways))
	for i := range ways {
		w := &ways[i]
		if w.workers == 0 {
			w.workers = procs
		}
		w.times = max(w.times, 1)
		w.tune()
		samples[i] = make([]float64, 0, 4096)
	}
	runtime.GC()
	for b.Loop() {
		for i := range ways {
			samples[i] = append(samples[i], ways[i].sample())
		}
	}
	took := make([]benchTook, len(ways))
	for i := range ways {
		slices.Sort(samples[i])
		took[i] = ways[i].count()
		took[i].ns = samples[i][len(samples[i])/2]
	}
	return took
}

// enter sets the workers up. Setting GOMAXPROCS stops the world even when
// nothing changes.
func (w *benchWay) enter() {
	if runtime.GOMAXPROCS(0) != w.workers {
		runtime.GOMAXPROCS(w.workers)
	}
}

// tune finds the number of calls that make a warm sample.
func (w *benchWay) tune() {
	w.enter()
	w.calls = 1
	if w.cold || w.reset != nil {
		w.run()
		return
	}
	for {
		took := w.run()
		if took >= benchBatch/4 {
			w.calls = max(1, int(float64(w.calls)*float64(benchBatch)/float64(took)))
			return
		}
		w.calls *= 2
	}
}

// run times the calls of one sample.
func (w *benchWay) run() time.Duration {
	if w.reset != nil {
		w.reset()
	}
	start := time.Now()
	for range w.calls {
		w.op()
	}
	return time.Since(start)
}

// sample returns the nanoseconds of one piece of work.
func (w *benchWay) sample() float64 {
	w.enter()
	switch {
	case w.cold:
		time.Sleep(benchSleep)
	case w.calls > 1:
		for end := time.Now().Add(benchWarm); time.Now().Before(end); {
			w.op()
		}
	}
	return float64(w.run()) / float64(w.calls*w.times)
}

// count returns what one piece of work allocates.
func (w *benchWay) count() benchTook {
	w.enter()
	calls := min(w.calls, 1000)
	if w.cold {
		calls = 10
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range calls {
		if w.cold {
			time.Sleep(benchSleep)
		}
		if w.reset != nil {
			w.reset()
		}
		w.op()
	}
	runtime.ReadMemStats(&after)
	n := float64(calls * w.times)
	return benchTook{
		allocs: float64(after.Mallocs-before.Mallocs) / n,
		bytes:  float64(after.TotalAlloc-before.TotalAlloc) / n,
	}
}

// benchParts says that work has n parts, forks or tasks; none means that they
// do not count.
type benchParts struct {
	n    int
	what string
}

var benchWhole benchParts

// benchReport puts t into the usual columns.
func benchReport(b *testing.B, t benchTook) {
	b.ReportAllocs()
	b.ReportMetric(t.ns, "ns/op")
	b.ReportMetric(math.Round(t.allocs), "allocs/op")
	b.ReportMetric(math.Round(t.bytes), "B/op")
}

// benchCompare makes a sub-benchmark of every rival, measured in turn with
// plain sequential code for the same work: x-seq is how many times as long the
// rival takes. For work in countable parts it also tells what a part costs on
// top of the plain code, and allocates: exactly with -cpu 1, else the cost is a
// quotient of wall time.
func benchCompare(b *testing.B, in benchParts, seq func(), rivals ...benchWay) {
	for _, rival := range rivals {
		b.Run(rival.name, func(b *testing.B) {
			t := benchAlternate(b, benchWay{op: seq}, rival)
			benchReport(b, t[1])
			b.ReportMetric(t[1].ns/t[0].ns, "x-seq")
			if in.n > 0 {
				b.ReportMetric((t[1].ns-t[0].ns)/float64(in.n), "ns/"+in.what)
				b.ReportMetric(t[1].allocs/float64(in.n), "allocs/"+in.what)
			}
		})
	}
}
