package panels

import (
	"fmt"

	"github.com/forkjoin-go/forkjoin/sim/internal/lcg"
	"github.com/forkjoin-go/forkjoin/sim/tick"
)

// The sizes of the panels.
const (
	bagWorkers  = 4
	treeWorkers = 8
	root        = 1024
	leaf        = 8
	stealCost   = 8
	bagSeed     = 7
	bagHeld     = 24 // tasks of the bag that worker 0 has, of 27
)

var (
	stealCosts   = []int64{1, 2, 4, 8, 16, 32}
	workerCounts = []int{2, 4, 8, 16, 32}
	roots        = []int64{256, 512, 1024, 2048, 4096}
)

// unevenBag draws the tasks of a bag: 24 for worker 0, and one for each of the
// other three.
func unevenBag(seed uint32) [][]int64 {
	r := lcg.Rand(seed)
	bag := make([][]int64, bagWorkers)
	for i := range bagHeld + bagWorkers - 1 {
		w := max(0, i-bagHeld+1)
		bag[w] = append(bag[w], 20+int64(r.Next()%181))
	}
	return bag
}

// deal gives the tasks of a bag to the workers in turn.
func deal(bag [][]int64) [][]int64 {
	dealt := make([][]int64, len(bag))
	i := 0
	for _, sizes := range bag {
		for _, size := range sizes {
			dealt[i%len(bag)] = append(dealt[i%len(bag)], size)
			i++
		}
	}
	return dealt
}

// aBag is the configuration of panels A and B.
func aBag(deques [][]int64) tick.Config {
	return tick.Config{Workers: bagWorkers, Deques: deques, Leaf: leaf, StealCost: stealCost, Log: -1}
}

// aTree is that of panels D and E.
func aTree(workers int, root int64) tick.Config {
	return tick.Config{
		Workers: workers, Deques: [][]int64{{root}}, Divisible: true, Leaf: leaf,
		StealCost: stealCost, Log: -1,
	}
}

// aFlatBag is that of panel C: the leaves of the tree, without the tree.
func aFlatBag() tick.Config {
	c := aTree(treeWorkers, root)
	c.Divisible = false
	c.Deques = [][]int64{nil}
	for range root / leaf {
		c.Deques[0] = append(c.Deques[0], leaf)
	}
	return c
}

// A named is a configuration with its name and the name of its panel.
type named struct {
	id, panel string
	tick.Config
}

// allCases lists the cases of all panels.
func allCases() []named {
	var list []named
	add := func(id, panel string, c tick.Config, change ...func(*tick.Config)) {
		for _, f := range change {
			f(&c)
		}
		list = append(list, named{id, panel, c})
	}
	both := func(id, panel string, c tick.Config) {
		add(id+"-far", panel, c)
		add(id+"-own", panel, c, own)
	}
	bag, flat, tree := aBag(unevenBag(bagSeed)), aFlatBag(), aTree(treeWorkers, root)

	add("A-none", "A", bag, none)
	add("A-far", "A", bag)
	add("B-own", "B", bag, own)
	for _, cost := range stealCosts {
		both(fmt.Sprintf("C-cost%d", cost), "C", costing(flat, cost))
	}
	both("D", "D", tree)
	for _, p := range workerCounts {
		both(fmt.Sprintf("D-P%d", p), "D workers", aTree(p, root))
	}
	for _, root := range roots {
		both(fmt.Sprintf("D-root%d", root), "D roots", aTree(treeWorkers, root))
	}
	for _, cost := range stealCosts {
		both(fmt.Sprintf("E-cost%d", cost), "E", costing(tree, cost))
	}

	dealt := aBag(deal(unevenBag(bagSeed)))
	add("deal-none", "round-robin deal", dealt, none)
	both("deal", "round-robin deal", dealt)
	fifo := tree
	fifo.OwnerFIFO = true
	both("fifo", "owner FIFO", fifo)
	for _, change := range []func(*tick.Config){refund, refundOwn} {
		end := ends[changed(tree, change).StealEnd]
		add("refund-bag-"+end, "refund", bag, change)
		for _, cost := range stealCosts {
			add(fmt.Sprintf("refund-flat-cost%d-%s", cost, end), "refund", costing(flat, cost), change)
		}
		add("refund-tree-"+end, "refund", tree, change)
	}
	for _, v := range []tick.Victims{tick.RoundRobin, tick.Random, tick.Richest} {
		c := tree
		if c.Victims = v; v == tick.Random {
			c.Seed = 1
		}
		both("policy-"+victims[v], "victim policies", c)
	}
	return list
}

// Changes to a configuration.
func none(c *tick.Config)      { c.NoStealing = true }
func own(c *tick.Config)       { c.StealEnd = tick.Own }
func refund(c *tick.Config)    { c.Refund = true }
func refundOwn(c *tick.Config) { c.Refund, c.StealEnd = true, tick.Own }

func changed(c tick.Config, change func(*tick.Config)) tick.Config {
	change(&c)
	return c
}

func costing(c tick.Config, cost int64) tick.Config {
	c.StealCost = cost
	return c
}

// An outcome is a case that has been run.
type outcome struct {
	named
	*tick.Result
}

// outcomes are cases by their names.
type outcomes map[string]outcome

// runAll runs the cases of all panels.
func runAll() (outcomes, error) {
	all := outcomes{}
	for _, n := range allCases() {
		r, err := tick.Run(n.Config)
		if err != nil {
			return nil, fmt.Errorf("case %s: %w", n.id, err)
		}
		all[n.id] = outcome{n, r}
	}
	return all, nil
}
