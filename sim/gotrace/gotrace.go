// Package gotrace reads Go execution traces as timelines like those of simulated
// runs, so that a real run can be laid beside its simulation. Traces are made by
// runtime/trace, go test -trace, or net/http/pprof.
package gotrace

import (
	"errors"
	"fmt"
	"io"
	"slices"

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
// goroutine was started with. Memory is in proportion to the trace.
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
	at    trace.Time
	proc  trace.ProcID
	label string
}

type reader struct {
	seen        bool
	first, last trace.Time
	running     map[trace.GoID]started
	regions     map[trace.GoID][]string
	names       map[trace.GoID]string
	procs       map[trace.ProcID]int // to the order of their first use
	spans       []sim.Span
}

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
				t.names[g] = f.Func // the outermost, in the end
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
	label := t.names[g]
	if r := t.regions[g]; len(r) > 0 {
		label = r[len(r)-1]
	}
	t.running[g] = started{at, p, label}
}

func (t *reader) stop(g trace.GoID, at trace.Time) {
	s, ok := t.running[g]
	if !ok {
		return
	}
	delete(t.running, g)
	if _, known := t.procs[s.proc]; !known {
		t.procs[s.proc] = len(t.procs)
	}
	if at > s.at {
		t.spans = append(t.spans, sim.Span{Worker: t.procs[s.proc], Kind: sim.SpanWork, From: int64(s.at.Sub(t.first)), To: int64(at.Sub(t.first)), Label: s.label})
	}
}

func (t *reader) timeline() (*Timeline, error) {
	still := make([]trace.GoID, 0, len(t.running))
	for g := range t.running {
		still = append(still, g)
	}
	slices.Sort(still)
	for _, g := range still {
		t.stop(g, t.last)
	}
	slices.SortStableFunc(t.spans, func(a, b sim.Span) int { return int(min(max(a.From-b.From, -1), 1)) })
	tl := &Timeline{Workers: len(t.procs), Spans: t.spans}
	if t.seen {
		tl.Elapsed = int64(t.last.Sub(t.first))
	}
	busy := int64(0)
	for _, s := range t.spans {
		busy += s.To - s.From
	}
	if whole := tl.Elapsed * int64(tl.Workers); whole > 0 {
		tl.Busy = float64(busy) / float64(whole)
	}
	return tl, nil
}
