package panels

import (
	"fmt"
	"strings"
)

func panelD(p page, all outcomes) {
	far, own := all["D-far"], all["D-own"]
	p.title("Panel D: a tree")
	p.say(`%d workers, one task of size %d on worker 0, split in halves down to %d: %d leaves and
		%d splits, %d ticks of work. This is divide and conquer, which is what fork-join
		programs do.`, far.Workers, root, leaf, root/leaf, root/leaf-1, far.Work)
	p.table([][]string{
		row("", "makespan", "/ floor", "steals", "failed", "moved", "per steal"),
		overFloor("far end", far),
		overFloor("own end", own),
	})
	p.say(`Now the own end takes %s times as long. A thief at the far end gets the oldest task,
		which is the largest: it moves %s ticks of work with one steal, then splits them on its own
		deque and has no need to steal for a while. A thief at the own end gets the newest,
		most often a leaf: %s ticks. It needs %d steals instead of %d, and makes %d attempts
		instead of %d.`, all.ratio("D-own", "D-far").decimal(2), fraction{far.Moved, far.Steals}.decimal(1),
		fraction{own.Moved, own.Steals}.decimal(1), own.Steals, far.Steals, own.Attempts(), far.Attempts())
	p.say(`(More than the whole tree is moved in both cases: what was moved with a large
		task counts again when a part of it is stolen from the thief.)`)
	p.say("It is the same for other trees (%d workers) and other numbers of workers (size %d):", treeWorkers, root)
	rows := [][]string{row("", "floor", "far", "own", "own / far")}
	for _, root := range roots {
		rows = append(rows, compareEnds(fmt.Sprintf("root %d", root), all, fmt.Sprintf("D-root%d", root)))
	}
	for _, n := range workerCounts {
		rows = append(rows, compareEnds(fmt.Sprintf("%d workers", n), all, fmt.Sprintf("D-P%d", n)))
	}
	p.table(rows)
}

// compareEnds is a row with the makespans of a case with both ends.
func compareEnds(name string, all outcomes, id string) []string {
	far, own := all[id+"-far"], all[id+"-own"]
	return row(name, far.Floor(), far.Makespan, own.Makespan, all.ratio(id+"-own", id+"-far").decimal(2))
}

func attemptBound(p page, all outcomes) {
	span := all["D-far"].Span()
	p.title("How many attempts? P x T_inf")
	p.say(`T_inf, the span, is the longest chain of tasks of which each needs the one before:
		here %d splits and a leaf, %d ticks. No number of workers can be faster. Theory says
		that P workers whose thieves choose at random and take from the far end make attempts in proportion to P x T_inf, not to
		the work: most of a large job is never touched by a thief.`, span-leaf, span)
	rows := [][]string{row("workers", "P x T_inf", "attempts, far", "/ (P x T_inf)", "own", "/ (P x T_inf)")}
	for _, n := range workerCounts {
		far, own := all[fmt.Sprintf("D-P%d-far", n)], all[fmt.Sprintf("D-P%d-own", n)]
		rows = append(rows, row(fmt.Sprintf("%2d", n), int64(n)*span, far.Attempts(), far.attemptRatio().decimal(2),
			own.Attempts(), own.attemptRatio().decimal(2)))
	}
	p.table(rows)
	p.say(`At the far end the attempts stay below P x T_inf at every number of workers. At the
		own end they do not: 1.6 to 2 times as many, from 4 workers on. The proof of the
		bound counts on thieves getting the oldest task; it says nothing about others.`)
}

func exhibitGradient(p page, g gradient) {
	p.title("Exhibit: the gradient")
	p.say(`Why is the far end where the large tasks are? This is the deque of worker 0 while
		nobody steals, the far end first, with the task that it is at:`)
	rows := [][]string{}
	for _, s := range g.Snapshots {
		hand := ""
		if s.InHand != nil {
			hand = fmt.Sprintf("at one of %d, to go: %d", s.InHand[0], s.InHand[1])
		}
		rows = append(rows, []string{fmt.Sprintf("tick %3d  %-34s %s", s.Clock, sizes(s.Deque), hand)})
	}
	p.table(rows)
	last := g.Snapshots[len(g.Snapshots)-1]
	p.say(`In %d ticks the splits have built a staircase, and an owner that works at its own end
		keeps it: at tick %d the %d still lies at the far end, untouched. Half of all the work
		has been one steal away from the first tick on.`, g.Snapshots[7].Clock, last.Clock, last.Deque[0])
}

func sizes(list []int64) string {
	words := make([]string, len(list))
	for i, n := range list {
		words[i] = fmt.Sprint(n)
	}
	return strings.Join(words, " ")
}

func exhibitSteals(p page, all outcomes) {
	p.title("Exhibit: the first six steals of panel D")
	far, own := all["D-far"], all["D-own"]
	rows := [][]string{row("", "far end: tick", "from", "to", "size", "  own end: tick", "from", "to", "size")}
	for i := range 6 {
		f, o := far.Log[i], own.Log[i]
		rows = append(rows, row(i+1, f.Tick, f.Victim, f.Thief, f.Size, o.Tick, o.Victim, o.Thief, o.Size))
	}
	p.table(rows)
	p.say(`At the far end the first steal takes half of the tree, the next two a quarter each,
		then eighths: at tick %d six thieves have work, four of them from another thief. At the
		own end they get crumbs, most of them one leaf, are back for more %d ticks later, and the sixth
		steal comes at tick %d.`, far.Log[5].Tick, leaf, own.Log[5].Tick)
}

func panelE(p page, all outcomes) {
	p.title("Panel E: what if stealing were cheap?")
	p.say("The tree of panel D, with attempts that take 1 to 32 ticks:")
	rows := [][]string{row("steal cost", "far", "own", "own / far", "steals, far", "own")}
	for _, cost := range stealCosts {
		id := fmt.Sprintf("E-cost%d", cost)
		far, own := all[id+"-far"], all[id+"-own"]
		rows = append(rows, row(fmt.Sprintf("%2d", cost), far.Makespan, own.Makespan, all.ratio(id+"-own", id+"-far").decimal(2), far.Steals, own.Steals))
	}
	p.table(rows)
	p.say(`At a cost of 1 the effect is gone: %s. A thief that gets a crumb is back at once. The
		dearer a steal, the more it matters how much it brings: at 16 ticks %s. The far-end
		rule is a way to pay for few steals. (That thieves at the far end do better at 32 ticks than
		at 16, %d and %d, is the luck of one small run.)`,
		all.ratio("E-cost1-own", "E-cost1-far").decimal(2), all.ratio("E-cost16-own", "E-cost16-far").decimal(2),
		all["E-cost32-far"].Makespan, all["E-cost16-far"].Makespan)
}
