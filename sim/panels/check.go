package panels

import (
	"bufio"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"github.com/forkjoin-go/forkjoin/sim/tick"
)

// Check reads a file of format [Format], simulates what it describes, and
// compares every figure in it with what came out. It writes what differs, and at
// the end a line "N passed, M failed". A run, a sample of a generator, the
// gradient, each list and the summary of the distribution, and a claim count as
// one each. The error says that the file could not be read, or w not written to.
func Check(r io.Reader, w io.Writer) (passed, failed int, err error) {
	f, err := read(r)
	if err != nil {
		return 0, 0, err
	}
	c := checker{w: bufio.NewWriter(w)}
	all := c.cases(f.Cases)
	c.section("runs")
	c.generators(&f.Generators)
	c.section("samples of the generator")
	c.gradient(&f.Gradient)
	c.section("gradient")
	c.distribution(&f.Distribution)
	c.section("distribution")
	c.claims(f.Claims, all)
	c.section("claims")
	fmt.Fprintf(c.w, "%d passed, %d failed\n", c.passed, c.failed)
	return c.passed, c.failed, c.w.Flush()
}

type checker struct {
	w              *bufio.Writer
	passed, failed int
	counted        int // at the end of the section before
}

// result counts one thing that passed unless something is wrong with it.
func (c *checker) result(name string, wrong []string) {
	if len(wrong) == 0 {
		c.passed++
		return
	}
	c.failed++
	for _, what := range wrong {
		fmt.Fprintf(c.w, "FAIL %s: %s\n", name, what)
	}
}

func (c *checker) section(name string) {
	n := c.passed + c.failed
	fmt.Fprintf(c.w, "%-26s %4d compared\n", name, n-c.counted)
	c.counted = n
}

func (c *checker) cases(cases []testCase) outcomes {
	all := outcomes{}
	for i := range cases {
		t := &cases[i]
		config, err := t.Input.config()
		if err == nil && all[t.ID].Result != nil {
			err = fmt.Errorf("the file has two cases of this name")
		}
		var r *tick.Result
		if err == nil {
			r, err = tick.Run(config)
		}
		if err != nil {
			c.result("case "+t.ID, []string{err.Error()})
			continue
		}
		all[t.ID] = outcome{named{t.ID, t.Panel, config}, r}
		got := expectOf(config, r)
		if !t.Expect.LogComplete {
			// The file has the first rows.
			got.Log = got.Log[:min(len(got.Log), len(t.Expect.Log))]
			got.LogComplete = false
		}
		c.result("case "+t.ID, differences(got, t.Expect))
	}
	return all
}

func (c *checker) generators(g *generators) {
	for _, name := range sortedKeys(g.Samples) {
		var seed uint32
		if _, err := fmt.Sscan(name, &seed); err != nil {
			c.result("sample "+name, []string{"its name is not a seed"})
			continue
		}
		c.result("sample "+name, differences(unevenBag(seed), g.Samples[name]))
	}
}

func (c *checker) gradient(g *gradient) {
	var clocks []int64
	for _, s := range g.Snapshots {
		clocks = append(clocks, s.Clock)
	}
	got, err := snapshots(g.Input, clocks)
	if err != nil {
		c.result("gradient", []string{err.Error()})
		return
	}
	c.result("gradient", differences(got, g.Snapshots))
}

func (c *checker) distribution(d *distribution) {
	got, err := distribute(d.Input)
	if err != nil {
		c.result("distribution", []string{err.Error()})
		return
	}
	c.result("distribution, far", differences(got.Far, d.Far))
	c.result("distribution, own", differences(got.Own, d.Own))
	c.result("distribution, summary", differences(got.Expect, d.Expect))
}

func (c *checker) claims(claims []claim, all outcomes) {
	known := map[string]statement{}
	for _, s := range statements() {
		known[s.what] = s
	}
	for _, cl := range claims {
		name := fmt.Sprintf("claim %q", cl.What)
		s, ok := known[cl.What]
		if !ok {
			c.result(name, []string{"not one that this program can work out"})
			continue
		}
		if i := slices.IndexFunc(s.cases, func(id string) bool { return all[id].Result == nil }); i >= 0 {
			c.result(name, []string{"it needs case " + s.cases[i]})
			continue
		}
		if got := s.value(all); !sameNumber(string(cl.Value), got) {
			c.result(name, []string{fmt.Sprintf("the simulation says %s, the file %s", got, cl.Value)})
			continue
		}
		c.result(name, nil)
	}
}

// differences says what differs, field by field and row by row.
func differences(got, want any) []string {
	return compare("", reflect.ValueOf(got), reflect.ValueOf(want))
}

func compare(path string, got, want reflect.Value) (wrong []string) {
	switch got.Kind() {
	case reflect.Struct:
		for i := range got.NumField() {
			field, _, _ := strings.Cut(got.Type().Field(i).Tag.Get("json"), ",")
			wrong = append(wrong, compare(strings.TrimPrefix(path+"."+field, "."), got.Field(i), want.Field(i))...)
		}
		return wrong
	case reflect.Slice:
		if got.Len() != want.Len() {
			return []string{fmt.Sprintf("%sthe simulation has %d rows, the file %d", label(path), got.Len(), want.Len())}
		}
		for i := range got.Len() {
			wrong = append(wrong, compare(fmt.Sprintf("%s[%d]", path, i), got.Index(i), want.Index(i))...)
		}
		return wrong
	case reflect.Pointer:
		if got.IsNil() == want.IsNil() {
			if got.IsNil() {
				return nil
			}
			return compare(path, got.Elem(), want.Elem())
		}
		return []string{fmt.Sprintf("%sthe simulation says %s, the file %s", label(path), shown(got), shown(want))}
	}
	if got.Kind() == reflect.String && sameNumber(want.String(), got.String()) || got.Equal(want) {
		return nil
	}
	return []string{fmt.Sprintf("%sthe simulation says %v, the file %v", label(path), got, want)}
}

func label(path string) string {
	if path == "" {
		return ""
	}
	return path + ": "
}

func shown(p reflect.Value) string {
	if p.IsNil() {
		return "nothing"
	}
	return fmt.Sprint(p.Elem())
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
