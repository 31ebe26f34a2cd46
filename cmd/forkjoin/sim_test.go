package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/trace"
	"strings"
	"testing"
)

func TestSimulationCommands(t *testing.T) {
	for _, c := range []invocation{
		{"replay -h", ok, "Example:\n  forkjoin replay", ""},
		{"replay", misuse, "", "forkjoin: replay: no tree is named\n"},
		{"replay a b", misuse, "", `unexpected argument "b"`},
		{"replay missing.fj", failure, "", "forkjoin: replay: recording: open missing.fj"},
		{"replay fib:x:1", misuse, "", `tree is "fib:x:1"`},
		{"replay fib:33:1", misuse, "", "at most fib:32"},
		{"replay -workers 0 fib:5:1", misuse, "", "-workers is 0, want >= 1"},
		{"replay -workers 5000 fib:5:1", misuse, "", "and <= 4096"},
		{"replay -leaf -1 fib:5:1", misuse, "", "-leaf is -1"},
		{"replay -policy none fib:5:1", misuse, "", `preset is "none", want one of forkjoin`},
		{"replay -victim none fib:5:1", misuse, "", `victim is "none", want one of default`},
		{"replay -topology 2x2 fib:5:1", misuse, "", `topology is "2x2"`},
		{"replay -format xml fib:5:1", misuse, "", `-format is "xml", want text, json or csv`},
		{"replay -format csv -json fib:5:1", misuse, "", "-format csv and -json exclude each other"},
		{"replay -csv fib:12:500", ok, "tag,work (seconds),span (seconds),parallelism,", ""},
		{"replay -svg fib:5:1", misuse, "", "not defined: -svg"},
		{"replay -steals -1 fib:5:1", misuse, "", "-steals and -timeline are -1 and 0"},
		{"replay -costs missing.json fib:5:1", failure, "", "missing.json"},
		{"replay -vs none fib:5:1", misuse, "", `preset is "none"`},
		{"replay -workers 1 -costs free fib:10:7", ok, "1 worker: 1.24 µs, speed-up 1.00, busy 100.0 %\n", ""},
		{"replay -workers 1 -costs free fib:10:7", ok, "On 1 worker the run takes 1.24 µs", ""},
		{"replay -workers 4 -steals 3 fib:18:500", ok, "the first 3 steals:\n", ""},
		{"replay -workers 4 -vs rayon fib:18:500", ok, "speed-up", ""},
		{"replay -workers 4 -what-if fib:12:500", ok, "fib twice as fast", ""},
		{"replay -vs rayon -what-if fib:12:500", misuse, "", "exclude each other"},
		{"replay -labels -what-if fib:12:500", misuse, "", "exclude each other"},
		{"replay -vs rayon -format csv fib:12:500", misuse, "", "goes without -vs"},
		{"replay -labels -format csv fib:12:500", ok, "\nfib,", ""},
		{"replay -labels fib:12:500", ok, "parallelism\nfib ", ""},
		{"replay -format csv fib:12:500", ok, "tag,work (seconds),span (seconds),parallelism,", ""},
		{"replay -workers 9 -victim nearest -steal-end own -owner fifo -amount half -deque shared -waiting any -split tbb -sleep never -topology 1x2x2x2 -free-failures random:500:900", ok, "9 workers: ", ""},
		{"sweep -h", ok, "Example:\n  forkjoin sweep", ""},
		{"sweep -seeds 0 fib:5:1", misuse, "", "-seeds is 0, want >= 1"},
		{"sweep -points 1,x fib:5:1", misuse, "", `-points is "1,x"`},
		{"sweep -points 0 fib:5:1", misuse, "", `-points is "0"`},
		{"sweep -points 3,7 -seeds 2 binary:8:500", ok, "\n7 ", ""},
		{"sweep -workers 4 -seeds 2 -format csv fib:12:500", ok, "1c time (seconds),2c time (seconds),4c time (seconds)\n", ""},
		{"check -h", ok, "Example:\n  forkjoin check", ""},
		{"check fib:5:1", misuse, "", "nothing to check"},
		{"check -span-max x fib:5:1", misuse, "", `invalid value "x" for flag -span-max: want a time`},
		{"check -work-max 1s -span-max= fib:5:1", misuse, "", `invalid value "" for flag -span-max: want a time`},
		{"check -work-max -1s fib:5:1", misuse, "", `invalid value "-1s" for flag -work-max: want a time`},
		{"check -work-max 1s -parallelism-min NaN fib:5:1", misuse, "", `invalid value "NaN" for flag -parallelism-min: want a number >= 0`},
		{"check -work-max 1s -burdened-min -1 fib:5:1", misuse, "", `invalid value "-1" for flag -burdened-min: want a number >= 0`},
		{"check -predict 64 fib:5:1", misuse, "", "want workers and a time"},
		{"check -span-max 8us -work-max 1s -parallelism-min 10 -burdened-min 5 -predict 4:1s fib:20:300", ok, "5 passed, 0 failed\n", ""},
		{"check -span-max 5us -parallelism-min 1e9 -predict 4:1us fib:20:300", failure, "0 passed, 3 failed\n", ""},
		{"check -span-max 5us -parallelism-min 2 -format json fib:20:300", failure, `"most": true,`, ""},
		{"check -span-max 1s -parallelism-min 1.5 -format csv fib:20:300", ok, ",1.5,true\n", ""},
		{"check -format xml -span-max 1s fib:5:1", misuse, "", `-format is "xml"`},
		{"check -nonsense fib:5:1", misuse, "", "forkjoin: check: flag provided but not defined: -nonsense"},
		{"replay -workers x fib:5:1", misuse, "", `forkjoin: replay: invalid value "x" for flag -workers`},
		{"replay -quiet -workers 1 -costs free fib:10:7", ok, "1 worker: ", ""},
		{"calibrate -h", ok, "Example:\n  forkjoin calibrate", ""},
		{"calibrate x", misuse, "", `unexpected argument "x"`},
	} {
		out := c.check(t)
		for line := range strings.Lines(out) {
			if len([]rune(line)) > 81 && !strings.Contains(c.args, "csv") && !strings.HasPrefix(line, "    \t") {
				t.Errorf("forkjoin %s: a line has more than 80 columns: %q", c.args, line)
			}
		}
	}
}

