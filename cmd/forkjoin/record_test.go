package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/forkjoin-go/forkjoin"
	"github.com/forkjoin-go/forkjoin/sim"
)

// TestMain runs a program to be recorded instead of the tests if it is told to.
func TestMain(m *testing.M) {
	one := func() { forkjoin.Charge(1) }
	switch os.Getenv("FORKJOIN_TEST_PROGRAM") {
	case "":
		os.Exit(m.Run())
	case "silent":
	case "sleeps":
		nothing := func() {}
		forkjoin.Join(nothing, nothing)
		time.Sleep(3 * time.Second) // more than the processor time of any start
		forkjoin.Join(nothing, nothing)
	case "fails":
		forkjoin.Join(one, one)
		os.Exit(7)
	default:
		forkjoin.Join(one, one)
		os.Stdout.WriteString("said by the program\n")
	}
}

func TestRecordMisuse(t *testing.T) {
	for _, c := range []invocation{
		{"record -h", ok, "Example:\n  go build", ""},
		{"record", misuse, "", "forkjoin: record: no program is named\n"},
		{"record -o= fib", misuse, "", "-o is empty"},
		{"record -size -1 fib", misuse, "", "-size is -1, want >= 0"},
		{"record -size 1000 nqueens", misuse, "", "-size is 1000, want <= 18 for nqueens"},
		{"record -size 61 fib", misuse, "", "-size is 61, want <= 60 for fib"},
		{"record fib 7", misuse, "", `unexpected argument "7"`},
		{"record -parallel ./program", misuse, "", `"./program" is none`},
		{"record -o missing/x.fj fib", failure, "", "forkjoin: record: "},
		{"record -o missing/x.fj ./program", failure, "", "there is no directory "},
	} {
		t.Chdir(t.TempDir())
		status, out, errs := call(strings.Fields(c.args)...)
		if status != c.status || !strings.Contains(out, c.out) || !strings.Contains(errs, c.errors) {
			t.Errorf("forkjoin %s: status %d, printed %q and as error %q, want %d, %q and %q", c.args, status, out, errs, c.status, c.out, c.errors)
		}
		if left, _ := filepath.Glob("*"); len(left) != 0 {
			t.Errorf("forkjoin %s: left %v", c.args, left)
		}
	}
}

func TestRecordBuiltIn(t *testing.T) {
	if runtime.GOOS == "js" || runtime.GOOS == "wasip1" {
		t.Skip("needs files")
	}
	for _, flags := range [][]string{nil, {"-parallel"}} {
		name := filepath.Join(t.TempDir(), "tree.fj")
		args := append(append([]string{"record", "-o", name, "-size", "18"}, flags...), "fib")
		status, out, errs := call(args...)
		if status != ok || errs != "" || !strings.Contains(out, "tasks        15, of 7 forks, 0 loops") {
			t.Errorf("forkjoin %v: status %d, printed %q and as error %q", args, status, out, errs)
		}
		tree, err := sim.ReadFile(name)
		if err != nil || tree.Counts().Forks != 7 {
			t.Errorf("%+v, %v; want 7 forks", tree.Counts(), err)
		}
	}
}

func TestRecordProgram(t *testing.T) {
	if runtime.GOOS == "js" || runtime.GOOS == "wasip1" {
		t.Skip("no processes here")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		program     string
		status      int
		out, errors string
		work        int64 // 0: no recording
	}{
		{"works", ok, "work         2 units", "", 2},
		{"works", ok, "said by the program\n", "", 2},
		{"fails", failure, "work         2 units", "exit status 7", 2},
		{"silent", failure, "", "made no call of the library", 0},
	} {
		dir := t.TempDir()
		name := filepath.Join(dir, "tree.fj")
		t.Setenv("FORKJOIN_TEST_PROGRAM", c.program)
		status, out, errs := call("record", "-o", name, self)
		if status != c.status || !strings.Contains(out, c.out) || !strings.Contains(errs, c.errors) {
			t.Errorf("%s: status %d, printed %q and as error %q, want %d, %q and %q", c.program, status, out, errs, c.status, c.out, c.errors)
		}
		left, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		if c.work == 0 {
			if len(left) != 0 {
				t.Errorf("%s: left %v", c.program, left)
			}
			continue
		}
		tree, err := sim.ReadFile(name)
		if err != nil || tree.Measure(0).Work != c.work || len(left) != 1 {
			t.Errorf("%s: %v, and left %v; want work %d in one file", c.program, err, left, c.work)
		}
	}
}

