package panels

import (
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"
)

// written returns what a function of this package writes.
func written(t *testing.T, write func(io.Writer) error) string {
	t.Helper()
	var b strings.Builder
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// reports are all that this package writes, with their hashes, which are the
// same on every platform. A change of a text changes its hash, and no other.
var reports = []struct {
	name, hash string
	write      func(io.Writer) error
}{
	{"Story", "057d352b80bb087b0be259b430aac429b3be0c18b21bbfc2eebaf60d8bf00504", Story},
	{"Study", "016aa0d58a99a7a54fd77312f52e0df89a8ee904c2bbbfecfd8ba935ca550f25", Study},
	{"WriteJSON", "75d5c864015ad9fd527c68ddfb11ed48a91263b470d7b46bf628816f93bec025", WriteJSON},
	{"WriteStudyJSON", "82c582f5bade0448df5271edf3b134f8c969b23a63b4e31f37f4b9c186d343b9", WriteStudyJSON},
}

func TestReportsAreTheSameEverywhere(t *testing.T) {
	for _, r := range reports {
		if got := fmt.Sprintf("%x", sha256.Sum256([]byte(written(t, r.write)))); got != r.hash {
			t.Errorf("%s on %s: hash %s, want %s", r.name, runtime.GOARCH, got, r.hash)
		}
	}
}

func TestTextsFitTheScreen(t *testing.T) {
	for _, r := range reports[:2] {
		for i, line := range strings.Split(written(t, r.write), "\n") {
			if n := utf8.RuneCountInString(line); n > columns {
				t.Errorf("%s, line %d has %d columns: %s", r.name, i+1, n, line)
			}
			if strings.TrimRight(line, " ") != line || strings.Contains(line, "%!") || strings.Contains(line, "\t") {
				t.Errorf("%s, line %d: %q", r.name, i+1, line)
			}
		}
	}
}

// The document shows the tables of the study as they are.
func TestStudyIsDocumented(t *testing.T) {
	data, err := os.ReadFile(filepath.FromSlash("../../docs/SIMULATION.md"))
	if err != nil {
		t.Fatal(err)
	}
	tables := regexp.MustCompile(`(?m)^(  .*\n)+`).FindAllString(written(t, Study), -1)
	if want := 2 * len(studyParts); len(tables) != want {
		t.Fatalf("the study has %d tables, want %d", len(tables), want)
	}
	for _, table := range tables {
		if !strings.Contains(string(data), table) {
			t.Errorf("docs/SIMULATION.md does not have this table of the study:\n%s", table)
		}
	}
}
