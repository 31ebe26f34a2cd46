package sim_test

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/forkjoin-go/forkjoin"
	"github.com/forkjoin-go/forkjoin/sim"
)

var update = flag.Bool("update", false, "write golden files")

func encode(t testing.TB, tree *sim.Tree) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := tree.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestRoundTrip(t *testing.T) {
	trees := map[string]*sim.Tree{"fib": sim.Fib(15, 7), "binary": sim.Binary(10, 1, 1000), "loops": loops(t)}
	for seed := range uint64(200) {
		trees[string(rune('a'+seed%26))+string(rune('a'+seed/26))] = sim.Random(seed, 1+3*int(seed), 5000)
	}
	for name, tree := range trees {
		file := encode(t, tree)
		back, err := sim.Read(bytes.NewReader(file))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got, want := dump(back), dump(tree); got != want {
			t.Fatalf("%s: read\n%.2000s\nbut wrote\n%.2000s", name, got, want)
		}
		if got, want := back.Measure(9), tree.Measure(9); got != want {
			t.Errorf("%s: read %+v, but wrote %+v", name, got, want)
		}
		if !bytes.Equal(encode(t, back), file) {
			t.Errorf("%s: written again, it is another file", name)
		}
		if n := tree.Counts().Tasks; n > 1000 && int64(len(file)) > 8*n {
			t.Errorf("%s: a task takes %d bytes in the file, want at most 8", name, int64(len(file))/n)
		}
	}
}

// loops has what Random leaves out.
func loops(t *testing.T) *sim.Tree {
	b := sim.NewBuilder()
	blocks := make([]sim.Block, 5000)
	for i := range blocks {
		blocks[i] = sim.Block{Iterations: 1 + int64(i%3), Cost: int64(i)}
	}
	b.Loop(sim.LoopOf{Site: "fine", Min: 1, Max: 100}, blocks...)
	b.Loop(sim.LoopOf{Site: "none"})
	b.Fork("f")
	b.Second()
	b.Moved(3, 77)
	b.Work(5)
	b.Join()
	b.Work(1)
	b.Spawn("s", 0)
	b.Moved(5, 79)
	b.Spawned()
	b.Pause(10)
	b.Enter("left open")
	b.Describe(sim.Meta{Declared: true, Workers: 7, Elapsed: 1234, Program: "test"})
	tree, err := b.Tree()
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

func TestMetaRoundTrip(t *testing.T) {
	tree := loops(t)
	back, err := sim.Read(bytes.NewReader(encode(t, tree)))
	if err != nil {
		t.Fatal(err)
	}
	got, want := back.Meta(), tree.Meta()
	want.Elapsed, want.Moved = 0, 2 // times say nothing where costs are declared
	if got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// goldenTree is what testdata/v1.fj holds. The format may get newer versions,
// but files of this one are read for good.
func goldenTree(t *testing.T) *sim.Tree {
	tree, err := sim.Record(func() {
		forkjoin.Labeled("golden", func() {
			forkjoin.Join(charge(1), func() {
				forkjoin.ParallelFor(2000, func(i int) { forkjoin.Charge(int64(i / 100)) }, forkjoin.Label("loop"))
			})
			forkjoin.ParallelReduce(5, 0, func(lo, hi int) int { forkjoin.Charge(3); return 0 },
				func(a, b int) int { forkjoin.Join(charge(4), charge(5)); return 0 })
			var g forkjoin.WaitGroup
			g.Go(charge(1 << 40))
			g.Wait()
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

func TestGolden(t *testing.T) {
	name := filepath.Join("testdata", "v1.fj")
	tree := goldenTree(t)
	if *update {
		if err := tree.WriteFile(name); err != nil {
			t.Fatal(err)
		}
	}
	golden, err := sim.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := dump(golden), dump(tree); got != want {
		t.Errorf("%s holds\n%sbut the program makes\n%s", name, got, want)
	}
}

// TestDamagedFiles cuts a file short at every byte, and changes every byte.
func TestDamagedFiles(t *testing.T) {
	file := encode(t, sim.Random(3, 60, 100))
	for n := range file {
		if _, err := sim.Read(bytes.NewReader(file[:n])); !errors.Is(err, sim.ErrFormat) {
			t.Fatalf("the first %d bytes of %d: error %v, want ErrFormat", n, len(file), err)
		}
		for _, flip := range []byte{1, 0x80, 0xff} {
			bad := bytes.Clone(file)
			bad[n] ^= flip
			if _, err := sim.Read(bytes.NewReader(bad)); !errors.Is(err, sim.ErrFormat) {
				t.Fatalf("byte %d xor %#x: error %v, want ErrFormat", n, flip, err)
			}
		}
	}
	if _, err := sim.Read(bytes.NewReader(append(file, 0))); !errors.Is(err, sim.ErrFormat) {
		t.Errorf("with a byte more: error %v, want ErrFormat", err)
	}
}

func TestWriteFileKeepsTheOld(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "tree.fj")
	if err := sim.Fib(5, 1).WriteFile(name); err != nil {
		t.Fatal(err)
	}
	if err := sim.Fib(6, 1).WriteFile(name); err != nil {
		t.Fatal(err)
	}
	tree, err := sim.ReadFile(name)
	if err != nil || tree.Counts().Forks != 12 {
		t.Errorf("%v, %v; want fib(6)", tree.Counts(), err)
	}
	damaged := filepath.Join(dir, "damaged")
	if err := os.WriteFile(damaged, []byte("something"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := sim.ReadFile(damaged); !errors.Is(err, sim.ErrFormat) || err.Error() != "forkjoin: "+damaged+": not a recording, or a damaged one: it does not begin like one" {
		t.Errorf("of a damaged file: error %v", err)
	}
	if err := os.Remove(damaged); err != nil {
		t.Fatal(err)
	}
	if err := sim.Fib(5, 1).WriteFile(filepath.Join(dir, "missing", "x")); err == nil {
		t.Error("no error for a directory that is missing")
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 1 {
		t.Errorf("the directory has %d files, want 1 (%v)", len(left), err)
	}
}
