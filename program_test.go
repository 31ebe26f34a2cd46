package forkjoin_test

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// Random programs of every call in every call, compared with their sequential
// meaning. A program is a tree; its meaning is a number that depends on every
// node and on the order of each node's children, or a panic or a Goexit.
type program struct {
	kind     programKind
	value    uint64
	children []*program
}

type programKind int

const (
	progLeaf programKind = iota
	progPanic
	progExit
	progTrouble // lets others run, collects garbage, changes GOMAXPROCS, …
	progSeq
	progJoin
	progJoin2
	progJoinAll
	progRecursive
	progRecursiveAll
	progFor
	progForRange
	progForErr
	progForWith
	progReduce
	progWaitGroup
	progGroup
	progChannel // tasks of a group that wait for each other, the last first
	progCancel  // a group whose first task fails while others wait for that
	progStop    // a loop that an error ends
	progSubmit
	progBroadcast
	progOtherPool
	progNewPool
	progGoroutine
	progRangeFunc
	progRecover
	progBlocking
	progLock // holds a mutex that its siblings want, too
	progKinds
)

var programNames = [progKinds]string{
	"leaf", "panic", "exit", "trouble", "seq", "join", "join2", "joinall", "rec", "recall", "for", "range", "forerr", "with",
	"reduce", "wg", "group", "channel", "cancel", "stop", "submit", "broadcast", "pool", "newpool", "go", "iter",
	"recover", "blocking", "lock",
}

// arity is how many children a node of a kind has; 0, 0 is a leaf.
func (k programKind) arity() (least, most int) {
	switch k {
	case progLeaf, progPanic, progExit, progTrouble:
		return 0, 0
	case progRecover, progGoroutine, progOtherPool, progNewPool, progBlocking, progLock, progSubmit, progBroadcast:
		return 1, 1
	case progJoin, progJoin2, progRecursive:
		return 2, 2
	}
	return 1, 5
}

// A source of choices: a rand.Rand, or the bytes of a fuzzer.
type source interface {
	IntN(n int) int
	Uint64() uint64
}

// randomProgram draws a program of so many nodes at most. How says what failing
// leaves there may be.
func randomProgram(r source, size int, how failures) *program {
	p := &program{value: r.Uint64() >> 1}
	if size <= 1 {
		switch k := r.IntN(30); {
		case k == 0 && how.panics:
			p.kind = progPanic
		case k == 1 && how.exits:
			p.kind = progExit
		case k < 6:
			p.kind = progTrouble
		}
		return p
	}
	p.kind = progSeq + programKind(r.IntN(int(progKinds-progSeq)))
	least, most := p.kind.arity()
	n := least + r.IntN(max(1, min(size-1, most)-least+1))
	for range n {
		p.children = append(p.children, randomProgram(r, (size-1)/n, how))
	}
	return p
}

// Failures says how leaves may fail, or how a program does: in one of the ways.
type failures struct{ panics, exits bool }

func (f failures) any() bool { return f.panics || f.exits }

// failuresOf draws from a number.
func failuresOf(n uint64) failures { return failures{panics: n%3 == 0, exits: n%4 == 0} }

type thrown struct{ value uint64 }

func mixIn(h, v uint64) uint64 { return (h^v)*0x9E3779B97F4A7C15 + h>>7 }

// fold is what the values of a node's children come to.
func fold(h uint64, vs []uint64) uint64 {
	for _, v := range vs {
		h = mixIn(h, v)
	}
	return h
}

// contains reports whether nodes of a kind deal with the failures of their
// children, one by one.
func (k programKind) contains() bool {
	return k == progChannel || k == progCancel || k == progStop || k == progSubmit || k == progBroadcast
}

// waits reports whether tasks of p wait for others, which those of a pool with
// Config.MaxTasks must not.
func (p *program) waits() bool {
	return p.kind == progChannel || p.kind == progCancel || p.kind == progSubmit ||
		slices.ContainsFunc(p.children, (*program).waits)
}

// fails says how p ends. If both a panic and a Goexit are possible, it is the one
// or the other.
func (p *program) fails() (f failures) {
	switch {
	case p.kind == progPanic:
		return failures{panics: true}
	case p.kind == progExit:
		return failures{exits: true}
	case p.kind.contains():
		return f
	}
	for _, c := range p.children {
		g := c.fails()
		f = failures{f.panics || g.panics, f.exits || g.exits}
	}
	if p.kind == progRecover && f.panics {
		return failures{} // see runner.contained
	}
	return f
}

