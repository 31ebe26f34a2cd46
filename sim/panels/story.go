package panels

import (
	"fmt"
	"io"
)

// Story tells the five panels to somebody who has never seen them, with their
// exhibits and what would happen if the rules were others, in lines of at most
// 80 columns.
func Story(w io.Writer) error {
	all, err := runAll()
	if err != nil {
		return err
	}
	bags, err := distribute(ourBags)
	if err != nil {
		return err
	}
	grad, err := ourGradient()
	if err != nil {
		return err
	}
	p := newPage(w)
	introduction(p)
	panelA(p, all)
	panelB(p, all, bags)
	panelC(p, all)
	panelD(p, all)
	attemptBound(p, all)
	exhibitGradient(p, grad)
	exhibitSteals(p, all)
	panelE(p, all)
	ownerFIFO(p, all)
	refunds(p, all)
	victimPolicies(p, all)
	roundRobinDeal(p, all)
	conclusion(p, all)
	return p.flush()
}

func introduction(p page) {
	fmt.Fprintln(p.w, "Which end of the deque? Work stealing in five panels")
	fmt.Fprintln(p.w, "====================================================")
	p.say(`Several workers share out tasks. Each of them has a deque, a queue with two
		ends. It puts new tasks on one end, its own, and takes its next task from there;
		so the oldest task is at the other end, the far end. A worker that has run out
		of tasks is a thief: it takes one from somebody else's deque. Nearly all
		schedulers make it take from the far end. What is that worth, and when?`)
	p.say(`The simulation counts ticks. A task of size n takes n ticks; or, where it says
		"tree", one of size above %d takes a single tick and leaves two tasks of half its
		size. Unless it says otherwise an attempt to steal takes %d ticks, whether it finds something
		or not; at its end the thief asks one other worker, and the next one at its
		next attempt. A stolen task is begun in the tick after. Everything is
		an integer, so every figure can be checked by hand.`, leaf, stealCost)
	p.list(
		"makespan: the ticks until all is done.",
		"floor: all work over the number of workers, rounded up: no schedule can be shorter.",
		"failed: attempts that met an empty deque.",
		"moved: the work in the tasks that were stolen, with all that comes of them; and per steal.",
	)
}

func panelA(p page, all outcomes) {
	alone, far := all["A-none"], all["A-far"]
	p.title("Panel A: a bag of uneven tasks")
	p.say(`%d workers, and a bag of %d tasks of 20 to 200 ticks each, %d ticks in all. Worker 0
		has %d of them, the others one each.`, far.Workers, len(flatten(far.Deques)), far.Work, len(far.Deques[0]))
	p.table([][]string{
		row("", "makespan", "/ floor", "steals", "failed", "moved", "per steal"),
		overFloor("no stealing", alone),
		overFloor("thieves at the far end", far),
	})
	p.say(`Without stealing worker 0 does nearly everything, at %s times the floor of %d.
		With it %d steals bring that down to %s. They move %s ticks of work each, in all %s %%
		of the work: in a bag a steal moves one task, and it takes many of them. The
		%d attempts cost %d ticks, because the two others that a thief asks in turn have as little as
		it has, and at the end nobody has anything.`,
		fraction{alone.Makespan, alone.Floor()}.decimal(2), alone.Floor(), far.Steals,
		fraction{far.Makespan, far.Floor()}.decimal(2), fraction{far.Moved, far.Steals}.decimal(1),
		fraction{100 * far.Moved, far.Work}.decimal(0), far.Attempts(), far.Attempts()*far.StealCost)
}

// overFloor is a row that sets the makespan against the floor.
func overFloor(name string, o outcome) []string {
	perSteal := "-"
	if o.Steals > 0 {
		perSteal = fraction{o.Moved, o.Steals}.decimal(1)
	}
	return row(name, o.Makespan, fraction{o.Makespan, o.Floor()}.decimal(2), o.Steals, o.Failed, o.Moved, perSteal)
}

func panelB(p page, all outcomes, bags *distribution) {
	far, own := all["A-far"], all["B-own"]
	p.title("Panel B: the same bag, thieves at the other end")
	p.table([][]string{
		row("", "makespan", "/ floor", "steals", "failed", "moved", "per steal"),
		overFloor("far end (A)", far),
		overFloor("own end", own),
	})
	p.say(`The rule that everybody follows loses by %d ticks. That means nothing either: here are
		%d other bags, drawn in the same way.`, far.Makespan-own.Makespan, len(bags.Far))
	e := bags.Expect
	p.table([][]string{
		row("bags in which the own end is faster", e.OwnBetter),
		row("bags in which the far end is faster", e.FarBetter),
		row("ties", e.Ties),
		row("mean makespan, far end", e.MeanFar),
		row("mean makespan, own end", e.MeanOwn),
		row("mean difference, own - far", e.Difference),
		row("its standard deviation", e.Deviation),
	})
	p.say(`On a bag the far-end rule is worth nothing: where a task lies says nothing about
		how much work it is, so either end is a draw from the same urn. What difference the mean shows
		is %s %% of the makespan, and not in favour of the rule.`,
		fraction{100 * (sum(bags.Far) - sum(bags.Own)), sum(bags.Far)}.decimal(1))
}

func sum(list []int64) (total int64) {
	for _, n := range list {
		total += n
	}
	return total
}

func panelC(p page, all outcomes) {
	p.title("Panel C: the control")
	one := all["C-cost8-far"]
	p.say(`%d workers, %d tasks of %d ticks each, all of them on worker 0. If every task is equal the
		two ends must be interchangeable. They are, in every figure, whatever a steal costs:`,
		one.Workers, len(one.Deques[0]), leaf)
	rows := [][]string{row("steal cost", "far", "own", "steals", "", "failed", "", "moved", "")}
	for _, cost := range stealCosts {
		far, own := all[fmt.Sprintf("C-cost%d-far", cost)], all[fmt.Sprintf("C-cost%d-own", cost)]
		rows = append(rows, row(fmt.Sprintf("%2d", cost), far.Makespan, own.Makespan, far.Steals, own.Steals,
			far.Failed, own.Failed, far.Moved, own.Moved))
	}
	p.table(rows)
	p.say(`(Makespan, steals, failed attempts and moved work, each with the far and then with
		the own end.) So whatever difference the next panels show comes from the sizes of
		the tasks, and from nothing else in the simulation.`)
}

func roundRobinDeal(p page, all outcomes) {
	alone, far, own := all["deal-none"], all["deal-far"], all["deal-own"]
	p.title("What if the bag had been dealt out evenly?")
	p.say(`The bag of panel A again, its tasks dealt to the workers in turn instead of nearly all to one:`)
	p.table([][]string{
		row("", "makespan", "/ floor", "steals", "failed", "moved", "per steal"),
		overFloor("no stealing", alone),
		overFloor("far end", far),
		overFloor("own end", own),
	})
	p.say(`Dealing alone does better (%d) than stealing did from the heap (%d). Stealing has only
		the last %d ticks to gain, with %d steals, and by then the deques that are robbed hold one task, which is
		at both of their ends. Where the work is known beforehand, deal it; stealing
		is for what nobody knew.`, alone.Makespan, all["A-far"].Makespan, alone.Makespan-far.Makespan, far.Steals)
}

func flatten(deques [][]int64) (sizes []int64) {
	for _, d := range deques {
		sizes = append(sizes, d...)
	}
	return sizes
}
