// Command stalls prepares a build of the library in which the scheduler is held
// up at its atomic operations and locks.
//
//	stalls [-change FILE -old TEXT -new TEXT] [-test FILE] DIRECTORY
//
// It writes into DIRECTORY a file overlay.json for the -overlay flag of the go
// command. With that, the packages internal/atomic and internal/joint, through
// which the scheduler has its atomics and locks, take them from package stalling
// instead of from sync/atomic and sync. All the rest is compiled as it stands.
//
// With -change, the only place in a file that reads as -old says is replaced by
// -new, to see whether a mistake is found. With -test, all other files of tests are
// left out, which makes the build short.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

func main() {
	var c change
	flag.StringVar(&c.file, "change", "", "a file to make a mistake in")
	flag.StringVar(&c.old, "old", "", "what is right")
	flag.StringVar(&c.new, "new", "", "what is wrong")
	test := flag.String("test", "", "the only file of tests")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: stalls [-change FILE:OLD:NEW] DIRECTORY")
		os.Exit(2)
	}
	if err := prepare(flag.Arg(0), *test, c); err != nil {
		fmt.Fprintln(os.Stderr, "stalls:", err)
		os.Exit(1)
	}
}

const module = "github.com/forkjoin-go/forkjoin"

// imports are those that are replaced.
var imports = regexp.MustCompile(`(?m)^(\t|import )"(sync|sync/atomic)"$`)

// between is what stands between the scheduler and the replaced packages.
var between = []string{"internal/atomic/atomic.go", "internal/joint/joint.go"}

// Files that must have their atomics from there: the protocols' own.
var protocols = []string{"deque.go", "inject.go", "tasklist.go", "sleep.go", "frame.go", "worker.go", "pool.go"}

// A change is a mistake to make in one place of one file.
type change struct{ file, old, new string }

func prepare(dir, test string, c change) error {
	root, err := moduleRoot()
	if err != nil {
		return err
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	replace := map[string]string{}
	// substitute writes the text of a file, changed, to be compiled instead.
	substitute := func(name string, edit func(string) (string, error)) error {
		b, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			return err
		}
		text, err := edit(string(b))
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		out := filepath.Join(dir, strings.ReplaceAll(name, "/", "_"))
		replace[filepath.Join(root, name)] = out
		return os.WriteFile(out, []byte(text), 0o666)
	}
	for _, name := range between {
		if err := substitute(name, stalled); err != nil {
			return err
		}
	}
	if c.file != "" {
		if err := substitute(c.file, c.apply); err != nil {
			return err
		}
	}
	for _, name := range protocols {
		b, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			return err
		}
		if !strings.Contains(string(b), `"`+module+`/internal/atomic"`) || imports.Match(b) {
			return fmt.Errorf("%s would not be held up: its atomics are not those of internal/atomic", name)
		}
	}
	if test != "" {
		tests, err := filepath.Glob(filepath.Join(root, "*_test.go"))
		if err != nil {
			return err
		}
		for _, path := range tests {
			if filepath.Base(path) != test {
				replace[path] = "" // as if it were not there
			}
		}
	}
	for _, name := range []string{"atomics.go", "stalling.go"} {
		replace[filepath.Join(root, "internal/stalling", name)] = filepath.Join(root, "verify/stalls/stalling", name)
	}
	b, err := json.MarshalIndent(map[string]any{"Replace": replace}, "", "\t")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "overlay.json"), b, 0o666)
}

// stalled replaces the imports in a file's text.
func stalled(text string) (string, error) {
	if !imports.MatchString(text) {
		return "", errors.New("it imports neither sync nor sync/atomic in a line of its own")
	}
	return imports.ReplaceAllStringFunc(text, func(s string) string {
		m := imports.FindStringSubmatch(s)
		return m[1] + filepath.Base(m[2]) + ` "` + module + `/internal/stalling"`
	}), nil
}

// apply makes the mistake in a file's text.
func (c change) apply(text string) (string, error) {
	if n := strings.Count(text, c.old); n != 1 {
		return "", fmt.Errorf("%d places read %q, want 1", n, c.old)
	}
	return strings.Replace(text, c.old, c.new, 1), nil
}

// moduleRoot returns the directory of the library, from one in it.
func moduleRoot() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		b, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if err == nil && strings.HasPrefix(string(b), "module "+module+"\n") {
			return dir, nil
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", fmt.Errorf("not in the module %s", module)
		}
		dir = up
	}
}
