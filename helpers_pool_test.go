package forkjoin_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/forkjoin-go/forkjoin"
)

// patience is the deadline of a test that needs far less. It is generous
// because a loaded machine can keep a goroutine off its processors for seconds.
const patience = 30 * time.Second

// raceOn and puregoOn say how the test binary was built: both make a fork or a
// goroutine lookup many times dearer, so the large cases shrink.
var raceOn, puregoOn = buildFlags()

func buildFlags() (race, purego bool) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "-race":
			race = s.Value == "true"
		case "-tags":
			purego = slices.Contains(strings.Split(s.Value, ","), "purego")
		}
	}
	return
}

// oneThread reports whether the platform runs all goroutines on one thread.
func oneThread() bool { return runtime.GOARCH == "wasm" }

// scaled shrinks an iteration count where everything is slow.
func scaled(n int) int {
	switch {
	case oneThread():
		return max(n/20, 1)
	case raceOn, puregoOn, testing.Short():
		return max(n/8, 1)
	}
	return n
}

// deadline runs f on a goroutine of its own and fails the test, with the stacks
// of all goroutines, if f has not ended after d. f may call t.Fatal.
func deadline(t testing.TB, d time.Duration, f func()) {
	t.Helper()
	done := make(chan struct{})
	var givenUp atomic.Bool
	go func() {
		defer close(done)
		defer func() {
			if v := recover(); v != nil && !givenUp.Load() {
				t.Errorf("unexpected panic: %v\n%s", v, debug.Stack())
			}
		}()
		f()
	}()
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-done:
	case <-timer.C:
		givenUp.Store(true)
		t.Fatalf("not done after %v; all goroutines:\n%s", d, allStacks())
	}
	if t.Failed() {
		t.FailNow()
	}
}

func allStacks() []byte {
	buf := make([]byte, 1<<20)
	return buf[:runtime.Stack(buf, true)]
}

// setProcs sets GOMAXPROCS for the rest of the test.
func setProcs(t testing.TB, n int) {
	t.Helper()
	old := runtime.GOMAXPROCS(n)
	t.Cleanup(func() { runtime.GOMAXPROCS(old) })
}

// threads makes sure that n goroutines can run at the same time, or skips.
func threads(t testing.TB, n int) {
	t.Helper()
	if oneThread() {
		t.Skip("one thread only")
	}
	if runtime.GOMAXPROCS(0) < n {
		setProcs(t, n)
	}
}

// eventually polls until ok or until d has passed.
func eventually(d time.Duration, ok func() bool) bool {
	for end := time.Now().Add(d); ; time.Sleep(time.Millisecond) {
		if ok() {
			return true
		}
		if time.Now().After(end) {
			return ok()
		}
	}
}

// newPool makes a pool that is closed when the test ends.
func newPool(t testing.TB, cfg forkjoin.Config) *forkjoin.Pool {
	t.Helper()
	p, err := forkjoin.New(cfg)
	if err != nil {
		t.Fatalf("New(%+v): %v", cfg, err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			return // Close would wait for whatever hangs
		}
		deadline(t, patience, func() {
			if err := p.Close(); err != nil {
				t.Errorf("Close: %v", err)
			}
		})
	})
	return p
}

// eachPool runs f as a subtest in the default pool and in private pools.
func eachPool(t *testing.T, workers []int, f func(t *testing.T, w int)) {
	t.Run("default", func(t *testing.T) {
		deadline(t, patience, func() { f(t, runtime.GOMAXPROCS(0)) })
	})
	for _, w := range workers {
		t.Run(fmt.Sprintf("workers=%d", w), func(t *testing.T) {
			p := newPool(t, forkjoin.Config{Workers: w})
			deadline(t, patience, func() { p.Run(func() { f(t, w) }) })
		})
	}
}

// caught runs f and returns the value it panicked with, or nil.
func caught(f func()) (value any) {
	defer func() { value = recover() }()
	f()
	return nil
}

