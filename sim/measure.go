package sim

import "math/bits"

// Measures are the bounds of a tree, in its unit: nanoseconds or what was
// declared.
type Measures struct {
	// Work is the time on one worker, T1: the sum of all costs.
	Work int64
	// Span is the time on any number of workers, T∞: the longest chain of
	// pieces that wait for each other, with pauses.
	Span int64
	// Burdened is the span if each piece that could run elsewhere begins later
	// by the burden, as Cilkview estimates the price of moving it (He, Leiserson
	// and Leiserson, The Cilkview Scalability Analyzer, 2010).
	Burdened int64
}

// Parallelism returns Work / Span: how many workers the tree can keep busy. It is
// 0 for a tree without costs.
func (m Measures) Parallelism() float64 {
	if m.Span == 0 {
		return 0
	}
	return float64(m.Work) / float64(m.Span)
}

// Measure returns the bounds of t, of which Burdened is with the given burden. It
// reads the tree once.
func (t *Tree) Measure(burden int64) Measures {
	t.must("Tree.Measure")
	m := measurer{t: t, burden: burden, groups: map[int]instant{}}
	var op Op
	for at := t.Root(); ; at = op.Next {
		t.Decode(at, &op)
		m.work += op.Cost
		m.now.add(op.Cost)
		if op.Kind == End && len(m.open) == 0 {
			break
		}
		m.step(&op)
	}
	end := m.now
	for _, g := range m.groups {
		end.await(g)
	}
	return Measures{m.work, end.plain, end.burdened}
}

// An instant is when a piece can begin or end at the earliest, with enough
// workers.
type instant struct{ plain, burdened int64 }

func (i *instant) add(cost int64) { i.plain += cost; i.burdened += cost }

func (i *instant) await(o instant) {
	i.plain = max(i.plain, o.plain)
	i.burdened = max(i.burdened, o.burdened)
}

// A measurer goes through a tree in the order of one worker and keeps the time
// of infinitely many.
type measurer struct {
	t      *Tree
	burden int64
	work   int64
	now    instant
	open   []level
	ends   []instant // of parts of reductions that have not been combined
	groups map[int]instant
}

// A level is an operation whose parts the measurer is in.
type level struct {
	kind  Kind
	start instant
	end   instant // of the parts so far
	part  int     // that it is in
	parts int
	order order // of Reduce
	group int
}

func (m *measurer) step(op *Op) {
	switch op.Kind {
	case End:
		m.end()
	case Fork:
		m.push(level{kind: Fork, parts: 2})
	case Items:
		m.push(level{kind: Items, parts: op.Items})
	case Reduce:
		l := level{kind: Reduce, parts: 2*op.Items - 1, order: order{leaves: op.Items}}
		l.order.next()
		m.push(l)
	case Spawn:
		m.push(level{kind: Spawn, group: op.Group})
		m.now.burdened += m.burden
	case Wait:
		m.now.await(m.groups[op.Group])
		delete(m.groups, op.Group)
	case Loop:
		p := m.t.Profile(op)
		m.work += p.Work()
		m.now.add(p.least(op.Min))
		m.now.burdened += m.burden * log(op.N)
	case Pause:
		m.now.add(op.Work)
	case Summary:
		m.work += op.Work
		m.now.add(op.Span)
		m.now.burdened += m.burden * log(op.Tasks)
	}
}

// log returns how often a range of n is halved until single ones are left.
func log(n int64) int64 { return int64(bits.Len64(uint64(max(n, 1) - 1))) }

func (m *measurer) push(l level) {
	l.start = m.now
	m.open = append(m.open, l)
}

// end ends a part.
func (m *measurer) end() {
	l := &m.open[len(m.open)-1]
	l.part++
	switch l.kind {
	case Spawn:
		g := m.groups[l.group]
		g.await(m.now)
		m.groups[l.group] = g
		m.now = l.start
	case Reduce:
		m.ends = append(m.ends, m.now)
		if l.part < l.parts {
			m.nextOfReduce(l)
			return
		}
		m.ends = m.ends[:len(m.ends)-1]
	default:
		l.end.await(m.now)
		if l.part < l.parts {
			m.now = l.start
			m.now.burdened += m.burden * log(int64(l.parts))
			return
		}
		m.now = l.end
	}
	m.open = m.open[:len(m.open)-1]
}

func (m *measurer) nextOfReduce(l *level) {
	place := l.order.next()
	if place%2 == 0 { // a leaf, moved once for each right turn on the way to it
		m.now = l.start
		m.now.burdened += m.burden * rightTurns(l.order.leaves, place/2)
		return
	}
	n := len(m.ends)
	m.now = m.ends[n-2]
	m.now.await(m.ends[n-1])
	m.ends = m.ends[:n-2]
}

func rightTurns(leaves, leaf int) (turns int64) {
	for lo, hi := 0, leaves; hi-lo > 1; {
		if mid := lo + (hi-lo)/2; leaf < mid {
			hi = mid
		} else {
			lo = mid
			turns++
		}
	}
	return turns
}