func TestReplayJSON(t *testing.T) {
	_, out, _ := call("replay", "-format", "json", "-workers", "3", "-timeline", "5", "fib:12:500")
	var doc struct {
		Version int
		Kind    string
		Unit    string
		Content struct {
			Makespan int64
			Workers  []struct{ Busy int64 }
			Timeline []struct{ Kind string }
			Config   struct{ Deque string }
		}
	}
	if err := json.Unmarshal([]byte(out), &doc); err != nil {
		t.Fatal(err)
	}
	c := doc.Content
	if doc.Version != 1 || doc.Kind != "result" || doc.Unit != "ns" || len(c.Workers) != 3 || c.Makespan == 0 || len(c.Timeline) != 5 ||
		c.Timeline[0].Kind != "work" || c.Config.Deque != "split" {
		t.Errorf("the document is %+v", doc)
	}
}

// A file is there as a whole, or as it was.
func TestOutputFile(t *testing.T) {
	if runtime.GOOS == "js" || runtime.GOOS == "wasip1" {
		t.Skip("needs files")
	}
	name := filepath.Join(t.TempDir(), "out.csv")
	if status, out, errs := call("replay", "-format", "csv", "-o", name, "fib:12:500"); status != ok || out != "" || errs != "" {
		t.Fatalf("status %d, printed %q and %q", status, out, errs)
	}
	before, err := os.ReadFile(name)
	if err != nil || !strings.HasPrefix(string(before), "tag,") {
		t.Fatalf("%q, %v", before, err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	for _, content := range []func(w io.Writer) error{
		func(w io.Writer) error { io.WriteString(w, "half"); return errors.New("no more") },
		func(w io.Writer) error { io.WriteString(w, "all"); cancel(errInterrupted); return nil },
	} {
		if err := write(ctx, name, io.Discard, content); err == nil {
			t.Error("no error")
		}
	}
	after, err := os.ReadFile(name)
	if err != nil || string(after) != string(before) {
		t.Errorf("the file has become %q, %v", after, err)
	}
	if entries, err := os.ReadDir(filepath.Dir(name)); err != nil || len(entries) != 1 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
	t.Setenv("TMPDIR", filepath.Join(name, "missing"))
	t.Chdir(filepath.Dir(name))
	if status, _, errs := call("replay", "-format", "csv", "-o", "here.csv", "fib:12:500"); status != ok {
		t.Errorf("a file in the working folder: status %d, printed %q", status, errs)
	}
	if status, _, _ := call("replay", "-o", filepath.Join(name, "x"), "fib:5:1"); status != failure {
		t.Errorf("an impossible file: status %d", status)
	}
}

func TestCompareCommand(t *testing.T) {
	compareShrink = 8
	defer func() { compareShrink = 0 }()
	for _, c := range []invocation{
		{"compare -h", ok, "Example:\n  forkjoin compare", ""},
		{"compare -repeat 0", misuse, "", "-repeat is 0"},
		{"compare -format xml", misuse, "", `-format is "xml"`},
		{"compare -points 0", misuse, "", `-points is "0"`},
		{"compare none", misuse, "", `there is no program "none"`},
		{"compare fib fib", misuse, "", "program fib is named twice"},
		{"compare -repeat 1 -costs typical -points 1,2 nqueens quicksort", ok, "\nnqueens       2  ", ""},
		{"compare -repeat 1 -costs typical -points 1 mandelbrot", ok, "error where memory does not decide", ""},
		{"compare -repeat 1 -costs typical -points 1 -format csv fib", ok, "\nfib,1,0.", ""},
		{"compare -repeat 1 -costs typical -points 2 -format json tree", ok, `"workload": "tree"`, ""},
	} {
		c.check(t)
	}
}

// Times that a user has measured stand beside a tree.
func TestCompareMeasured(t *testing.T) {
	if runtime.GOOS == "js" || runtime.GOOS == "wasip1" {
		t.Skip("needs files")
	}
	t.Chdir(t.TempDir())
	for name, content := range map[string]string{
		"good": "workers,seconds\n1,0.0406\n2,20.6ms\n", "slow": "1 0.0406\n2 0.0406\n", "elsewhere": "1 1\n2 0.5\n", "bad": "1 2\n2 fast\n",
	} {
		if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	const tree = " -costs free binary:12:4958" // work 40.6 ms
	for _, c := range []invocation{
		{"compare -measured good" + tree, ok, "\nerror: median ", ""},
		{"compare -measured good" + tree, ok, "\nbinary:12:4958   2    20.3 ms   20.6 ms   -1.4%", ""},
		{"compare -measured slow" + tree, ok, "\n2 workers took 2.00 times as long as predicted, one took 1.00: ", ""},
		{"compare -measured elsewhere" + tree, ok, "one worker was off by so much", ""},
		{"compare -format csv -measured good" + tree, ok, ",2,0.0203", ""},
		{"compare -format json -measured good" + tree, ok, `"measuredSteals": -1`, ""},
		{"compare -measured bad" + tree, failure, "", `bad: line 2: the time is "fast"`},
		{"compare -measured missing" + tree, failure, "", "open missing"},
		{"compare -measured good -costs free", misuse, "", "0 trees are named"},
		{"compare -measured good a b", misuse, "", "2 trees are named"},
		{"compare -measured good -costs free fib:x", misuse, "", `tree is "fib:x"`},
		{"compare -measured good -costs free missing.fj", failure, "", "missing.fj"},
		{"compare -measured good -repeat 2" + tree, misuse, "", "goes without -repeat"},
		{"compare -measured good -points 2" + tree, misuse, "", "goes without -repeat"},
		{"compare good", misuse, "", "for a recording -measured with a table"},
	} {
		if out := c.check(t); strings.Contains(c.args, "measured good -costs free binary") && strings.Contains(out, "took") {
			t.Errorf("forkjoin %s: where nothing stands out it says %q", c.args, out)
		}
	}
}

func TestWithoutPath(t *testing.T) {
	for label, want := range map[string]string{
		"": "", "main.main": "main.main", "github.com/a/b.(*T).f.func1": "b.(*T).f.func1", "read/write": "read/write", "/x": "/x",
	} {
		if got := withoutPath(label); got != want {
			t.Errorf("withoutPath(%q) = %q, want %q", label, got, want)
		}
	}
}

func TestTimelineCommand(t *testing.T) {
	if runtime.GOOS == "js" || runtime.GOOS == "wasip1" || trace.IsEnabled() {
		t.Skip("needs files, and a trace of its own")
	}
	name := filepath.Join(t.TempDir(), "trace.out")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := trace.Start(f); err != nil {
		t.Fatal(err)
	}
	runtime.Gosched()
	trace.Stop()
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args        []string
		status      int
		out, errors string
	}{
		{[]string{"timeline", "-h"}, ok, "Example:\n  go test", ""},
		{[]string{"timeline"}, misuse, "", "no trace is named"},
		{[]string{"timeline", "-format", "x", name}, misuse, "", `-format is "x"`},
		{[]string{"timeline", "missing"}, failure, "", "missing"},
		{[]string{"timeline", os.DevNull}, failure, "", "trace: "},
		{[]string{"timeline", name}, ok, " processors, busy ", ""},
		{[]string{"timeline", "-format", "csv", name}, ok, "worker,from (ns),to (ns),label\n", ""},
		{[]string{"timeline", "-format", "json", name}, ok, `"kind": "timeline"`, ""},
	} {
		status, out, errs := call(c.args...)
		if status != c.status || !strings.Contains(out, c.out) || (c.out == "") != (out == "") ||
			!strings.Contains(errs, c.errors) || (c.errors == "") != (errs == "") {
			t.Errorf("forkjoin %v: status %d, printed %q and %q, want %d, %q and %q", c.args, status, out, errs, c.status, c.out, c.errors)
		}
	}
}
