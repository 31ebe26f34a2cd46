// Package progress shows on a terminal what a command is doing.
package progress

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

// A Line is a line on a terminal that says what is being done and for how
// long. It first shows after a second and is then rewritten. A nil *Line shows
// nothing.
type Line struct {
	w     io.Writer
	begun time.Time

	mu    sync.Mutex
	text  string
	timer *time.Timer // nil while stopped
	width int         // of what is on the terminal
}

const (
	after = time.Second
	every = 200 * time.Millisecond
)

// New returns nil unless w is a terminal.
func New(w io.Writer) *Line {
	f, ok := w.(*os.File)
	if !ok {
		return nil
	}
	if info, err := f.Stat(); err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return nil
	}
	return &Line{w: w, begun: time.Now()}
}

// Step says what is done from now on.
func (p *Line) Step(text string) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.text = text
	if p.timer == nil {
		p.timer = time.AfterFunc(max(every, after-time.Since(p.begun)), p.tick)
	}
}

// tick rewrites the line.
func (p *Line) tick() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.timer == nil {
		return
	}
	p.rewrite(fmt.Sprintf("%s … %.0f s", p.text, time.Since(p.begun).Seconds()))
	p.timer.Reset(every)
}

// Stop removes the line.
func (p *Line) Stop() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.timer != nil {
		p.timer.Stop()
		p.timer = nil
	}
	if p.width > 0 {
		p.rewrite("")
		fmt.Fprint(p.w, "\r")
	}
}

// rewrite covers what was on the line with spaces: every terminal can do that.
func (p *Line) rewrite(text string) {
	width := utf8.RuneCountInString(text)
	fmt.Fprint(p.w, "\r", text, strings.Repeat(" ", max(0, p.width-width)))
	p.width = width
}
