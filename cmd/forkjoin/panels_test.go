package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestPanels(t *testing.T) {
	for _, c := range []invocation{
		{"panels", ok, "\nPanel E: ", ""},
		{"panels -study", ok, "\nSteal-half\n", ""},
		{"panels -json -study", ok, "\"format\": \"forkjoin-panels-study/1\"", ""},
		{"panels -h", ok, "Example:\n  forkjoin panels -json", ""},
		{"help panels", ok, "-check FILE", ""},
		{"panels x", misuse, "", `unexpected argument "x"`},
		{"panels -nonsense", misuse, "", "flag provided but not defined: -nonsense\n\"forkjoin panels -h\""},
		{"panels -check f -json", misuse, "", "forkjoin: panels: -check goes without -study and another format than text\n"},
		{"panels -format csv", misuse, "", "forkjoin: panels: -format is \"csv\", want text or json\n"},
		{"panels -check=", failure, "", "forkjoin: panels: open : "},
	} {
		c.check(t)
	}
}

func TestPanelsCheck(t *testing.T) {
	if runtime.GOOS == "js" || runtime.GOOS == "wasip1" {
		t.Skip("needs files")
	}
	status, out, errs := call("panels", "-json")
	if status != ok || errs != "" {
		t.Fatalf("status %d, printed as error %q", status, errs)
	}
	name := filepath.Join(t.TempDir(), "panels.json")
	check := func(content, want string, wantStatus int) {
		t.Helper()
		if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
		status, out, errs := call("panels", "-check", name)
		if status != wantStatus || !strings.HasSuffix(out, want) || (want == "") != (errs != "") {
			t.Errorf("status %d, want %d; printed\n%swant %q; as error %q", status, wantStatus, out, want, errs)
		}
	}
	check(out, " passed, 0 failed\n", ok)
	check(strings.Replace(out, `"makespan":211,`, `"makespan":212,`, 1), " passed, 1 failed\n", failure)
	check("not JSON", "", failure)
}
