package forkjoin

// An Option changes how one call runs. Options are small values: making and
// passing them allocates nothing.
type Option struct {
	kind  optionKind
	n     int
	label string
}

type optionKind uint8

const (
	noOption optionKind = iota
	minLeaf
	maxLeaf
	label
	marked // package callsite
)

// MinLeaf asks that each leaf has at least n iterations. A leaf is a part of a loop
// or reduction that is run in one piece, by one goroutine: one call of a body or leaf
// that is given a range.
//
// A range shorter than n is one leaf. A MinLeaf above [MaxLeaf] is a mistake: the
// call that is given both panics. Where lengths make it impossible to keep both (7
// iterations in leaves of 4 or 5), MaxLeaf is kept. MinLeaf panics if n < 1.
//
// It is rarely needed, since loops measure how long their iterations take.
func MinLeaf(n int) Option {
	if n < 1 {
		badUse("MinLeaf: n is %d, want >= 1", n)
	}
	return Option{kind: minLeaf, n: n}
}

// MaxLeaf asks that no leaf, which [MinLeaf] explains, has more than n iterations. It
// panics if n < 1.
//
// Use MaxLeaf(1) for a reduction whose iterations take long.
func MaxLeaf(n int) Option {
	if n < 1 {
		badUse("MaxLeaf: n is %d, want >= 1", n)
	}
	return Option{kind: maxLeaf, n: n}
}

// Label names a loop or reduction, for recordings and in execution traces,
// where each part that is run in one piece shows as a region of that name.
func Label(name string) Option { return Option{kind: label, label: name} }

// check looks at the arguments that all loops have and returns their limits.
func check(name string, n int, bodyMissing bool, body string, opts []Option) limits {
	if n < 0 {
		badUse("%s: n is %d, want >= 0", name, n)
	}
	if bodyMissing {
		badUse("%s: %s is nil", name, body)
	}
	return parse(name, opts)
}

// parse returns what options say. The last of a kind counts.
func parse(name string, opts []Option) limits {
	l := newLimits(1, 0)
	for i := range opts {
		switch opts[i].kind {
		case minLeaf:
			l.Min = opts[i].n
		case maxLeaf:
			l.Max = opts[i].n
		case label:
			l.label = opts[i].label
		case marked:
			l.site = uintptr(opts[i].n)
		}
	}
	if l.Max > 0 && l.Min > l.Max {
		badUse("%s: MinLeaf is %d, want <= MaxLeaf, which is %d", name, l.Min, l.Max)
	}
	return l
}
