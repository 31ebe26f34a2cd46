package sim

import "slices"

// A LabelMeasures is what the parts of a tree with one name add up to: those
// named by a label, or the forks and loops of one place in the program. Parts
// inside others of the same name count once.
type LabelMeasures struct {
	Name  string `json:"name"`
	Count int64  `json:"count"`
	Measures
}

// MeasureLabels returns the measures of each named part of t, those with the
// most work first. Span and Burdened are sums over the parts, one after the
// other.
func (t *Tree) MeasureLabels(burden int64) []LabelMeasures {
	t.must("Tree.MeasureLabels")
	m := &labelMeasurer{
		measurer: measurer{t: t, burden: burden, groups: map[int]instant{}},
		sums:     make([]LabelMeasures, t.Names()),
		inside:   make([]int, t.Names()),
	}
	var op Op
	for at := t.Root(); ; at = op.Next {
		t.Decode(at, &op)
		m.work += op.Cost
		m.now.add(op.Cost)
		if op.Kind == End && len(m.open) == 0 {
			break
		}
		m.read(&op)
	}
	for i := range m.sums {
		m.sums[i].Name = t.Name(i)
	}
	found := slices.DeleteFunc(m.sums, func(l LabelMeasures) bool { return l.Count == 0 || l.Name == "" })
	slices.SortStableFunc(found, func(a, b LabelMeasures) int { return int(min(max(b.Work-a.Work, -1), 1)) })
	return found
}

type labelMeasurer struct {
	measurer
	sums   []LabelMeasures
	inside []int // parts of that name we are in
	named  []namedPart
}

// A namedPart is a named part that has begun.
type namedPart struct {
	site  int
	depth int // of open, or -1 if Leave ends it
	work  int64
	start instant
}

func (m *labelMeasurer) read(op *Op) {
	depth := len(m.open)
	switch op.Kind {
	case Enter:
		m.begin(op.Site, -1)
		return
	case Leave:
		m.finish()
		return
	case Loop:
		m.begin(op.Site, -1)
		m.step(op)
		m.finish()
		return
	}
	start := m.now
	m.step(op)
	switch {
	case len(m.open) > depth && op.Kind != Spawn:
		m.begin(op.Site, len(m.open))
		m.named[len(m.named)-1].start = start
	case len(m.open) < depth:
		if n := len(m.named); n > 0 && m.named[n-1].depth == depth {
			m.finish()
		}
	}
}

func (m *labelMeasurer) begin(site, depth int) {
	m.inside[site]++
	m.named = append(m.named, namedPart{site, depth, m.work, m.now})
}

func (m *labelMeasurer) finish() {
	p := m.named[len(m.named)-1]
	m.named = m.named[:len(m.named)-1]
	if m.inside[p.site]--; m.inside[p.site] > 0 {
		return
	}
	s := &m.sums[p.site]
	s.Count++
	s.Work += m.work - p.work
	s.Span += m.now.plain - p.start.plain
	s.Burdened += m.now.burdened - p.start.burdened
}
