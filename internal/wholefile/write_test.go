package wholefile_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/forkjoin-go/forkjoin/internal/wholefile"
)

// files changes into an empty folder.
func files(t *testing.T) {
	if runtime.GOOS == "js" || runtime.GOOS == "wasip1" {
		t.Skip("needs files")
	}
	t.Chdir(t.TempDir())
}

// want wants a content, and so many files in the folder.
func want(t *testing.T, name, content string, n int) {
	t.Helper()
	if got, err := os.ReadFile(name); err != nil || string(got) != content {
		t.Errorf("%s contains %q, %v; want %q", name, got, err, content)
	}
	if entries, err := os.ReadDir("."); err != nil || len(entries) != n {
		t.Errorf("the folder has %v, %v; want %d", entries, err, n)
	}
}

func put(t *testing.T, name, content string) {
	t.Helper()
	for _, err := range []error{wholefile.Check(name), wholefile.Write(t.Context(), name, []byte(content))} {
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestWrite(t *testing.T) {
	files(t)
	put(t, "a", "new")
	want(t, "a", "new", 1)
	put(t, "a", "other")
	want(t, "a", "other", 1)
	put(t, "a", "")
	want(t, "a", "", 1)
	long := string(bytes.Repeat([]byte("x"), 3<<20+1))
	put(t, "a", long)
	want(t, "a", long, 1)
}

func TestPermissionsStay(t *testing.T) {
	files(t)
	if runtime.GOOS == "windows" {
		t.Skip("no permissions here")
	}
	for _, mode := range []os.FileMode{0o600, 0o644, 0o755, 0o622} {
		if err := errors.Join(os.WriteFile("a", nil, 0o666), os.Chmod("a", mode)); err != nil {
			t.Fatal(err)
		}
		put(t, "a", "new")
		if info, err := os.Stat("a"); err != nil || info.Mode() != mode {
			t.Errorf("%v has become %v, %v", mode, info.Mode(), err)
		}
	}
	if err := os.WriteFile("plain", nil, 0o666); err != nil {
		t.Fatal(err)
	}
	put(t, "b", "new")
	plain, err := os.Stat("plain")
	made, err2 := os.Stat("b")
	if err != nil || err2 != nil || made.Mode() != plain.Mode() {
		t.Errorf("a new file has %v, other new ones %v", made.Mode(), plain.Mode())
	}
	if err := os.Chmod("b", 0o444); err != nil {
		t.Fatal(err)
	}
	if f, err := os.OpenFile("b", os.O_WRONLY, 0); err == nil { // as root
		f.Close()
	} else if wholefile.Write(t.Context(), "b", nil) == nil || wholefile.Check("b") == nil {
		t.Error("a file that may not be written has been replaced")
	}
}

func TestLinksStay(t *testing.T) {
	files(t)
	away := t.TempDir()
	if err := os.MkdirAll("d/e", 0o777); err != nil {
		t.Fatal(err)
	}
	for link, to := range map[string]string{
		"direct": "file", "twice": "direct", "absolute": filepath.Join(away, "x"), "up": away + "/none/../x",
		"dangling": "d/new", "dir": "d/e", "d/e/up": "../in-d", "round": "round", "nowhere": "missing/x",
	} {
		if err := os.Symlink(to, link); err != nil {
			t.Skip(err) // Windows, if it is not allowed
		}
	}
	if err := os.WriteFile("file", []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, file string }{
		{"direct", "file"}, {"twice", "file"}, {"dangling", "d/new"}, {"dangling", "d/new"}, {"dir/up", "d/in-d"},
		{"absolute", filepath.Join(away, "x")},
	} {
		put(t, c.name, "through "+c.name)
		want(t, c.file, "through "+c.name, 10)
		if info, err := os.Lstat(c.name); err != nil || info.Mode()&os.ModeSymlink == 0 {
			t.Errorf("%s has become %v, %v", c.name, info.Mode(), err)
		}
	}
	if info, err := os.Stat("file"); err != nil || runtime.GOOS != "windows" && info.Mode() != 0o600 {
		t.Errorf("the file has become %v, %v", info.Mode(), err)
	}
	for _, name := range []string{"round", "nowhere", "up", "d", "dir", "missing/x", "file/x", ""} {
		if wholefile.Write(t.Context(), name, nil) == nil || wholefile.Check(name) == nil {
			t.Errorf("%q has been written", name)
		}
	}
	want(t, "file", "through twice", 10)
}

func TestDevices(t *testing.T) {
	files(t)
	put(t, os.DevNull, "gone")
	if info, err := os.Stat(os.DevNull); err != nil || info.Mode()&os.ModeDevice == 0 {
		t.Fatalf("%s has become %v, %v", os.DevNull, info.Mode(), err)
	}
	if info, err := os.Stat("/dev/full"); err == nil && info.Mode()&os.ModeDevice != 0 {
		if wholefile.Write(t.Context(), "/dev/full", []byte("x")) == nil {
			t.Error("/dev/full had room")
		}
	}
}

// A link of /proc leads to what is open, which may have no name.
func TestOpenFiles(t *testing.T) {
	files(t)
	if runtime.GOOS != "linux" {
		t.Skip("needs /proc")
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Create("file")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(descriptor(f), "link"); err != nil {
		t.Fatal(err)
	}
	put(t, descriptor(w), "into a pipe")
	put(t, "link", "into a file")
	w.Close()
	if got, err := io.ReadAll(r); err != nil || string(got) != "into a pipe" {
		t.Errorf("the pipe has %q, %v", got, err)
	}
	if got, err := io.ReadAll(f); err != nil || string(got) != "into a file" {
		t.Errorf("the open file has %q, %v", got, err)
	}
	os.Remove("file")
	put(t, descriptor(f), "deleted")
	if got, err := io.ReadAll(io.NewSectionReader(f, 0, 100)); err != nil || string(got) != "deleted" {
		t.Errorf("the deleted file has %q, %v", got, err)
	}
	f.Close()
	r.Close()
	if entries, err := os.ReadDir("."); err != nil || len(entries) != 1 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
}

func TestInterrupted(t *testing.T) {
	files(t)
	stop := errors.New("stop")
	ctx, cancel := context.WithCancelCause(t.Context())
	put(t, "a", "old")
	cancel(stop)
	for _, data := range []string{"", "new"} {
		if err := wholefile.Write(ctx, "a", []byte(data)); !errors.Is(err, stop) {
			t.Errorf("%v, want %v", err, stop)
		}
		want(t, "a", "old", 1)
	}
}

// descriptor returns a name of an open file.
func descriptor(f *os.File) string { return fmt.Sprintf("/proc/self/fd/%d", f.Fd()) }
