package sim_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/forkjoin-go/forkjoin"
	"github.com/forkjoin-go/forkjoin/sim"
)

// dump writes a tree as text: one line for each operation, indented.
func dump(t *sim.Tree) string {
	var s strings.Builder
	var op sim.Op
	var walk func(at sim.Pos, indent string) sim.Pos
	walk = func(at sim.Pos, indent string) sim.Pos {
		for {
			t.Decode(at, &op)
			fmt.Fprintf(&s, "%s%d %v", indent, op.Cost, op.Kind)
			at = op.Next
			parts := 0
			switch op.Kind {
			case sim.End:
				s.WriteByte('\n')
				return at
			case sim.Fork:
				parts = 2
			case sim.Spawn:
				parts = 1
				fmt.Fprintf(&s, " %d", op.Group)
			case sim.Wait:
				fmt.Fprintf(&s, " %d", op.Group)
			case sim.Items:
				parts = op.Items
				fmt.Fprintf(&s, " n=%d", op.N)
			case sim.Reduce:
				parts = 2*op.Items - 1
				fmt.Fprintf(&s, " n=%d", op.N)
			case sim.Enter:
				fmt.Fprintf(&s, " %s", t.Name(op.Site))
			case sim.Loop:
				fmt.Fprintf(&s, " n=%d", op.N)
				p := t.Profile(&op)
				for i := range p.Blocks() {
					b := p.Block(i)
					fmt.Fprintf(&s, " %d:%d", b.Iterations, b.Cost)
				}
			case sim.Pause:
				fmt.Fprintf(&s, " %d", op.Work)
			case sim.Summary:
				fmt.Fprintf(&s, " %d %d %d", op.Work, op.Span, op.Tasks)
			}
			s.WriteByte('\n')
			for range parts {
				at = walk(at, indent+"  ")
			}
		}
	}
	walk(t.Root(), "")
	return s.String()
}

func charge(n int64) func() { return func() { forkjoin.Charge(n) } }

func TestRecordDeclared(t *testing.T) {
	fib := forkjoin.Recursive(func(t *forkjoin.Task[int, int], n int) int {
		forkjoin.Charge(int64(n))
		if n < 2 {
			return n
		}
		a, b := t.Join(n-1, n-2)
		forkjoin.Charge(1)
		return a + b
	})
	wide := forkjoin.Recursive(func(t *forkjoin.Task[int, int], n int) int {
		if n > 0 {
			forkjoin.Charge(int64(n))
			return n
		}
		t.JoinAll([]int{2, 3}, make([]int, 2))
		return 0
	})
	for _, c := range []struct {
		name, want string
		f          func()
	}{
		{"nothing", "0 end\n", func() { forkjoin.Charge(0) }},
		{"join", `
1 fork
  2 end
  3 end
4 end
`, func() { forkjoin.Charge(1); forkjoin.Join(charge(2), charge(3)); forkjoin.Charge(4) }},
		{"join2", `
0 fork
  2 end
  0 fork
    5 end
    6 end
  3 end
0 end
`, func() {
			forkjoin.Join2(func() int { forkjoin.Charge(2); return 1 }, func() int {
				forkjoin.Join(charge(5), charge(6))
				forkjoin.Charge(3)
				return 2
			})
		}},
		{"recursive", `
3 fork
  2 fork
    1 end
    0 end
  1 end
  1 end
1 end
`, func() { fib(3) }},
		{"join all", `
0 loop n=3 1:1 1:2 1:3
0 end
`, func() { forkjoin.JoinAll(charge(1), charge(2), charge(3)) }},
		{"join all that fork", `
0 items n=3
  1 end
  0 fork
    2 end
    3 end
  0 end
  4 end
0 end
`, func() { forkjoin.JoinAll(charge(1), func() { forkjoin.Join(charge(2), charge(3)) }, charge(4)) }},
		{"task join all", `
0 loop n=2 1:2 1:3
0 end
`, func() { wide(0) }},
		{"loop", `
0 loop n=10 4:20 6:0
7 end
`, func() {
			forkjoin.ParallelFor(10, func(i int) {
				if i < 4 {
					forkjoin.Charge(5)
				}
			})
			forkjoin.Charge(7)
		}},
		{"loop that forks", `
0 items n=2
  1 end
  0 fork
    2 end
    3 end
  0 end
0 end
`, func() {
			forkjoin.ParallelFor(2, func(i int) {
				if i == 0 {
					forkjoin.Charge(1)
				} else {
					forkjoin.Join(charge(2), charge(3))
				}
			})
		}},
		{"reduce", `
0 reduce n=3
  1 end
  1 end
  1 end
  10 end
  10 end
0 end
`, func() {
			forkjoin.ParallelReduce(3, 0, func(lo, hi int) int { forkjoin.Charge(int64(hi - lo)); return 0 },
				func(a, b int) int { forkjoin.Charge(10); return a + b })
		}},
		{"group", `
1 spawn 1
  5 end
2 spawn 1
  0 fork
    6 end
    7 end
  0 end
0 wait 1
3 end
`, func() {
			var g forkjoin.WaitGroup
			forkjoin.Charge(1)
			g.Go(charge(5))
			forkjoin.Charge(2)
			g.Go(func() { forkjoin.Join(charge(6), charge(7)) })
			g.Wait()
			forkjoin.Charge(3)
		}},
		{"labeled", `
1 enter a
2 fork
  0 enter b
  3 leave
  0 end
  4 end
0 leave
5 end
`, func() {
			forkjoin.Charge(1)
			forkjoin.Labeled("a", func() {
				forkjoin.Charge(2)
				forkjoin.Join(func() { forkjoin.Labeled("b", charge(3)) }, charge(4))
			})
			forkjoin.Charge(5)
		}},
		{"panic in the first branch", `
0 fork
  1 end
  0 end
2 end
`, func() {
			func() {
				defer func() { recover() }()
				forkjoin.Join(func() { forkjoin.Charge(1); panic("expected") }, charge(3))
			}()
			forkjoin.Charge(2)
		}},
		{"panic in the second branch", `
0 fork
  1 end
  0 fork
    3 end
    4 end
  0 end
2 end
`, func() {
			func() {
				defer func() { recover() }()
				forkjoin.Join(charge(1), func() {
					forkjoin.Join(charge(3), func() { forkjoin.Charge(4); panic("expected") })
				})
			}()
			forkjoin.Charge(2)
		}},
	} {
		for range 2 {
			tree, err := sim.Record(c.f)
			if err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			if got, want := dump(tree), strings.TrimPrefix(c.want, "\n"); got != want {
				t.Errorf("%s: got\n%swant\n%s", c.name, got, want)
			}
			if m := tree.Meta(); !m.Declared || m.Workers != 1 || m.Moved != 0 || m.Missing != 0 || m.Cut {
				t.Errorf("%s: %+v", c.name, m)
			}
		}
	}
}
