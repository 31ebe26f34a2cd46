package panels

import (
	"fmt"
	"slices"
)

// A statement is a claim that can be worked out from the outcomes of cases.
type statement struct {
	what  string
	cases []string // that must be there
	value func(all outcomes) string
}

// statements are the claims that are made about the panels.
func statements() []statement {
	var list []statement
	add := func(what string, value func(all outcomes) string, cases ...string) {
		list = append(list, statement{what, cases, value})
	}
	perSteal := func(id string) {
		add(id+" moved / steals, 1 place", func(all outcomes) string {
			return fraction{all[id].Moved, all[id].Steals}.decimal(1)
		}, id)
	}
	overFloor := func(id string) {
		add(id+" makespan / floor, 2 places", func(all outcomes) string {
			return fraction{all[id].Makespan, all[id].Floor()}.decimal(2)
		}, id)
	}
	ratio := func(what, a, b string) {
		add(what, func(all outcomes) string { return all.ratio(a, b).decimal(2) }, a, b)
	}

	overFloor("A-none")
	overFloor("A-far")
	perSteal("A-far")
	add("A-far moved as a percent of total work, 0 places", func(all outcomes) string {
		return fraction{100 * all["A-far"].Moved, all["A-far"].Work}.decimal(0)
	}, "A-far")
	add("A-far makespan - B-own makespan", func(all outcomes) string {
		return fmt.Sprint(all["A-far"].Makespan - all["B-own"].Makespan)
	}, "A-far", "B-own")
	agree(add, "C: far and own agree in makespan, steals, failed, moved at steal_cost 1, 2, 4, 8, 16, 32", "C-cost")

	ratio("D-own makespan / D-far makespan, 2 places", "D-own", "D-far")
	perSteal("D-far")
	perSteal("D-own")
	add("D: span T_inf of root 1024, leaf 8", func(all outcomes) string {
		return fmt.Sprint(all["D-far"].Span())
	}, "D-far")
	attempts(add)
	farWins(add)

	for _, cost := range stealCosts {
		id := fmt.Sprintf("E-cost%d", cost)
		ratio(id+": own makespan / far makespan, 2 places", id+"-own", id+"-far")
	}
	perSteal("fifo-far")
	ratio("refund-tree-own makespan / refund-tree-far makespan, 2 places", "refund-tree-own", "refund-tree-far")
	agree(add, "refund-flat: far and own agree in makespan, steals, failed, moved at every steal cost", "refund-flat-cost")
	add("policy-richest-far makespan is below policy-rr-far makespan by, percent, 0 places", func(all outcomes) string {
		rr, richest := all["policy-rr-far"].Makespan, all["policy-richest-far"].Makespan
		return fraction{100 * (rr - richest), rr}.decimal(0)
	}, "policy-rr-far", "policy-richest-far")
	policies := bothEnds("policy-rr", "policy-random", "policy-richest")
	add("far wins under rr, random and richest", func(all outcomes) string {
		return truth(all.each(policies, func(far, own outcome) bool { return far.Makespan < own.Makespan }))
	}, policies...)
	return list
}

// adder takes a claim into the list.
type adder func(what string, value func(all outcomes) string, cases ...string)

// agree claims that the ends make no difference at any steal cost.
func agree(add adder, what, prefix string) {
	var ids []string
	for _, cost := range stealCosts {
		ids = append(ids, bothEnds(fmt.Sprint(prefix, cost))...)
	}
	add(what, func(all outcomes) string {
		return truth(all.each(ids, func(far, own outcome) bool {
			return far.Makespan == own.Makespan && far.Steals == own.Steals &&
				far.Failed == own.Failed && far.Moved == own.Moved
		}))
	}, ids...)
}

// attempts claims how many attempts there are, against P times the span.
func attempts(add adder) {
	var ids, some []string
	for _, p := range workerCounts {
		pair := bothEnds(fmt.Sprintf("D-P%d", p))
		for _, id := range pair {
			add(id+": attempts / (P x T_inf), 3 places", func(all outcomes) string {
				return all[id].attemptRatio().decimal(3)
			}, id)
		}
		ids = append(ids, pair...)
		if p > 2 {
			some = append(some, pair...)
		}
	}
	add("D-P*-far: attempts stay under P x T_inf at every worker count", func(all outcomes) string {
		return truth(all.each(ids, func(far, _ outcome) bool { return !far.attemptRatio().atLeast(1, 1) }))
	}, ids...)
	within := func(_, own outcome) bool {
		r := own.attemptRatio()
		return r.atLeast(16, 10) && !r.above(2, 1)
	}
	add("D-P*-own: attempts run 1.6 to 2 times P x T_inf (the text does not list its worker counts)", func(all outcomes) string {
		return truth(all.each(some, within))
	}, ids...)
	add("D-P*-own: that holds at P = 4, 8, 16, 32 and not at P = 2, where it is 1.1", func(all outcomes) string {
		two := all["D-P2-own"]
		return truth(all.each(some, within) && !within(two, two) && two.attemptRatio().decimal(1) == "1.1")
	}, ids...)
}

// farWins claims by how much the far end wins.
func farWins(add adder) {
	var ids []string
	for _, root := range roots {
		ids = append(ids, bothEnds(fmt.Sprintf("D-root%d", root))...)
	}
	ids = append(ids, bothEnds("D-P4", "D-P8", "D-P16")...)
	add("far wins by more than 1.5 at roots 256..4096 and at P = 4, 8, 16", func(all outcomes) string {
		return truth(all.each(ids, func(far, own outcome) bool {
			return fraction{own.Makespan, far.Makespan}.above(3, 2)
		}))
	}, ids...)
}

// bothEnds returns the names of the cases with both ends.
func bothEnds(ids ...string) (pairs []string) {
	for _, id := range ids {
		pairs = append(pairs, id+"-far", id+"-own")
	}
	return pairs
}

// each says whether a claim holds for all pairs of cases.
func (all outcomes) each(pairs []string, holds func(far, own outcome) bool) bool {
	for pair := range slices.Chunk(pairs, 2) {
		if !holds(all[pair[0]], all[pair[1]]) {
			return false
		}
	}
	return true
}

// ratio returns the makespan of case a over that of case b.
func (all outcomes) ratio(a, b string) fraction {
	return fraction{all[a].Makespan, all[b].Makespan}
}

// Span returns the span of the case's tasks.
func (o outcome) Span() int64 { return o.Config.Span() }

// attemptRatio returns the attempts over the workers times the span.
func (o outcome) attemptRatio() fraction {
	return fraction{o.Attempts(), int64(o.Workers) * o.Span()}
}

func truth(b bool) string { return fmt.Sprint(b) }
