package histories

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

var (
	rounds = flag.Int("rounds", 500, "how many histories of each kind to record")
	seed   = flag.Uint64("seed", 1, "of the first")
)

// A change is a mistake to make in the only place of a file that reads so.
type change struct{ what, file, old, new string }

// build makes a test binary of the library in its chaos build, which holds
// goroutines up between any two steps that others can see, with a mistake if c
// names one. Of the tests only the one that records is compiled.
func build(t *testing.T, c change) string {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	tests, err := filepath.Glob(filepath.Join(root, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	replace := map[string]string{}
	for _, path := range tests {
		if filepath.Base(path) != "history_test.go" {
			replace[path] = "" // as if it were not there
		}
	}
	if c.file != "" {
		b, err := os.ReadFile(filepath.Join(root, c.file))
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(string(b), c.old); n != 1 {
			t.Fatalf("%s: %d places read %q, want 1", c.file, n, c.old)
		}
		wrong := filepath.Join(dir, c.file)
		if err := os.WriteFile(wrong, []byte(strings.Replace(string(b), c.old, c.new, 1)), 0o666); err != nil {
			t.Fatal(err)
		}
		replace[filepath.Join(root, c.file)] = wrong
	}
	b, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	overlay := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(overlay, b, 0o666); err != nil {
		t.Fatal(err)
	}
	bin := filepath.Join(dir, "library.test")
	run(t, root, "go", "test", "-c", "-vet=off", "-tags", "histories,chaos", "-overlay", overlay, "-o", bin, ".")
	return bin
}

func run(t *testing.T, dir, name string, args ...string) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", cmd.Args, err, out)
	}
}

// recordAndCheck records n histories of each kind, from a seed on, and shows each
// to each. It ends early if somebody gave up. It returns how many of each kind it
// has seen, and what is wrong with the first that is.
func recordAndCheck(t *testing.T, bin string, n int, seed uint64, each func(*History)) (rounds int, err error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "histories")
	cmd := exec.Command(bin, "-test.run=^TestRecordHistories$", "-test.timeout=2m", "-history="+path,
		fmt.Sprint("-history.rounds=", n), fmt.Sprint("-history.seed=", seed))
	cmd.Env = append(os.Environ(), fmt.Sprint("FORKJOIN_CHAOS=", seed))
	if out, err := cmd.CombinedOutput(); err != nil {
		return 0, fmt.Errorf("recording: %v\n%s", err, out)
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer os.Remove(path)
	defer file.Close()
	seen, stopped := 0, false
	err = Read(file, func(h *History) error {
		seen++
		stopped = h.Unfinished
		each(h)
		return Check(h)
	})
	if err == nil && seen != 3*n && !stopped {
		t.Fatalf("%d histories were recorded, want %d", seen, 3*n)
	}
	return (seen + 2) / 3, err
}

// Histories of the code as it is are linearizable, and thieves do meet the owner.
func TestRecorded(t *testing.T) {
	bin := build(t, change{})
	count := map[string]int{}
	events := 0
	each := func(h *History) {
		count[h.Kind]++
		for _, e := range h.Events {
			events++
			count[h.Kind+" "+e.Op+" "+e.Result]++
		}
	}
	for left, at := *rounds, *seed; left > 0; {
		n, err := recordAndCheck(t, bin, min(left, 1000), at, each)
		if err != nil {
			t.Fatal(err)
		}
		left, at = left-n, at+uint64(n)
	}
	for _, what := range []string{
		"deque pop ", "deque pop stolen", "deque steal ", "deque steal lost", "deque steal empty",
		"injector pop ", "injector pop empty", "injector length ", "list pop ", "list pop empty", "list enter ",
	} {
		if count[what] < *rounds/50 {
			t.Errorf("only %d times in %d histories: %s", count[what], *rounds, what)
		}
	}
	fmt.Printf("histories: %d deque, %d injector, %d list; %d calls, %d steals, %d lost claims\n",
		count["deque"], count["injector"], count["list"], events, count["deque steal "], count["deque steal lost"])
}

// Mistakes in the code show in histories.
func TestMistakesShow(t *testing.T) {
	for _, m := range []change{
		{"publish stores", "deque.go",
			"if d.public.CompareAndSwap(p, pack(tail, split)) {\n\t\t\td.split",
			"if d.public.Store(pack(tail, split)); true {\n\t\t\td.split"},
		{"pop stores", "deque.go",
			"if d.public.CompareAndSwap(p, pack(tail, split)) {\n\t\t\td.head",
			"if d.public.Store(pack(tail, split)); true {\n\t\t\td.head"},
		{"pop takes a lost race for a theft", "deque.go",
			"if tail > i {", "if tail >= i {"},
		{"steal adds without comparing", "deque.go",
			"return tail, d.public.CompareAndSwap(p, pack(tail+1, split))",
			"d.public.Add(1 << 32)\n\treturn tail, true"},
		{"a job is counted when it may be gone already", "inject.go",
			"q.size.Add(1)\n\ts.mu.Unlock()", "s.mu.Unlock()\n\tq.size.Add(1)"},
		{"a shard forgets to count", "inject.go",
			"s.jobs.push(j)\n\ts.size.Add(1)", "s.jobs.push(j)\n\ts.size.Store(1)"},
		{"a claim does not compare", "tasklist.go",
			"if c.claimed.CompareAndSwap(i, i+1) {", "if c.claimed.Store(i + 1); true {"},
		{"a task is counted before it is in place", "tasklist.go",
			"c.tasks[n-c.from] = t\n", "l.given.Store(n + 1)\n\tc.claimed.Load()\n\tc.tasks[n-c.from] = t\n"},
		{"a chunk is used again while somebody is in it", "tasklist.go",
			"case claimed == chunkTasks && c.users == 0:", "case claimed == chunkTasks:"},
		{"a chunk that somebody is in is passed over", "tasklist.go",
			"case claimed < c.filled(given) && found == nil:", "case false:"},
	} {
		t.Run(m.what, func(t *testing.T) {
			bin := build(t, m)
			for i := range 20 {
				_, err := recordAndCheck(t, bin, 100, uint64(1+100*i), func(*History) {})
				if err == nil {
					continue
				}
				kind := "the code crashes"
				if e := (*Error)(nil); errors.As(err, &e) {
					kind = e.What
				}
				t.Logf("found in round %d: %s", i+1, kind)
				return
			}
			t.Error("the mistake does not show")
		})
	}
}
