package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const root = "../../.."

// What docs/VERIFICATION.md says can be looked up: the tests that it names exist,
// and so do as many mistakes as it counts, fifteen at least for each protocol.
func TestDocs(t *testing.T) {
	docs := read(t, "docs/VERIFICATION.md")
	var tests strings.Builder
	filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, "_test.go") {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Error(err)
			}
			tests.Write(data)
		}
		return err
	})
	for _, name := range regexp.MustCompile(`\b(Test|Fuzz)[A-Z]\w+`).FindAllString(docs, -1) {
		if !strings.Contains(tests.String(), "func "+name+"(") {
			t.Errorf("there is no %s", name)
		}
	}

	all, err := parse(read(t, "verify/mutations.txt"))
	if err != nil {
		t.Fatal(err)
	}
	if count := fmt.Sprintf("holds %d mistakes", len(all)); !strings.Contains(docs, count) {
		t.Errorf("the number of mistakes is out of date: %s", count)
	}
	protocols := map[string]int{}
	names := map[string]bool{}
	for _, m := range all {
		protocols[m.protocol]++
		if name := m.protocol + ": " + m.name; names[name] {
			t.Errorf("two mistakes are called %q", name)
		} else {
			names[name] = true
		}
	}
	for protocol, n := range protocols {
		if n < 15 {
			t.Errorf("%d mistakes of %s, want 15 or more", n, protocol)
		}
		if !strings.Contains(docs, "| "+protocol+" |") {
			t.Errorf("nothing is said of %s", protocol)
		}
	}
}

// Each mistake can still be made.
func TestMistakesApply(t *testing.T) {
	all, err := parse(read(t, "verify/mutations.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range all {
		if _, err := m.mutated(root); err != nil {
			t.Error(err)
		}
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
