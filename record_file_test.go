package forkjoin_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/forkjoin-go/forkjoin"
	"github.com/forkjoin-go/forkjoin/sim"
)

// recordedPrograms are what TestRecordFile runs in a process of its own. Each
// charges 100 in outermost calls that end before the program does.
var recordedPrograms = map[string]func(){
	"return": func() {
		forkjoin.ParallelFor(100, func(int) { forkjoin.Charge(1) })
	},
	"exit in a call": func() {
		forkjoin.Join(charge(40), charge(60))
		forkjoin.Join(func() { os.Exit(0) }, func() {})
	},
	"killed": func() {
		forkjoin.Join(charge(40), charge(60))
		if p, err := os.FindProcess(os.Getpid()); err == nil {
			p.Kill()
		}
		select {}
	},
	"panic": func() {
		forkjoin.Join(charge(40), charge(50))
		forkjoin.Join(charge(10), func() { panic("expected") })
	},
	"groups": func() {
		var g forkjoin.WaitGroup
		for range 9 {
			g.Go(func() { forkjoin.Join(charge(4), charge(6)) })
		}
		g.Wait()
		submitted := make(chan struct{})
		pool, _ := forkjoin.New(forkjoin.Config{Workers: 1})
		pool.Submit(func() { forkjoin.Charge(7); close(submitted) })
		<-submitted
		pool.Run(charge(3))
		pool.Close()
		forkjoin.Join(func() {}, func() {})
	},
	"goroutines": func() {
		done := make(chan struct{})
		for range 10 {
			go func() {
				forkjoin.Join(charge(4), func() { forkjoin.JoinAll(charge(5), charge(1)) })
				done <- struct{}{}
			}()
		}
		for range 10 {
			<-done
		}
	},
	"a full pool": func() {
		pool, _ := forkjoin.New(forkjoin.Config{Workers: 1})
		elsewhere := func(run func()) { // while the pool's slot is taken
			begun, ended := make(chan struct{}), make(chan struct{})
			go func() {
				defer close(ended)
				pool.Run(func() { close(begun); time.Sleep(20 * time.Millisecond) })
			}()
			<-begun
			run()
			<-ended
		}
		elsewhere(func() { forkjoin.Join(func() { pool.Run(charge(40)) }, func() {}) })
		elsewhere(func() {
			pool.Run(charge(60))
			os.Exit(0)
		})
	},
	"many short calls": func() {
		for range 100 {
			forkjoin.Join(charge(1), func() {})
		}
	},
}

// measuredPrograms are the same for tests of measured costs.
var measuredPrograms = map[string]func(){
	"loops with code between": func() {
		body := func(i int) { burn(50 * time.Microsecond) }
		forkjoin.ParallelFor(20, body)
		burn(20 * time.Millisecond)
		forkjoin.ParallelFor(20, body)
	},
	"labels around everything": func() {
		forkjoin.Labeled("plain", func() { burn(5 * time.Millisecond) })
		forkjoin.Labeled("forks", func() { forkjoin.Join(func() { burn(time.Millisecond) }, func() {}) })
		func() {
			defer func() { recover() }()
			forkjoin.Labeled("panics", func() { burn(time.Millisecond); panic("expected") })
		}()
		if forkjoin.WorkerIndex() != -1 {
			panic("a label has left its call open")
		}
	},
}

// burn keeps the goroutine busy.
func burn(d time.Duration) {
	for start := time.Now(); time.Since(start) < d; {
	}
}

func charge(n int64) func() { return func() { forkjoin.Charge(n) } }

// TestMain runs a recorded program instead of the tests if it is told to.
func TestMain(m *testing.M) {
	for _, programs := range []map[string]func(){recordedPrograms, measuredPrograms} {
		if program := programs[os.Getenv("FORKJOIN_TEST_PROGRAM")]; program != nil {
			program()
			os.Exit(0)
		}
	}
	os.Exit(m.Run())
}

