// Package wholefile writes files that are there as a whole, or as they were.
package wholefile

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// Write makes data the content of the file with a name: it writes a file beside it,
// which then takes its name. If that fails, or ctx is cancelled before the end, a
// file that was there is as it was, and nothing is left behind.
//
// A symbolic link stays, and the file that it leads to is written; a file keeps its
// permissions. What is no regular file, such as a device or a pipe, cannot be
// replaced, and is written to.
func Write(ctx context.Context, name string, data []byte) error {
	t, err := find(name)
	if err != nil {
		return err
	}
	if t.open {
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_TRUNC, 0)
		if err != nil {
			return err
		}
		return errors.Join(write(ctx, f, data), f.Close())
	}
	f, err := t.beside()
	if err != nil {
		return err
	}
	if t.exists {
		err = f.Chmod(t.mode)
	}
	if err == nil {
		err = write(ctx, f, data)
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), t.name)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// Check reports whether [Write] could begin to write a file with that name. It
// changes nothing, and does not wait for the reader of a pipe.
func Check(name string) error {
	t, err := find(name)
	if err != nil || t.open {
		return err
	}
	f, err := t.beside()
	if err != nil {
		return err
	}
	f.Close()
	return os.Remove(f.Name())
}

// Regular reports whether a name is that of a regular file, or of none.
func Regular(name string) bool {
	info, err := os.Stat(name)
	return err != nil || info.Mode().IsRegular()
}

// A target is what is to be written for a name.
type target struct {
	name   string // behind all links
	exists bool
	mode   fs.FileMode // if it exists
	open   bool        // it is to be opened by the name given, and not to be replaced
}

// mostLinks is how many links are followed, as many as Linux does.
const mostLinks = 40

func find(name string) (target, error) {
	if name == "" {
		return target{}, errors.New("the name of the file is empty")
	}
	seen, err := os.Stat(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return target{}, err
	}
	if err == nil && seen.IsDir() {
		return target{}, fmt.Errorf("%s is a directory", name)
	}
	if err == nil && !seen.Mode().IsRegular() {
		return target{open: true}, nil
	}
	t := target{name: name, exists: err == nil}
	for range mostLinks {
		info, err := os.Lstat(t.name)
		switch {
		case t.exists && (opened(t.name) || err != nil || info.Mode().IsRegular() && !os.SameFile(info, seen)):
			return target{open: true}, nil
		case errors.Is(err, fs.ErrNotExist):
			return t, nil
		case err != nil:
			return target{}, err
		case info.Mode().IsRegular():
			t.mode = info.Mode().Perm()
			return t, writable(t.name)
		case info.Mode()&fs.ModeSymlink == 0:
			return target{}, fmt.Errorf("%s is being changed", name)
		}
		to, err := os.Readlink(t.name)
		if err != nil {
			return target{}, err
		}
		if !filepath.IsAbs(to) {
			dir, _ := filepath.Split(t.name) // Dir would take .. away, which links decide
			to = dir + to
		}
		t.name = to
	}
	return target{}, fmt.Errorf("%s leads through too many links", name)
}

// opened reports whether a link is one to what a process has opened, as /dev/stdout
// is in the end. Others go on writing to that, and it need not have a name.
func opened(link string) bool { return strings.HasPrefix(link, "/proc/") }

// writable tells of a file that is not to be written, which could be replaced all
// the same.
func writable(name string) error {
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return f.Close()
}

// beside creates a hidden file in the folder of the target.
func (t *target) beside() (*os.File, error) {
	dir, _ := filepath.Split(t.name)
	for {
		f, err := os.OpenFile(fmt.Sprintf("%s.forkjoin-%08x.tmp", dir, rand.Uint32()), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if at, ok := errors.AsType[*fs.PathError](err); ok { // the name is nobody's concern
			at.Path = t.name
		}
		return f, err
	}
}

// chunk is what is written without a look at the context: a moment's worth.
const chunk = 1 << 20

func write(ctx context.Context, f *os.File, data []byte) error {
	for {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if len(data) == 0 {
			return nil
		}
		n, err := f.Write(data[:min(chunk, len(data))])
		if err != nil {
			return err
		}
		data = data[n:]
	}
}
