package tour

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"
)

// brokenFS refuses to open some files, and to list some folders.
type brokenFS struct {
	fs.FS
	broken map[string]error
}

func (b brokenFS) Open(name string) (fs.File, error) {
	if err := b.broken[name]; err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return b.FS.Open(name)
}

func TestLoad(t *testing.T) {
	fsys := brokenFS{fstest.MapFS{
		"a.go":        {Data: []byte("package a\nvar x = 1\n")},
		"b/empty":     {},
		"b/bin":       {Data: []byte("GIF\x00\x01\nx")},
		"b/late":      {Data: []byte(strings.Repeat("x", 8000) + "\x00")},
		"b/link":      {Data: []byte("../a.go"), Mode: fs.ModeSymlink},
		"b/pipe":      {Mode: fs.ModeNamedPipe},
		"c/secret.go": {Data: []byte("package c\n")},
		"d/x.go":      {Data: []byte("package d\n")},
		"e.go":        {Data: []byte("package e")},
	}, map[string]error{"c/secret.go": fs.ErrPermission, "d": fs.ErrPermission}}

	in, err := load(t.Context(), fsys)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range in.files {
		names = append(names, f.name)
	}
	if got, want := fmt.Sprint(names), "[a.go b/bin b/empty b/late e.go]"; got != want {
		t.Errorf("read %s, want %s", got, want)
	}
	if len(in.skipped) != 2 || in.skipped[0].name != "d" || in.skipped[1].name != "c/secret.go" ||
		!errors.Is(in.skipped[1].err, fs.ErrPermission) {
		t.Errorf("skipped %v, want d and c/secret.go", in.skipped)
	}
	if got := in.text(); len(got) != 4 || got[0] != "package a\nvar x = 1\n" || got[3] != "package e" {
		t.Errorf("the text files hold %.60q", got)
	}
	if got, want := in.String(), "5 files, 2 skipped, 8.0 kB (1 binary, only read)"; got != want {
		t.Errorf("String() = %q, want %q", got, want)
	}
}

func TestLoadNothing(t *testing.T) {
	in, err := load(t.Context(), fstest.MapFS{})
	if err != nil || len(in.files) != 0 || in.String() != "0 files, 0 bytes" {
		t.Errorf("load of an empty tree: %v, error %v", in, err)
	}
	denied := brokenFS{fstest.MapFS{}, map[string]error{".": fs.ErrPermission}}
	in, err = load(t.Context(), denied)
	if !errors.Is(err, fs.ErrPermission) {
		t.Fatalf("load of an unreadable directory: error %v", err)
	}
	dir := filepath.Join("some", "dir")
	if got, want := in.explain(dir, err).Error(), "open "+dir+": permission denied"; got != want {
		t.Errorf("explained: %q, want %q", got, want)
	}
	if in, err = load(cancelled(t), fstest.MapFS{"a": {}}); !errors.Is(err, errStop) {
		t.Errorf("load with a cancelled context: %v, error %v", in, err)
	}
}

var errStop = errors.New("stop")

func cancelled(t *testing.T) context.Context {
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errStop)
	return ctx
}

// bigFS claims that its files are large.
type bigFS struct{ fstest.MapFS }

func (b bigFS) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := b.MapFS.ReadDir(name)
	for i, e := range entries {
		entries[i] = bigEntry{e}
	}
	return entries, err
}

type bigEntry struct{ fs.DirEntry }

func (b bigEntry) Info() (fs.FileInfo, error) {
	info, err := b.DirEntry.Info()
	return bigInfo{info}, err
}

type bigInfo struct{ fs.FileInfo }

func (bigInfo) Size() int64 { return maxBytes/2 + 1 }

func TestLoadTooMuch(t *testing.T) {
	if _, err := load(t.Context(), bigFS{fstest.MapFS{"a": {}}}); err != nil {
		t.Errorf("half as much as is allowed: %v", err)
	}
	in, err := load(t.Context(), bigFS{fstest.MapFS{"a": {}, "b": {}}})
	if err == nil {
		t.Fatal("more bytes than allowed: no error")
	}
	if got := in.explain("dir", err).Error(); !strings.HasPrefix(got, "dir holds more than 402.7 MB") {
		t.Errorf("more bytes than allowed: %q", got)
	}
	lines := fstest.MapFS{"a": {Data: []byte(strings.Repeat("\n", maxLines+1))}}
	if _, err := load(t.Context(), lines); err == nil || !strings.Contains(err.Error(), "lines") {
		t.Errorf("more lines than allowed: error %v", err)
	}
}

// needFiles skips a test where there is no file system to speak of.
func needFiles(t *testing.T) {
	t.Helper()
	if runtime.GOOS == "js" || runtime.GOOS == "wasip1" {
		t.Skip("needs files")
	}
}

func writeTree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestLoadDoesNotFollowLinks(t *testing.T) {
	needFiles(t)
	dir := writeTree(t, map[string]string{"real/a": "a\n", "out": "b\n"})
	root := filepath.Join(dir, "real")
	for link, to := range map[string]string{
		filepath.Join(root, "loop"): root,
		filepath.Join(root, "file"): filepath.Join(dir, "out"),
		filepath.Join(dir, "named"): root,
	} {
		if err := os.Symlink(to, link); err != nil {
			t.Skip(err)
		}
	}
	for _, name := range []string{root, filepath.Join(dir, "named")} {
		fsys, err := openDir(name)
		if err != nil {
			t.Fatal(err)
		}
		in, err := load(t.Context(), fsys)
		if err != nil || in.String() != "1 file, 2 bytes" {
			t.Errorf("%s: %v, error %v; want the one real file", name, in, err)
		}
	}
}
