package sim

import (
	"math"
	"strings"
	"testing"

	"github.com/forkjoin-go/forkjoin/internal/decisions"
	"github.com/forkjoin-go/forkjoin/internal/policy"
)

// The simulator decides in each state as the runtime does, whose test has the
// same table.
func TestDecisionsOfTheSimulator(t *testing.T) {
	states, want := decisions.States(), strings.Split(decisions.Table, "\n")
	if len(states) != len(want)-1 {
		t.Fatalf("%d states, and decisions on %d", len(states), len(want)-1)
	}
	for i, s := range states {
		if got := strings.TrimSuffix(decisions.Line(s, decide(t, s)), "\n"); got != want[i] {
			t.Errorf("decided %s\nwant %s", got, want[i])
		}
	}
}

func decide(t *testing.T, s decisions.State) (d decisions.Decision) {
	e, w := stateOf(t, s)
	before, wakes := w.public, e.totals.wakes
	e.share(w, 0)
	d.Publishes, d.Wakes = int(w.public-before), e.totals.wakes > wakes

	e, w = stateOf(t, s)
	left := int64(math.MaxInt64)
	if s.Left < 100 {
		left = s.Left * decisions.Price
	}
	give, wake := e.partWanted(w, 0, left)
	d.Gives = give && (!wake || e.mayWake())

	e, w = stateOf(t, s)
	w.beat = policy.Beat{Ticks: s.Beat}
	if e.refuel(w); w.fuel > 0 {
		d.Inline = 1
	}
	return d
}

func stateOf(t *testing.T, s decisions.State) (*engine, *worker) {
	tree, err := NewBuilder().Tree()
	if err != nil {
		t.Fatal(err)
	}
	e := newEngine(tree, Config{Workers: decisions.Workers})
	w := e.workers[0]
	e.searchers, e.waiting = s.Searchers, s.Waiting
	e.free = e.free[:s.Spare]
	for range s.Private + s.Public {
		w.push()
	}
	e.show(w, int32(s.Public))
	e.now = 2000 * decisions.Price
	ago := func(long bool) int64 {
		if long {
			return e.now - 1000*decisions.Price
		}
		return e.now
	}
	w.haste.Began, w.haste.Share, w.haste.Eager = ago(s.Long), s.Share, s.Eager
	e.price, e.fruitless, e.lastWake = decisions.Price, s.Fruitless, ago(!s.Recent)
	return e, w
}
