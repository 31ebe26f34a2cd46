package panels

import "github.com/forkjoin-go/forkjoin/sim/tick"

var (
	tries       = figure{name: "tries", of: (*tick.Result).Attempts}
	wakes       = figure{name: "wakes", of: func(r *tick.Result) int64 { return r.Wakes }}
	tasksStolen = figure{name: "stolen", of: func(r *tick.Result) int64 { return r.Tasks }}
	collisions  = figure{name: "collided", of: func(r *tick.Result) int64 { return r.Collided }}
	deepest     = figure{name: "depth", of: func(r *tick.Result) int64 { return int64(r.Depth) }, largest: true}
)

// studyParts are the rules that the study adds.
var studyParts = []part{
	{
		title: "Joins: a parent that waits",
		rule: `A task that was split waits until both halves are done. Then whoever ended
			the last one goes on with it; or its own worker does, which until then runs any
			work it finds, or only descendants of the task, which it steals back from the thief
			(leapfrogging), or nothing: it parks, and in the last row takes 20 ticks to come back.
			There is nothing left to do for the parent, so the work is the same; "depth" is the
			most parents that waited on one worker in any run.`,
		variants: []variant{
			{name: "no joins"},
			{name: "last one goes on", change: func(c *tick.Config) { c.Joins = tick.JoinLast }},
			{name: "any work", change: func(c *tick.Config) { c.Joins = tick.JoinAny }},
			{name: "leapfrog", change: func(c *tick.Config) { c.Joins = tick.JoinLeapfrog }},
			{name: "park", change: func(c *tick.Config) { c.Joins = tick.JoinPark }},
			{name: "park, 20 to resume", change: func(c *tick.Config) { c.Joins, c.WakeDelay = tick.JoinPark, 20 }},
		},
		figures: []figure{deepest},
		reading: `Bags have no joins. On trees, waiting costs little with thieves at the far end as
			long as the worker does something meanwhile. Parking costs even less if it is
			free, because a worker on its way to steal does not see that its halves are done; with
			a price it is the dearest. Any work buries parents under strangers: at the own end the
			stacks get many times as deep as the tree is high (leapfrogging, too, meets
			strangers there). At the far end they stay as low as those of workers that park.`,
	},
	{
		title: "Sleeping thieves",
		rule: `A worker sleeps after so many failed attempts in a row; a round is one for each
			other worker. A split wakes one; in the row "chain" a thief that leaves something does,
			too. Unless waking is free, the sleeper needs 20 ticks to come and the worker that
			wakes it 8.`,
		variants: []variant{
			{name: "never"},
			{name: "after 1", change: sleepAfter(1, 0)},
			{name: "after 1, chain", change: func(c *tick.Config) { sleepAfter(1, 0)(c); c.WakeChain = true }},
			{name: "after a round", change: sleepAfter(0, 1)},
			{name: "a round, free", change: func(c *tick.Config) { c.SleepAfter = c.Workers - 1 }},
			{name: "after two rounds", change: sleepAfter(0, 2)},
		},
		figures: []figure{tries, wakes},
		reading: `Whoever sleeps too early pays twice. In a bag nobody splits, so nobody wakes it again, and
			the heap is left to its owner; that thieves wake each other (chain) is no help if all of them
			fell asleep before the first steal. In a tree with thieves at the own end each crumb
			is followed by a wake, for which the owner pays. At the far end a woken thief has work
			for long, so wakes are few. After a round in vain sleeping hardly changes a figure: it
			saves processor time, not ticks.`,
	},
	{
		title: "Steal-half",
		rule:  `A thief takes half of the tasks in the deque instead of one.`,
		variants: []variant{
			{name: "one"},
			{name: "half", change: func(c *tick.Config) { c.StealHalf = true }},
			{name: "one, cost 1", change: func(c *tick.Config) { c.StealCost = 1 }},
			{name: "half, cost 1", change: func(c *tick.Config) { c.StealHalf, c.StealCost = true, 1 }},
			{name: "one, cost 32", change: func(c *tick.Config) { c.StealCost = 32 }},
			{name: "half, cost 32", change: func(c *tick.Config) { c.StealHalf, c.StealCost = true, 32 }},
		},
		figures: []figure{tries, tasksStolen},
		reading: `On bags it is what the far end is on trees: a way to move much work with one steal.
			Equal tasks in one heap gain most of all. On trees it makes the two ends
			alike, and harms the far end: its oldest task already is half of the work, and
			who takes the upper half of the staircase leaves the victim crumbs, so that it becomes a thief
			itself. All of it grows with the price of a steal; at a price of 1 it is gone on trees and
			hardly to be seen on uneven bags.`,
	},
	{
		title: "Distance",
		rule: `The workers form two groups of equal size. A steal from the other group
			takes 32 ticks instead of 8. A thief asks all in turn; or at random; or its
			neighbours, and one from the other group only after a round there in vain.`,
		variants: []variant{
			{name: "no distance"},
			{name: "in turn", change: twoGroups(tick.RoundRobin)},
			{name: "at random", change: twoGroups(tick.Random)},
			{name: "neighbours first", change: twoGroups(tick.Near)},
		},
		figures: []figure{tries, tasksStolen},
		reading: `Asking neighbours first wins back most of what distance costs where tasks are many and small, on
			bags and at the own end, and part of it on trees with thieves at the far end. There few steals
			are made anyway, and the first of them, by which the other group gets its half,
			must cross over.`,
	},
	{
		title: "Contention",
		rule: `A steal holds the deque for 2 or 8 ticks. A thief that arrives meanwhile waits,
			and so does the owner if it wants the last task, as in a Chase-Lev deque.
			"collided" is how often somebody waited.`,
		variants: []variant{
			{name: "in turn"},
			{name: "in turn, held 2", change: func(c *tick.Config) { c.StealHold = 2 }},
			{name: "in turn, held 8", change: func(c *tick.Config) { c.StealHold = 8 }},
			{name: "richest", change: func(c *tick.Config) { c.Victims = tick.Richest }},
			{name: "richest, held 2", change: func(c *tick.Config) { c.Victims, c.StealHold = tick.Richest, 2 }},
			{name: "richest, held 8", change: func(c *tick.Config) { c.Victims, c.StealHold = tick.Richest, 8 }},
		},
		figures: []figure{collisions, tasksStolen},
		reading: `Thieves that ask in turn spread, and hardly ever meet. Those that all know the
			richest victim queue up at it, and most of what they gained by knowing is lost again. With
			thieves at the far end, which steal seldom, that is not much; at the own end, and for equal tasks,
			it is about all there is.`,
	},
	{
		title: "Private tasks",
		rule: `An owner pays 0, 1 or 4 ticks to take a task that thieves could take, too, as
			it must synchronize with them. Or tasks are private until a thief has asked in vain: then
			the owner makes half of them public, when it next takes one. (Thieves at the own
			end would find no public tasks there.)`,
		variants: []variant{
			{name: "public, pop free"},
			{name: "private, pop free", change: func(c *tick.Config) { c.Private = true }, farEndOnly: true},
			{name: "public, pop 1", change: func(c *tick.Config) { c.PopCost = 1 }},
			{name: "private, pop 1", change: func(c *tick.Config) { c.Private, c.PopCost = true, 1 }, farEndOnly: true},
			{name: "public, pop 4", change: func(c *tick.Config) { c.PopCost = 4 }},
			{name: "private, pop 4", change: func(c *tick.Config) { c.Private, c.PopCost = true, 4 }, farEndOnly: true},
		},
		figures: []figure{
			{name: "public", of: func(r *tick.Result) int64 { return r.Published }},
			{name: "stolen", of: func(r *tick.Result) int64 { return r.Tasks }},
		},
		reading: `Private tasks make the price of a pop disappear: few of some 300 tasks are ever made public. What they cost
			is time until an owner hears that it was asked. That is little on a tree, where
			owners take tasks often, and more on a bag of long tasks, in which an owner is deaf until
			its task is done.`,
	},
	{
		title: "Together",
		rule: `Victims at random; sleep after two rounds, with 20 ticks to come, 8 for the waker, and
			thieves that wake the next one if they leave something for it; a steal holds the deque for
			2 ticks; an owner pays 1 for a public task. Joins differ, and whether tasks are public.`,
		variants: []variant{
			{name: "none of them"},
			{name: "public, last", change: together(tick.JoinLast, false)},
			{name: "public, any work", change: together(tick.JoinAny, false)},
			{name: "public, leapfrog", change: together(tick.JoinLeapfrog, false)},
			{name: "private, last", change: together(tick.JoinLast, true), farEndOnly: true},
			{name: "private, any work", change: together(tick.JoinAny, true), farEndOnly: true},
			{name: "private, leapfrog", change: together(tick.JoinLeapfrog, true), farEndOnly: true},
		},
		figures: []figure{tries, deepest},
		reading: `Nothing of this changes the order of the ends. Private tasks win on trees, where pops are
			many, and lose on bags of long tasks. The waiting worker pays for its choice: it is
			cheapest if the last one goes on, a little dearer if the parent's own worker does
			what it finds, and a little dearer again if it only leapfrogs. What leapfrogging buys with that
			is that no parent is buried under a stranger.`,
	},
}

// together sets what real schedulers have in common, and what they differ in.
func together(j tick.Joins, private bool) func(c *tick.Config) {
	return func(c *tick.Config) {
		c.Victims, c.Seed = tick.Random, 1
		c.SleepAfter, c.WakeDelay, c.WakeCost, c.WakeChain = 2*(c.Workers-1), 20, 8, true
		c.StealHold, c.PopCost = 2, 1
		c.Joins, c.Private = j, private
	}
}

// sleepAfter makes workers sleep after so many failed attempts and rounds of
// them.
func sleepAfter(attempts, rounds int) func(c *tick.Config) {
	return func(c *tick.Config) {
		c.SleepAfter = attempts + rounds*(c.Workers-1)
		c.WakeDelay, c.WakeCost = 20, 8
	}
}

// twoGroups puts half of the workers far from the others.
func twoGroups(v tick.Victims) func(c *tick.Config) {
	return func(c *tick.Config) {
		c.GroupSize, c.RemoteCost, c.Victims = c.Workers/2, 32, v
	}
}
