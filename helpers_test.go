package forkjoin_test

import (
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/forkjoin-go/forkjoin"
)

// The helpers of the tests use nothing but the public surface, so that they hold
// for any scheduler behind it.

// build tells how this binary was made: some builds are an order of magnitude
// slower, and the sizes and deadlines below follow.
var build = func() (b struct{ race, purego, wasm bool }) {
	b.wasm = runtime.GOARCH == "wasm"
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "-race":
			b.race = s.Value == "true"
		case "-tags":
			b.purego = slices.Contains(strings.FieldsFunc(s.Value, func(r rune) bool { return r == ',' || r == ' ' }), "purego")
		}
	}
	return b
}()

// slow reports a build whose repetition counts are cut to a tenth.
func slow() bool { return build.race || build.purego || build.wasm || testing.Short() }

// scale returns n, or a tenth of it (at least 1) in a slow build.
func scale(n int) int {
	if slow() {
		return max(1, n/10)
	}
	return n
}

// oneOf returns a function to ask before each of many similar cases whether it is
// run. All are; in a slow build one of n, which should not divide how many cases
// there are of one kind, so that those of each kind have their turn.
func oneOf(t testing.TB, n int) func() bool {
	turn := len(t.Name())
	return func() bool {
		turn++
		return !slow() || turn%n == 0
	}
}

// needsThreads skips a test that can pass only where goroutines run at the
// same time.
func needsThreads(t testing.TB) {
	t.Helper()
	if build.wasm {
		t.Skip("needs threads")
	}
}

// within runs f on a goroutine of its own and fails, with the stacks of all
// goroutines, if f has not ended after d. f may call t.Fatal.
func within(t testing.TB, d time.Duration, f func()) {
	t.Helper()
	if slow() {
		d *= 4
	}
	done := make(chan bool, 1)
	go func() {
		ended := false
		defer func() {
			if v := recover(); v != nil {
				t.Errorf("unexpected panic: %v\n%s", v, debug.Stack())
			}
			done <- ended
		}()
		f()
		ended = true
	}()
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case ended := <-done:
		switch {
		case t.Failed():
			t.FailNow()
		case ended:
		case t.Skipped():
			t.SkipNow()
		default:
			t.Fatal("ended by Goexit")
		}
	case <-timer.C:
		t.Fatalf("not done after %v\n%s", d, stacks())
	}
}

// stacks returns the stacks of all goroutines, cut at a length one can read.
func stacks() []byte {
	buf := make([]byte, 256<<10)
	return buf[:runtime.Stack(buf, true)]
}

// gnum returns the number of the current goroutine, so that a test can see
// whether two pieces of code ran on the same one.
func gnum() int64 {
	var buf [40]byte
	s := strings.TrimPrefix(string(buf[:runtime.Stack(buf[:], false)]), "goroutine ")
	n, err := strconv.ParseInt(s[:strings.IndexByte(s, ' ')], 10, 64)
	if err != nil {
		panic(err)
	}
	return n
}

// waitFor waits until cond holds, for at most d, and reports whether it did.
// It gives the processor away and forks now and then, so that whoever searches
// for work is served.
func waitFor(cond func() bool, d time.Duration) bool {
	end := time.Now().Add(d)
	for i := 1; !cond(); i++ {
		if i%8 == 0 {
			forkjoin.Join(nop, nop)
			if time.Now().After(end) {
				return false
			}
		}
		runtime.Gosched()
	}
	return true
}

// eventually polls until ok or until d has passed.
func eventually(d time.Duration, ok func() bool) bool {
	for end := time.Now().Add(d); !ok(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			return ok()
		}
	}
	return true
}

// inSomeLooks polls until ok or until it has looked so many times, a millisecond
// apart. It is for what must come before something else does, but takes longer where
// the machine is busy.
func inSomeLooks(looks int, ok func() bool) bool {
	for range looks - 1 {
		if ok() {
			return true
		}
		time.Sleep(time.Millisecond)
	}
	return ok()
}

// soon fails unless cond comes to hold within d.
func soon(t testing.TB, d time.Duration, what string, cond func() bool) {
	t.Helper()
	if slow() {
		d *= 4
	}
	if !eventually(d, cond) {
		t.Fatalf("not within %v: %s\n%s", d, what, stacks())
	}
}

func nop() {}

// patience is the deadline of a test that needs far less. It is generous
// because a loaded machine can keep a goroutine off its processors for seconds.
const patience = 30 * time.Second
