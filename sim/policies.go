package sim

import (
	"fmt"
	"slices"
	"strings"
)

var (
	stealEndNames = []string{"far", "own"}
	orderNames    = []string{"lifo", "fifo"}
	amountNames   = []string{"one", "half"}
	victimNames   = []string{"default", "round-robin", "random", "last", "nearest", "richest"}
	dequeNames    = []string{"split", "shared", "central"}
	waitingNames  = []string{"leapfrog", "any", "park"}
	splitterNames = []string{"lazy", "fixed", "rayon", "tbb"}
	sleepNames    = []string{"worth", "never", "at-once"}
)

func name[E ~uint8](e E, names []string) string {
	if int(e) < len(names) {
		return names[e]
	}
	return fmt.Sprintf("unknown (%d)", uint8(e))
}

// marshal returns the word for e, which unname would read.
func marshal[E ~uint8](e E, what string, names []string) ([]byte, error) {
	if int(e) >= len(names) {
		return nil, fmt.Errorf("forkjoin: %s is %d, want < %d", what, uint8(e), len(names))
	}
	return []byte(names[e]), nil
}

// unname sets e to what a text names.
func unname[E ~uint8](e *E, what string, text []byte, names []string) error {
	i := slices.Index(names, string(text))
	if i < 0 {
		return fmt.Errorf("forkjoin: %s is %q, want one of %s", what, text, strings.Join(names, ", "))
	}
	*e = E(i)
	return nil
}

// Policies are written as words, in flags, in JSON and in reports.

// String returns the word for e.
func (e StealEnd) String() string { return name(e, stealEndNames) }

// MarshalText returns the word for e, or an error if e is none of the constants.
func (e StealEnd) MarshalText() ([]byte, error) { return marshal(e, "steal end", stealEndNames) }

// UnmarshalText sets e to what a word says.
func (e *StealEnd) UnmarshalText(b []byte) error { return unname(e, "steal end", b, stealEndNames) }

// String returns the word for e.
func (e Order) String() string { return name(e, orderNames) }

// MarshalText returns the word for e, or an error if e is none of the constants.
func (e Order) MarshalText() ([]byte, error) { return marshal(e, "owner's order", orderNames) }

// UnmarshalText sets e to what a word says.
func (e *Order) UnmarshalText(b []byte) error { return unname(e, "owner's order", b, orderNames) }

// String returns the word for e.
func (e Amount) String() string { return name(e, amountNames) }

// MarshalText returns the word for e, or an error if e is none of the constants.
func (e Amount) MarshalText() ([]byte, error) { return marshal(e, "amount", amountNames) }

// UnmarshalText sets e to what a word says.
func (e *Amount) UnmarshalText(b []byte) error { return unname(e, "amount", b, amountNames) }

// String returns the word for e.
func (e Victim) String() string { return name(e, victimNames) }

// MarshalText returns the word for e, or an error if e is none of the constants.
func (e Victim) MarshalText() ([]byte, error) { return marshal(e, "victim", victimNames) }

// UnmarshalText sets e to what a word says.
func (e *Victim) UnmarshalText(b []byte) error { return unname(e, "victim", b, victimNames) }

// String returns the word for e.
func (e Deque) String() string { return name(e, dequeNames) }

// MarshalText returns the word for e, or an error if e is none of the constants.
func (e Deque) MarshalText() ([]byte, error) { return marshal(e, "deque", dequeNames) }

// UnmarshalText sets e to what a word says.
func (e *Deque) UnmarshalText(b []byte) error { return unname(e, "deque", b, dequeNames) }

// String returns the word for e.
func (e Waiting) String() string { return name(e, waitingNames) }

// MarshalText returns the word for e, or an error if e is none of the constants.
func (e Waiting) MarshalText() ([]byte, error) { return marshal(e, "waiting", waitingNames) }

// UnmarshalText sets e to what a word says.
func (e *Waiting) UnmarshalText(b []byte) error { return unname(e, "waiting", b, waitingNames) }

// String returns the word for e.
func (e Splitter) String() string { return name(e, splitterNames) }

// MarshalText returns the word for e, or an error if e is none of the constants.
func (e Splitter) MarshalText() ([]byte, error) { return marshal(e, "splitter", splitterNames) }

// UnmarshalText sets e to what a word says.
func (e *Splitter) UnmarshalText(b []byte) error { return unname(e, "splitter", b, splitterNames) }

// String returns the word for e.
func (e Sleep) String() string { return name(e, sleepNames) }

// MarshalText returns the word for e, or an error if e is none of the constants.
func (e Sleep) MarshalText() ([]byte, error) { return marshal(e, "sleep", sleepNames) }

// UnmarshalText sets e to what a word says.
func (e *Sleep) UnmarshalText(b []byte) error { return unname(e, "sleep", b, sleepNames) }
