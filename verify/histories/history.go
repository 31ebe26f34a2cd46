// Package histories checks what several goroutines saw of the scheduler's
// queues: whether each history is linearizable, that is, whether every call can
// be thought to have happened at one moment between its beginning and its end, such
// that the results are those of a simple sequential queue.
package histories

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
)

// A History is what happened to one object, which began empty.
type History struct {
	Kind       string // deque, injector or list
	Seed       uint64
	Unfinished bool // somebody gave up waiting, so no more were recorded after it
	Events     []Event
}

// An Event is one call: who made it, when it began and ended, what it was given
// and what came of it.
type Event struct {
	Client    int
	Call, Ret int64
	Op        string
	Arg, Out  int64
	Result    string // if it is not a number
}

func (e Event) String() string {
	out := e.Result
	if out == "" {
		out = fmt.Sprint(e.Out)
	}
	return fmt.Sprintf("%5d-%-5d client %d: %s(%d) = %s", e.Call, e.Ret, e.Client, e.Op, e.Arg, out)
}

// Read calls f with each history that r has.
func Read(r io.Reader, f func(*History) error) error {
	for in := json.NewDecoder(bufio.NewReader(r)); ; {
		var h History
		if err := in.Decode(&h); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		if err := f(&h); err != nil {
			return err
		}
	}
}

// Check returns an error if h could not have happened to a right implementation.
func Check(h *History) error {
	if err := wellFormed(h); err != nil {
		return err
	}
	switch h.Kind {
	case "deque":
		return checkDeque(h)
	case "injector", "list":
		return checkQueues(h)
	}
	return fmt.Errorf("no such kind of history: %q", h.Kind)
}

// wellFormed reports a recording that says nothing: without events, or with calls
// of one client that overlap.
func wellFormed(h *History) error {
	if len(h.Events) == 0 {
		return fmt.Errorf("%s %d: no events", h.Kind, h.Seed)
	}
	last := map[int]int64{}
	for _, e := range byCall(h.Events) {
		if e.Call >= e.Ret || e.Call <= last[e.Client] {
			return fmt.Errorf("%s %d: calls of client %d overlap: %v", h.Kind, h.Seed, e.Client, e)
		}
		last[e.Client] = e.Ret
	}
	return nil
}

// byCall returns events in the order in which they began.
func byCall(events []Event) []Event {
	s := slices.Clone(events)
	slices.SortFunc(s, func(a, b Event) int { return cmp.Compare(a.Call, b.Call) })
	return s
}

// An Error is a history that could not have happened.
type Error struct {
	History *History
	What    string
}

func (e *Error) Error() string {
	s := fmt.Sprintf("%s with seed %d: %s\n", e.History.Kind, e.History.Seed, e.What)
	for _, e := range byCall(e.History.Events) {
		s += "  " + e.String() + "\n"
	}
	return s
}
