package panels

import "fmt"

func ownerFIFO(p page, all outcomes) {
	far, own := all["fifo-far"], all["fifo-own"]
	p.title("What if owners, too, took from the far end?")
	p.say(`The tree of panel D; an owner takes its oldest task instead of its newest. That is a
		plain queue for each worker.`)
	p.table([][]string{
		row("", "makespan", "/ floor", "steals", "failed", "moved", "per steal"),
		overFloor("owner own, thief far (D)", all["D-far"]),
		overFloor("owner far, thief far", far),
		overFloor("owner far, thief own", own),
	})
	p.say(`The owner eats the large tasks first, and what it leaves is a heap of small ones:
		there is no gradient any more. A steal moves %s ticks instead of %s, and the run takes
		%s times as long. It takes both halves of the rule: owners at one end, thieves
		at the other.`, fraction{far.Moved, far.Steals}.decimal(1),
		fraction{all["D-far"].Moved, all["D-far"].Steals}.decimal(1),
		all.ratio("fifo-far", "D-far").decimal(2))
}

func refunds(p page, all outcomes) {
	p.title("What if a failed attempt cost only what it needs?")
	p.say(`Now a thief chooses its victim when an attempt begins, looks at it in every tick, and
		gives up, without paying the rest, when there is nothing to take.`)
	rows := [][]string{row("", "far", "own", "own / far")}
	add := func(name, far, own string) {
		rows = append(rows, row(name, all[far].Makespan, all[own].Makespan, all.ratio(own, far).decimal(2)))
	}
	add("bag (A, B)", "A-far", "B-own")
	add("bag, with refund", "refund-bag-far", "refund-bag-own")
	add("tree (D)", "D-far", "D-own")
	add("tree, with refund", "refund-tree-far", "refund-tree-own")
	for _, cost := range stealCosts {
		id := fmt.Sprintf("refund-flat-cost%d", cost)
		add(fmt.Sprintf("equal tasks, with refund, steal cost %d", cost), id+"-far", id+"-own")
	}
	p.table(rows)
	p.say(`The effect on the tree falls from %s to %s: a good part of what the own end pays
		is for attempts that fail. What is left of it is the price of more steals. The control does not
		move: equal tasks, equal figures. (Of all rules with that name this is one; others
		give the tree the same ratio.)`,
		all.ratio("D-own", "D-far").decimal(2), all.ratio("refund-tree-own", "refund-tree-far").decimal(2))
}

func victimPolicies(p page, all outcomes) {
	p.title("What if thieves chose their victims otherwise?")
	rows := [][]string{row("tree of panel D", "far", "own", "own / far", "failed, far", "own")}
	for _, v := range []struct{ id, name string }{
		{"policy-rr", "each in turn"}, {"policy-random", "at random"}, {"policy-richest", "whoever has most tasks"},
	} {
		far, own := all[v.id+"-far"], all[v.id+"-own"]
		rows = append(rows, row(v.name, far.Makespan, own.Makespan, all.ratio(v.id+"-own", v.id+"-far").decimal(2), far.Failed, own.Failed))
	}
	p.table(rows)
	rr, richest := all["policy-rr-far"].Makespan, all["policy-richest-far"].Makespan
	p.say(`The far end wins under all of them. Knowing the longest deque saves %s %% over asking in turn,
		because hardly an attempt fails; a real thief cannot know it without looking at all of
		them. At random (one seed) is as good as in turn, and needs no memory.`,
		fraction{100 * (rr - richest), rr}.decimal(0))
}

func conclusion(p page, all outcomes) {
	p.title("What to take from it")
	p.list(
		"The far end is worth something where, and only where, the oldest tasks are the largest: in divide and conquer, and there "+
			all.ratio("D-own", "D-far").decimal(2)+" times here. On a bag it is worth nothing.",
		"It needs owners that work at the other end; those keep the gradient.",
		"It is worth the more, the dearer a steal is, because it makes few steals do.",
		"Its attempts stay within P x T_inf, so on a large job nearly all work runs as if nobody could steal.",
	)
	p.say(`"forkjoin panels -study" shows what this model leaves out: joins, sleeping thieves, and
		what deques and distances cost. "forkjoin panels -json" has every figure.`)
}
