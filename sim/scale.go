package sim

import (
	"fmt"
	"math"
	"math/bits"
)

// Scale returns a tree in which everything with a name costs x times as much:
// what if merging were twice as fast (x = 0.5)? The name is a label or a place
// in the program, as [Tree.Name] tells it; parts of the named parts are scaled
// too. "" is the whole tree.
//
// It returns an error if x is not in [0, 1000] or nothing has that name.
func (t *Tree) Scale(name string, x float64) (*Tree, error) {
	if err := t.check("Tree.Scale"); err != nil {
		return nil, err
	}
	if !(x >= 0 && x <= 1000) {
		return nil, fmt.Errorf("forkjoin: sim.Tree.Scale: x is %v, want >= 0 and <= 1000", x)
	}
	s := scaler{t: t, b: NewBuilder(), factor: uint64(math.Round(x * scaleUnit)), site: -1}
	s.b.t.names = t.names
	for i := range t.Names() {
		if t.Name(i) == name {
			s.site = i
		}
	}
	if name == "" {
		s.inside, s.used = 1, true
	} else if s.site < 0 {
		return nil, fmt.Errorf("forkjoin: sim.Tree.Scale: nothing is named %q", name)
	}
	s.run()
	if !s.used {
		return nil, fmt.Errorf("forkjoin: sim.Tree.Scale: nothing is named %q", name)
	}
	s.b.Describe(t.meta)
	return s.b.Tree()
}

const scaleUnit = 1 << 20

// A scaler copies a tree.
type scaler struct {
	t      *Tree
	b      *Builder
	factor uint64
	site   int
	inside int
	used   bool
	open   []scaled
}

// A scaled is an operation whose parts are being copied.
type scaled struct {
	kind  Kind
	part  int
	parts int
	named bool
	label []bool // Enters of the current part: are they named?
}

func (s *scaler) cost(c int64) int64 {
	if s.inside == 0 {
		return c
	}
	hi, lo := bits.Mul64(uint64(c), s.factor)
	if hi >= scaleUnit {
		return math.MaxInt64 // the Builder says that this is too much
	}
	q, _ := bits.Div64(hi, lo, scaleUnit)
	return int64(min(q, math.MaxInt64))
}

func (s *scaler) run() {
	s.open = append(s.open, scaled{})
	var op Op
	for at := s.t.Root(); ; at = op.Next {
		s.t.Decode(at, &op)
		s.b.Work(s.cost(op.Cost))
		if op.Kind == End && len(s.open) == 1 {
			return
		}
		s.copy(&op)
	}
}

func (s *scaler) enter(named bool) {
	if named {
		s.inside++
		s.used = true
	}
}

func (s *scaler) leave(named bool) {
	if named {
		s.inside--
	}
}

func (s *scaler) copy(op *Op) {
	b, named := s.b, op.Site == s.site
	l := LoopOf{N: op.N, Min: op.Min, Max: op.Max}
	switch op.Kind {
	case End:
		s.end()
	case Fork:
		b.ForkAt(op.Site)
		s.push(scaled{kind: Fork, parts: 2, named: named})
	case Items:
		b.itemsAt(op.Site, l)
		b.Item()
		s.push(scaled{kind: Items, parts: op.Items, named: named})
	case Reduce:
		b.reduceAt(op.Site, l, op.Items)
		b.Item()
		s.push(scaled{kind: Reduce, parts: 2*op.Items - 1, named: named})
	case Spawn:
		b.SpawnAt(op.Site, op.Group)
		s.push(scaled{kind: Spawn, parts: 1, named: named})
	case Wait:
		b.Wait(op.Group)
	case Loop:
		s.enter(named)
		p := s.t.Profile(op)
		blocks := make([]Block, p.Blocks())
		for i := range blocks {
			blocks[i] = p.Block(i)
			blocks[i].Cost = s.cost(blocks[i].Cost)
		}
		b.loopAt(op.Site, l, blocks)
		s.leave(named)
	case Enter:
		b.EnterAt(op.Site)
		s.enter(named)
		top := &s.open[len(s.open)-1]
		top.label = append(top.label, named)
	case Leave:
		b.Leave()
		top := &s.open[len(s.open)-1]
		s.leave(top.label[len(top.label)-1])
		top.label = top.label[:len(top.label)-1]
	case Pause:
		b.Pause(s.cost(op.Work))
	case Moved:
		b.Moved(op.Worker, op.At)
	case Summary:
		b.Summary(s.cost(op.Work), s.cost(op.Span), op.Tasks)
	}
}

func (s *scaler) push(o scaled) {
	s.enter(o.named)
	s.open = append(s.open, o)
}

// end ends a part.
func (s *scaler) end() {
	o := &s.open[len(s.open)-1]
	if o.part++; o.part < o.parts {
		if o.kind == Fork {
			s.b.Second()
		} else {
			s.b.Item()
		}
		return
	}
	switch o.kind {
	case Fork:
		s.b.Join()
	case Spawn:
		s.b.Spawned()
	default:
		s.b.Done()
	}
	s.leave(o.named)
	s.open = s.open[:len(s.open)-1]
}
