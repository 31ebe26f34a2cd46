package forkjoin_test

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/forkjoin-go/forkjoin"
)

var (
	programSeed  = flag.Uint64("program.seed", 0, "of the first random program")
	programCount = flag.Int("program.count", 0, "how many random programs at each place; 0: as many as a test has time for")
	programText  = flag.String("program", "reduce:7[join:1[go:2[exit:3] trouble:4] recover:5[panic:6]]", "a program to run again and again, as another test prints it")
	programPlace = flag.Int("program.workers", 0, "where to run that: in a pool of so many workers; 0: the default pool")
	programProcs = flag.Int("program.procs", 2, "GOMAXPROCS for that")
	programTimes = flag.Int("program.times", 50, "how often to run that")
)

// programTime is how long a program may take. It needs milliseconds; what takes
// longer hangs.
const programTime = 20 * time.Second

// try runs p somewhere and returns what is wrong with how that goes.
func (r *runner) try(p *program, where func(func())) error {
	limit := programTime
	if slow() {
		limit *= 4
	}
	done := make(chan error, 1)
	go func() { done <- r.check(p, where) }()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case err := <-done:
		return err
	case <-timer.C:
		return fmt.Errorf("not done after %v\n%s", limit, stacks())
	}
}

// explain reports that p fails, and then shrinks it, each time in processes of
// their own, since what hangs or crashes leaves nothing to go on with.
func explain(t *testing.T, p *program, workers int, err error) {
	t.Helper()
	t.Errorf("%v\nprogram of %d nodes: %v", err, p.size(), p)
	if build.wasm {
		return
	}
	args := []string{fmt.Sprint("-program.workers=", workers), fmt.Sprint("-program.procs=", runtime.GOMAXPROCS(0))}
	end := time.Now().Add(3 * time.Minute)
	failed := func(p *program) bool { return time.Now().Before(end) && !passesAlone(p, args...) }
	if !failed(p) {
		t.Logf("it did not fail again in a process of its own")
		return
	}
	t.Logf("to see it again: go test -run '^TestProgram$' . %q -program '%v'", args, p.shrink(failed))
}

// passesAlone runs TestProgram in another process, with p.
func passesAlone(p *program, args ...string) bool {
	args = append([]string{"-test.run=^TestProgram$", "-test.timeout=1m", "-program=" + p.String()}, args...)
	return exec.Command(os.Args[0], args...).Run() == nil
}

// TestProgram runs one program again and again.
func TestProgram(t *testing.T) {
	p, err := parseProgram(*programText)
	if err != nil {
		t.Fatal(err)
	}
	setProcs(t, *programProcs)
	where := func(f func()) { f() }
	if *programPlace > 0 {
		where = newPool(t, forkjoin.Config{Workers: *programPlace}).Run
	}
	r := newRunner(newPool(t, forkjoin.Config{Workers: 2}))
	for range *programTimes {
		if err := r.try(p, where); err != nil {
			t.Fatal(err)
		}
	}
}

func TestRandomPrograms(t *testing.T) {
	other := newPool(t, forkjoin.Config{Workers: 2})
	count := scale(40)
	if *programCount > 0 {
		count = *programCount
	}
	everywhere(t, func(t *testing.T, p place) {
		r := newRunner(other)
		workers := 0
		if p.private {
			workers = p.workers
		}
		nodes := 0
		for seed := *programSeed; seed < *programSeed+uint64(count); seed++ {
			src := rand.New(rand.NewPCG(seed, 7))
			prog := randomProgram(src, 1+src.IntN(300), failuresOf(seed))
			nodes += prog.size()
			for range 3 {
				if err := r.try(prog, p.run); err != nil {
					explain(t, prog, workers, fmt.Errorf("seed %d: %w", seed, err))
					return
				}
			}
		}
		t.Logf("%d programs of %d nodes, seeds from %d on, three times each", count, nodes, *programSeed)
		within(t, 10*time.Second, func() { p.run(func() { sane(t) }) })
	})
}

// Many random programs at the same time.
func TestRandomProgramsTogether(t *testing.T) {
	other := newPool(t, forkjoin.Config{Workers: 3})
	eachProcs(t, func(t *testing.T) {
		r := newRunner(other)
		const callers = 32
		done := make(chan error, callers)
		for c := range uint64(callers) {
			go func() {
				src := rand.New(rand.NewPCG(*programSeed+c, 11))
				for range scale(10) {
					prog := randomProgram(src, 1+src.IntN(150), failuresOf(c))
					if err := r.try(prog, func(f func()) { f() }); err != nil {
						done <- fmt.Errorf("caller %d: %w\n%v", c, err, prog)
						return
					}
				}
				done <- nil
			}()
		}
		for range callers {
			if err := <-done; err != nil {
				t.Error(err)
			}
		}
	})
}

