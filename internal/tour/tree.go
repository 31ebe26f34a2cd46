package tour

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/forkjoin-go/forkjoin"
)

// What the tour takes: the sort needs two records per line beside the text, so
// these bounds keep it to some 2 GB.
const (
	maxBytes = 384 << 20
	maxLines = 12 << 20
)

// tree is the input: the regular files below a directory, in lexical order.
type tree struct {
	files   []file
	skipped []skip
	bytes   int64
	binary  int // how many of files are not text
}

type file struct {
	name   string // slash-separated, below the directory
	text   string
	binary bool
}

// skip is a file or directory that could not be read.
type skip struct {
	name string
	err  error
}

// load lists the regular files of fsys and reads them all. Symbolic links are
// not followed. What cannot be read is left out and recorded; an error means
// that nothing could be read, and the tree is never nil.
//
// This is the one cold read of the tour, so each file is read inside Blocking:
// while the disk is busy, the worker's slot starts the next read.
func load(ctx context.Context, fsys fs.FS) (*tree, error) {
	t := &tree{}
	if err := t.list(ctx, fsys); err != nil {
		return t, err
	}
	errs := make([]error, len(t.files))
	err := forkjoin.ParallelForErr(ctx, len(t.files), func(_ context.Context, i int) error {
		forkjoin.Blocking(func() { t.files[i].text, errs[i] = readFile(fsys, t.files[i].name) })
		return nil
	})
	if err != nil {
		return t, err
	}
	return t, t.settle(errs)
}

// list fills in the names of the files.
func (t *tree) list(ctx context.Context, fsys fs.FS) error {
	var size int64
	return fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case err != nil && name == ".":
			return err
		case err != nil:
			t.skipped = append(t.skipped, skip{name, err})
			return nil
		case !d.Type().IsRegular():
			return nil
		}
		if info, err := d.Info(); err == nil {
			size += info.Size()
		}
		if size > maxBytes {
			return fmt.Errorf("holds more than %s in files: name a smaller directory", byteSize(maxBytes))
		}
		t.files = append(t.files, file{name: name})
		return nil
	})
}

// settle drops the files that could not be read and takes stock of the rest.
func (t *tree) settle(errs []error) error {
	kept := t.files[:0]
	lines := 0
	for i, f := range t.files {
		if errs[i] != nil {
			t.skipped = append(t.skipped, skip{f.name, errs[i]})
			continue
		}
		t.bytes += int64(len(f.text))
		if f.binary = isBinary(f.text); f.binary {
			t.binary++
		} else {
			lines += countLines(f.text)
		}
		kept = append(kept, f)
	}
	t.files = kept
	if lines > maxLines {
		return fmt.Errorf("holds %s lines, more than %s: name a smaller directory", commas(lines), commas(maxLines))
	}
	return nil
}

// isBinary tells whether a file is not text, by the rule grep and git use: a
// zero byte near the beginning.
func isBinary(s string) bool {
	return strings.IndexByte(s[:min(len(s), 8000)], 0) >= 0
}

// text returns the contents of the files that are text; the index of each is
// its file's number in the jobs that follow.
func (t *tree) text() []string {
	texts := make([]string, 0, len(t.files)-t.binary)
	for _, f := range t.files {
		if !f.binary {
			texts = append(texts, f.text)
		}
	}
	return texts
}

// String is the line that heads the report.
func (t *tree) String() string {
	s := plural(len(t.files), "file")
	if n := len(t.skipped); n > 0 {
		s += fmt.Sprintf(", %s skipped", commas(n))
	}
	s += ", " + byteSize(t.bytes)
	if t.binary > 0 {
		s += fmt.Sprintf(" (%s binary, only read)", commas(t.binary))
	}
	return s
}

// explain names dir in an error of load, which knows only paths below it.
func (t *tree) explain(dir string, err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return fmt.Errorf("%s %s: %w", p.Op, t.path(dir, p.Path), p.Err)
	}
	return fmt.Errorf("%s %w", dir, err)
}

// reason is an error without the path, which the message has already.
func reason(err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Err
	}
	return err
}

// path is the name of a file as the user would write it.
func (t *tree) path(dir, name string) string {
	return filepath.Join(dir, filepath.FromSlash(name))
}
