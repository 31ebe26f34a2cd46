package forkjoin

import (
	"context"
	"runtime/pprof"
)

// Do calls f. Work that f forks carries the profile labels of ctx to whatever
// goroutine runs it, so that a profile charges it to them. f itself runs under
// the labels of ctx too, which the goroutine keeps, as after [pprof.Do] with the
// context that pprof.Do passes on; call it within that:
//
//	pprof.Do(ctx, pprof.Labels("job", name), func(ctx context.Context) {
//		forkjoin.Do(ctx, func() { forkjoin.Join(a, b) })
//	})
//
// [ParallelForErr], [ParallelReduceErr] and groups from [WithContext] take the
// labels from their context by themselves. Panics of f pass through. Do panics
// if ctx or f is nil.
func Do(ctx context.Context, f func()) {
	if ctx == nil {
		badUse("Do: ctx is nil")
	}
	if f == nil {
		badUse("Do: f is nil")
	}
	pprof.SetGoroutineLabels(ctx)
	w, entered := enter()
	if entered {
		defer w.leave()
	}
	before, labeled := w.labels, w.labeled
	defer func() { w.labels, w.labeled = before, labeled }()
	w.labels, w.labeled = &labels{ctx}, true
	f()
}

// under is Do for a context that may have no labels, and it leaves those of the
// caller alone.
func under(ctx context.Context, f func()) {
	l := labelsOf(ctx)
	if l == nil {
		f()
		return
	}
	w, entered := enter()
	if entered {
		defer w.leave()
	}
	before := w.labels
	defer func() { w.labels = before }()
	w.labels = l
	f()
}

// labelsOf returns the profile labels of ctx, nil if it has none.
func labelsOf(ctx context.Context) *labels {
	has := false
	pprof.ForLabels(ctx, func(_, _ string) bool { has = true; return false })
	if !has {
		return nil
	}
	return &labels{ctx}
}

// wear makes l the labels of the running task. The labels that a guest's
// goroutine had when it came are unknown, and could not be restored, so they
// are left alone until a task changes them knowingly.
func (w *worker) wear(l *labels) {
	if l == w.labels {
		return
	}
	w.labels = l
	switch {
	case !w.background && !w.labeled:
	case l != nil:
		pprof.SetGoroutineLabels(l.ctx)
	case w.background:
		pprof.SetGoroutineLabels(context.Background())
	}
}