// Bytes as programs.
func FuzzProgram(f *testing.F) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := 4; n < 200; n *= 2 {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		f.Add(b)
	}
	for k := progSeq; k < progKinds; k++ {
		f.Add([]byte{12, 0, 7, byte(k - progSeq), 3, 9, 1, 0, 20, 2})
	}
	other, err := forkjoin.New(forkjoin.Config{Workers: 2})
	if err != nil {
		f.Fatal(err)
	}
	one, err := forkjoin.New(forkjoin.Config{Workers: 1})
	if err != nil {
		f.Fatal(err)
	}
	places := []func(func()){func(f func()) { f() }, one.Run, other.Run}
	f.Fuzz(func(t *testing.T, b []byte) {
		src := &byteSource{bytes: b}
		size, kinds, where := 1+src.IntN(200), src.IntN(12), src.IntN(3)
		prog := randomProgram(src, size, failuresOf(uint64(kinds)))
		if err := newRunner(other).try(prog, places[where]); err != nil {
			t.Errorf("%v\n%v", err, prog)
		}
	})
}

// Programs read as they are written, for every kind of node.
func TestProgramText(t *testing.T) {
	seen := map[programKind]bool{}
	for seed := range uint64(300) {
		src := rand.New(rand.NewPCG(seed, 3))
		p := randomProgram(src, 1+src.IntN(100), failures{true, true})
		q, err := parseProgram(p.String())
		if err != nil || q.String() != p.String() {
			t.Fatalf("%v\nreads as\n%v, %v", p, q, err)
		}
		var visit func(p *program)
		visit = func(p *program) {
			seen[p.kind] = true
			for _, c := range p.children {
				visit(c)
			}
		}
		visit(p)
	}
	for k, name := range programNames {
		if !seen[programKind(k)] {
			t.Errorf("no %s among 300 random programs", name)
		}
	}
	for _, bad := range []string{"", "join", "join:1", "leaf", "leaf:", "leaf:1[", "leaf:1[leaf:2]", "seq:1[leaf:2", "seq:1[leaf:2]x", "seq:1[leaf:2,leaf:3]", "none:1"} {
		if p, err := parseProgram(bad); err == nil {
			t.Errorf("%q reads as %v", bad, p)
		}
	}
}

// A program that fails for one reason shrinks to that reason.
func TestProgramShrinks(t *testing.T) {
	has := func(p *program, k programKind) bool {
		var find func(p *program) bool
		find = func(p *program) bool { return p.kind == k || slices.ContainsFunc(p.children, find) }
		return find(p)
	}
	shrunk := 0
	for seed := range uint64(100) {
		src := rand.New(rand.NewPCG(seed, 5))
		p := randomProgram(src, 1+src.IntN(200), failures{})
		// As if a channel below a blocking call, beside a wait group, were wrong.
		fails := func(p *program) bool { return has(p, progBlocking) && has(p, progChannel) && has(p, progWaitGroup) }
		if !fails(p) {
			continue
		}
		shrunk++
		// Nothing but the three, a leaf below each and what they are siblings by.
		if q := p.shrink(fails); !fails(q) || q.size() > 8 {
			t.Errorf("seed %d: %v shrinks to %v", seed, p, q)
		}
	}
	if shrunk < 5 {
		t.Errorf("only %d programs to shrink", shrunk)
	}
}

// The comparison can fail: a wrong value, a panic that nobody threw, and an end
// that the program does not have are noticed.
func TestProgramFaultsShow(t *testing.T) {
	here := func(f func()) { f() }
	p, err := parseProgram("join:1[leaf:2 seq:3[leaf:4]]")
	if err != nil {
		t.Fatal(err)
	}
	for what, where := range map[string]func(func()){
		"a branch does not run": func(f func()) {},
		"a strange panic":       func(f func()) { f(); panic(errors.New("strange")) },
		"a Goexit":              func(f func()) { f(); runtime.Goexit() },
		"a thrown value":        func(f func()) { f(); panic(thrown{2}) },
	} {
		if err := newRunner(nil).check(p, where); err == nil {
			t.Errorf("%s is not noticed", what)
		}
	}
	r := newRunner(nil)
	if err := r.check(p, here); err != nil {
		t.Errorf("without a fault: %v", err)
	}
	if r.fault("seen"); r.check(p, here) == nil {
		t.Error("what a node reports is not noticed")
	}
}
