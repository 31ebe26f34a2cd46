package explore

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
)

// A turn is some steps of one goroutine in a row.
type turn struct {
	name  string
	steps int
}

func parse(trace string) (turns []turn, err error) {
	for _, field := range strings.Fields(trace) {
		name, count, ok := strings.Cut(field, "*")
		n, e := strconv.Atoi(count)
		if !ok || e != nil || n < 1 {
			return nil, fmt.Errorf("explore: %q is no turn: want NAME*STEPS", field)
		}
		turns = append(turns, turn{name, n})
	}
	return turns, nil
}

// follow returns a guide along turns. Where the one whose turn it is cannot go
// on, or the turns are over, the choice is the usual one.
func follow(turns []turn) func(r *run, n *node) int {
	at, taken := 0, 0
	return func(r *run, n *node) int {
		for at < len(turns) {
			if taken == turns[at].steps {
				at, taken = at+1, 0
				continue
			}
			for s := n.enabled; s != 0; s &= s - 1 {
				if r.procs[s.first()].name == turns[at].name {
					taken++
					return s.first()
				}
			}
			at, taken = at+1, 0
		}
		return n.usual(n.enabled)
	}
}

// Replay runs the program once, along a trace.
func Replay(p Program, trace string) (Report, error) {
	turns, err := parse(trace)
	if err != nil {
		return Report{}, err
	}
	r := replay(&p, turns)
	return Report{Program: p.Name, Schedules: 1, Steps: r.depth, Failure: r.failure, Trace: r.label(), Story: r.story()}, nil
}

func replay(p *Program, turns []turn) *run {
	x := &exploration{program: p, guide: follow(turns), tracing: true}
	return x.run()
}

// fail reports a failed run, along the shortest trace found that fails.
func (report *Report) fail(p *Program, r *run) {
	report.Failure, report.Trace = r.failure, r.label()
	if raceEnabled {
		return // a race that has been reported is not reported again
	}
	best, _ := parse(report.Trace)
	for again, tries := true, 0; again && tries < 300; {
		again = false
		for i := len(best) - 1; i >= 0 && tries < 300; i-- {
			fewer := append(append([]turn(nil), best[:i]...), best[i+1:]...)
			tries++
			if t := replay(p, fewer); t.failure != "" {
				if shorter, _ := parse(t.label()); len(shorter) < len(best) {
					best, again = shorter, true
					report.Failure, report.Trace, report.Story = t.failure, t.label(), t.story()
					i = min(i, len(best))
				}
			}
		}
	}
	if report.Story == "" {
		t := replay(p, best)
		report.Story = t.story()
		if t.failure == "" {
			report.Story += "\n(the replay did not fail: the program does not repeat itself)"
		}
	}
}

// note keeps the result of the last step.
//
//go:norace
func (r *run) note(p *proc, n uint64) {
	if e := &r.trace[r.depth-1]; e.proc == p {
		e.result, e.noted = n, true
	}
}

// story tells the trace step by step.
func (r *run) story() string {
	var b strings.Builder
	names := map[any]string{}
	for i, e := range r.trace {
		name := ""
		if e.op.object != nil {
			if names[e.op.object] == "" {
				names[e.op.object] = fmt.Sprintf("object %d", len(names)+1)
			}
			name = names[e.op.object]
		}
		result := ""
		if e.noted {
			result = fmt.Sprintf("= %#x", e.result)
		}
		fmt.Fprintf(&b, "%4d  %-10s %-8s %-10s %-20s %s\n", i, e.proc.name, e.op.kind, name, result, place(e.op.where[:]))
	}
	return b.String()
}

// place tells where a step is in the program: the innermost two lines outside of
// the packages that steps come from.
func place(pcs []uintptr) string {
	var lines []string
	frames := runtime.CallersFrames(pcs)
	for len(lines) < 3 {
		f, more := frames.Next()
		if f.PC != 0 && !strings.Contains(f.File, "/internal/atomic/") && !strings.Contains(f.File, "/internal/joint/") && !strings.Contains(f.File, "/internal/explore/") && !strings.HasPrefix(f.Function, "runtime.") {
			function := f.Function[strings.LastIndexByte(f.Function, '.')+1:]
			lines = append(lines, fmt.Sprintf("%s:%d %s", filepath.Base(f.File), f.Line, function))
		}
		if !more {
			break
		}
	}
	return strings.Join(lines, " < ")
}
