package forkjoin

import (
	"flag"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/forkjoin-go/forkjoin/internal/clock"
	"github.com/forkjoin-go/forkjoin/internal/decisions"
)

var updateDecisions = flag.Bool("update-decisions", false, "write the table of decisions anew")

// The runtime decides as the table says; the simulator's test has the same table.
func TestDecisionsOfTheRuntime(t *testing.T) {
	var b strings.Builder
	for _, s := range decisions.States() {
		b.WriteString(decisions.Line(s, decide(t, s)))
	}
	if *updateDecisions {
		if err := os.WriteFile("internal/decisions/testdata/decisions.txt", []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, want := strings.Split(b.String(), "\n"), strings.Split(decisions.Table, "\n")
	if len(got) != len(want) {
		t.Fatalf("%d decisions, want %d", len(got), len(want))
	}
	for i := range got {
		if got[i] != want[i] {
			t.Errorf("decided %s\nwant %s", got[i], want[i])
		}
	}
}

// decide puts a worker into a state and sees what it does.
func decide(t *testing.T, s decisions.State) (d decisions.Decision) {
	w := stateOf(t, s)
	before, wakes := w.split, w.pool.wakes.Load()
	w.share(w.frames.at(w.head - 1))
	d.Publishes, d.Wakes = int(w.split-before), w.pool.wakes.Load() > wakes

	w = stateOf(t, s)
	left := int64(math.MaxInt64)
	if s.Left < 100 {
		left = s.Left * clock.Ticks(decisions.Price)
	}
	d.Gives = w.wanted(&noSite, left)

	w = stateOf(t, s)
	r := &recursion[int, int]{known: new(site)}
	task := &Task[int, int]{w: w, r: r, idle: &w.pool.idle}
	if task.beat.Ticks = clock.Ticks(time.Duration(s.Beat)); s.Beat > 0 {
		task.beat.Ticks = max(1, task.beat.Ticks)
	}
	task.refuel()
	if d.Inline = task.fuel; d.Inline > 0 { // how many depends on how long a tick is
		d.Inline = 1
	}
	return d
}

func stateOf(t *testing.T, s decisions.State) *worker {
	p := newPool(Config{Workers: decisions.Workers}, true)
	t.Cleanup(func() { p.Close() })
	p.mu.Lock()
	p.use(decisions.Workers - s.Spare)
	w := p.add()
	p.mu.Unlock()
	p.idle.add(idleness(s.Searchers)*oneSearcher + idleness(s.Waiting)*oneWaiting)
	for range s.Private + s.Public {
		f := w.frames.next(w.head)
		f.job = thunk(func() {})
		w.head++
	}
	if s.Public > 0 {
		w.publish(s.Public)
	}
	w.bubble = no
	now := clock.Now()
	ago := func(long bool) int64 {
		if long {
			return now - 1000*clock.Ticks(decisions.Price)
		}
		return now
	}
	w.haste.site = new(site)
	w.haste.Began, w.haste.Share, w.haste.Eager = ago(s.Long), s.Share, s.Eager
	p.price.Store(clock.Ticks(decisions.Price))
	p.fruitless.Store(int32(s.Fruitless))
	p.lastWake.Store(ago(!s.Recent))
	return w
}
