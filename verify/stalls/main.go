// Command stalls prepares a build of the library in which the scheduler is held
// up at its atomic operations and locks.
//
//	stalls [-change FILE -old TEXT -new TEXT] [-test FILE] DIRECTORY
//
// It reads the source in the module's root and writes into DIRECTORY a file
// overlay.json for the -overlay flag of the go command. With that, every file of
// the package forkjoin is compiled as it stands, but for the imports of sync/atomic
// and sync, which become that of package stalling. So what runs is the code that
// is shipped, which has no hooks for it.
//
// With -change, the only place in a file that reads as -old says is replaced by
// -new, to see whether a mistake is found. With -test, all other files of tests are
// left out, which makes the build short.
package main

import (
	"encoding/json"
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

// aliases are imports of packages that give the replaced types other names.
var aliases = regexp.MustCompile(`(?m)^(\t|import )"` + module + `/internal/(atomic|joint)"$`)

// Files that must be among those that are changed: the protocols' own.
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
	var sources []string
	for _, pattern := range []string{"*.go", "internal/atomic/atomic.go", "internal/joint/joint.go"} {
		paths, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			return err
		}
		sources = append(sources, paths...)
	}
	held := map[string]bool{}
	for _, path := range sources {
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		if strings.HasSuffix(name, "_test.go") {
			if test != "" && name != test {
				replace[path] = "" // as if it were not there
			}
			continue
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		text := string(b)
		if name == c.file {
			if n := strings.Count(text, c.old); n != 1 {
				return fmt.Errorf("%s has %d places that read %q, want 1", name, n, c.old)
			}
			text = strings.Replace(text, c.old, c.new, 1)
			c.file = ""
		}
		text = imports.ReplaceAllStringFunc(text, func(s string) string {
			m := imports.FindStringSubmatch(s)
			return m[1] + filepath.Base(m[2]) + ` "` + module + `/internal/stalling"`
		})
		held[name] = imports.MatchString(string(b)) || aliases.MatchString(string(b))
		if text == string(b) {
			continue
		}
		out := filepath.Join(dir, strings.ReplaceAll(name, "/", "_"))
		if err := os.WriteFile(out, []byte(text), 0o666); err != nil {
			return err
		}
		replace[path] = out
	}
	if c.file != "" {
		return fmt.Errorf("there is no file %s to change", c.file)
	}
	for _, name := range protocols {
		if !held[name] {
			return fmt.Errorf("%s would not be held up: it has no import that is replaced", name)
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
