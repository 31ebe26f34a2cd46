package main

import (
	"encoding/csv"
	"fmt"
	"io"

	"github.com/forkjoin-go/forkjoin/sim"
)

// A checker compares figures with bounds.
type checker struct {
	findings       []finding
	passed, failed int
}

// A finding is what came of one check. Is and Bound are costs, as an int64, or
// ratios, as a float64.
type finding struct {
	What   string `json:"what"`
	Is     any    `json:"is"`
	Most   bool   `json:"most"` // Bound is the most that it may be, not the least
	Bound  any    `json:"bound"`
	Passed bool   `json:"passed"`
}

func (k *checker) add(f finding) {
	k.findings = append(k.findings, f)
	if f.Passed {
		k.passed++
	} else {
		k.failed++
	}
}

func (k *checker) atMost(what string, is, most int64) {
	k.add(finding{what, is, true, most, is <= most})
}

func (k *checker) atLeast(what string, is, least float64) {
	k.add(finding{what, is, false, least, is >= least})
}

// write writes the findings. meta is that of the tree.
func (k *checker) write(w io.Writer, format string, meta sim.Meta) error {
	unit := "ns"
	if meta.Declared {
		unit = "units"
	}
	switch format {
	case "json":
		return writeJSON(w, struct {
			Version int       `json:"version"`
			Kind    string    `json:"kind"`
			Unit    string    `json:"unit"`
			Content []finding `json:"content"`
			Passed  int       `json:"passed"`
			Failed  int       `json:"failed"`
		}{sim.Version, "checks", unit, k.findings, k.passed, k.failed})
	case "csv":
		out := csv.NewWriter(w)
		out.Write([]string{"what", "is (" + unit + " or ratio)", "at most", "at least", "passed"})
		for _, f := range k.findings {
			most, least := fmt.Sprint(f.Bound), ""
			if !f.Most {
				most, least = "", most
			}
			out.Write([]string{f.What, fmt.Sprint(f.Is), most, least, fmt.Sprint(f.Passed)})
		}
		out.Flush()
		return out.Error()
	}
	for _, f := range k.findings {
		verdict, relation := "ok    ", "at most"
		if !f.Passed {
			verdict = "FAILED"
		}
		if !f.Most {
			relation = "at least"
		}
		fmt.Fprintf(w, "%s  %s is %s, %s %s\n", verdict, f.What, figure(f.Is, meta), relation, figure(f.Bound, meta))
	}
	_, err := fmt.Fprintf(w, "%d passed, %d failed\n", k.passed, k.failed)
	return err
}

func figure(x any, meta sim.Meta) string {
	if cost, ok := x.(int64); ok {
		return sim.Units(cost, meta)
	}
	return fmt.Sprintf("%.2f", x)
}
