package panels

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"github.com/forkjoin-go/forkjoin/sim/tick"
)

// Format is the name and version of the files that Check reads and WriteJSON
// writes.
const Format = "wsq-panels/1"

// file is such a file: inputs and, for each, what must come of it.
type file struct {
	Format       string       `json:"format"`
	LogColumns   []string     `json:"log_columns"`
	Generators   generators   `json:"generators"`
	Gradient     gradient     `json:"gradient"`
	Distribution distribution `json:"distribution"`
	Claims       []claim      `json:"claims"`
	Cases        []testCase   `json:"cases"`
}

// The words say how the numbers are made; samples are bags by their seed.
type generators struct {
	LCG       string                 `json:"lcg"`
	UnevenBag string                 `json:"uneven_bag"`
	Samples   map[string]([][]int64) `json:"samples"`
}

// A testCase is one run.
type testCase struct {
	ID     string   `json:"id"`
	Panel  string   `json:"panel"`
	Input  input    `json:"input"`
	Expect expect   `json:"expect"`
	Quoted []string `json:"quoted,omitempty"`
	Note   string   `json:"note,omitempty"`
}

type input struct {
	Workers    int       `json:"workers"`
	StealCost  int64     `json:"steal_cost"`
	Leaf       int64     `json:"leaf"`
	StealEnd   string    `json:"steal_end"`
	Victim     string    `json:"victim"`
	VictimSeed *uint32   `json:"victim_seed"`
	Stealing   bool      `json:"stealing"`
	OwnerFIFO  bool      `json:"owner_fifo"`
	Refund     bool      `json:"refund"`
	Tasks      string    `json:"tasks"`
	Deques     [][]int64 `json:"deques"`
}

type expect struct {
	Makespan     int64      `json:"makespan"`
	Steals       int64      `json:"steals"`
	Failed       int64      `json:"failed"`
	Attempts     int64      `json:"attempts"`
	Moved        int64      `json:"moved"`
	AttemptTicks *int64     `json:"attempt_ticks,omitempty"` // none if attempts differ in length
	Overhead     int64      `json:"overhead"`
	TotalWork    int64      `json:"total_work"`
	Floor        int64      `json:"floor"`
	Busy         []int64    `json:"busy_per_worker"`
	Spent        []int64    `json:"overhead_per_worker"`
	Log          [][5]int64 `json:"log"`
	LogComplete  bool       `json:"log_is_complete"`
}

// gradient is what one deque holds while nobody steals.
type gradient struct {
	Input     gradientInput `json:"input"`
	Snapshots []snapshot    `json:"snapshots"`
	Quoted    string        `json:"quoted,omitempty"`
	Note      string        `json:"note,omitempty"`
}

type gradientInput struct {
	Workers  int       `json:"workers"`
	Leaf     int64     `json:"leaf"`
	Stealing bool      `json:"stealing"`
	Tasks    string    `json:"tasks"`
	Deques   [][]int64 `json:"deques"`
}

type snapshot struct {
	Clock  int64     `json:"clock"`
	Deque  []int64   `json:"deque"`
	InHand *[2]int64 `json:"in_hand"` // size, ticks left
}

// distribution is the makespans of many bags.
type distribution struct {
	Input  distributionInput  `json:"input"`
	Far    []int64            `json:"far"`
	Own    []int64            `json:"own"`
	Expect distributionExpect `json:"expect"`
	Quoted []string           `json:"quoted,omitempty"`
}

type distributionInput struct {
	Seeds     [2]uint32 `json:"seeds"` // the first and the last
	Workers   int       `json:"workers"`
	StealCost int64     `json:"steal_cost"`
	Victim    string    `json:"victim"`
	Generator string    `json:"generator"`
}

type distributionExpect struct {
	Difference json.Number `json:"mean_own_minus_far"`
	OwnBetter  int         `json:"own_better"`
	FarBetter  int         `json:"far_better"`
	Ties       int         `json:"ties"`
	Deviation  json.Number `json:"population_std"`
	MeanFar    json.Number `json:"mean_far"`
	MeanOwn    json.Number `json:"mean_own"`
}

// A claim is a sentence about the cases that is true, or has a value.
type claim struct {
	What   string          `json:"what"`
	Value  json.RawMessage `json:"value"`
	Quoted bool            `json:"quoted,omitempty"`
}

