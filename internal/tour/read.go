package tour

import (
	"io/fs"

	"github.com/forkjoin-go/forkjoin"
)

// readFile returns the contents of a file.
func readFile(fsys fs.FS, name string) (string, error) {
	b, err := fs.ReadFile(fsys, name)
	return string(b), err
}

// readAll reads the files anew, one after another. By now they are in the
// system's cache, so this measures system calls and copying. An error counts
// as an empty file: load has read each of them before.
func readAll(fsys fs.FS, files []file) []string {
	texts := make([]string, len(files))
	for i, f := range files {
		texts[i], _ = readFile(fsys, f.name)
	}
	return texts
}

// readAllParallel is readAll as a loop. Nothing here waits for a disk, so it
// does without Blocking: lending a slot would cost more than the read.
func readAllParallel(fsys fs.FS, files []file) []string {
	texts := make([]string, len(files))
	forkjoin.ParallelFor(len(files), func(i int) {
		texts[i], _ = readFile(fsys, files[i].name)
	})
	return texts
}