func TestRecordFile(t *testing.T) {
	if runtime.GOOS == "js" || runtime.GOOS == "wasip1" {
		t.Skip("no processes here")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for name := range recordedPrograms {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tree := recordProgram(t, self, name)
			if m := tree.Measure(0); m.Work != 100 {
				t.Errorf("%+v, want work 100", m)
			}
			if m := tree.Meta(); !m.Declared || m.Missing != 0 || m.Program != filepath.Base(self) {
				t.Errorf("%+v", m)
			}
		})
	}
}

// recordProgram runs a program of the test binary, and returns what it recorded.
func recordProgram(t *testing.T, self, name string) *sim.Tree {
	file := filepath.Join(t.TempDir(), "%p.fj")
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, self)
	cmd.Env = append(os.Environ(), "FORKJOIN_TEST_PROGRAM="+name, "FORKJOIN_RECORD="+file)
	out, _ := cmd.CombinedOutput() // some fail on purpose
	if strings.Contains(string(out), "FORKJOIN_RECORD") {
		t.Errorf("printed %s", out)
	}
	files, err := filepath.Glob(filepath.Join(filepath.Dir(file), "*.fj"))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != 1 {
		t.Fatalf("files %v, want one; the program printed %s", files, out)
	}
	tree, err := sim.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// Code between two calls is sequential work, with a name.
func TestRecordCodeBetweenCalls(t *testing.T) {
	if runtime.GOOS == "js" || runtime.GOOS == "wasip1" {
		t.Skip("no processes here")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	tree := recordProgram(t, self, "loops with code between")
	m := tree.Measure(0)
	between := sim.LabelMeasures{}
	for _, l := range tree.MeasureLabels(0) {
		if l.Name == sim.BetweenCalls {
			between = l
		}
	}
	if between.Count == 0 || between.Work < int64(20*time.Millisecond) || between.Span != between.Work {
		t.Errorf("between the calls is %+v, want 20 ms of work and span", between)
	}
	if m.Work < between.Work || m.Span < between.Span || m.Work < m.Span {
		t.Errorf("%+v, with %+v between the calls", m, between)
	}
	alone, err := sim.Replay(tree, sim.Config{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	if alone.Makespan < m.Work || alone.Speedup() > 1 {
		t.Errorf("one worker takes %d, for work of %d", alone.Makespan, m.Work)
	}
	say, err := sim.Explain(tree, alone)
	if err != nil {
		t.Fatal(err)
	}
	if all := strings.Join(say, " "); !strings.Contains(all, "% of the time is in code between calls") || len(say) > 5 {
		t.Errorf("explained as %q", say)
	}
}

// A label at the top of a program names all that is done inside.
func TestRecordLabelOutsideCalls(t *testing.T) {
	if runtime.GOOS == "js" || runtime.GOOS == "wasip1" {
		t.Skip("no processes here")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]time.Duration{"plain": 5 * time.Millisecond, "forks": time.Millisecond, "panics": time.Millisecond}
	for _, l := range recordProgram(t, self, "labels around everything").MeasureLabels(0) {
		if least, ok := want[l.Name]; ok {
			delete(want, l.Name)
			if l.Count != 1 || l.Work < int64(least*9/10) {
				t.Errorf("%+v, want work of %v or more", l, least)
			}
		}
	}
	if len(want) != 0 {
		t.Errorf("not named: %v", want)
	}
}

func TestRecordFileThatCannotBe(t *testing.T) {
	if runtime.GOOS == "js" || runtime.GOOS == "wasip1" {
		t.Skip("no processes here")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), "FORKJOIN_TEST_PROGRAM=return", "FORKJOIN_RECORD="+filepath.Join(t.TempDir(), "missing", "x"))
	out, err := cmd.CombinedOutput()
	if err != nil || strings.Count(string(out), "forkjoin: FORKJOIN_RECORD: open ") != 1 {
		t.Errorf("ended with %v and printed %q, want success and one line", err, out)
	}
}