// read reads a file. A field that this package does not know is an error: it
// would go unchecked.
func read(r io.Reader) (*file, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	var f file
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&f); err != nil {
		return nil, fmt.Errorf("forkjoin: not a file of format %s: %w", Format, err)
	}
	if f.Format != Format {
		return nil, fmt.Errorf("forkjoin: the file's format is %q, want %q", f.Format, Format)
	}
	return &f, nil
}

// The names of rules in files.
var (
	ends    = []string{tick.Far: "far", tick.Own: "own"}
	victims = []string{tick.RoundRobin: "rr", tick.Random: "random", tick.Richest: "richest"}
)

// lookUp returns the position of name among names.
func lookUp(field, name string, names []string) (int, error) {
	for i, n := range names {
		if n == name {
			return i, nil
		}
	}
	return 0, fmt.Errorf("%s is %q, want one of %q", field, name, names)
}

// config translates an input.
func (in *input) config() (tick.Config, error) {
	end, err := lookUp("steal_end", in.StealEnd, ends)
	if err != nil {
		return tick.Config{}, err
	}
	victim, err := lookUp("victim", in.Victim, victims)
	if err != nil {
		return tick.Config{}, err
	}
	divisible, err := lookUp("tasks", in.Tasks, []string{"whole", "divisible"})
	if err != nil {
		return tick.Config{}, err
	}
	c := tick.Config{
		Workers:    in.Workers,
		Deques:     in.Deques,
		Divisible:  divisible == 1,
		Leaf:       in.Leaf,
		StealCost:  in.StealCost,
		StealEnd:   tick.End(end),
		Victims:    tick.Victims(victim),
		NoStealing: !in.Stealing,
		OwnerFIFO:  in.OwnerFIFO,
		Refund:     in.Refund,
		Log:        -1,
	}
	if in.VictimSeed != nil {
		c.Seed = *in.VictimSeed
	}
	return c, in.tooLarge()
}

// maxTasks is how many tasks the trees of one run in a file may have.
const maxTasks = 1 << 22

// tooLarge refuses runs that would take very long.
func (in *input) tooLarge() error {
	if in.Tasks == "whole" || in.Leaf < 1 {
		return nil
	}
	var tasks int64
	for _, sizes := range in.Deques {
		for _, size := range sizes {
			if tasks += max(0, size/in.Leaf); tasks > maxTasks {
				return fmt.Errorf("trees of more than %d leaves", maxTasks)
			}
		}
	}
	return nil
}

// inputOf is the inverse of config.
func inputOf(c tick.Config) input {
	in := input{
		Workers:   c.Workers,
		StealCost: c.StealCost,
		Leaf:      c.Leaf,
		StealEnd:  ends[c.StealEnd],
		Victim:    victims[c.Victims],
		Stealing:  !c.NoStealing,
		OwnerFIFO: c.OwnerFIFO,
		Refund:    c.Refund,
		Tasks:     "whole",
		Deques:    make([][]int64, c.Workers),
	}
	if c.Victims == tick.Random {
		in.VictimSeed = &c.Seed
	}
	if c.Divisible {
		in.Tasks = "divisible"
	}
	for i := range in.Deques {
		in.Deques[i] = []int64{}
		if i < len(c.Deques) {
			in.Deques[i] = append(in.Deques[i], c.Deques[i]...)
		}
	}
	return in
}

// expectOf writes a result as files have it.
func expectOf(c tick.Config, r *tick.Result) expect {
	e := expect{
		Makespan:    r.Makespan,
		Steals:      r.Steals,
		Failed:      r.Failed,
		Attempts:    r.Attempts(),
		Moved:       r.Moved,
		Overhead:    r.Overhead,
		TotalWork:   r.Work,
		Floor:       r.Floor(),
		Busy:        r.Busy,
		Spent:       r.Spent,
		Log:         [][5]int64{},
		LogComplete: true,
	}
	if !c.Refund {
		ticks := r.Attempts() * c.StealCost
		e.AttemptTicks = &ticks
	}
	for _, s := range r.Log {
		e.Log = append(e.Log, [5]int64{s.Tick, int64(s.Victim), int64(s.Thief), s.Size, s.Subtree})
	}
	return e
}
