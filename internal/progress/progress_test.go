package progress

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

func TestProgress(t *testing.T) {
	var b bytes.Buffer
	p := &Line{w: &b, begun: time.Now().Add(-3 * time.Second)}
	p.Step("1/2 a long step")
	p.tick()
	p.Step("2/2 b")
	p.tick()
	p.Stop()
	p.tick() // one that was under way
	p.Stop()
	got := b.String()
	want := "\r1/2 a long step … 3 s\r2/2 b … 3 s" + strings.Repeat(" ", 10) + "\r" + strings.Repeat(" ", 11) + "\r"
	if got != want {
		t.Errorf("progress wrote %q, want %q", got, want)
	}
	p = New(&b)
	p.Step("x")
	p.Stop()
	if p != nil || b.String() != got {
		t.Error("progress is shown on something that is no terminal")
	}
}
