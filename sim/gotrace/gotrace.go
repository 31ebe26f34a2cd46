// Package gotrace reads Go execution traces as timelines like those of simulated
// runs, so that a real run can be laid beside its simulation. Traces are made by
// runtime/trace, go test -trace, or net/http/pprof.
package gotrace

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"golang.org/x/exp/trace"

	"github.com/forkjoin-go/forkjoin/sim"
)

// A Timeline is what goroutines did on the processors of a program.
type Timeline struct {
	Elapsed int64      `json:"elapsed"` // ns, from the first event to the last
	Workers int        `json:"workers"` // processors of Go (Ps) that ran goroutines
	Busy    float64    `json:"busy"`    // share of their time in which they did
	Spans   []sim.Span `json:"spans"`   // in order of their beginnings
}

// Read reads a trace. A span is the time that one goroutine ran on one processor
// without a break; its label is the innermost region that the goroutine was in, as
// loops with the option forkjoin.Label are, or the name of the function that the
// goroutine was started with. A loop has a region for each of its chunks; regions of
// one name that a goroutine enters within 5 µs of each other are one span. Memory is in
// proportion to the trace.
func Read(r io.Reader) (*Timeline, error) {
	events, err := trace.NewReader(r)
	if err != nil {
		return nil, fmt.Errorf("forkjoin: trace: %w", err)
	}
	t := reader{running: map[trace.GoID]started{}, regions: map[trace.GoID][]string{}, names: map[trace.GoID]string{}, procs: map[trace.ProcID]int{}}
	for {
		e, err := events.ReadEvent()
		if errors.Is(err, io.EOF) {
			return t.timeline()
		}
		if err != nil {
			return nil, fmt.Errorf("forkjoin: trace: %w", err)
		}
		t.event(&e)
	}
}

// A started is a goroutine that runs.
type started struct {
	at     trace.Time
	proc   trace.ProcID
	label  string
	region bool // it is that of a region
}

type reader struct {
	seen        bool
	first, last trace.Time
	running     map[trace.GoID]started
	regions     map[trace.GoID][]string
	names       map[trace.GoID]string
	procs       map[trace.ProcID]int // to the order of their first use
	spans       [][]ran              // of each processor
}

// A ran is a span, and whose it is.
type ran struct {
	sim.Span
	g      trace.GoID
	region bool // the label is that of a region
}

// between is how long a goroutine may be out of a region, in nanoseconds, to be thought
// to be in it: while it looks around between two chunks of a loop.
const between = 5000

func (t *reader) event(e *trace.Event) {
	if !t.seen {
		t.seen, t.first = true, e.Time()
	}
	t.last = e.Time()
	switch e.Kind() {
	case trace.EventStateTransition:
		s := e.StateTransition()
		if s.Resource.Kind != trace.ResourceGoroutine {
			return
		}
		g := s.Resource.Goroutine()
		from, to := s.Goroutine()
		if t.names[g] == "" {
			for f := range s.Stack.Frames() {
				t.names[g] = strings.TrimSuffix(f.Func, "-fm") // the outermost, in the end, or a method's wrapper
			}
		}
		if from == trace.GoRunning && to != trace.GoRunning {
			t.stop(g, e.Time())
		}
		if to == trace.GoRunning && from != trace.GoRunning {
			t.start(g, e.Proc(), e.Time())
		}
		if to == trace.GoNotExist {
			delete(t.regions, g)
			delete(t.names, g)
		}
	case trace.EventRegionBegin:
		g := e.Goroutine()
		t.stop(g, e.Time())
		t.regions[g] = append(t.regions[g], e.Region().Type)
		t.start(g, e.Proc(), e.Time())
	case trace.EventRegionEnd:
		g := e.Goroutine()
		t.stop(g, e.Time())
		if n := len(t.regions[g]); n > 0 {
			t.regions[g] = t.regions[g][:n-1]
		}
		t.start(g, e.Proc(), e.Time())
	}
}

func (t *reader) start(g trace.GoID, p trace.ProcID, at trace.Time) {
	if p == trace.NoProc {
		return
	}
	label, r := t.names[g], t.regions[g]
	if len(r) > 0 {
		label = r[len(r)-1]
	}
	t.running[g] = started{at, p, label, len(r) > 0}
}

func (t *reader) stop(g trace.GoID, at trace.Time) {
	s, ok := t.running[g]
	if !ok {
		return
	}
	delete(t.running, g)
	p, known := t.procs[s.proc]
	if !known {
		p = len(t.procs)
		t.procs[s.proc] = p
		t.spans = append(t.spans, nil)
	}
	if at > s.at {
		t.add(ran{sim.Span{Worker: p, Kind: sim.SpanWork, From: int64(s.at.Sub(t.first)), To: int64(at.Sub(t.first)), Label: s.label}, g, s.region})
	}
}

// add adds a span to those of its processor, or to the one that it continues.
func (t *reader) add(r ran) {
	all := t.spans[r.Worker]
	n := len(all)
	if n > 1 && r.region && !all[n-1].region && all[n-1].To-all[n-1].From <= between &&
		all[n-1].goesOn(&r) && all[n-2].goesOn(&all[n-1]) && all[n-2].region && all[n-2].Label == r.Label {
		all[n-2].To = r.To
		t.spans[r.Worker] = all[:n-1]
		return
	}
	t.spans[r.Worker] = append(all, r)
}

// goesOn reports whether next is what the same goroutine does next, without a break.
func (r *ran) goesOn(next *ran) bool { return r.g == next.g && r.To == next.From }

func (t *reader) timeline() (*Timeline, error) {
	still := make([]trace.GoID, 0, len(t.running))
	for g := range t.running {
		still = append(still, g)
	}
	slices.Sort(still)
	for _, g := range still {
		t.stop(g, t.last)
	}
	tl := &Timeline{Workers: len(t.procs)}
	for _, all := range t.spans {
		for i := range all {
			tl.Spans = append(tl.Spans, all[i].Span)
		}
	}
	slices.SortStableFunc(tl.Spans, func(a, b sim.Span) int { return cmp.Compare(a.From, b.From) })
	if t.seen {
		tl.Elapsed = int64(t.last.Sub(t.first))
	}
	busy := int64(0)
	for _, s := range tl.Spans {
		busy += s.To - s.From
	}
	if whole := tl.Elapsed * int64(tl.Workers); whole > 0 {
		tl.Busy = float64(busy) / float64(whole)
	}
	return tl, nil
}
