package tour

import (
	"bytes"
	"errors"
	"image/png"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

// small is a tour that takes no time.
func small(dir, picture string) (o Options, out, errs *bytes.Buffer) {
	out, errs = new(bytes.Buffer), new(bytes.Buffer)
	return Options{Dir: dir, PNG: picture, Fib: 12, Width: 80, Height: 60, Out: out, Err: errs}, out, errs
}

func TestRun(t *testing.T) {
	needFiles(t)
	dir := writeTree(t, map[string]string{
		"a.go":    "package a\n\n// the same comment in both\nvar x = 1\n",
		"b/b.go":  "package b\n\n// the same comment in both\nvar x = 2",
		"b/c.bin": "\x00\x01",
	})
	picture := filepath.Join(t.TempDir(), "set.png")
	o, out, errs := small(dir, picture)
	o.Repeat = 3
	procs := runtime.GOMAXPROCS(0)
	if err := Run(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		regexp.QuoteMeta(dir) + `: 3 files, \d+ bytes \(1 binary, only read\)\n`,
		`job +sequential +1 worker .*speed-up +forks +steals +cores\n`,
		`\nread files .*\ncount identifiers .*\nsplit into lines .*\nsort all lines .*\nlongest common lines .*\nMandelbrot picture .*\nfib\(12\) `,
		`18 identifiers, 10 different; the most frequent:\n  both \(2\), `,
		`8 lines sorted; .*\n  27 bytes, 2 times in 2 files: "// the same comment in both"\nfib\(12\) = 144\n`,
		`every parallel result equals the sequential one\n`,
		`picture: .*set.png \(80 × 60\)\n$`,
	} {
		if !regexp.MustCompile(want).MatchString(out.String()) {
			t.Errorf("the report has no match for %s", want)
		}
	}
	if t.Failed() {
		t.Logf("report:\n%s", out)
	}
	if errs.Len() > 0 {
		t.Errorf("unexpected messages: %s", errs)
	}
	if got := runtime.GOMAXPROCS(0); got != procs {
		t.Errorf("GOMAXPROCS is %d afterwards, was %d", got, procs)
	}
	checkPicture(t, picture, 80, 60)
}

func checkPicture(t *testing.T, path string, width, height int) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	img, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	if size := img.Bounds().Size(); size.X != width || size.Y != height {
		t.Errorf("the picture has %v points, want %d × %d", size, width, height)
	}
	if names, _ := filepath.Glob(filepath.Join(filepath.Dir(path), ".*")); len(names) > 0 {
		t.Errorf("left behind: %v", names)
	}
}

func TestRunEmptyDirectory(t *testing.T) {
	needFiles(t)
	o, out, _ := small(t.TempDir(), "")
	o.Quiet = true
	if err := Run(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), ": 0 files, 0 bytes\n") || strings.Contains(out.String(), "fib(12) =") {
		t.Errorf("quiet report of an empty directory:\n%s", out)
	}
	o.Quiet = false
	if err := Run(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "\n0 identifiers, 0 different\n0 lines sorted") {
		t.Errorf("report of an empty directory:\n%s", out)
	}
}

func TestRunErrors(t *testing.T) {
	needFiles(t)
	dir := writeTree(t, map[string]string{"file": "x\n"})
	missing := filepath.Join(dir, "missing")
	for name, c := range map[string]struct{ dir, picture, want string }{
		"missing directory":    {missing, "", missing},
		"file for a directory": {filepath.Join(dir, "file"), "", "file is not a directory"},
		"missing folder":       {dir, filepath.Join(missing, "set.png"), "picture: "},
		"folder for a picture": {dir, dir, "is not a regular file"},
		"an odd name":          {dir, filepath.Join(dir, "a\x00b"), "picture: "},
		"picture below a file": {dir, filepath.Join(dir, "file", "set.png"), "picture: "},
	} {
		o, out, _ := small(c.dir, c.picture)
		err := Run(t.Context(), o)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", name, err, c.want)
		}
		if out.Len() > 0 {
			t.Errorf("%s: printed %q", name, out)
		}
	}
	o, _, _ := small(dir, filepath.Join(t.TempDir(), "set.png"))
	if err := Run(cancelled(t), o); !errors.Is(err, errStop) {
		t.Errorf("cancelled: error %v", err)
	}
	m := newMeter(cancelled(t), 1, nil)
	if _, _, err := runJobs(m, o, os.DirFS(dir), &tree{}); err != errStop {
		t.Errorf("cancelled in the first job: error %v, want it alone", err)
	}
	if _, err := os.Stat(o.PNG); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a cancelled tour left a picture (%v)", err)
	}
}

func TestRunNamesUnreadable(t *testing.T) {
	needFiles(t)
	dir := writeTree(t, map[string]string{"good": "x\n", "bad": "y\n", "locked/z": "z\n"})
	bad, locked := filepath.Join(dir, "bad"), filepath.Join(dir, "locked")
	for _, name := range []string{bad, locked} {
		if err := os.Chmod(name, 0); err != nil {
			t.Fatal(err)
		}
		defer os.Chmod(name, 0o777)
	}
	if f, err := os.Open(bad); err == nil {
		f.Close()
		t.Skip("this user can read everything")
	}
	o, out, errs := small(dir, "")
	if err := Run(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), ": 1 file, 2 skipped, 2 bytes") {
		t.Errorf("the report does not count what was skipped:\n%s", out)
	}
	for _, name := range []string{bad, locked} {
		if !strings.Contains(errs.String(), "skipped "+name+": ") {
			t.Errorf("%s is not named in:\n%s", name, errs)
		}
	}
}
