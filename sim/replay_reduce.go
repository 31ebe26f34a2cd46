package sim

// A ref is a loop or a reduction, as its parts need it.
type ref struct {
	items   bool
	list    int // of items and leaves
	n       int
	after   Pos
	limits  limits
	unit    int64 // iterations that count as one, in a very long loop
	all     int64 // iterations
	profile Profile
	site    int32
	one     [1]block
}

func (e *engine) newRef() (int32, *ref) {
	if n := len(e.unused); n > 0 {
		i := e.unused[n-1]
		e.unused = e.unused[:n-1]
		return i, e.refs[i]
	}
	e.refs = append(e.refs, new(ref))
	return int32(len(e.refs) - 1), e.refs[len(e.refs)-1]
}

func (e *engine) dropRef(i int32) { e.unused = append(e.unused, i) }

func (e *engine) beginReduce(w *worker) {
	i, r := e.newRef()
	*r = ref{list: w.op.list, n: w.op.Items, after: e.tree.After(&w.op), site: int32(w.op.Site)}
	w.stack = append(w.stack, activity{kind: aReduce, ref: i})
	e.reduce(w, i, 0, int32(w.op.Items))
}

// reduce begins a part of a reduction: it forks the right halves on the way to
// the first leaf.
func (e *engine) reduce(w *worker, i, lo, hi int32) {
	r := e.refs[i]
	for hi-lo > 1 {
		mid := lo + (hi-lo)/2
		inline := e.goesInline(w, r.site)
		w.stack = append(w.stack, activity{kind: aLeft, part: !inline, ref: i, lo: lo, hi: hi})
		if !inline {
			f := w.push()
			f.kind, f.ref, f.lo, f.hi = subtree, i, int64(mid), int64(hi)
			e.pushed(w, f, r.site)
		}
		hi = mid
	}
	w.stack = append(w.stack, activity{kind: aLeaf})
	w.at = e.tree.lists[r.list+2*int(lo)]
	w.op.Kind = End
}

// secondHalf goes from the left half of a part of a reduction to the right one.
func (e *engine) secondHalf(w *worker) {
	top := &w.stack[len(w.stack)-1]
	top.kind = aRight
	e.reduce(w, top.ref, top.lo+(top.hi-top.lo)/2, top.hi)
}

// combine combines both halves of a part.
func (e *engine) combine(w *worker) {
	top := &w.stack[len(w.stack)-1]
	top.kind = aCombine
	mid := top.lo + (top.hi-top.lo)/2
	w.at = e.tree.lists[e.refs[top.ref].list+2*int(mid)-1]
	w.op.Kind = End
}

// returned goes on after a part of a reduction.
func (e *engine) returned(w *worker) bool {
	switch top := &w.stack[len(w.stack)-1]; top.kind {
	case aLeft:
		return e.join(w)
	case aRight:
		e.combine(w)
	case aReduce:
		w.at = e.refs[top.ref].after
		e.dropRef(top.ref)
		w.stack = w.stack[:len(w.stack)-1]
		w.op.Kind = End
	case aStolen:
		return e.complete(w)
	}
	return true
}
