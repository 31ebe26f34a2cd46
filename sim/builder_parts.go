package sim

import (
	"encoding/binary"
	"math"
)

// Items begins a loop or JoinAll whose parts have sequences of their own.
// [Builder.Item] begins each of them, also the first; [Builder.Done] ends the
// last.
func (b *Builder) Items(l LoopOf) { b.itemsAt(b.Site(l.Site), l) }

func (b *Builder) itemsAt(site int, l LoopOf) { b.parts(Items, site, l, -1) }

// Reduce begins a reduction of so many leaves. [Builder.Item] begins each leaf
// and each combination, in the order in which one worker runs them: a
// combination directly after all that it combines. [Builder.Done] ends the last.
func (b *Builder) Reduce(l LoopOf, leaves int) { b.reduceAt(b.Site(l.Site), l, leaves) }

func (b *Builder) reduceAt(site int, l LoopOf, leaves int) {
	if b.err == nil && (leaves < 1 || leaves > math.MaxInt32/4) {
		b.fail("Reduce: leaves are %d, want >= 1 and <= %d", leaves, math.MaxInt32/4)
	}
	b.parts(Reduce, site, l, leaves)
}

func (b *Builder) parts(k Kind, site int, l LoopOf, leaves int) {
	if b.failed() {
		return
	}
	b.loop(k, site, l)
	b.open = append(b.open, opened{kind: k, hole: b.hole(), order: order{leaves: leaves}})
}

// Item begins the next part of an Items or Reduce.
func (b *Builder) Item() {
	if b.failed() {
		return
	}
	o := b.top()
	switch {
	case o.kind != Items && o.kind != Reduce:
		b.fail("Item does not belong here")
		return
	case o.parts == o.want():
		b.fail("Item number %d of %d", o.parts+1, o.want())
		return
	case o.parts > 0:
		b.finish()
	case b.strand != 0:
		b.fail("Work before the first Item")
		return
	}
	o.place(Pos(len(b.t.code)))
	o.parts++
}

// want returns how many parts there have to be, or -1.
func (o *opened) want() int {
	if o.kind == Reduce {
		return 2*o.order.leaves - 1
	}
	return -1
}

// place notes where a part begins.
func (o *opened) place(at Pos) {
	i := o.parts
	if o.kind == Reduce {
		i = o.order.next()
	}
	for len(o.at) <= i {
		o.at = append(o.at, 0)
	}
	o.at[i] = at
}

// Done ends an Items or Reduce.
func (b *Builder) Done() {
	if b.failed() {
		return
	}
	o := b.top()
	if o.kind != Items && o.kind != Reduce || o.parts == 0 || o.want() > o.parts {
		b.fail("Done does not belong here, after %d parts", o.parts)
		return
	}
	b.finish()
	items := len(o.at)
	if o.kind == Reduce {
		items = o.order.leaves
	}
	binary.LittleEndian.PutUint32(b.t.code[o.hole:], uint32(len(b.t.lists)))
	b.t.lists = append(b.t.lists, Pos(items))
	b.t.lists = append(b.t.lists, o.at...)
	b.t.lists = append(b.t.lists, Pos(len(b.t.code)))
	b.pop()
}

// Spawn gives a function to a group, and begins the function; [Builder.Spawned]
// ends it. Group 0 is that of functions nobody waits for.
func (b *Builder) Spawn(site string, group int) { b.SpawnAt(b.Site(site), group) }

// SpawnAt is Spawn with the number of a name.
func (b *Builder) SpawnAt(site, group int) {
	if !b.known(site) {
		return
	}
	if group < 0 || group > math.MaxInt32 {
		b.fail("group is %d, want >= 0 and <= %d", group, math.MaxInt32)
		return
	}
	b.op(Spawn)
	b.number(int64(site))
	b.number(int64(group))
	b.t.counts.Spawns++
	b.open = append(b.open, opened{kind: Spawn, hole: b.hole(), parts: 1})
}

// Spawned ends the function begun last by Spawn.
func (b *Builder) Spawned() {
	if b.inside("Spawned", Spawn, 1) {
		b.finish()
		b.fill(b.top().hole)
		b.pop()
	}
}

// Wait waits for the functions given to a group.
func (b *Builder) Wait(group int) {
	if b.failed() {
		return
	}
	if group < 1 || group > math.MaxInt32 {
		b.fail("Wait: group is %d, want >= 1 and <= %d", group, math.MaxInt32)
		return
	}
	b.op(Wait)
	b.number(int64(group))
}

// Enter names what follows in the current sequence, up to Leave or the end.
func (b *Builder) Enter(label string) { b.EnterAt(b.Site(label)) }

// EnterAt is Enter with the number of a name.
func (b *Builder) EnterAt(site int) {
	if b.known(site) {
		b.op(Enter)
		b.number(int64(site))
		b.top().names++
	}
}

// Leave ends what the last Enter of the current sequence began.
func (b *Builder) Leave() {
	if b.failed() {
		return
	}
	if b.top().names == 0 {
		b.fail("Leave without Enter")
		return
	}
	b.op(Leave)
	b.top().names--
}

// Pause passes time without using a worker.
func (b *Builder) Pause(duration int64) {
	if b.charge("Pause", duration) {
		b.op(Pause)
		b.number(duration)
	}
}

// Moved says that the current sequence was run by a worker who took it from
// another one, so long after the recording began.
func (b *Builder) Moved(worker int, at int64) {
	if b.failed() {
		return
	}
	if worker < 0 || worker > math.MaxInt32 || at < 0 {
		b.fail("Moved: worker and time are %d and %d, want >= 0", worker, at)
		return
	}
	b.op(Moved)
	b.number(int64(worker))
	b.number(at)
}

// Summary adds a subtree of which no more is known than its work, span, and
// number of sequences.
func (b *Builder) Summary(work, span, tasks int64) {
	if !b.charge("work", work) {
		return
	}
	if span < 0 || span > work || tasks < 0 || tasks > maxCost {
		b.fail("Summary: work, span and tasks are %d, %d and %d, want span <= work and none negative", work, span, tasks)
		return
	}
	b.op(Summary)
	b.number(work)
	b.number(span)
	b.number(tasks)
}

// Describe sets what is known of the tree besides its operations.
func (b *Builder) Describe(m Meta) {
	if !b.failed() {
		b.t.meta = m
	}
}

// Tree ends the root task and returns the tree, or the first mistake made. It can
// be called once.
func (b *Builder) Tree() (*Tree, error) {
	if !b.failed() && len(b.open) > 1 {
		b.fail("a %v has not ended", b.top().kind)
	}
	if b.err != nil {
		return nil, b.err
	}
	b.finish()
	t := b.t
	b.fail("Tree has been called before")
	b.t = nil
	return t, nil
}
