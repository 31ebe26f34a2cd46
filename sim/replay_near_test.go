package sim

import "testing"

// Who waits helps a thief that is not near only when it has had patience, and then in a
// join only with the older of two frames, as the runtime does (TestHelpFar there).
func TestHelpFar(t *testing.T) {
	const near, far = 1, 2 // slots
	for _, c := range []struct {
		loop    bool
		slot    int32
		patient bool
		shown   int32
		helps   bool
	}{
		{false, near, false, 1, true}, {false, near, true, 1, true}, {false, near, false, 0, false},
		{false, far, false, 9, false}, {false, far, true, 0, false}, {false, far, true, 1, false},
		{false, far, true, 2, true}, {false, far, true, 9, true},
		{true, near, false, 1, true}, {true, far, false, 9, false}, {true, far, true, 0, false},
		{true, far, true, 1, true},
	} {
		tree, err := NewBuilder().Tree()
		if err != nil {
			t.Fatal(err)
		}
		e := newEngine(tree, Config{Workers: 4, Topology: Topology{Sockets: 2, L3s: 1, Cores: 2, Threads: 1}})
		owner, thief := e.workers[0], e.hire()
		e.give(thief, c.slot)
		if owner.stack = append(owner.stack, activity{kind: aFirst}); c.loop {
			owner.stack[len(owner.stack)-1].kind = aLoop
		}
		f := owner.push()
		owner.unlink(owner.head - 1)
		f.state, f.thief = taken, thief.index
		for range c.shown {
			thief.push()
		}
		thief.show(c.shown)
		owner.phase = helping
		if e.beginSearch(owner, e.times.Waiting); c.patient {
			e.now += e.times.Waiting
		}
		if helps := e.helps(owner); helps != c.helps || helps != (c.shown > 0 && thief.frames[0].state == taken) {
			t.Errorf("%+v: helps: %v", c, helps)
		}
	}
}
