package panels

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
)

// WriteJSON writes all runs, exhibits and claims as a file of format [Format],
// which Check accepts. One line has one run.
func WriteJSON(w io.Writer) error {
	all, err := runAll()
	if err != nil {
		return err
	}
	grad, err := ourGradient()
	if err != nil {
		return err
	}
	bags, err := distribute(ourBags)
	if err != nil {
		return err
	}
	samples := map[string][][]int64{}
	for _, seed := range []uint32{1, bagSeed, 500} {
		samples[fmt.Sprint(seed)] = unevenBag(seed)
	}
	b := &jsonWriter{Writer: bufio.NewWriter(w)}
	b.field("{", "format", Format)
	b.field(",", "log_columns", []string{"tick", "victim", "thief", "size", "subtree"})
	b.field(",", "generators", generators{
		LCG:       "state = (state * 1103515245 + 12345) mod 2^31; output = state div 2^16; starts as the seed, advanced before each output",
		UnevenBag: "27 draws, each 20 + output mod 181: 24 for worker 0, far end first, and one each for workers 1, 2, 3",
		Samples:   samples,
	})
	b.field(",", "gradient", grad)
	b.field(",", "distribution", bags)
	var claims, cases []any
	for _, s := range statements() {
		claims = append(claims, claim{What: s.what, Value: raw(s.value(all))})
	}
	for _, n := range allCases() {
		cases = append(cases, testCase{
			ID: n.id, Panel: n.panel, Input: inputOf(n.Config), Expect: expectOf(n.Config, all[n.id].Result),
		})
	}
	b.list(",", "claims", claims)
	b.list(",", "cases", cases)
	b.text("\n}\n")
	if b.err != nil {
		return b.err
	}
	return b.Flush()
}

// jsonWriter writes an object with a line for each field, or for each element of
// some. It keeps the first error.
type jsonWriter struct {
	*bufio.Writer
	err error
}

func (b *jsonWriter) text(s string) { b.WriteString(s) } // Flush reports its errors

func (b *jsonWriter) value(v any) {
	data, err := json.Marshal(v)
	if b.err == nil {
		b.err = err
	}
	b.Write(data)
}

func (b *jsonWriter) field(before, name string, v any) {
	b.text(before + "\n  \"" + name + "\": ")
	b.value(v)
}

func (b *jsonWriter) list(before, name string, elements []any) {
	b.text(before + "\n  \"" + name + "\": [")
	for i, v := range elements {
		if i > 0 {
			b.text(",")
		}
		b.text("\n    ")
		b.value(v)
	}
	b.text("\n  ]")
}