// meaning is the value of p, which does not fail.
func (p *program) meaning() uint64 {
	vs := make([]uint64, len(p.children))
	for i, c := range p.children {
		vs[i] = c.contained()
	}
	switch p.kind {
	case progCancel, progStop:
		return mixIn(p.value, vs[0])
	}
	return fold(p.value, vs)
}

// contained is the value of p where its failures are dealt with.
func (p *program) contained() uint64 {
	if p.fails().any() {
		return p.value + 1
	}
	return p.meaning()
}

// size is the number of nodes.
func (p *program) size() int {
	n := 1
	for _, c := range p.children {
		n += c.size()
	}
	return n
}

// String is the program as text, which parseProgram reads.
func (p *program) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s:%d", programNames[p.kind], p.value)
	if len(p.children) > 0 {
		fmt.Fprint(&b, p.children)
	}
	return b.String()
}

func parseProgram(text string) (*program, error) {
	p, rest, err := parseNode(text)
	if err == nil && rest != "" {
		err = fmt.Errorf("program ends in %q", rest)
	}
	return p, err
}

func parseNode(text string) (p *program, rest string, err error) {
	name, rest, ok := strings.Cut(text, ":")
	if !ok {
		return nil, "", fmt.Errorf("no value in %q", text)
	}
	p = &program{kind: programKind(slices.Index(programNames[:], name))}
	if p.kind < 0 {
		return nil, "", fmt.Errorf("no kind %q", name)
	}
	digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
	if p.value, err = strconv.ParseUint(rest[:digits], 10, 64); err != nil {
		return nil, "", err
	}
	rest, open := strings.CutPrefix(rest[digits:], "[")
	for open {
		var c *program
		if c, rest, err = parseNode(rest); err != nil {
			return nil, "", err
		}
		p.children = append(p.children, c)
		if after, more := strings.CutPrefix(rest, " "); more {
			rest = after
			continue
		}
		if rest, open = strings.CutPrefix(rest, "]"); !open {
			return nil, "", fmt.Errorf("no ] at %q", rest)
		}
		break
	}
	if least, most := p.kind.arity(); len(p.children) < least || len(p.children) > most {
		return nil, "", fmt.Errorf("%s has %d parts", programNames[p.kind], len(p.children))
	}
	return p, rest, nil
}

// smaller yields programs that are a bit smaller than p, the smallest first.
func (p *program) smaller() iter.Seq[*program] {
	return func(yield func(*program) bool) {
		for _, c := range p.children {
			if !yield(c) {
				return
			}
		}
		if len(p.children) > 0 && !yield(&program{value: p.value % 10}) {
			return
		}
		least, _ := p.kind.arity()
		for i := range p.children {
			if len(p.children) > least {
				q := *p
				q.children = slices.Delete(slices.Clone(p.children), i, i+1)
				if !yield(&q) {
					return
				}
			}
			for s := range p.children[i].smaller() {
				q := *p
				q.children = slices.Clone(p.children)
				q.children[i] = s
				if !yield(&q) {
					return
				}
			}
		}
		if p.kind > progSeq {
			if !yield(&program{progSeq, p.value, p.children}) {
				return
			}
		}
		if p.value >= 10 {
			yield(&program{p.kind, p.value % 10, p.children})
		}
	}
}

// shrink returns a smallest program, in the sense of smaller, of which fails says so.
func (p *program) shrink(fails func(*program) bool) *program {
again:
	for q := range p.smaller() {
		if fails(q) {
			p = q
			goto again
		}
	}
	return p
}

// A byteSource takes choices from bytes, and when there are none left, the first
// choice each time.
type byteSource struct {
	bytes []byte
	count uint64
}

func (s *byteSource) IntN(n int) int {
	if len(s.bytes) == 0 {
		return 0
	}
	b := s.bytes[0]
	s.bytes = s.bytes[1:]
	return int(b) % n
}

func (s *byteSource) Uint64() uint64 {
	s.count++
	return s.count*0x9E3779B97F4A7C15 + uint64(s.IntN(256))
}

var _ source = (*rand.Rand)(nil)
