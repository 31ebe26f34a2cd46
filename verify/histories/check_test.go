package histories

import (
	"errors"
	"strings"
	"testing"
)

// parse reads a history in short: each line is a client, the moments at which the call
// began and ended, the call, its argument and its result.
func parse(t *testing.T, kind, text string) *History {
	t.Helper()
	h := &History{Kind: kind}
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		if len(f) == 0 {
			continue
		}
		if len(f) != 6 {
			t.Fatalf("%q has %d fields, want 6", line, len(f))
		}
		e := Event{Client: int(number(t, f[0])), Call: number(t, f[1]), Ret: number(t, f[2]), Op: f[3], Arg: number(t, f[4])}
		if f[5][0] >= 'a' {
			e.Result = f[5]
		} else {
			e.Out = number(t, f[5])
		}
		h.Events = append(h.Events, e)
	}
	return h
}

func number(t *testing.T, s string) int64 {
	t.Helper()
	n := int64(0)
	for _, c := range s {
		if c < '0' || c > '9' {
			t.Fatalf("%q is no number", s)
		}
		n = 10*n + int64(c-'0')
	}
	return n
}

// The checker accepts what may happen and rejects what may not. Each wrong history
// is what some mistake in the code would make.
func TestCheck(t *testing.T) {
	for _, c := range []struct {
		name, kind string
		right      bool
		text       string
	}{
		{"owner alone", "deque", true, `
			0 1 2 push 1 0
			0 3 4 push 2 0
			0 5 6 pop 0 2
			0 7 8 pop 1 1`},
		{"a steal while publish is under way", "deque", true, `
			0 1 2 push 1 0
			0 3 6 publish 1 0
			1 4 5 steal 0 1
			0 7 8 pop 0 stolen
			0 9 10 release 0 0`},
		{"thieves at once, the oldest first", "deque", true, `
			0 1 2 push 1 0
			0 3 4 push 2 0
			0 5 6 publish 2 0
			1 7 10 steal 0 2
			2 8 9 steal 0 1
			3 11 12 steal 0 empty`},
		{"a claim lost to the owner", "deque", true, `
			0 1 2 push 1 0
			0 3 4 publish 1 0
			1 5 8 steal 0 lost
			0 6 7 pop 0 1`},
		{"pop without keep takes all back", "deque", true, `
			0 1 2 push 1 0
			0 3 4 push 2 0
			0 5 6 publish 2 0
			0 7 8 pop 0 2
			1 9 10 steal 0 empty`},
		{"pop with keep leaves the rest", "deque", true, `
			0 1 2 push 1 0
			0 3 4 push 2 0
			0 5 6 publish 2 0
			0 7 8 pop 1 2
			1 9 10 steal 0 1`},
		{"taken twice, by thief and owner", "deque", false, `
			0 1 2 push 1 0
			0 3 4 publish 1 0
			1 5 8 steal 0 1
			0 6 7 pop 0 1`},
		{"taken twice, by two thieves", "deque", false, `
			0 1 2 push 1 0
			0 3 4 push 2 0
			0 5 6 publish 2 0
			1 7 9 steal 0 1
			2 8 10 steal 0 1`},
		{"stolen from the near end", "deque", false, `
			0 1 2 push 1 0
			0 3 4 push 2 0
			0 5 6 publish 2 0
			1 7 8 steal 0 2`},
		{"stolen before it was public", "deque", false, `
			0 1 2 push 1 0
			1 3 4 steal 0 1
			0 5 6 publish 1 0`},
		{"missed though public", "deque", false, `
			0 1 2 push 1 0
			0 3 4 publish 1 0
			1 5 6 steal 0 empty`},
		{"said to be stolen though nobody took it", "deque", false, `
			0 1 2 push 1 0
			0 3 4 publish 1 0
			0 5 6 pop 0 stolen`},
		{"still public after pop without keep", "deque", false, `
			0 1 2 push 1 0
			0 3 4 push 2 0
			0 5 6 publish 2 0
			0 7 8 pop 0 2
			1 9 10 steal 0 1`},
		{"the popped frame still public after pop with keep", "deque", false, `
			0 1 2 push 1 0
			0 3 4 push 2 0
			0 5 6 publish 2 0
			0 7 8 pop 1 2
			1 9 10 steal 0 1
			1 11 12 steal 0 2`},
		{"an old value in a frame that was used again", "deque", false, `
			0 1 2 push 1 0
			0 3 4 pop 0 1
			0 5 6 push 2 0
			0 7 8 publish 1 0
			1 9 10 steal 0 1`},
		{"more public than there is", "deque", false, `
			0 1 2 push 1 0
			0 3 4 publish 2 0`},
		{"released though not stolen", "deque", false, `
			0 1 2 push 1 0
			0 3 4 release 0 0`},

		{"a chunk in order", "list", true, `
			0 1 2 push 1 0
			0 3 4 push 2 1
			1 5 6 enter 0 1
			1 9 10 pop 0 2
			1 11 12 pop 0 empty
			1 13 14 enter 0 empty`},
		{"pushes at once, in either order", "list", true, `
			0 1 4 push 1 1
			1 2 3 push 1001 0
			2 5 6 pop 0 1001
			2 7 8 pop 0 1`},
		{"another chunk first", "list", true, `
			0 1 2 push 1 63
			0 3 4 push 2 64
			1 5 6 pop 64 2
			1 7 8 pop 64 empty
			2 9 10 pop 0 1`},
		{"a chunk out of order", "list", false, `
			0 1 2 push 1 0
			0 3 4 push 2 1
			1 5 6 pop 0 2
			1 7 8 pop 0 1`},
		{"taken before it was there", "list", false, `
			1 1 2 pop 0 1
			0 3 4 push 1 0`},
		{"claimed twice", "list", false, `
			0 1 2 push 1 0
			1 3 5 pop 0 1
			2 4 6 pop 0 1`},
		{"from a chunk that it is not in", "list", false, `
			0 1 2 push 1 0
			1 3 4 pop 64 1`},
		{"claimed by one who enters and one who is in", "list", false, `
			0 1 2 push 1 0
			1 3 5 enter 0 1
			2 4 6 pop 0 1`},
		{"a chunk left too soon", "list", false, `
			0 1 2 push 1 0
			1 3 4 pop 0 empty`},
		{"a chunk not seen", "list", false, `
			0 1 2 push 1 0
			1 3 4 enter 0 empty`},

		{"each giver in order", "injector", true, `
			0 1 2 push 1 0
			1 3 4 push 1001 0
			2 5 6 pop 0 1001
			2 7 8 pop 0 1
			2 9 10 pop 0 empty`},
		{"empty beside a push and a pop", "injector", true, `
			0 1 2 push 1 0
			2 3 8 pop 0 empty
			1 4 5 push 1001 0
			3 6 7 pop 0 1
			3 9 10 pop 0 1001`},
		{"counted before it is there", "injector", true, `
			0 1 4 push 1 0
			1 2 3 length 0 1
			2 5 6 pop 0 1`},
		{"a giver's jobs out of order", "injector", false, `
			0 1 2 push 1 0
			0 3 4 push 2 0
			2 5 6 pop 0 2
			2 7 8 pop 0 1`},
		{"taken twice", "injector", false, `
			0 1 2 push 1 0
			2 3 5 pop 0 1
			3 4 6 pop 0 1`},
		{"nobody's", "injector", false, `
			0 1 2 push 1 0
			2 3 4 pop 0 7`},
		{"given twice", "injector", false, `
			0 1 2 push 1 0
			0 3 4 push 1 0`},
		{"missed", "injector", false, `
			0 1 2 push 1 0
			2 3 4 pop 0 empty
			2 5 6 pop 0 1`},
		{"the length too small", "injector", false, `
			0 1 2 push 1 0
			1 3 4 length 0 0
			2 5 6 pop 0 1`},
		{"the length too large", "injector", false, `
			0 1 2 push 1 0
			2 3 4 pop 0 1
			1 5 6 length 0 1`},

		{"nothing", "deque", false, ``},
		{"one client in two calls", "deque", false, `
			0 1 3 push 1 0
			0 2 4 push 2 0`},
		{"of another kind", "stack", false, `
			0 1 2 push 1 0`},
	} {
		err := Check(parse(t, c.kind, c.text))
		if (err == nil) != c.right {
			t.Errorf("%s, %s: %v, want right = %v", c.kind, c.name, err, c.right)
		}
	}
}

// An error shows the history, so that somebody can tell what went wrong.
func TestErrorShowsHistory(t *testing.T) {
	err := Check(parse(t, "list", "0 1 2 push 5 0\n1 3 4 enter 0 empty"))
	var e *Error
	if !errors.As(err, &e) || !strings.Contains(err.Error(), "client 1: enter(0) = empty") {
		t.Errorf("%v", err)
	}
}

func TestReadBroken(t *testing.T) {
	for _, s := range []string{"{", "[]", `{"Kind":1}`} {
		if err := Read(strings.NewReader(s), func(*History) error { return nil }); err == nil {
			t.Errorf("%q is read without an error", s)
		}
	}
}
