package sim

// What a run leaves behind besides its totals.

// A Steal is an entry of a run's log.
type Steal struct {
	At       int64  `json:"at"`     // when the frame was taken
	Thief    int    `json:"thief"`  // slots
	Victim   int    `json:"victim"` // -1: it waited for another branch, without a slot
	Distance int    `json:"distance"`
	Site     string `json:"site"`
	Work     int64  `json:"work"` // of the program, done by the thief for this frame itself
}

// A Span is a time that a worker spent with one thing.
type Span struct {
	Worker int      `json:"worker"`
	Kind   SpanKind `json:"kind"`
	From   int64    `json:"from"`
	To     int64    `json:"to"`
	Label  string   `json:"label,omitempty"`

	label int32
}

// SpanKind says what a worker did during a Span. Times between spans it slept.
type SpanKind uint8

// Kinds of spans.
const (
	SpanWork     SpanKind = iota // ran the program
	SpanSchedule                 // pushed, took, woke
	SpanSearch                   // looked for work, or waited awake
)

func (k SpanKind) String() string { return name(k, []string{"work", "schedule", "search"}) }

// MarshalText returns the name of k.
func (k SpanKind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// A Load is a sample of how busy the workers were.
type Load struct {
	At      int64 `json:"at"`
	Busy    int   `json:"busy"`    // workers with a task
	Waiting int   `json:"waiting"` // of these, waiting awake for another one
	Queue   int   `json:"queue"`   // frames that thieves could take
}

// load collects samples at equal distances. When there are too many, every
// second one is dropped and the distance doubled.
type load struct {
	samples []Load
	every   int64
	next    int64
}

const mostSamples = 256

func (e *engine) sample() {
	l := &e.load
	l.samples = append(l.samples, Load{e.now, e.cfg.Workers - len(e.free) - e.searchers, e.waiting, e.queued()})
	if len(l.samples) == mostSamples {
		for i := range mostSamples / 2 {
			l.samples[i] = l.samples[2*i]
		}
		l.samples = l.samples[:mostSamples/2]
		l.every *= 2
	}
	l.next = (e.now/l.every + 1) * l.every
}

// queued returns how many frames thieves could take.
func (e *engine) queued() int {
	n := e.waits + e.idle
	if e.offering == 0 {
		return n
	}
	for _, w := range e.workers {
		n += int(w.public)
	}
	return n
}

func (e *engine) logSteal(w, v *worker, f *frame, distance int) {
	e.totals.steals++
	e.totals.distances[distance]++
	f.log = none
	if len(e.log) < e.cfg.Steals {
		f.log = int32(len(e.log))
		e.log = append(e.log, Steal{At: e.now, Thief: int(w.slot), Victim: int(v.slot), Distance: distance, Site: e.tree.Name(int(f.site))})
	}
}

// noteMoved counts the work that w has done for a stolen frame.
func (e *engine) noteMoved(a *activity, w *worker) {
	f := &e.workers[a.owner].frames[a.frame]
	if a.owner != w.index {
		e.totals.moved += w.moved
		if f.log != none {
			e.log[f.log].Work = w.moved
		}
	}
	w.moved, w.refill = a.moved, a.refill
}

// span records a time of a worker, if that is asked for.
func (e *engine) span(w *worker, k SpanKind, from, to int64, label int32) {
	if e.cfg.Timeline == 0 || from == to {
		return
	}
	for i := len(e.spans) - 1; i >= max(0, len(e.spans)-e.cfg.Workers); i-- {
		if s := &e.spans[i]; s.Worker == int(w.slot) {
			if s.To == from && s.Kind == k && s.label == label {
				s.To = to
				return
			}
			break
		}
	}
	if len(e.spans) < e.cfg.Timeline {
		e.spans = append(e.spans, Span{Worker: int(w.slot), Kind: k, From: from, To: to, label: label})
	}
}
