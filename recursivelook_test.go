package forkjoin

import (
	"errors"
	"testing"
	"time"

	"github.com/forkjoin-go/forkjoin/internal/clock"
	"github.com/forkjoin-go/forkjoin/internal/policy"
)

// lookingTask returns a task whose joins come one tick after the other, on a worker
// that has so many frames to share, in a pool with so many who look for some.
func lookingTask(t *testing.T, frames, searchers int) *Task[int, int] {
	p := newPool(Config{Workers: 2}, true)
	t.Cleanup(func() { p.Close() })
	w := p.add()
	for range frames {
		w.frames.next(w.head).job = thunk(func() {})
		w.head++
	}
	w.bubble = no
	w.haste.site, w.haste.Began, w.haste.Share = new(site), clock.Now(), true
	p.price.Store(clock.Ticks(time.Hour)) // no wake is worth that
	p.idle.add(idleness(searchers) * oneSearcher)
	task := (&recursion[int, int]{known: new(site)}).newTask(w)
	task.beat.Ticks = 1
	return task
}

func TestLookOffersWhatIsMissing(t *testing.T) {
	for _, c := range []struct {
		frames, searchers int
		offers, shows     bool
	}{
		{0, 0, true, false},
		{policy.FrameStock, 0, false, false},
		{policy.FrameStock, 1, true, false}, // once pushed, both are shared
		{policy.WantedStock, 1, false, true},
	} {
		task := lookingTask(t, c.frames, c.searchers)
		w := task.w
		before := w.counts.forks
		if offers := task.look(); offers != c.offers {
			t.Errorf("%+v: look reports %v", c, offers)
		}
		if w.offering() != c.shows {
			t.Errorf("%+v: thieves find %d frames", c, w.shown())
		}
		if counted := w.counts.forks-before == 1; counted == c.offers {
			t.Errorf("%+v: counted %v, and a push counts itself", c, counted)
		}
	}
}

// Whatever the level, whether its join was offered, came at a look around or ran inline
// between two: what it recovers is a *PanicError, the same for all.
func TestPanicThroughLooks(t *testing.T) {
	const levels = 3*policy.MaxInline + 2
	wrong := errors.New("wrong")
	var caught [levels + 1]*PanicError
	descend := Recursive(func(task *Task[int, int], n int) int {
		switch {
		case n == 0:
			panic(wrong)
		case n > levels: // joins that follow each other closely
			if n > levels+1 {
				task.Join(n-1, n-1)
			}
			return 0
		}
		defer func() {
			e, _ := recover().(*PanicError)
			if caught[n] = e; e != nil {
				panic(e)
			}
		}()
		task.Join(n-1, levels+1)
		return 0
	})
	descend(levels + 12)
	func() {
		defer func() { _ = recover() }()
		descend(levels)
	}()
	for n := 1; n <= levels; n++ {
		if e := caught[n]; e == nil || e != caught[1] || e.Value != wrong {
			t.Fatalf("level %d recovers %v", n, e)
		}
	}
}
