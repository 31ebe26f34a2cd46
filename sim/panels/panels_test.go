package panels

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

func golden(t testing.TB) []byte {
	t.Helper()
	data, err := os.ReadFile("../testdata/wsq-panels.json")
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestGolden compares every figure of the golden file with the simulation.
func TestGolden(t *testing.T) {
	var out strings.Builder
	passed, failed, err := Check(bytes.NewReader(golden(t)), &out)
	if err != nil || failed != 0 {
		t.Fatalf("%v\n%s", err, &out)
	}
	var f struct {
		Cases, Claims []any
		Generators    struct{ Samples map[string]any }
	}
	if err := json.Unmarshal(golden(t), &f); err != nil {
		t.Fatal(err)
	}
	// The gradient is one, the distribution three.
	want := len(f.Cases) + len(f.Claims) + len(f.Generators.Samples) + 1 + 3
	if len(f.Cases) != 76 || len(f.Claims) != 35 || passed != want {
		t.Errorf("%d passed, want %d with %d cases", passed, want, len(f.Cases))
	}
	if want := fmt.Sprintf("\n%d passed, 0 failed\n", passed); !strings.HasSuffix(out.String(), want) {
		t.Errorf("printed %s", &out)
	}
}

// Our own cases are those of the file, one by one.
func TestCasesAreThoseOfTheFile(t *testing.T) {
	f, err := read(bytes.NewReader(golden(t)))
	if err != nil {
		t.Fatal(err)
	}
	ours := allCases()
	if len(ours) != len(f.Cases) {
		t.Fatalf("%d cases, the file has %d", len(ours), len(f.Cases))
	}
	for i, n := range ours {
		want := f.Cases[i]
		if n.id != want.ID || n.panel != want.Panel || !reflect.DeepEqual(inputOf(n.Config), want.Input) {
			t.Errorf("case %d is %s, panel %s:\n got %+v\nwant %s, panel %s:\n%+v", i, n.id, n.panel,
				inputOf(n.Config), want.ID, want.Panel, want.Input)
		}
	}
	list := statements()
	if len(list) != len(f.Claims) {
		t.Fatalf("%d claims, the file has %d", len(list), len(f.Claims))
	}
	for i, s := range list {
		if s.what != f.Claims[i].What {
			t.Errorf("claim %d is %q, want %q", i, s.what, f.Claims[i].What)
		}
	}
}

// What WriteJSON writes has everything that the golden file has, and passes.
func TestWriteJSON(t *testing.T) {
	data := written(t, WriteJSON)
	var out strings.Builder
	passed, failed, err := Check(strings.NewReader(data), &out)
	if err != nil || failed != 0 {
		t.Fatalf("%v\n%s", err, &out)
	}
	if want, _, _ := Check(bytes.NewReader(golden(t)), io.Discard); passed != want {
		t.Errorf("%d passed, %d of the golden file", passed, want)
	}
	if !json.Valid([]byte(written(t, WriteStudyJSON))) {
		t.Error("the study is not JSON")
	}
}

// A figure of the golden file that is changed is found.
func TestCheckFindsFaults(t *testing.T) {
	data := golden(t)
	inputs := regexp.MustCompile(`"input": *\{[^}]*\}`).FindAllIndex(data, -1)
	given := func(at int) bool { // not a result
		for _, in := range inputs {
			if in[0] <= at && at < in[1] {
				return true
			}
		}
		return false
	}
	numbers := regexp.MustCompile(`[:,\[]\s*(-?\d[\d.]*|true|false)\b`).FindAllSubmatchIndex(data, -1)
	step, tried := 101, 0
	if testing.Short() {
		step = 997
	}
	for i := 3; i < len(numbers); i += step {
		at, end := numbers[i][2], numbers[i][3]
		line := string(data[max(0, bytes.LastIndexByte(data[:at], '\n')):end])
		if given(at) || strings.Contains(line, `"quoted"`) || strings.Contains(line, `"log_is_complete"`) {
			continue
		}
		changed := string(data[at]+1) + string(data[at+1:end]) // another digit
		switch c := data[at]; {
		case c == '9':
			changed = "8" + string(data[at+1:end])
		case c == '-':
			changed = string(data[at+1 : end])
		case c == 't':
			changed = "false"
		case c == 'f':
			changed = "true"
		}
		tried++
		faulty := string(data[:at]) + changed + string(data[end:])
		var out strings.Builder
		if _, failed, err := Check(strings.NewReader(faulty), &out); err == nil && failed == 0 {
			t.Errorf("%q in place of %q was not found, after %q", changed, data[at:end], data[max(0, at-80):at])
		}
	}
	if tried < 5 {
		t.Errorf("only %d figures were changed", tried)
	}
	t.Logf("%d of %d figures changed", tried, len(numbers))
}

func TestCheckSaysWhatIsWrong(t *testing.T) {
	file := func(more string) string {
		return `{"format":"wsq-panels/1","generators":{},
			"gradient":{"input":{"workers":1,"leaf":1,"tasks":"whole","deques":[]},"snapshots":[]},
			"distribution":{"input":{"seeds":[1,1],"workers":4,"steal_cost":8,"victim":"rr","generator":"uneven_bag"},
			"far":[898],"own":[926],"expect":{"mean_own_minus_far":28,"own_better":0,"far_better":1,"ties":0,
			"population_std":0,"mean_far":898.0,"mean_own":926}}` + more + `}`
	}
	for _, test := range []struct{ file, want string }{
		{file(""), "\n4 passed, 0 failed\n"},
		{file(`,"claims":[{"what":"the moon is cheese","value":true}]`),
			"FAIL claim \"the moon is cheese\": not one that this program can work out\n"},
		{file(`,"claims":[{"what":"A-far moved / steals, 1 place","value":105.7}]`), "it needs case A-far\n"},
		{file(`,"cases":[{"id":"x","input":{"steal_end":"top"}}]`), `FAIL case x: steal_end is "top", want one of ["far" "own"]`},
		{file(`,"cases":[{"id":"x","input":{"steal_end":"far","victim":"me"}}]`), `FAIL case x: victim is "me"`},
		{file(`,"cases":[{"id":"x","input":{"steal_end":"far","victim":"rr","tasks":"odd"}}]`), `FAIL case x: tasks is "odd"`},
		{file(`,"cases":[{"id":"x","input":{"steal_end":"far","victim":"rr","tasks":"whole","workers":1000000000}}]`),
			"FAIL case x: forkjoin: Config.Workers is 1000000000"},
		{file(`,"cases":[{"id":"x","input":{"workers":2,"steal_cost":1,"steal_end":"far","victim":"rr","tasks":"whole",
			"stealing":true,"deques":[[3]]},"expect":{"makespan":4,"busy_per_worker":[3]}}]`),
			"FAIL case x: makespan: the simulation says 3, the file 4\n"},
		{file(`,"cases":[{"id":"x","input":{"workers":2,"steal_cost":1,"steal_end":"far","victim":"rr","tasks":"whole",
			"stealing":true,"deques":[[3]]},"expect":{"makespan":4,"busy_per_worker":[3]}}]`),
			"FAIL case x: busy_per_worker: the simulation has 2 rows, the file 1\n"},
		{file(`,"cases":[{"id":"x","input":{"workers":2,"leaf":1,"steal_cost":1,"steal_end":"far","victim":"rr",
			"tasks":"divisible","deques":[[1000000000000]]}}]`), "FAIL case x: trees of more than 4194304 leaves"},
		{file(`,"cases":[{"id":"A-far","input":{"workers":2,"steal_cost":1,"steal_end":"far","victim":"rr","tasks":"whole",
			"deques":[[3]]}}],"claims":[{"what":"A-far moved / steals, 1 place","value":105.7}]`), "the simulation says none, the file 105.7\n"},
		{file(`,"cases":[{"id":"D-P2-own","input":{"workers":2,"steal_cost":1,"steal_end":"far","victim":"rr","tasks":"whole",
			"deques":[]}}],"claims":[{"what":"D-P2-own: attempts / (P x T_inf), 3 places","value":1}]`), "the simulation says none, the file 1\n"},
		{strings.Replace(file(""), "926]", "927]", 1), "FAIL distribution, own: [0]: the simulation says 926, the file 927\n"},
		{strings.Replace(file(""), "[1,1]", "[1,4000000000]", 1), "FAIL distribution: seeds are [1 4000000000]"},
		{strings.Replace(file(""), `"uneven_bag"`, `"dice"`, 1), `FAIL distribution: generator is "dice"`},
		{strings.Replace(file(""), `28,"own_better"`, `1e999999999,"own_better"`, 1), "FAIL distribution, summary"},
	} {
		var out strings.Builder
		_, failed, err := Check(strings.NewReader(test.file), &out)
		if err != nil || !strings.Contains("\n"+out.String(), test.want) {
			t.Errorf("error %v, printed\n%swant %q", err, &out, test.want)
		}
		if last := fmt.Sprintf(" passed, %d failed\n", failed); !strings.HasSuffix(out.String(), last) {
			t.Errorf("printed\n%swant %q at the end", &out, last)
		}
	}
	for _, test := range []struct{ file, want string }{
		{"", "forkjoin: not a file of format wsq-panels/1: EOF"},
		{"[]", "forkjoin: not a file of format"},
		{`{"format":"other/1"}`, `forkjoin: the file's format is "other/1", want "wsq-panels/1"`},
		{`{"format":"wsq-panels/1","extra":1}`, `unknown field "extra"`},
	} {
		if _, _, err := Check(strings.NewReader(test.file), io.Discard); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("error %v, want %q", err, test.want)
		}
	}
}

func FuzzCheck(f *testing.F) {
	f.Add(golden(f)[:4000])
	f.Add([]byte(`{"format":"wsq-panels/1","distribution":{"input":{"seeds":[1,2],"workers":4}}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		Check(bytes.NewReader(data), io.Discard) // it must return
	})
}

func TestDecimal(t *testing.T) {
	for _, test := range []struct {
		num, den int64
		places   int
		want     string
	}{
		{0, 1, 0, "0"}, {0, 1, 3, "0.000"}, {1, 2, 0, "1"}, {1, 3, 2, "0.33"}, {2, 3, 2, "0.67"},
		{1, 200, 2, "0.01"}, {1, 201, 2, "0.00"}, {99999, 1000, 2, "100.00"}, {1 << 60, 1, 1, "1152921504606846976.0"},
	} {
		if got := (fraction{test.num, test.den}).decimal(test.places); got != test.want {
			t.Errorf("%d/%d to %d places: %s, want %s", test.num, test.den, test.places, got, test.want)
		}
	}
	if got := (fraction{-2378, 500}).signed(3); got != "-4.756" {
		t.Error(got)
	}
}
