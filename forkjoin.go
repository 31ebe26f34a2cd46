package forkjoin

// Join calls a and b, perhaps at the same time, and returns when both have
// returned. The caller runs a; b runs after it on the same goroutine unless an
// idle worker takes it first.
//
// Use it where two halves of a computation do not depend on each other, most
// often in a recursion. For recursion into very small pieces, [Recursive] costs
// a tenth.
//
// Cost: the two closures, if they capture variables; beyond that about ten
// function calls, and no allocation.
//
// If a or b panics, Join panics with a [*PanicError] after both have ended; if
// both do, a's panic counts. When a panics and b has not started, b is skipped.
// If one calls [runtime.Goexit], so does Join's caller. Join panics if a or b
// is nil.
//
// What was done before Join is synchronized before a and b start; everything
// done in a and b is synchronized before Join returns.
func Join(a, b func()) {
	if a == nil || b == nil {
		badFunc("Join", a == nil, "a", "b")
	}
	w, entered := enter()
	if entered {
		defer w.leave()
	}
	var failure *PanicError
	if w.tape != nil {
		failure = w.recordJoin(a, b)
	} else {
		failure = w.join(a, b)
	}
	if failure != nil {
		panic(failure)
	}
}

func badFunc(name string, first bool, a, b string) {
	if first {
		b = a
	}
	badUse("%s: %s is nil", name, b)
}

func (w *worker) join(a, b func()) (failure *PanicError) {
	base, returned := w.head, false
	defer func() {
		if !returned {
			failure = w.unwind(base, recover())
		}
	}()
	f, mine := w.push(thunk(b)), true
	a()
	if f != nil {
		mine, failure = w.take(f)
	}
	switch {
	case mine:
		b()
	case failure == nil:
		f.reset()
	}
	returned = true
	return failure
}

// A thunk is a branch of Join.
type thunk func()

func (t thunk) run(*worker, *frame) { t() }
func (t thunk) site() *site         { return siteOf(codeOf(t)) }

// Join2 calls a and b, perhaps at the same time, and returns their results. It
// is [Join] for functions with a result, and cheaper than a Join whose closures
// store into captured variables: it allocates nothing, and a captured variable
// that b only reads does not escape.
//
// Panics, Goexit, nil arguments and synchronization are as for Join.
func Join2[A, B any](a func() A, b func() B) (A, B) {
	if a == nil || b == nil {
		badFunc("Join2", a == nil, "a", "b")
	}
	w, entered := enter()
	if entered {
		defer w.leave()
	}
	if w.tape != nil {
		return recordJoin2(w, a, b)
	}
	ra, rb, failure := join2(w, a, b)
	if failure != nil {
		panic(failure)
	}
	return ra, rb
}

func join2[A, B any](w *worker, a func() A, b func() B) (ra A, rb B, failure *PanicError) {
	base, returned := w.head, false
	defer func() {
		if !returned {
			failure = w.unwind(base, recover())
		}
	}()
	f, mine := w.push(call[B](b)), true
	ra = a()
	if f != nil {
		mine, failure = w.take(f)
	}
	switch {
	case mine:
		rb = b()
	case failure == nil:
		rb, _ = f.result.(B)
		f.reset()
	}
	returned = true
	return ra, rb, failure
}

// A call is a branch of Join2. A thief boxes its result.
type call[B any] func() B

func (c call[B]) run(_ *worker, f *frame) { f.result = c() }
func (c call[B]) site() *site             { return siteOf(codeOf(c)) }

// JoinAll calls all functions, perhaps at the same time, and returns when all
// have returned. With none it returns at once.
//
// It is a loop over the functions: the caller calls them in order and idle
// workers take from the far end, half of what is left at a time. Two functions are
// a Join, which costs less.
//
// If functions panic, JoinAll panics with a [*PanicError] when those that had
// started have ended; the others are skipped. Goexit and synchronization are as
// for [Join]. JoinAll panics if a function is nil.
func JoinAll(fns ...func()) {
	for i, f := range fns {
		if f == nil {
			badUse("JoinAll: fns[%d] is nil", i)
		}
	}
	switch len(fns) {
	case 0:
	case 2:
		Join(fns[0], fns[1])
	default:
		parallelLoop(0, len(fns), functions(fns), fns[0], newLimits(1, 0))
	}
}

type functions []func()

func (fns functions) chunk(_ *worker, lo, hi int) bool {
	for _, f := range fns[lo:hi] {
		f()
	}
	return true
}
