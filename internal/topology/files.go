package topology

import (
	"io/fs"
	"path"
	"strings"
	"time"
)

// files is a file system in memory, by name.
type files map[string]string

func (f files) Open(name string) (fs.File, error) {
	text, ok := f[name]
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return &file{Reader: strings.NewReader(text + "\n"), name: path.Base(name)}, nil
}

type file struct {
	*strings.Reader
	name string
}

func (f *file) Close() error               { return nil }
func (f *file) Stat() (fs.FileInfo, error) { return f, nil }
func (f *file) Name() string               { return f.name }
func (f *file) Mode() fs.FileMode          { return 0o444 }
func (f *file) ModTime() time.Time         { return time.Time{} }
func (f *file) IsDir() bool                { return false }
func (f *file) Sys() any                   { return nil }
