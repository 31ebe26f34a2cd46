// Package examples holds small programs, one in each folder.
package examples

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestExamples runs every example; each checks its own result.
func TestExamples(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	if _, err := exec.LookPath("go"); err != nil || runtime.GOOS == "js" || runtime.GOOS == "wasip1" {
		t.Skip("cannot run programs here")
	}
	bin := t.TempDir()
	mains, err := filepath.Glob("*/main.go")
	if err != nil || len(mains) == 0 {
		t.Fatalf("no examples found (error: %v)", err)
	}
	if out, err := exec.Command("go", "build", "-o", bin+string(filepath.Separator), "./...").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	programs, err := os.ReadDir(bin)
	if err != nil || len(programs) != len(mains) {
		t.Fatalf("%d programs were built from %d examples (error: %v)", len(programs), len(mains), err)
	}
	for _, p := range programs {
		t.Run(p.Name(), func(t *testing.T) {
			cmd := exec.Command(filepath.Join(bin, p.Name()))
			cmd.Env = append(os.Environ(), "TMPDIR="+t.TempDir()) // for the pictures
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			if !strings.Contains(string(out), "parallel") {
				t.Errorf("no times in the output:\n%s", out)
			}
			t.Logf("%s", out)
		})
	}
}
