package sim

import (
	"context"
	"fmt"
	"io"

	"github.com/forkjoin-go/forkjoin/internal/record"
	"github.com/forkjoin-go/forkjoin/internal/wholefile"
)

// Write writes t as a recording, which [Read] reads. The same tree always makes
// the same bytes. What has been lost is not kept: Missing and Cut of the tree's
// [Meta], and where parts of loops have moved.
func (t *Tree) Write(w io.Writer) error {
	if err := t.check("Tree.Write"); err != nil {
		return err
	}
	_, err := w.Write(t.encode())
	if err != nil {
		err = fmt.Errorf("forkjoin: recording: %w", err)
	}
	return err
}

// WriteFile writes t as a recording into a file, which takes its name when it is
// complete: if the program is ended before that, or writing fails, a file that was
// there is as it was. Its permissions stay, and so do symbolic links, which are
// followed; a device or a pipe is written to.
func (t *Tree) WriteFile(name string) error {
	if err := t.check("Tree.WriteFile"); err != nil {
		return err
	}
	if err := wholefile.Write(context.Background(), name, t.encode()); err != nil {
		return fmt.Errorf("forkjoin: recording: %w", err)
	}
	return nil
}

// An encoder writes a tree as the events of one worker.
type encoder struct {
	record.Encoder
	t       *Tree
	at      Pos
	open    []encoded
	numbers uint64 // of segments and loops
}

// An encoded is an operation whose parts are being written.
type encoded struct {
	kind    Kind
	part    int // written so far
	parts   int
	order   order
	segment uint64 // of a second branch that has moved
}

func (t *Tree) encode() []byte {
	e := encoder{t: t}
	elapsed := t.meta.Elapsed
	if t.meta.Declared {
		elapsed = 0 // so that the same program makes the same file
		e.Event(record.Declared, 0)
	}
	e.Event(record.Call, 0, 0, 0)
	var op Op
	for {
		t.Decode(e.at, &op)
		e.at = op.Next
		if op.Kind == End && len(e.open) == 0 {
			e.Event(record.CallEnd, uint64(op.Cost), uint64(elapsed))
			break
		}
		e.op(&op)
	}
	return record.Encode(record.Info{
		Declared: t.meta.Declared, Tick: 1, Elapsed: elapsed,
		Workers: t.meta.Workers, Program: t.meta.Program,
	}, t.names, e.Bytes)
}

func (e *encoder) number() uint64 {
	e.numbers++
	return e.numbers
}

func (e *encoder) op(op *Op) {
	cost, site := uint64(op.Cost), uint64(op.Site)
	switch op.Kind {
	case End:
		e.Event(record.End, cost)
		e.end()
	case Fork:
		e.Event(record.Fork, cost, site)
		e.open = append(e.open, encoded{kind: Fork, parts: 2})
	case Loop:
		e.Event(record.LoopBegin, cost, e.number(), site, uint64(op.N), uint64(op.Min), uint64(op.Max), 0)
		p := e.t.Profile(op)
		for i := range p.Blocks() {
			b := p.Block(i)
			e.Event(record.Chunk, uint64(b.Cost), uint64(b.Iterations))
		}
		e.Event(record.LoopEnd, 0)
	case Items:
		e.Event(record.LoopBegin, cost, e.number(), site, uint64(op.N), uint64(op.Min), uint64(op.Max), 0)
		e.open = append(e.open, encoded{kind: Items, parts: op.Items})
		e.item()
	case Reduce:
		e.Event(record.ReduceBegin, cost, e.number(), site, uint64(op.N), uint64(op.Items))
		e.open = append(e.open, encoded{kind: Reduce, parts: 2*op.Items - 1, order: order{leaves: op.Items}})
		e.item()
	case Spawn:
		e.spawn(op)
	case Wait:
		e.Event(record.Wait, cost, uint64(op.Group))
	case Enter:
		e.Event(record.Enter, cost, site)
	case Leave:
		e.Event(record.Leave, cost)
	case Pause:
		e.Event(record.Pause, cost, uint64(op.Work))
	case Moved: // where it can be kept, second and spawn have done so
		if op.Cost > 0 {
			e.Event(record.Pause, cost, 0)
		}
	case Summary:
		e.Event(record.Summary, cost, uint64(op.Work), uint64(op.Span), uint64(op.Tasks))
	}
}

func (e *encoder) top() *encoded { return &e.open[len(e.open)-1] }

// item begins the next part of an Items or Reduce.
func (e *encoder) item() {
	if o := e.top(); o.kind == Reduce {
		e.Event(record.Item, 0, uint64(o.order.next()))
	} else {
		e.Event(record.Item, 0, 1)
	}
}

// moved takes a Moved off the beginning of a sequence.
func (e *encoder) moved() (op Op, yes bool) {
	e.t.Decode(e.at, &op)
	if yes = op.Kind == Moved && op.Cost == 0; yes {
		e.at = op.Next
	}
	return op, yes
}

// when returns the time of a Moved.
func (e *encoder) when(op *Op) uint64 {
	if e.t.meta.Declared {
		return 0
	}
	return uint64(op.At)
}

func (e *encoder) spawn(op *Op) {
	segment := e.number()
	e.Event(record.Spawn, uint64(op.Cost), uint64(op.Site), uint64(op.Group), segment)
	m, _ := e.moved()
	e.Event(record.Segment, 0, segment, uint64(m.Worker), e.when(&m))
	e.open = append(e.open, encoded{kind: Spawn, parts: 1})
}

// end goes on after a part has ended.
func (e *encoder) end() {
	o := e.top()
	o.part++
	switch {
	case o.part == o.parts:
		switch {
		case o.kind == Items, o.kind == Reduce:
			e.Event(record.LoopEnd, 0)
		case o.segment != 0:
			e.Event(record.Ref, 0, o.segment)
		}
		e.open = e.open[:len(e.open)-1]
	case o.kind == Fork:
		if m, yes := e.moved(); yes {
			o.segment = e.number()
			e.Event(record.Segment, 0, o.segment, uint64(m.Worker), e.when(&m))
		}
	default:
		e.item()
	}
}
