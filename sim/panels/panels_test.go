package panels

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"
)

func golden(t *testing.T) []byte {
	t.Helper()
	data, err := os.ReadFile("../testdata/wsq-panels.json")
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestGolden compares every figure of the golden file with the simulation.
func TestGolden(t *testing.T) {
	var out strings.Builder
	passed, failed, err := Check(bytes.NewReader(golden(t)), &out)
	if err != nil || failed != 0 {
		t.Fatalf("%v\n%s", err, &out)
	}
	var f struct {
		Cases, Claims []any
		Generators    struct{ Samples map[string]any }
	}
	if err := json.Unmarshal(golden(t), &f); err != nil {
		t.Fatal(err)
	}
	// The gradient is one, the distribution three.
	want := len(f.Cases) + len(f.Claims) + len(f.Generators.Samples) + 1 + 3
	if len(f.Cases) != 76 || passed != want {
		t.Errorf("%d passed, want %d with %d cases", passed, want, len(f.Cases))
	}
}