// What other programs did to a recording is said from 2 % of its work on.
func TestRecordDisturbed(t *testing.T) {
	tree := sim.Binary(1, 0, 500) // work 1000 ns
	for delay, say := range map[time.Duration]bool{-1: false, 0: false, 20: false, 21: true, time.Second: true} {
		var b strings.Builder
		describe(tree, "x.fj", delayed(tree, delay), &b)
		if got := strings.Contains(b.String(), "disturbed"); got != say {
			t.Errorf("waited for %v: says so %v, want %v: %s", delay, got, say, b.String())
		}
	}
}

// A program cannot have done more work than the processor time that it used.
func TestRecordWaited(t *testing.T) {
	tree := sim.Binary(1, 0, int64(50*time.Millisecond)) // work 100 ms
	for used, say := range map[time.Duration]bool{
		0: false, time.Millisecond: true, 94 * time.Millisecond: true, 95 * time.Millisecond: false, time.Second: false,
	} {
		var b strings.Builder
		describe(tree, "x.fj", waited(tree, used), &b)
		if got := strings.Contains(b.String(), "disturbed"); got != say {
			t.Errorf("used processors for %v: says so %v, want %v: %s", used, got, say, b.String())
		}
	}
	if s := waited(nil, 1); s != "" {
		t.Errorf("of no recording it says %q", s)
	}
	declared, err := sim.Record(func() { forkjoin.Charge(1e9) })
	if err != nil {
		t.Fatal(err)
	}
	if s := waited(declared, 1); s != "" {
		t.Errorf("of declared costs it says %q", s)
	}
}

// A program that sleeps and one that other programs disturb look alike.
func TestRecordProgramThatWaits(t *testing.T) {
	if runtime.GOOS == "js" || runtime.GOOS == "wasip1" {
		t.Skip("no processes here")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("FORKJOIN_TEST_PROGRAM", "sleeps")
	status, out, errs := call("record", "-o", filepath.Join(t.TempDir(), "tree.fj"), self)
	if status != ok || errs != "" || !strings.Contains(out, "disturbed") || !strings.Contains(out, "between calls") {
		t.Errorf("status %d, printed %q and as error %q", status, out, errs)
	}
}

// A recording goes where the name leads to.
func TestRecordThroughLinks(t *testing.T) {
	if runtime.GOOS == "js" || runtime.GOOS == "wasip1" || runtime.GOOS == "windows" {
		t.Skip("no processes here, or no links")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("FORKJOIN_TEST_PROGRAM", "works")
	for _, program := range [][]string{{"-size", "18", "fib"}, {self}} {
		t.Chdir(t.TempDir())
		if err := os.Symlink("tree.fj", "link"); err != nil {
			t.Fatal(err)
		}
		for _, out := range []string{"link", "link", os.DevNull} { // a new file, one that is there, and none
			status, _, errs := call(append([]string{"record", "-quiet", "-o", out}, program...)...)
			if status != ok || errs != "" {
				t.Fatalf("record -o %s %v: status %d, printed %q as error", out, program, status, errs)
			}
			if info, err := os.Lstat("link"); err != nil || info.Mode()&os.ModeSymlink == 0 {
				t.Errorf("%v: the link has become %v, %v", program, info, err)
			}
			if _, err := sim.ReadFile("tree.fj"); err != nil {
				t.Errorf("%v: %v", program, err)
			}
			if err := os.Chmod("tree.fj", 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if info, err := os.Stat(os.DevNull); err != nil || info.Mode()&os.ModeDevice == 0 {
			t.Errorf("%s has become %v, %v", os.DevNull, info, err)
		}
		if left, _ := filepath.Glob("*"); len(left) != 2 {
			t.Errorf("%v: left %v", program, left)
		}
	}
}