// refuses checks that f panics with a text of the package itself, which
// contains every one of words.
func refuses(t testing.TB, f func(), words ...string) {
	t.Helper()
	v := caught(f)
	if v == nil {
		t.Errorf("no panic, want one that mentions %q", words)
		return
	}
	if _, ok := v.(*forkjoin.PanicError); ok {
		t.Errorf("panic is a *PanicError, want a plain text: %v", v)
	}
	checkText(t, v, words...)
}

func checkText(t testing.TB, v any, words ...string) {
	t.Helper()
	var text string
	switch v := v.(type) {
	case string:
		text = v
	case error:
		text = v.Error()
	default:
		t.Errorf("value is a %T (%v), want a string or an error", v, v)
		return
	}
	if !strings.HasPrefix(text, "forkjoin: ") {
		t.Errorf("text %q does not begin with \"forkjoin: \"", text)
	}
	for _, w := range words {
		if !strings.Contains(text, w) {
			t.Errorf("text %q does not mention %q", text, w)
		}
	}
}

// panicsWith checks that f panics with a *PanicError that carries want.
func panicsWith(t testing.TB, want any, f func()) *forkjoin.PanicError {
	t.Helper()
	v := caught(f)
	pe, ok := v.(*forkjoin.PanicError)
	if !ok {
		t.Errorf("panic value is %T (%v), want a *PanicError", v, v)
		return nil
	}
	if pe.Value != want {
		t.Errorf("PanicError.Value is %v, want %v", pe.Value, want)
	}
	if len(pe.Stack) == 0 {
		t.Errorf("PanicError.Stack is empty")
	}
	return pe
}

// gid is the number of the calling goroutine, as its stack trace shows it.
func gid() uint64 {
	var buf [40]byte
	s := bytes.TrimPrefix(buf[:runtime.Stack(buf[:], false)], []byte("goroutine "))
	id, err := strconv.ParseUint(string(s[:bytes.IndexByte(s, ' ')]), 10, 64)
	if err != nil {
		panic(err)
	}
	return id
}

// spin computes for about d. Where nothing preempts it, it lets others run.
func spin(d time.Duration) {
	for end := time.Now().Add(d); time.Now().Before(end); {
	}
	if oneThread() {
		runtime.Gosched()
	}
}

// toil computes for roughly so many microseconds without looking at a clock,
// which does not move while a goroutine of a synctest bubble runs.
func toil(us int) {
	x := uint64(us)
	for range 400 * us {
		x = x*6364136223846793005 + 1442695040888963407
	}
	toiled.Store(x)
}

var toiled atomic.Uint64

// gauge counts how many are inside at once, and the most there ever were.
type gauge struct{ now, most atomic.Int64 }

func (g *gauge) enter() {
	n := g.now.Add(1)
	for {
		m := g.most.Load()
		if n <= m || g.most.CompareAndSwap(m, n) {
			return
		}
	}
}

func (g *gauge) leave() { g.now.Add(-1) }

// ids is a set of goroutine numbers.
type ids struct {
	mu  sync.Mutex
	set map[uint64]int
}

// add notes the calling goroutine and returns how often it has been noted.
func (s *ids) add() int {
	id := gid()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.set == nil {
		s.set = make(map[uint64]int)
	}
	s.set[id]++
	return s.set[id]
}

func (s *ids) has(id uint64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.set[id] > 0
}

func (s *ids) len() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.set)
}

// barrier lets n goroutines wait for each other; arrive reports whether all
// came within the time given.
type barrier struct {
	n       int64
	arrived atomic.Int64
	open    chan struct{}
}

func newBarrier(n int) *barrier { return &barrier{n: int64(n), open: make(chan struct{})} }

func (b *barrier) arrive(d time.Duration) bool {
	if b.arrived.Add(1) == b.n {
		close(b.open)
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-b.open:
		return true
	case <-timer.C:
		return false
	}
}

// childEnv tells a re-executed test binary which part to play.
const childEnv = "FORKJOIN_TEST_CHILD"

// child runs the named test alone in a process of its own, with childEnv set to
// the test's name, and returns what it printed and how it ended.
func child(t *testing.T, test string) (string, error) {
	t.Helper()
	if oneThread() {
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
