package panels

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/forkjoin-go/forkjoin/sim/tick"
)

// StudyFormat is the name and version of what WriteStudyJSON writes.
const StudyFormat = "forkjoin-panels-study/1"

// Study shows what the rules change that the panels leave out, each by itself
// and some together: on the panels, and on the mean of many bags and trees.
func Study(w io.Writer) error {
	parts, err := studied()
	if err != nil {
		return err
	}
	p := newPage(w)
	fmt.Fprintln(p.w, "What the panels leave out")
	fmt.Fprintln(p.w, "=========================")
	p.say(`Each rule is added to the model of the panels by itself, and at the end some together. The first table of each
		part has the makespans of panels A to D: the bag with thieves at the far end (A) and at
		the own end (B), the equal tasks (C, at a steal cost of %d), and the tree (D) with both.
		One run of so small a system is partly luck, so the second table has means over the
		%d bags of panel B, and over %d trees of sizes %d to %d on %d workers.`,
		stealCost, bagRuns, treeRuns, root, root+treeRuns-1, treeWorkers)
	for _, part := range parts {
		p.title(part.Title)
		p.say("%s", part.Rule)
		p.table(part.panelTable())
		p.table(part.meanTable())
		p.say("%s", part.Reading)
	}
	return p.flush()
}

// WriteStudyJSON writes the same for machines.
func WriteStudyJSON(w io.Writer) error {
	parts, err := studied()
	if err != nil {
		return err
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(struct {
		Format string        `json:"format"`
		Parts  []studiedPart `json:"parts"`
	}{StudyFormat, parts})
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// How many runs the means are over.
const (
	bagRuns  = 500
	treeRuns = 200
)

// A part of the study is a rule with its variants.
type part struct {
	title, rule, reading string
	variants             []variant
	figures              []figure // besides the makespans
}

type variant struct {
	name       string
	change     func(c *tick.Config)
	farEndOnly bool // the rule does not go with thieves at the own end
}

// A figure is told of the trees: its mean, or its largest value.
type figure struct {
	name    string
	of      func(r *tick.Result) int64
	largest bool
}

// pair is a figure with thieves at the far and at the own end. One that there is
// not is below 0.
type pair struct {
	Far mean `json:"far"`
	Own mean `json:"own"`
}

// mean is a mean that was rounded, or the largest of some numbers.
type mean int64

const notThere mean = -1

func (m mean) String() string {
	if m == notThere {
		return "-"
	}
	return fmt.Sprint(int64(m))
}

func (m mean) MarshalJSON() ([]byte, error) {
	if m == notThere {
		return []byte("null"), nil
	}
	return json.Marshal(int64(m))
}

// studiedPart is a part that has been run.
type studiedPart struct {
	Title    string           `json:"title"`
	Rule     string           `json:"rule"`
	Reading  string           `json:"reading"`
	Variants []studiedVariant `json:"variants"`
}

type studiedVariant struct {
	Name    string          `json:"name"`
	PanelAB pair            `json:"panel_a_b"`
	PanelC  mean            `json:"panel_c"`
	PanelD  pair            `json:"panel_d"`
	Bags    pair            `json:"mean_bags"`
	Trees   pair            `json:"mean_trees"`
	Figures []studiedFigure `json:"figures"`
}

type studiedFigure struct {
	Name string `json:"name"`
	pair
}

// studied runs the study, once.
var studied = sync.OnceValues(runStudy)

func runStudy() ([]studiedPart, error) {
	var list []studiedPart
	for _, p := range studyParts {
		done := studiedPart{Title: p.title, Rule: oneLine(p.rule), Reading: oneLine(p.reading)}
		for _, v := range p.variants {
			r, err := v.run(p.figures)
			if err != nil {
				return nil, fmt.Errorf("%s, %s: %w", p.title, v.name, err)
			}
			done.Variants = append(done.Variants, r)
		}
		list = append(list, done)
	}
	return list, nil
}

// run runs a variant on everything, with both ends.
func (v *variant) run(figures []figure) (studiedVariant, error) {
	var bags, trees []tick.Config
	for i := range bagRuns {
		bags = append(bags, aBag(unevenBag(uint32(i+1))))
	}
	for i := range treeRuns {
		trees = append(trees, aTree(treeWorkers, root+int64(i)))
	}
	s := studiedVariant{Name: v.name}
	panelC := pair{notThere, notThere}
	for _, f := range figures {
		s.Figures = append(s.Figures, studiedFigure{Name: f.name})
	}
	for _, set := range []struct {
		configs []tick.Config
		to      *pair
		figures []figure
	}{
		{[]tick.Config{aBag(unevenBag(bagSeed))}, &s.PanelAB, nil},
		{[]tick.Config{aFlatBag()}, &panelC, nil},
		{[]tick.Config{aTree(treeWorkers, root)}, &s.PanelD, nil},
		{bags, &s.Bags, nil},
		{trees, &s.Trees, figures},
	} {
		far, err := v.means(set.configs, tick.Far, set.figures)
		if err != nil {
			return s, err
		}
		own, err := v.means(set.configs, tick.Own, set.figures)
		if err != nil {
			return s, err
		}
		*set.to = pair{far[0], own[0]}
		for i := range set.figures {
			s.Figures[i].pair = pair{far[i+1], own[i+1]}
		}
	}
	s.PanelC = panelC.Far // the ends make no difference
	return s, nil
}

// means runs configurations with the variant's change. It returns their mean
// makespan and the figures.
func (v *variant) means(configs []tick.Config, end tick.End, figures []figure) ([]mean, error) {
	means := make([]mean, 1+len(figures))
	if end == tick.Own && v.farEndOnly {
		for i := range means {
			means[i] = notThere
		}
		return means, nil
	}
	var makespans int64
	sums := make([]int64, len(figures))
	for _, c := range configs {
		c.StealEnd, c.Log = end, 0
		if v.change != nil {
			v.change(&c)
		}
		r, err := tick.Run(c)
		if err != nil {
			return nil, err
		}
		makespans += r.Makespan
		for i, f := range figures {
			if n := f.of(r); f.largest {
				sums[i] = max(sums[i], n)
			} else {
				sums[i] += n
			}
		}
	}
	n := int64(len(configs))
	means[0] = mean((makespans + n/2) / n)
	for i, f := range figures {
		if means[i+1] = mean(sums[i]); !f.largest {
			means[i+1] = mean((sums[i] + n/2) / n)
		}
	}
	return means, nil
}

func (p *studiedPart) panelTable() [][]string {
	rows := [][]string{row("in the panels", "A far", "B own", "C", "D far", "D own", "D own / far")}
	for _, v := range p.Variants {
		rows = append(rows, row(v.Name, v.PanelAB.Far, v.PanelAB.Own, v.PanelC, v.PanelD.Far, v.PanelD.Own, v.PanelD.ratio()))
	}
	return rows
}

func (p *studiedPart) meanTable() [][]string {
	groups, head := row("", "bags", "", "trees", "", ""), row("on average", "far", "own", "far", "own", "own / far")
	for _, f := range p.Variants[0].Figures {
		groups = append(groups, f.Name, "")
		head = append(head, "far", "own")
	}
	rows := [][]string{groups, head}
	for _, v := range p.Variants {
		r := row(v.Name, v.Bags.Far, v.Bags.Own, v.Trees.Far, v.Trees.Own, v.Trees.ratio())
		for _, f := range v.Figures {
			r = append(r, f.Far.String(), f.Own.String())
		}
		rows = append(rows, r)
	}
	return rows
}

// ratio returns own over far.
func (p pair) ratio() string {
	if p.Far == notThere || p.Own == notThere {
		return "-"
	}
	return fraction{int64(p.Own), int64(p.Far)}.decimal(2)
}
