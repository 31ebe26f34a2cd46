package main

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/forkjoin-go/forkjoin/internal/tour"
)

// call runs the command as main would.
func call(args ...string) (status int, stdout, stderr string) {
	var out, errs bytes.Buffer
	status = run(args, &out, &errs)
	return status, out.String(), errs.String()
}

// An invocation is what to call, and what it must do.
type invocation struct {
	args        string
	status      int
	out, errors string // what is printed where, in part
}

// check makes the call and returns what it has printed.
func (c invocation) check(t *testing.T) (out string) {
	t.Helper()
	status, out, errs := call(strings.Fields(c.args)...)
	if status != c.status {
		t.Errorf("forkjoin %s: status %d, want %d", c.args, status, c.status)
	}
	if !strings.Contains(out, c.out) || (c.out == "") != (out == "") {
		t.Errorf("forkjoin %s: printed %q, want %q in it", c.args, out, c.out)
	}
	if !strings.Contains(errs, c.errors) || (c.errors == "") != (errs == "") {
		t.Errorf("forkjoin %s: printed %q as error, want %q in it", c.args, errs, c.errors)
	}
	return out
}

func TestUsage(t *testing.T) {
	for _, c := range []invocation{
		{"", misuse, "", "usage: forkjoin SUBCOMMAND"},
		{"-h", ok, "Example:\n  forkjoin tour", ""},
		{"--help", ok, "usage: forkjoin SUBCOMMAND", ""},
		{"help", ok, "tour       measure", ""},
		{"help tour", ok, "Example:\n  forkjoin tour -repeat 3", ""},
		{"help nonsense", misuse, "", `unknown subcommand "nonsense"`},
		{"nonsense", misuse, "", "unknown subcommand \"nonsense\"\n\nusage: "},
		{"tour -h", ok, "-png FILE", ""},
		{"tour -nonsense", misuse, "", "flag provided but not defined: -nonsense\n\"forkjoin tour -h\""},
		{"tour -repeat x", misuse, "", `invalid value "x" for flag -repeat`},
		{"tour -repeat 0", misuse, "", "forkjoin: tour: -repeat is 0, want >= 1\n"},
		{"tour a b", misuse, "", `unexpected argument "b"`},
		{"tour a -quiet", misuse, "", `unexpected argument "-quiet" (flags come first)`},
	} {
		c.check(t)
	}
}

// A command whose output is lost has failed, whatever it was.
func TestOutputIsLost(t *testing.T) {
	if runtime.GOOS == "js" || runtime.GOOS == "wasip1" {
		t.Skip("needs files")
	}
	name := filepath.Join(t.TempDir(), "out")
	if err := os.WriteFile(name, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range []string{"help", "-h", "help tour", "topo -h", "replay fib:5:1", "topo -fixture list"} {
		closed, err := os.Open(name) // for reading alone
		if err != nil {
			t.Fatal(err)
		}
		var errs bytes.Buffer
		if status := runChecked(strings.Fields(args), closed, &errs); status != failure || !strings.HasPrefix(errs.String(), "forkjoin: ") {
			t.Errorf("forkjoin %s: status %d, printed %q as error, want %d", args, status, errs.String(), failure)
		}
		closed.Close()
		file, err := os.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if status := runChecked(strings.Fields(args), file, &errs); status != ok {
			t.Errorf("forkjoin %s: status %d, want %d", args, status, ok)
		}
		file.Close()
		if got, err := os.ReadFile(name); err != nil || len(got) == 0 {
			t.Errorf("forkjoin %s: wrote %q, %v", args, got, err)
		}
	}
}

func TestTour(t *testing.T) {
	if runtime.GOOS == "js" || runtime.GOOS == "wasip1" {
		t.Skip("needs files")
	}
	tourSize = tour.Options{Fib: 10, Width: 40, Height: 30}
	defer func() { tourSize = tour.Options{} }()
	dir := t.TempDir()
	t.Chdir(t.TempDir())
	if err := os.WriteFile(filepath.Join(dir, "a"), []byte("some text\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	status, out, errs := call("tour", dir)
	if status != ok || errs != "" || !strings.Contains(out, ": 1 file, 10 bytes\n") {
		t.Errorf("tour: status %d, printed %q, and as error %q", status, out, errs)
	}
	if _, err := os.Stat("forkjoin-mandelbrot.png"); err != nil {
		t.Errorf("the picture: %v", err)
	}
	missing := filepath.Join(dir, "missing")
	status, out, errs = call("tour", "-png", "", missing)
	if status != failure || out != "" || !strings.HasPrefix(errs, "forkjoin: tour: ") || !strings.Contains(errs, missing) {
		t.Errorf("tour of a missing directory: status %d, printed %q, and as error %q", status, out, errs)
	}
}

func TestGoSource(t *testing.T) {
	dir, err := goSource()
	if err != nil {
		t.Skip(err)
	}
	if filepath.Base(dir) != "src" {
		t.Errorf("the source of the toolchain is said to be in %s", dir)
	}
}
