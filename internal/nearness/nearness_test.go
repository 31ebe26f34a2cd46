package nearness

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/forkjoin-go/forkjoin"
)

func parallel(n int, body func(i int)) { forkjoin.ParallelFor(n, body, forkjoin.MaxLeaf(1)) }

// On a machine of two sockets nearest-first takes a third of the steals between
// them, or less, and no more than 2 % longer.
func TestAims(t *testing.T) {
	rows, err := Study([]string{"xeon-2x8280"}, 1, parallel)
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != len(workloads) {
		t.Fatalf("%d rows, want %d", len(rows), len(workloads))
	}
	for _, r := range rows {
		if r.Fewer() < 3 || r.Slower() > 2 || r.Nearest.Latency >= r.Random.Latency {
			t.Errorf("%s: %.2f times fewer steals between sockets, %+.1f %%, %d and %d ns a steal", r.Program, r.Fewer(), r.Slower(), r.Nearest.Latency, r.Random.Latency)
		}
	}
}

// The tables of docs/TOPOLOGY.md are what the simulation gives: those of some
// machines with few workers, or, without -short, some more.
func TestDocument(t *testing.T) {
	if runtime.GOOS == "js" || runtime.GOOS == "wasip1" {
		t.Skip("needs files")
	}
	doc, err := os.ReadFile("../../docs/TOPOLOGY.md")
	if err != nil {
		t.Fatal(err)
	}
	machines := []string{"vm-2", "affinity-6", "liar-nothing-fits"}
	if !testing.Short() {
		machines = append(machines, "apple-8p4e", "desktop-4", "offline-16", "xeon-2x6248-snc2")
	}
	rows, err := Study(machines, Seeds, parallel)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		var b bytes.Buffer
		if err := WriteTable(&b, []Row{r}); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSpace(b.String()), "\n")
		if line := lines[len(lines)-1]; !strings.Contains(string(doc), line+"\n") {
			t.Errorf("docs/TOPOLOGY.md lacks the line\n%s", line)
		}
	}
}

func TestPlot(t *testing.T) {
	rows := []Row{
		{Machine: "a<b", Program: "sort", Caches: 2, Rings: 2, Nearest: Outcome{Makespan: 90, Remote: 1}, Random: Outcome{Makespan: 100, Remote: 4}},
		{Machine: "one", Program: "tree", Caches: 1, Rings: 1, Nearest: Outcome{Makespan: 1}, Random: Outcome{Makespan: 1}},
		{Machine: "far", Program: "loop", Caches: 9, Rings: 3, Nearest: Outcome{Makespan: 300, Remote: 1}, Random: Outcome{Makespan: 100, Remote: 400}},
	}
	var b bytes.Buffer
	if err := WritePlot(&b, rows); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	if !strings.Contains(text, "a&lt;b, sort: 4.0 × fewer, -10.0 %") || strings.Contains(text, "one, ") || !strings.Contains(text, "far, loop") {
		t.Errorf("the plot is\n%s", text)
	}
	for d := xml.NewDecoder(&b); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	b.Reset()
	if err := WriteStudy(&b, rows); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Of 2 rows with several last-level caches, 2 have", "More than 2 % longer: far, loop: +200.0 %.", "| a<b | 0 | sort |"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the study lacks %q:\n%s", want, b.String())
		}
	}
}

func TestStudyErrors(t *testing.T) {
	if _, err := Study([]string{"pdp-11"}, 1, parallel); err == nil || !strings.HasPrefix(err.Error(), `forkjoin: fixture is "pdp-11"`) {
		t.Errorf("the error is %v", err)
	}
}
