package forkjoin_test

import (
	"errors"
	"os"
	"os/exec"
	"testing"
)

// childEnv tells a re-executed test binary which part to play.
const childEnv = "FORKJOIN_TEST_CHILD"

// child runs the named test alone in a process of its own, with childEnv set to
// the test's name, and returns what it printed and how it ended.
func child(t *testing.T, test string) (string, error) {
	t.Helper()
	if build.wasm {
		t.Skip("no processes")
	}
	exe, err := os.Executable()
	if err != nil {
		t.Skip(err)
	}
	cmd := exec.Command(exe, "-test.run=^"+test+"$", "-test.v", "-test.timeout=60s")
	cmd.Env = append(os.Environ(), childEnv+"="+test)
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Skipf("cannot start a process: %v", err)
	}
	return string(out), err
}

func isChild(test string) bool { return os.Getenv(childEnv) == test }
